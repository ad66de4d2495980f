#include "extract/format/claude.h"

#include "extract/api/anthropic_message.h"
#include "extract/format/log_format.h"

/* A block as it begins, and what follows of its text or of the text of a call's
 * arguments. */
struct claude_block {
	struct claude_block *next;
	const struct json *begin;
	struct text text;
};

struct claude_partial *
claude_partial_of(
    struct claude_partials *all, struct builder *b, struct str parent)
{
	struct claude_partial *m = hash_get(&all->by_parent, parent);

	if (m != NULL)
		return m;
	m = arena_new(builder_arena(b), struct claude_partial);
	m->all = all;
	m->parent = str_dup(builder_arena(b), parent);
	m->next = all->first;
	all->first = m;
	all->by_parent.arena = builder_arena(b);
	*hash_put(&all->by_parent, m->parent) = m;
	claude_partial_drop(m);
	return m;
}

bool
claude_partial_any(const struct claude_partial *m)
{
	return m->first != NULL;
}

void
claude_partial_drop(struct claude_partial *m)
{
	m->all->n -= m->first != NULL;
	m->first = m->open = NULL;
	m->end = &m->first;
}

static void
begin_block(struct claude_partial *m, struct builder *b, const struct json *v)
{
	struct arena *a = builder_arena(b);
	struct claude_block *block;

	m->open = NULL;
	if (field_is_type(v, "thinking redacted_thinking"))
		return;
	m->open = block = arena_new(a, struct claude_block);
	block->begin = copy_tree(a, v);
	text_append(a, &block->text, json_raw(json_get(v, "text")));
	m->all->n += m->first == NULL;
	*m->end = block;
	m->end = &block->next;
}

static void
begin_message(
    struct claude_partial *m, struct builder *b, const struct json *message)
{
	m->id = copy_body(builder_arena(b), json_get(message, "id"));
	m->usage = (struct usage){ 0 };
	anthropic_usage_read(&m->usage, json_get(message, "usage"));
}

void
claude_partial_read(
    struct claude_partial *m, struct builder *b, const struct json *event)
{
	const struct json *type = json_get(event, "type");

	if (json_str_is(type, "message_start"))
		begin_message(m, b, json_get(event, "message"));
	else if (json_str_is(type, "content_block_start"))
		begin_block(m, b, json_get(event, "content_block"));
	else if (json_str_is(type, "content_block_delta") && m->open != NULL)
		text_append(builder_arena(b), &m->open->text,
		    json_raw(field_find(
			json_get(event, "delta"), "text partial_json")));
}

static void
emit_block(struct builder *b, const struct claude_block *block)
{
	const struct json *begin = block->begin;
	const struct json *text = block->text.n == 0
	    ? NULL
	    : builder_str(b, (struct str){ block->text.s, block->text.n });

	if (field_is_type(begin, "text"))
		builder_text(b, text);
	else if (text == NULL || json_get(begin, "name") == NULL)
		anthropic_block_read(b, begin);
	else
		builder_call(b, .id = json_get(begin, "id"),
		    .tool = json_get(begin, "name"),
		    .server = json_get(begin, "server_name"), .args = text,
		    .decode = true);
}

void
claude_partial_emit(struct claude_partial *m, struct builder *b)
{
	builder_locate(
	    b, .message = builder_str(b, m->id), .parent = m->parent);
	builder_message(b);
	for (const struct claude_block *block = m->first; block != NULL;
	     block = block->next)
		emit_block(b, block);
	builder_usage(b, m->id, &m->usage, true);
	claude_partial_drop(m);
}
