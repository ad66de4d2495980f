#include "extract/span/call.h"

#include "extract/api/chat.h"
#include "extract/value/copy.h"
#include "extract/value/tool_name.h"

/* The calls with one id as a ring: the oldest follows the newest. */
struct span_id {
	struct span_call *newest, *current;
	size_t list, met;      /* the current list of messages, and how often it
			        * has the id */
	struct span_call *due; /* the first call in that list without a result
			        * */
};

struct span_wait {
	struct span_wait *next;
	struct span_call *call;
};

/* ---- what waits ---- */

static void
enqueue(struct span_calls *g, enum span_queue which, struct span_call *c)
{
	struct span_waits *queue = &g->waits[which];
	struct span_wait *w = arena_new(g->arena, struct span_wait);

	w->call = c;
	if (queue->last == NULL)
		queue->first = w;
	else
		queue->last->next = w;
	queue->last = w;
}

static bool
is_done(const struct span_call *c, enum span_queue which)
{
	return which == SPAN_UNANSWERED ? c->answered
	    : which == SPAN_UNMET       ? c->met
					: c->asked && c->ran;
}

struct span_call *
span_call_add(struct span_calls *g, const struct span_side *call)
{
	struct span_call *c = arena_new(g->arena, struct span_call);

	c->args = call->args;
	c->id = json_raw(call->id);
	c->tool = json_raw(call->tool);
	c->list = g->list;
	if (c->id.n != 0)
		span_call_name(g, c->id, c);
	enqueue(g, SPAN_UNANSWERED, c);
	return c;
}

void
span_call_emitted(
    struct span_calls *g, struct span_call *c, enum span_queue side)
{
	bool *known = side == SPAN_ASKED ? &c->asked : &c->ran;

	if (*known)
		return;
	*known = true;
	if (!is_done(c, side))
		enqueue(g, side, c);
}

void
span_call_answer(struct span_calls *g, struct span_call *c)
{
	c->by_answer = true;
	enqueue(g, SPAN_UNMET, c);
}

static bool
may_be(const struct span_call *c, const struct span_side *w)
{
	return (c->id.n == 0 || json_raw(w->id).n == 0) &&
	    (json_raw(w->tool).n == 0 ||
		tool_name_same(c->tool, json_raw(w->tool)));
}

/* Returns whether the arguments are the same, which some libraries put into a
 * member `input` when they run the tool. */
static bool
same_args(const struct json *asked, const struct json *ran)
{
	const struct json *within =
	    json_count(ran) == 1 ? json_get(ran, "input") : NULL;

	return json_equal(asked, ran) ||
	    (within != NULL && json_equal(asked, within));
}

/* A call and a request that both have ids differ, since the lookup by id failed
 * before. Removes finished calls from the queue on the way. */
struct span_call *
span_call_find(
    struct span_calls *g, enum span_queue which, const struct span_side *want)
{
	struct span_waits *queue = &g->waits[which];
	struct span_wait *before = NULL;
	struct span_call *first = NULL;
	size_t looked = 0;

	for (struct span_wait *w = queue->first;
	     w != NULL && looked < SPAN_LOOK_MAX; w = w->next) {
		if (is_done(w->call, which)) {
			*(before == NULL ? &queue->first : &before->next) =
			    w->next;
			if (queue->last == w)
				queue->last = before;
			continue;
		}
		before = w;
		looked++;
		if (!may_be(w->call, want))
			continue;
		if (want->args == NULL ||
		    (w->call->args != NULL &&
			same_args(w->call->args, want->args)))
			return w->call;
		if (first == NULL)
			first = w->call;
	}
	return first;
}

struct span_call *
span_call_unmet(
    struct span_calls *g, const struct json *tool, const struct json *args)
{
	struct span_call *c = span_call_find(
	    g, SPAN_UNMET, &(struct span_side){ .tool = tool, .args = args });

	return c != NULL && args != NULL && c->args != NULL &&
		json_equal(c->args, args)
	    ? c
	    : NULL;
}

/* ---- ids ---- */

static struct span_id *
id_of(const struct span_calls *g, const struct json *id)
{
	return json_raw(id).n == 0 ? NULL : hash_get(&g->ids, json_raw(id));
}

static void
set_current(struct span_id *of, struct span_call *c)
{
	of->current = c;
	if (of->due == NULL)
		of->due = c;
}

