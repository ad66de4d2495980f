#include "check/kind/kind.h"

/* A result, and a view of its text; NULL: not looked at yet. */
struct answer {
	struct trace_call call;
	bool cut;
	struct view *text;
};

struct answers {
	struct answer *list;
	size_t n;
};

/* Adds the results in the steps, also those whose call was not recorded. */
static void
collect(struct answers *all, const struct json *steps, struct arena *a)
{
	for (json_each(step, steps)) {
		struct trace_call call = {
			.tool = json_text(json_get(step, "tool"), a),
			.server = json_text(json_get(step, "server"), a),
			.name = json_text(json_get(step, "name"), a),
			.result = json_get(step, "result"),
		};

		if (call.tool.s != NULL && call.result != NULL)
			*arena_push(a, all->list,
			    all->n) = (struct answer){ .call = call,
				.cut = trace_step_cut(step, STR("result")) };
		collect(all, json_get(step, "steps"), a);
	}
}

static struct answers *
answers_of(struct view *v)
{
	struct answers *all = v->memo[VIEW_ANSWERS];

	if (all != NULL)
		return all;
	v->memo[VIEW_ANSWERS] = all = arena_new(v->arena, struct answers);
	if (v->turn != NULL && !v->until)
		collect(all, json_get(v->turn, "steps"), v->arena);
	else
		for (json_each(turn, v->trace->member[TRACE_TURNS]))
			if (view_shows_turn(v, turn))
				collect(all, json_get(turn, "steps"), v->arena);
	return all;
}

static bool
look(const struct tool_answer_want *w, struct view *v, enum view_fold fold)
{
	struct answers *all = answers_of(v);
	struct str text = view_fold(v->arena, w->text, fold);

	for (size_t i = 0; i < all->n; i++) {
		struct answer *answer = &all->list[i];

		if (!trace_call_is(&answer->call, w->tool))
			continue;
		if (answer->text == NULL)
			answer->text = view_of_text(
			    v, tool_answer_text(answer->call.result, v->arena));
		if (view_contains(answer->text, fold, text))
			return true;
	}
	return false;
}

/* Returns whether a call of the tool has no recorded result. */
static bool
lacks_answer(const struct tool_answer_want *w, struct view *v)
{
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++)
		if (calls.list[i].result == NULL &&
		    trace_call_is(&calls.list[i], w->tool))
			return true;
	return false;
}

/* Returns whether a part of the tool's results may have been cut off. */
static bool
is_cut(const struct tool_answer_want *w, struct view *v)
{
	const struct answers *all = answers_of(v);
	bool cut = v->unmarked || v->cut & VIEW_CALLS;

	for (size_t i = 0; i < all->n && !cut; i++)
		cut = all->list[i].cut &&
		    trace_call_is(&all->list[i].call, w->tool);
	return cut;
}

static struct finding
tool_answer_find(const void *want, struct view *v)
{
	bool found = look(want, v, VIEW_AS_WRITTEN);

	if (!found && lacks_answer(want, v))
		return finding_skip("not recorded: the result of a call");
	return (struct finding){
		.found = found ? FOUND_YES : FOUND_NO,
		.open = !found && is_cut(want, v),
	};
}

static bool
case_differs(const void *want, struct view *v)
{
	return look(want, v, VIEW_LOWER_GO);
}

static const struct check_kind tool_answer_check_kind = { .name = "answer",
	.find = tool_answer_find,
	.case_differs = case_differs,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS, tool_answer_want, tool),
	    WANT("contains", WANT_STR, tool_answer_want, text)) };

struct check
tool_answer_check(struct arena *a, struct str tool, struct str text)
{
	const struct tool_answer_want w = { .tool = tool, .text = text };

	return check_new(a, &tool_answer_check_kind, &w, sizeof w, VIEW_CALLS);
}
