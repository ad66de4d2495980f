#include "extract/span/call.h"

#include "extract/api/chat.h"
#include "extract/value/tool_name.h"

/* The calls of one id, in a ring: behind the newest comes the oldest. */
struct span_id {
	struct span_call *newest, *meant;
	size_t list, met;      /* so often that list of messages has it */
	struct span_call *due; /* the first there whose result has not come */
};

struct span_wait {
	struct span_wait *next;
	struct span_call *call;
};

/* ---- what waits ---- */

static void
wait(struct span_calls *g, enum span_queue which, struct span_call *c)
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
	return which == SPAN_UNANSWERED ? c->answered : c->asked && c->ran;
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
	wait(g, SPAN_UNANSWERED, c);
	return c;
}

void
span_call_emitted(
    struct span_calls *g, struct span_call *c, enum span_queue side)
{
	bool *told = side == SPAN_ASKED ? &c->asked : &c->ran;

	if (*told)
		return;
	*told = true;
	if (!is_done(c, side))
		wait(g, side, c);
}

static bool
may_be(const struct span_call *c, const struct span_side *w)
{
	return (c->id.n == 0 || json_raw(w->id).n == 0) &&
	    (json_raw(w->tool).n == 0 ||
		tool_name_same(c->tool, json_raw(w->tool)));
}

/* Ids that are known on both sides say that they are two, since it was not
 * found by its own. Those that no longer wait are taken out on the way. */
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
			json_equal(w->call->args, want->args)))
			return w->call;
		if (first == NULL)
			first = w->call;
	}
	return first;
}

/* ---- ids ---- */

static struct span_id *
id_of(const struct span_calls *g, const struct json *id)
{
	return json_raw(id).n == 0 ? NULL : hash_get(&g->ids, json_raw(id));
}

static void
mean(struct span_id *of, struct span_call *c)
{
	of->meant = c;
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
	mean(of, c);
}

/* Results come in the order of their calls. Those of calls that are answered
 * may not be among messages which lack the calls. */
struct span_call *
span_call_due(const struct span_calls *g, const struct json *id)
{
	struct span_id *of = id_of(g, id);
	struct span_call *c;

	if (of == NULL)
		return NULL;
	c = of->due == NULL ? of->meant : of->due;
	while (c != of->meant && of->list != g->list && c->answered)
		c = c->next;
	of->due = c == of->meant ? NULL : c->next;
	return c;
}

static bool
differs(const struct span_call *c, const struct span_side *call)
{
	return c->args != NULL && call->args != NULL &&
	    !json_equal(c->args, call->args);
}

/* The same of the tool as well, as models name it. */
static bool
is_other(const struct span_call *c, const struct span_side *call)
{
	return c->heard &&
	    (!tool_name_same(c->tool, json_raw(call->tool)) ||
		differs(c, call));
}

struct span_call *
span_call_run(
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
	c = of->meant;
	return c->ran && differs(c, call) ? NULL : c;
}

/* The list of messages has the id once more. */
static void
meet(const struct span_calls *g, struct span_id *of, bool before)
{
	if (of->list != g->list) {
		of->list = g->list;
		of->met = 0;
		of->due = NULL;
		if (before)
			of->meant = of->newest;
	}
	of->met++;
}

/* Messages repeat the calls of an id in their order. What a model was seen to
 * answer may have other arguments there: none that it left out, say. */
static struct span_call *
same_of(const struct span_id *of, const struct span_side *call)
{
	struct span_call *c = of->meant->next, *next = c;
	bool is_met = of->met > 1 && of->meant == of->newest;

	for (int i = 0; i < SPAN_LOOK_MAX; i++, c = c->next) {
		if (!is_other(c, call))
			return c;
		if (c == of->meant)
			break;
	}
	return !is_met && next->said &&
		tool_name_same(next->tool, json_raw(call->tool))
	    ? next
	    : NULL;
}

/* Where it is another than the last one, which is over or of the same answer,
 * it is new. */
struct span_call *
span_call_meant(struct span_calls *g, struct span_side *call,
    const struct json *args, bool before)
{
	struct span_id *of = id_of(g, call->id);
	struct span_call *c, *last;

	if (of != NULL)
		meet(g, of, before);
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
		mean(of, c);
	return c;
}
