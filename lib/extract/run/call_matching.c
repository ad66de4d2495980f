#include "extract/run/call_matching.h"

enum { BY_ID, BY_NAME, BY_ORDER };

static struct call_matching_queue *
queue_of(struct hash_table *table, struct str key)
{
	void **slot = hash_put(table, key);

	if (*slot == NULL)
		*slot = arena_new(table->arena, struct call_matching_queue);
	return *slot;
}

static void
push(struct call_matching_queue *q, struct step *s, int which)
{
	if (q->first == NULL)
		q->first = s;
	else
		q->last->waiting[which] = s;
	q->last = s;
}

/* Returns the first waiting call of the queue; removes calls that were answered
 * through another queue and calls that an earlier turn, or message, left
 * unanswered. */
static struct step *
front(struct call_matching_queue *q, int which)
{
	while (q->first != NULL &&
	    (q->first->answered || q->first->turn != q->last->turn ||
		q->first->message != q->last->message))
		q->first = q->first->waiting[which];
	return q->first;
}

/* Enters new calls into the table of names. Most results have ids, so that the
 * table is filled only when a result needs it. */
static void
name_calls(struct call_matching *p)
{
	for (; p->unnamed != NULL; p->unnamed = p->unnamed->waiting[BY_ORDER])
		push(
		    queue_of(&p->names, p->unnamed->tool), p->unnamed, BY_NAME);
}

void
call_matching_add(struct call_matching *p, struct step *s)
{
	s->message = p->message;
	if (s->id.n != 0) {
		struct call_matching_queue *q = queue_of(&p->ids, s->id);

		q->latest = s;
		if (s->called)
			push(q, s, BY_ID);
		p->newest = q;
		p->newest_id = s->id;
	}
	p->early |= s->early;
	if (!s->called) {
		p->lone = true;
		return;
	}
	if (s->tool.n == 0)
		name_calls(p); /* but not call `s` */
	push(&p->all, s, BY_ORDER);
	if (s->tool.n != 0 && p->unnamed == NULL)
		p->unnamed = s;
}

void
call_matching_also(struct call_matching *p, struct str id)
{
	if (id.n > 0 && p->newest != NULL)
		*hash_put(&p->ids, id) = p->newest;
}

static struct call_matching_queue *
find(const struct call_matching *p, struct str id)
{
	if (id.n == 0)
		return NULL;
	return p->newest != NULL && str_eq(p->newest_id, id)
	    ? p->newest
	    : hash_get(&p->ids, id);
}

struct step *
call_matching_find(const struct call_matching *p, struct str id)
{
	const struct call_matching_queue *q = find(p, id);

	return q == NULL ? NULL : q->latest;
}

struct step *
call_matching_lone(const struct call_matching *p, struct str id)
{
	struct step *s = p->lone ? call_matching_find(p, id) : NULL;

	return s == NULL || s->called ? NULL : s;
}

struct step *
call_matching_unfinished(const struct call_matching *p, struct str id)
{
	struct step *s = p->lone || p->early ? call_matching_find(p, id) : NULL;

	return s == NULL || (s->called && !s->early) ? NULL : s;
}

struct step *
call_matching_answer(struct call_matching *p, struct str id, struct str tool,
    enum unidentified which)
{
	struct call_matching_queue *q = find(p, id);
	struct step *s;

	if (q != NULL) {
		s = front(q, BY_ID);
		return s != NULL ? s : q->latest;
	}
	if (which == UNIDENTIFIED_NONE)
		return NULL;
	name_calls(p);
	q = tool.n == 0 ? NULL : hash_get(&p->names, tool);
	if (tool.n != 0)
		s = q == NULL ? NULL : front(q, BY_NAME);
	else
		s = front(&p->all, BY_ORDER);
	/* A result with an id does not answer a call with another id. */
	return s != NULL && id.n != 0 && s->id.n != 0 ? NULL : s;
}
