/* Views of a run's turns, and what the assistant said in them. */
#include "view.h"

static bool
was_taken_back(const struct json *turn)
{
	return json_is(json_get(turn, STR("abandoned")), JSON_TRUE);
}

/* ---- messages ---- */

struct messages {
	struct arena *arena;
	struct str *list;
	size_t n;
};

/* The texts of the steps, not those of sub-agents. */
static void
collect(struct messages *m, const struct json *turn)
{
	for (json_each(step, json_get(turn, STR("steps")))) {
		const struct json *text = json_get(step, STR("text"));

		if (json_is(text, JSON_STRING))
			*arena_push(m->arena, m->list, m->n) =
			    json_text(text, m->arena);
	}
}

struct str_list
view_messages(struct view *v)
{
	struct messages m = { .arena = v->arena };

	if (v->turn != NULL)
		collect(&m, v->turn);
	else
		for (json_each(turn, v->trace->member[TRACE_TURNS]))
			if (!was_taken_back(turn))
				collect(&m, turn);
	if (m.n == 0 && v->have & VIEW_TEXT)
		*arena_push(m.arena, m.list, m.n) =
		    view_text(v, VIEW_AS_WRITTEN);
	return (struct str_list){ m.list, m.n };
}

/* ---- turns ---- */

/* Calls stand in the order of their turns. */
static void
set_calls(struct view *v, struct view *run)
{
	struct trace_calls all = view_calls(run);
	size_t from = 0;

	while (from < all.n && all.list[from].turn < v->turn_index)
		from++;
	v->calls.list = &all.list[from];
	while (from + v->calls.n < all.n &&
	    v->calls.list[v->calls.n].turn == v->turn_index)
		v->calls.n++;
	v->calls_known = true;
}

/* The assistant's last message; empty if it did nothing but call tools. A log
 * that cuts a text short says so with three dots, which are not its. */
static void
set_text(struct view *v, bool last)
{
	struct messages m = { .arena = v->arena };

	collect(&m, v->turn);
	v->text = m.n == 0 ? STR("") : m.list[m.n - 1];
	if ((trace_cut(v->trace, STR("turns")) ||
		(last && trace_cut(v->trace, STR("final_text")))) &&
	    str_ends(v->text, STR("..."))) {
		v->cut |= VIEW_TEXT;
		v->text.n -= 3;
	}
}

/* Where the assistant did nothing there is nothing to look at. */
static void
look_at(struct view *v, struct view *run, const struct json *turn, bool last)
{
	v->trace = run->trace;
	v->arena = run->arena;
	v->leave = run->leave;
	v->workspace = run->workspace;
	v->turn = turn;
	if (json_count(json_get(turn, STR("steps"))) != 0) {
		v->have = VIEW_TEXT | (run->have & VIEW_CALLS);
		set_text(v, last);
		set_calls(v, run);
	}
	v->have |= run->have & (VIEW_WORKSPACE | VIEW_WORKFLOW);
	if (json_is(json_get(turn, STR("state")), JSON_STRING))
		v->have |= VIEW_STATE;
	if (json_is(json_get(turn, STR("guardrails")), JSON_ARRAY))
		v->have |= VIEW_GUARDRAILS;
	if (last)
		v->cut |= run->cut & VIEW_CALLS;
}

static struct view *
turn_at(struct view *run, size_t index)
{
	const struct json *turns = run->trace->member[TRACE_TURNS];
	size_t n = json_count(turns);
	struct view *v;

	if (run->turns == NULL)
		run->turns = arena_new_n(run->arena, struct view, n);
	v = &run->turns[index];
	if (v->turn == NULL) {
		v->turn_index = index;
		look_at(v, run, json_at(turns, index), index + 1 == n);
	}
	return v;
}

/* The place of the wanted turn in the run; SIZE_MAX: there is none. */
static size_t
find(struct view *run, const struct scope *s)
{
	size_t index = 0, counted = 0, found = SIZE_MAX, said = SIZE_MAX;

	for (json_each(turn, run->trace->member[TRACE_TURNS])) {
		bool meant = s->part == SCOPE_LAST || counted == s->turn;

		if (!was_taken_back(turn)) {
			if (meant)
				found = index;
			if (s->prompt.s != NULL &&
			    (meant || said == SIZE_MAX) &&
			    str_eq(str_squeeze(run->arena,
				       json_text(json_get(turn, STR("prompt")),
					   run->arena)),
				s->prompt))
				said = index;
			counted++;
		}
		index++;
	}
	return said != SIZE_MAX ? said : found;
}

struct view *
view_part(struct view *run, const struct scope *s)
{
	size_t index;

	if (s->part == SCOPE_RUN ||
	    (s->part == SCOPE_LAST &&
		json_count(run->trace->member[TRACE_TURNS]) == 0))
		return run;
	index = find(run, s);
	return index == SIZE_MAX ? NULL : turn_at(run, index);
}
