#include "check/got.h"

#include "base/hash.h"

enum {
	ARGUMENTS_SHOWN = 120, /* bytes */
	TOOLS_SHOWN = 8,
	CALLS_SHOWN = 16,
};

/* ---- one call ---- */

/* Writes the step's place among the steps, as 3 or, within call 3, as 3.1. */
static void
put_step(struct out *o, const struct json *steps, const struct json *step)
{
	size_t n = 1;

	for (json_each(s, steps)) {
		if (s <= step && step < s + s->span) {
			out_printf(o, "%zu", n);
			if (s == step)
				return;
			out_char(o, '.');
			put_step(o, json_get(s, "steps"), step);
			return;
		}
		n++;
	}
}

/* Writes the place of the step in the run. */
static void
put_place(struct out *o, struct view *v, const struct json *step, size_t turn)
{
	const struct json *turns = v->trace->member[TRACE_TURNS];

	out_printf(o, "turn %zu, step ", turn + 1);
	put_step(o, json_get(json_at(turns, turn), "steps"), step);
}

static struct str
place_of(struct view *v, const struct trace_call *call, size_t number)
{
	struct out o;

	out_open_memory(&o);
	if (v->turn == NULL)
		out_printf(
		    &o, "call %zu%s", number, call->step == NULL ? "" : ", ");
	if (call->step != NULL)
		put_place(&o, v, call->step, call->turn);
	return out_keep(&o, v->arena);
}

struct str
got_shown(const struct view *v, struct str tool, const struct json *args)
{
	struct arena *a = v->arena;
	struct out o;
	struct str text;

	if (args == NULL)
		return tool;
	out_open_memory(&o);
	out_source(&o, args->text);
	text = view_ellipsize(v, out_keep(&o, a), ARGUMENTS_SHOWN);
	return str_printf(a, "%.*s %.*s", STR_FMT(tool), STR_FMT(text));
}

struct str
got_call(struct view *v, size_t call)
{
	const struct trace_call *c = &view_calls(v).list[call];
	struct str shown = got_shown(v, c->tool, c->args);
	struct str place = place_of(v, c, call + 1);

	return str_printf(
	    v->arena, "%.*s (%.*s)", STR_FMT(shown), STR_FMT(place));
}

struct str
got_place(struct view *v, size_t call)
{
	const struct trace_call *c = &view_calls(v).list[call];
	const struct json *turns = v->trace->member[TRACE_TURNS];
	size_t n = 0;

	if (c->step == NULL)
		return (struct str){ 0 };
	for (json_each(s, json_get(json_at(turns, c->turn), "steps")))
		n += s + s->span <= c->step;
	return str_printf(v->arena, "{\"turn\":%zu,\"step\":%zu}", c->turn, n);
}

struct str
got_text(struct view *v, const char *who, struct str text,
    const struct json *step, size_t turn)
{
	struct out o;

	out_open_memory(&o);
	out_printf(&o, "%s %.*s (", who,
	    STR_FMT(
		out_quote(v->arena, view_ellipsize(v, text, ARGUMENTS_SHOWN))));
	if (step != NULL)
		put_place(&o, v, step, turn);
	else
		out_printf(&o, "turn %zu", turn + 1);
	out_char(&o, ')');
	return out_keep(&o, v->arena);
}

/* ---- all calls ---- */

struct tool_count {
	struct str tool;
	size_t n; /* calls that were not shown yet */
};

/* Returns the tools in the order of their first calls. */
static struct tool_count *
count_tools(struct trace_calls calls, struct arena *a, size_t *n)
{
	struct hash_table by_name = { .arena = a };
	struct tool_count *list = arena_new_n(a, struct tool_count, calls.n);

	*n = 0;
	for (size_t i = 0; i < calls.n; i++) {
		void **slot = hash_put(&by_name, calls.list[i].tool);
		struct tool_count *c = *slot;

		if (c == NULL) {
			*slot = c = &list[(*n)++];
			c->tool = calls.list[i].tool;
		}
		c->n++;
	}
	return list;
}

static struct tool_count *
most_called(struct tool_count *list, size_t n)
{
	struct tool_count *most = list;

	for (size_t i = 1; i < n; i++)
		if (list[i].n > most->n)
			most = &list[i];
	return most;
}

struct str
got_tools(struct trace_calls calls, struct arena *a)
{
	size_t n;
	struct tool_count *list = count_tools(calls, a, &n);
	struct out o;

	if (n == 0)
		return STR("no call");
	out_open_memory(&o);
	for (size_t i = 0; i < n && i < TOOLS_SHOWN; i++) {
		struct tool_count *most = most_called(list, n);

		out_printf(&o, "%s%.*s x %zu", i == 0 ? "" : ", ",
		    STR_FMT(most->tool), most->n);
		most->n = 0;
	}
	if (n > TOOLS_SHOWN)
		out_printf(&o, ", and %zu more", n - TOOLS_SHOWN);
	return out_keep(&o, a);
}

struct str
got_sequence(struct trace_calls calls, struct arena *a)
{
	struct out o;
	size_t i = 0, n = 0;

	if (calls.n == 0)
		return STR("no call");
	out_open_memory(&o);
	for (; i < calls.n && n < CALLS_SHOWN; n++) {
		size_t from = i;

		while (i < calls.n &&
		    str_eq(calls.list[i].tool, calls.list[from].tool))
			i++;
		out_printf(&o, "%s%.*s", from == 0 ? "" : ", ",
		    STR_FMT(calls.list[from].tool));
		if (i - from > 1)
			out_printf(&o, " x %zu", i - from);
	}
	if (i < calls.n)
		out_printf(&o, ", and %zu more", calls.n - i);
	return out_keep(&o, a);
}
