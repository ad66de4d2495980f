#include "span_tree.h"

#include <stdlib.h>

#include "hash.h"
#include "toolname.h"

/* ---- parents ---- */

/* Takes the way up from the span; where it meets itself, it ends. */
static void
cut_circle(struct span *s, unsigned walk)
{
	while (s->walk == 0) {
		s->walk = walk;
		if (s->up == NULL)
			return;
		if (s->up->walk == walk)
			s->up = NULL;
		else
			s = s->up;
	}
}

void
span_tree_link(struct arena *a, struct span **list, size_t n)
{
	struct hash_table ids = { .arena = a };

	for (size_t i = 0; i < n; i++)
		if (list[i]->id.n != 0)
			*hash_put(&ids, list[i]->id) = list[i];
	for (size_t i = 0; i < n; i++)
		list[i]->up = list[i]->parent.n == 0
		    ? NULL
		    : hash_get(&ids, list[i]->parent);
	for (size_t i = 0; i < n; i++)
		cut_circle(list[i], (unsigned)i + 1);
}

/* ---- order ---- */

static int
compare(const void *a, const void *b)
{
	const struct span *x = *(struct span *const *)a;
	const struct span *y = *(struct span *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

void
span_tree_sort(struct span **list, size_t n)
{
	qsort(list, n, sizeof *list, compare);
}

/* ---- what is told twice ---- */

static void
mark_usage(struct span *s)
{
	for (struct span *p = s->up; p != NULL; p = p->up) {
		if ((p->below & s->usage.known) == s->usage.known)
			return;
		p->below |= s->usage.known;
	}
}

static void
mark_model(struct span *s)
{
	bool dialogue = s->in.n != 0 || s->out.n != 0;

	for (struct span *p = s->up; p != NULL; p = p->up) {
		if (p->model_below && p->dialogue_below >= dialogue)
			return;
		p->model_below = true;
		p->dialogue_below |= dialogue;
	}
}

/* The tool's span around it with no agent or model between. */
static struct span *
outer_tool(const struct span *s)
{
	struct span *p = s->up;

	while (p != NULL && p->kind == SPAN_OTHER)
		p = p->up;
	return p != NULL && p->kind == SPAN_TOOL ? p : NULL;
}

static bool
is_same_tool(const struct span *a, const struct span *b)
{
	return toolname_same(json_raw(a->tool), json_raw(b->tool));
}

static void
fill(const struct json **to, const struct json *from)
{
	if (*to == NULL)
		*to = from;
}

/* A client, and a server, may have spans of the call that an agent has. */
static void
join_tool(struct span *s)
{
	struct span *outer = outer_tool(s), *top = NULL;

	while (outer != NULL && is_same_tool(s, outer)) {
		top = outer;
		outer = outer_tool(outer);
	}
	s->same = top;
	if (top == NULL)
		return;
	fill(&top->server, s->server);
	fill(&top->call, s->call);
	fill(&top->args, s->args);
	fill(&top->result, s->result);
	if (top->is_error == NULL || json_is(s->is_error, JSON_TRUE))
		top->is_error = s->is_error;
}

void
span_tree_mark(struct span **list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mark_usage(list[i]);
		if (list[i]->kind == SPAN_MODEL)
			mark_model(list[i]);
		else if (list[i]->kind == SPAN_TOOL)
			join_tool(list[i]);
	}
}

struct span *
span_tree_tool(const struct span *s)
{
	struct span *p = s->up;

	while (p != NULL && (p->kind != SPAN_TOOL || p->same != NULL))
		p = p->up;
	return p;
}
