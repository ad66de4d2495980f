#include "extract/format/branches.h"

struct branches_message *
branches_add(struct branches *t, const struct branches_message *message)
{
	struct branches_message *m =
	    arena_new(t->arena, struct branches_message);

	*m = *message;
	t->by_id.arena = t->arena;
	m->parent = m->after.n == 0 ? NULL : hash_get(&t->by_id, m->after);
	if (m->parent == NULL)
		m->parent = &t->root;
	if (m->id.n != 0)
		*hash_put(&t->by_id, m->id) = m;
	*arena_push(t->arena, t->list, t->n) = m;
	return m;
}

/* Finds the branch that ends with `last`. A parent was added before its
 * children, so that the walk ends at the root. */
static void
mark_current(struct branches *t, struct branches_message *last)
{
	struct branches_message *next = NULL;

	for (struct branches_message *m = last;; m = m->parent) {
		m->current = true;
		m->next_current = next;
		next = m;
		if (m == &t->root)
			return;
	}
}

/* Gives each other message to the message of the conversation that its branch
 * comes from. */
static void
collect_others(struct branches *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct branches_message *m = t->list[i], *at = m->parent;

		if (m->current)
			continue;
		m->anchor = at->current ? at : at->anchor;
		if (m->anchor->off == NULL)
			m->anchor->off = m;
		else
			m->anchor->last_off->next_off = m;
		m->anchor->last_off = m;
	}
}

/* Reports the branches that leave the conversation at the message, and goes
 * back before their turns. An answer that was asked for again is a turn with
 * the same prompt. */
static void
read_others(struct log *log, const struct branches_message *at,
    void (*read)(struct log *, const struct json *))
{
	size_t turns = 0;

	for (const struct branches_message *m = at->off; m != NULL;
	     m = m->next_off) {
		if (m->parent == at && at->prompt && !m->prompt) {
			read(log, at->message);
			turns++;
		}
		read(log, m->message);
		turns += m->prompt;
	}
	if (turns != 0)
		builder_rewind(log->builder, turns);
}

void
branches_read(struct branches *t, struct log *log, struct str last,
    void (*read)(struct log *, const struct json *))
{
	struct branches_message *end =
	    last.n == 0 ? NULL : hash_get(&t->by_id, last);

	if (t->n == 0)
		return;
	mark_current(t, end != NULL ? end : t->list[t->n - 1]);
	collect_others(t);
	read_others(log, &t->root, read);
	for (const struct branches_message *m = t->root.next_current; m != NULL;
	     m = m->next_current) {
		if (m->prompt)
			read_others(log, m, read);
		read(log, m->message);
		if (!m->prompt)
			read_others(log, m, read);
	}
}
