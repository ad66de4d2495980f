#include "extract/api/chat_emit.h"

#include "base/hash.h"

static void
emit_part(
    struct builder *b, const struct chat_message *m, const struct chat_part *p)
{
	if (p->kind == CHAT_CALL)
		builder_call(b, .id = p->id, .tool = p->tool, .args = p->value,
		    .decode = true);
	else if (p->kind == CHAT_RESULT)
		builder_result(b, .id = p->id, .tool = p->tool,
		    .value = p->value, .is_error = p->is_error);
	else if (m->role == CHAT_USER)
		builder_prompt(b, p->value);
	else if (m->role == CHAT_MODEL)
		builder_text(b, p->value);
	else if (m->role == CHAT_SYSTEM)
		builder_system_message(b, p->value);
}

/* Returns whether the part is a call whose id is in `calls`; adds the id. */
static bool
is_again(struct hash_table *calls, const struct chat_part *p)
{
	struct str id = json_raw(p->id);
	bool again;

	if (p->kind != CHAT_CALL || id.n == 0)
		return false;
	again = hash_get(calls, id) != NULL;
	*hash_put(calls, id) = calls;
	return again;
}

/* Some libraries log calls beside the message's content, and for some models
 * repeat them in the content. */
static void
emit_message(struct builder *b, const struct chat_message *m)
{
	struct hash_table calls = { .arena = builder_arena(b) };

	builder_current_run(b); /* opening a run later would free the table */
	if (m->role == CHAT_MODEL)
		builder_message(b);
	for (size_t i = 0; i < m->n; i++)
		if (!is_again(&calls, &m->parts[i]))
			emit_part(b, m, &m->parts[i]);
	builder_stop_reason(b, m->stop);
}

void
chat_emit(struct builder *b, const struct chat *d)
{
	for (size_t i = 0; i < d->n_unread; i++)
		builder_unread_block(b, d->unread[i]);
	for (size_t i = 0; i < d->n; i++)
		emit_message(b, &d->list[i]);
}