void
span_call_name(struct span_calls *g, struct str id, struct span_call *c)
{
	void **slot;
	struct span_id *of;

	g->ids.arena = g->arena;
	slot = hash_put(&g->ids, id);
	of = *slot;
	if (of == NULL) {
		*slot = of = arena_new(g->arena, struct span_id);
		of->list = g->list;
		of->met = 1;
	}
	c->next = of->newest == NULL ? c : of->newest->next;
	if (of->newest != NULL)
		of->newest->next = c;
	of->newest = c;
	set_current(of, c);
}

void
span_call_other_id(struct span_calls *g, struct str id, struct span_call *c)
{
	struct span_side *first = arena_new(g->arena, struct span_side);

	first->id = copy_string(g->arena, c->id);
	g->others.arena = g->arena;
	*hash_put(&g->others, id) = first;
}

const struct json *
span_call_first_id(const struct span_calls *g, const struct json *id)
{
	const struct span_side *first =
	    json_raw(id).n == 0 ? NULL : hash_get(&g->others, json_raw(id));

	return first != NULL ? first->id : id;
}

bool
span_call_is_known(const struct span_calls *g, const struct json *id)
{
	return id_of(g, id) != NULL;
}

/* Results come in the order of their calls. If the list lacks the calls
 * themselves, results of answered calls may be missing too. */
struct span_call *
span_call_due(const struct span_calls *g, const struct json *id)
{
	struct span_id *of = id_of(g, id);
	struct span_call *c;

	if (of == NULL)
		return NULL;
	c = of->due == NULL ? of->current : of->due;
	while (c != of->current && of->list != g->list && c->answered)
		c = c->next;
	of->due = c == of->current ? NULL : c->next;
	return c;
}

static bool
differs(const struct span_call *c, const struct span_side *call)
{
	return c->args != NULL && call->args != NULL &&
	    !json_equal(c->args, call->args);
}

/* Like differs(), but compares the tool as well, as models name it. */
static bool
is_other(const struct span_call *c, const struct span_side *call)
{
	return c->by_message &&
	    (!tool_name_same(c->tool, json_raw(call->tool)) ||
		differs(c, call));
}

struct span_call *
span_call_of_span(
    struct span_calls *g, struct span_side *call, const struct json *args)
{
	struct span_id *of = id_of(g, call->id);
	struct span_call *c = of == NULL ? NULL : of->newest;

	if (c != NULL && c->next == c && !c->ran)
		return c;
	call->args = chat_value(g->arena, args);
	if (c == NULL)
		return NULL;
	for (int i = 0; i < SPAN_LOOK_MAX; i++) {
		c = c->next;
		if (!c->ran && !differs(c, call))
			return c;
		if (c == of->newest)
			break;
	}
	c = of->current;
	return c->ran && differs(c, call) ? NULL : c;
}

/* Notes that the current list of messages contains the id once more. */
static void
count_occurrence(const struct span_calls *g, struct span_id *of, bool before)
{
	if (of->list != g->list) {
		of->list = g->list;
		of->met = 0;
		of->due = NULL;
		if (before)
			of->current = of->newest;
	}
	of->met++;
}

/* Messages repeat the calls of an id in order. The arguments in a model's
 * answer may differ from those in later messages, for example by empty
 * arguments that the answer leaves out. */
static struct span_call *
same_of(const struct span_id *of, const struct span_side *call)
{
	struct span_call *c = of->current->next, *next = c;
	bool is_met = of->met > 1 && of->current == of->newest;

	for (int i = 0; i < SPAN_LOOK_MAX; i++, c = c->next) {
		if (!is_other(c, call))
			return c;
		if (c == of->current)
			break;
	}
	return !is_met && next->by_answer &&
		tool_name_same(next->tool, json_raw(call->tool))
	    ? next
	    : NULL;
}

/* A call that differs from the last call with the id is new if the last call is
 * finished or in the same answer. */
struct span_call *
span_call_of_message(struct span_calls *g, struct span_side *call,
    const struct json *args, bool before)
{
	struct span_id *of = id_of(g, call->id);
	struct span_call *c, *last;

	if (of != NULL)
		count_occurrence(g, of, before);
	if (of == NULL || !before || of->newest->next != of->newest ||
	    of->met > 1)
		call->args = chat_value(g->arena, args);
	if (of == NULL)
		return NULL;
	last = of->newest;
	if (before)
		c = same_of(of, call);
	else
		c = is_other(last, call) ? NULL : last;
	if (c == NULL && !last->ran && !last->answered && last->list != g->list)
		c = last;
	if (c != NULL)
		set_current(of, c);
	return c;
}
