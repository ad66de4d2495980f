/* Where a record stands: in which thread, after which other record. */
#include "extract/run/builder.h"

#include "base/hash.h"

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
	t->id = copy_body(
	    &b->run_arena, json_raw(at->agent).n != 0 ? at->agent : at->node);
	return t;
}

/*
 * The thread of a record: the agent's by its id; else, of a record that says
 * only that a sub-agent wrote it, the thread of the record before it.
 */
static struct thread *
thread_of(struct builder *b, const struct builder_locate *at)
{
	struct str key = json_raw(at->agent);
	void **slot;

	if (key.n == 0)
		key = at->parent;
	if (key.n != 0) {
		slot = hash_put_copy(&b->threads, key);
		if (*slot == NULL)
			*slot = new_thread(b, at);
		return *slot;
	}
	if (!at->sidechain)
		return &b->run->main;
	if (b->after != NULL && b->after->thread != NULL &&
	    b->after->thread != &b->run->main)
		return b->after->thread;
	return new_thread(b, at);
}

/* The record that was noted under the id; mostly it is the one before. */
static struct builder_node *
find_node(const struct builder *b, struct str id)
{
	if (id.n == 0)
		return NULL;
	if (b->latest != NULL && str_eq(b->latest->id, id))
		return b->latest;
	return hash_get(&b->nodes, id);
}

/* Notes the record in the tree; true if it was there before. */
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

	builder_current_run(b);
	b->ts = copy_time(a, &b->minute, at->ts);
	b->in_prompt = false;
	b->cut = NULL;
	b->replay = is_copy(b, at) || at->replay;
	if (b->replay) {
		/* Who goes back to it goes back before all that counts. */
		if (b->node != NULL && !at->sidechain)
			b->node->thread = &b->run->main;
		return;
	}
	b->thread = t = thread_of(b, at);
	b->root = at->root;
	if (at->parent.n != 0)
		t->parent = str_dup(a, at->parent);
	if (b->node != NULL) {
		b->node->thread = t;
		b->node->turn = at->root                        ? NULL
		    : b->after != NULL && b->after->thread == t ? b->after->turn
								: t->last;
	}
	if (json_raw(at->message).n == 0 ||
	    !str_eq(t->message, json_raw(at->message))) {
		if (json_raw(at->message).n != 0)
			t->said = NULL;
		t->message = copy_body(a, at->message);
		t->text = NULL;
	}
}

void
builder_within(struct builder *b, struct str call)
{
	const struct builder_locate at = { .parent = call };

	builder_current_run(b);
	b->thread = thread_of(b, &at);
	b->thread->parent = str_dup(&b->run_arena, call);
	b->thread->inner = true;
}
