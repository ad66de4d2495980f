/* The position of a record: its time, thread, agent and message. */
#include "extract/run/builder.h"

#include "base/hash.h"
#include "extract/run/builder_internal.h"

/* ---- threads and records ---- */

static struct thread *
new_thread(struct builder *b, const struct builder_locate *at)
{
	struct thread *t = arena_new(&b->run_arena, struct thread);
	struct run *run = b->run;

	if (run->threads == NULL)
		run->threads = t;
	else
		b->last_thread->next = t;
	b->last_thread = t;
	t->file = b->file;
	t->line = b->line;
	t->nameless = json_raw(at->agent).n == 0;
	t->id = copy_body(
	    &b->run_arena, json_raw(at->agent).n != 0 ? at->agent : at->node);
	return t;
}

/* Returns a sub-agent's thread, by its id or the id of its call. A record that
 * says only that a sub-agent wrote it belongs to the thread of the record before
 * it. */
static __attribute__((noinline)) struct thread *
sub_agent_thread(
    struct builder *b, const struct builder_locate *at, struct str key)
{
	void **slot;

	if (key.n != 0) {
		slot = hash_put_copy(&b->threads, key);
		if (*slot == NULL)
			*slot = new_thread(b, at);
		return *slot;
	}
	if (b->after != NULL && b->after->thread != NULL &&
	    b->after->thread != &b->run->main)
		return b->after->thread;
	return new_thread(b, at);
}

/* Returns the thread of a record. */
static struct thread *
thread_of(struct builder *b, const struct builder_locate *at)
{
	struct str key = json_raw(at->agent);

	if (key.n == 0)
		key = at->parent;
	return key.n == 0 && !at->sidechain ? &b->run->main
					    : sub_agent_thread(b, at, key);
}

/* Returns the record with this id; usually it is the latest record. */
static struct builder_node *
find_node(const struct builder *b, struct str id)
{
	if (id.n == 0)
		return NULL;
	if (b->latest != NULL && str_eq(b->latest->id, id))
		return b->latest;
	return hash_get(&b->nodes, id);
}

bool
builder_has_node(const struct builder *b, const struct json *id)
{
	return find_node(b, json_raw(id)) != NULL;
}

/* Adds the record to the tree. Returns whether the record is a copy of an
 * earlier record. */
static bool
is_copy(struct builder *b, const struct builder_locate *at)
{
	size_t length = at->content == NULL ? 0 : at->content->text.n;
	struct str id = json_raw(at->node);
	struct builder_node *same;
	void **slot;

	b->node = NULL;
	b->after = find_node(b, json_raw(at->after));
	if (id.n == 0)
		return false;
	id = str_dup(&b->run_arena, id);
	slot = hash_put(&b->nodes, id);
	same = *slot;
	if (same != NULL && same->length == length && same->ms == b->ts.ms)
		return true;
	*slot = b->latest = b->node =
	    arena_new(&b->run_arena, struct builder_node);
	b->node->id = id;
	b->node->length = length;
	b->node->ms = b->ts.ms;
	return false;
}

void
builder_locate_at(struct builder *b, const struct builder_locate *at)
{
	struct arena *a = &b->run_arena;
	struct thread *t;
	struct str message;

	builder_current_run(b);
	b->ts = copy_time(a, &b->minute, at->ts);
	b->in_prompt = false;
	b->cut = NULL;
	b->replay = is_copy(b, at) || at->replay;
	if (b->replay) {
		/* A record that follows this copy goes back before all turns
		 * that count. */
		if (b->node != NULL && !at->sidechain)
			b->node->thread = &b->run->main;
		return;
	}
	b->thread = t = thread_of(b, at);
	b->root = at->root;
	t->number = NULL;
	t->speaker = NULL;
	if (at->name != NULL)
		builder_agent(b, at->name);
	if (at->parent.n != 0)
		t->parent = str_dup(a, at->parent);
	if (b->node != NULL) {
		b->node->thread = t;
		b->node->turn = at->root                        ? NULL
		    : b->after != NULL && b->after->thread == t ? b->after->turn
								: t->last;
	}
	message = json_raw(at->message);
	if (message.n != 0 && str_eq(t->message, message))
		return;
	t->message = message;
	if (message.n != 0) {
		t->message = copy_text(a, message);
		t->open_text = NULL;
	}
	b->fresh = true;
	t->message_text = NULL;
}

void
builder_enter_call(struct builder *b, struct str call)
{
	const struct builder_locate at = { .parent = call };

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	b->thread = thread_of(b, &at);
	b->thread->parent = str_dup(&b->run_arena, call);
	b->thread->inner = true;
}

/* ---- agents and messages ---- */

void
builder_agent(struct builder *b, const struct json *name)
{
	struct str *copy;
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay || json_raw(name).n == 0)
		return;
	if (t->spoke == NULL || !str_eq(*t->spoke, json_raw(name))) {
		copy = arena_new(&b->run_arena, struct str);
		*copy = copy_body(&b->run_arena, name);
		t->spoke = copy;
	}
	t->speaker = t->spoke;
	b->run->named |= t == &b->run->main;
}

void
builder_sub_agent(struct builder *b, const struct json *name)
{
	builder_current_run(b)->main.name = copy_body(&b->run_arena, name);
}

static struct run_message *
message_in(struct builder *b, void **slot)
{
	if (*slot == NULL)
		*slot = arena_new(&b->run_arena, struct run_message);
	return *slot;
}

void
builder_message(struct builder *b)
{
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay)
		return;
	if (t->message.n == 0) {
		t->unnamed = 0;
		t->number = &t->unnamed;
		return;
	}
	if (!str_eq(t->numbered, t->message)) {
		t->numbered = t->message;
		t->named = message_in(b, hash_put(&b->messages, t->message));
	}
	t->number = &t->named->number;
}

void
builder_message_named(struct builder *b, const struct json *id)
{
	builder_current_run(b);
	if (!b->replay && json_raw(id).n != 0)
		b->thread->number =
		    &message_in(b, hash_put_copy(&b->messages, json_raw(id)))
			 ->number;
}

void
builder_message_by_order(struct builder *b)
{
	builder_current_run(b);
	if (b->thread->open_number == NULL)
		b->thread->open_number = arena_new(&b->run_arena, size_t);
	b->thread->number = b->thread->open_number;
}

void
builder_number_step(struct builder *b, struct step *s)
{
	size_t *number = b->thread->number;

	if (number == NULL || s->number != 0)
		return;
	if (*number == 0)
		*number = ++b->run->messages;
	s->number = *number;
}
