#include "extract/span/tree.h"

#include <stdlib.h>

#include "base/hash.h"
#include "extract/value/tool_name.h"

/* ---- parents ---- */

/* Follows the parents of the span and cuts the path where it meets itself. */
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

/* ---- spans that report the same thing ---- */

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
	bool chat = s->in.n != 0 || s->out.n != 0;

	for (struct span *p = s->up; p != NULL; p = p->up) {
		if (p->model_below && p->chat_below >= chat)
			return;
		p->model_below = true;
		p->chat_below |= chat;
	}
}

enum {
	/* At most this many nested spans report one call; deeper ones are calls
	 * within calls. */
	SAME_MAX = 16,
};

/* The rounds of find_above(). */
enum { NO_ROUND, NO_OTHER, AGENTS, TOOLS };

/* Sets s->above to the nearest span around `s` that stops the search, or NULL.
 * All spans on the path get the same result, so that a round over all spans
 * takes linear time however deep the spans lie. */
static void
find_above(struct span *s, unsigned round, bool (*stops)(const struct span *))
{
	struct span *last = s, *found;

	while (last->round != round && last->up != NULL && !stops(last->up))
		last = last->up;
	found = last->round == round ? last->above : last->up;
	for (; s->round != round; s = s == last ? s : s->up) {
		s->above = found;
		s->round = round;
	}
}

static bool
is_no_other(const struct span *s)
{
	return s->kind != SPAN_OTHER;
}

static bool
is_call(const struct span *s)
{
	return s->kind == SPAN_TOOL && s->same == NULL;
}

static bool
is_named_or_call(const struct span *s)
{
	return (s->agent != NULL && s->kind != SPAN_TOOL) || is_call(s);
}

/* Returns the tool span around `s` with no agent or model between, or NULL. */
static struct span *
outer_tool(struct span *s)
{
	find_above(s, NO_OTHER, is_no_other);
	return s->above != NULL && s->above->kind == SPAN_TOOL ? s->above
							       : NULL;
}

static bool
is_same_tool(const struct span *a, const struct span *b)
{
	return tool_name_same(json_raw(a->tool), json_raw(b->tool));
}

/* Marks the span as part of the outermost span of the same call: an agent, a
 * client and a server may each have a span of one call. */
static void
join_tool(struct span *s)
{
	struct span *outer = outer_tool(s), *top = NULL;

	for (int i = 1; i < SAME_MAX && outer != NULL && is_same_tool(s, outer);
	     i++) {
		top = outer;
		outer = outer_tool(outer);
	}
	s->same = top;
	if (top == NULL)
		return;
	span_set_if_absent(&top->server, s->server);
	span_set_if_absent(&top->name, s->name);
	span_set_if_absent(&top->call, s->call);
	span_set_if_absent(&top->args, s->args);
	span_set_if_absent(&top->result, s->result);
	if (top->is_error == NULL || json_is(s->is_error, JSON_TRUE))
		top->is_error = s->is_error;
}

/* ---- an agent's span beside those of its models ---- */

enum {
	/* Spans of a trace that are compared with all that follow: more than a trace has
	 * agents. */
	BESIDE_MAX = 1000,
};

/* Returns the input tokens, with those of caches, or the output tokens. */
static double
tokens(const struct span *s, bool output)
{
	return output ? s->usage.n[USAGE_OUTPUT]
		      : s->usage.n[USAGE_INPUT] + s->usage.n[USAGE_CACHE_READ] +
		s->usage.n[USAGE_CACHE_WRITE];
}

/* Returns whether two spans have names of agents that are the same. */
static bool
same_agent(const struct span *a, const struct span *b)
{
	return json_raw(a->agent).n != 0 &&
	    str_eq(json_raw(a->agent), json_raw(b->agent));
}

/* Returns whether the model's span may be one whose tokens the agent's span adds up,
 * although the agent's span is not above: it lies within the time of the agent, and
 * is not another agent's. */
static bool
may_add_up(const struct span *agent, const struct span *model)
{
	return model->kind == SPAN_MODEL && !model->model_below &&
	    model->usage.known & ~model->below && model->end <= agent->end &&
	    (json_raw(agent->agent).n == 0 || json_raw(model->agent).n == 0 ||
		same_agent(agent, model));
}

/* Marks an agent's span of which other spans have the tokens, though these are beside
 * the agent's span, with a common parent or elsewhere: their sums are equal, or they
 * name the same agent, or they have the same parent and their sums are no larger. The
 * list is sorted, so that spans within the agent's time follow its span. */
static void
mark_beside(struct span **list, size_t n, size_t i)
{
	struct span *agent = list[i];
	bool named = false, siblings = true;
	double in = 0, out = 0;
	unsigned known = 0;

	for (size_t k = i + 1; k < n && list[k]->start <= agent->end; k++) {
		const struct span *s = list[k];

		if (!may_add_up(agent, s))
			continue;
		known |= s->usage.known;
		named |= same_agent(agent, s);
		siblings &= s->up == agent->up;
		in += tokens(s, false);
		out += tokens(s, true);
	}
	if (named ||
	    (in == tokens(agent, false) && out == tokens(agent, true)) ||
	    (siblings && in <= tokens(agent, false) &&
		out <= tokens(agent, true)))
		agent->below |= known;
}

void
span_tree_mark_beside(struct span **list, size_t n)
{
	size_t looked = 0;

	for (size_t i = 0; i < n && looked < BESIDE_MAX; i++) {
		if (list[i]->kind == SPAN_MODEL || list[i]->kind == SPAN_TOOL ||
		    (list[i]->usage.known & ~list[i]->below) == 0 ||
		    list[i]->start == SPAN_NO_TIME)
			continue;
		looked++;
		mark_beside(list, n, i);
	}
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
	for (size_t i = 0; i < n; i++) {
		find_above(list[i], AGENTS, is_named_or_call);
		list[i]->by = list[i]->agent;
		if (list[i]->by == NULL && list[i]->above != NULL &&
		    list[i]->above->kind != SPAN_TOOL)
			list[i]->by = list[i]->above->agent;
	}
	for (size_t i = 0; i < n; i++)
		find_above(list[i], TOOLS, is_call);
}

struct span *
span_tree_tool(const struct span *s)
{
	return s->above;
}
