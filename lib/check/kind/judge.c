#include "check/kind/kind.h"

static struct finding
skip(struct str why)
{
	return (struct finding){ .found = FOUND_SKIP, .why = why };
}

/* Returns PENDING, or SKIP if something that the judge must see was not
 * recorded in full. */
static struct finding
await(const struct judge_want *w, struct view *v)
{
	struct finding f = { .found = FOUND_PENDING,
		.open = w->text != JUDGE_ALL && v->cut & VIEW_TEXT };
	struct trace_calls calls = { 0 };

	if (w->text == JUDGE_ALL || w->context & JUDGE_TRANSCRIPT) {
		if (v->trace->member[TRACE_TURNS] == NULL)
			return skip(STR("not recorded: turns"));
		if (trace_cut(v->trace, STR("turns")))
			return skip(STR("cut short in the log: turns"));
	}
	if (w->context & JUDGE_TOOL_INPUTS)
		calls = view_calls(v);
	for (size_t i = 0; i < calls.n; i++)
		if (calls.list[i].args == NULL)
			return skip(
			    STR("not recorded: the arguments of a call"));
	/* Only a folder that the user named: a log could name any folder, and
	 * the files are sent to another machine. */
	if ((w->context & JUDGE_WORKSPACE) && v->options.workspace != NULL)
		f.folder = v->workspace;
	return f;
}

/* Returns whether a call of one of the tools was made; of any tool, if there
 * are none. */
static bool
is_called(struct trace_calls calls, struct str_list tools)
{
	for (size_t i = 0; i < tools.n; i++)
		if (trace_calls_of(calls, tools.list[i]) != 0)
			return true;
	return tools.n == 0 && calls.n != 0;
}

static struct finding
find(const void *want, struct view *v)
{
	const struct judge_want *w = want;

	if (w->called && !is_called(view_calls(v), w->tools))
		return skip(STR("no matching tool calls"));
	if (w->fails != NULL && view_search(v, w->fails, NULL) == REGEX_YES)
		return (struct finding){ .found = FOUND_NO };
	return await(w, v);
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct judge_want *w = want;

	each(w->fails, arg);
}

static void
show_criteria(const struct judge_criteria *c, struct out *o)
{
	out_member_begin(o, "criteria", '[');
	for (size_t i = 0; i < c->n; i++) {
		const struct judge_criterion *one = &c->list[i];

		out_begin(o, '{');
		out_key(o, "name");
		out_json_str(o, one->name);
		out_key(o, "description");
		out_json_str(o, one->description);
		if (one->examples != NULL) {
			out_key(o, "examples");
			out_json_raw(o, one->examples->text);
		}
		out_member_double(o, "weight", one->weight);
		out_member_double(o, "min_score", one->min_score);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_key(o, "aggregate");
	out_json_str(o, c->aggregate);
	out_member_bool(o, "require_all_pass", c->all);
	out_member_bool(o, "confidence", c->confidence);
}

static void
show(const void *want, struct out *o)
{
	static const char *const names[] = { "prompt", "tool_sequence",
		"tool_inputs", "transcript", "expected", "workspace" };
	static const char *const texts[] = {
		[JUDGE_FINAL] = "final",
		[JUDGE_TURN] = "turn",
		[JUDGE_ALL] = "transcript",
	};
	const struct judge_want *w = want;

	if (w->criteria == NULL) {
		out_key(o, "rubric");
		out_json_str(o, w->rubric);
	}
	out_member_str(o, "text", str_of(texts[w->text]));
	out_member_begin(o, "context", '[');
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (w->context & 1U << i)
			out_json_str(o, str_of(names[i]));
	out_end(o, ']');
	if (w->context & JUDGE_PROMPT && w->prompt.s != NULL) {
		out_key(o, "prompt");
		out_json_str(o, w->prompt);
	}
	if (w->context & JUDGE_EXPECTED) {
		out_key(o, "expected");
		out_json_str(o, w->expected);
	}
	if (w->scored)
		out_member_double(o, "min_score", w->min_score);
	if (w->reasoned)
		out_member_bool(o, "require_reasoning", true);
	if (w->criteria != NULL)
		show_criteria(w->criteria, o);
}

struct check
judge_check(struct arena *a, const struct judge_want *want)
{
	static const struct check_kind kind = {
		.name = "judge",
		.find = find,
		.show = show,
		.patterns = patterns,
		.ask = show,
	};
	unsigned needs = 0;

	if (want->text != JUDGE_ALL)
		needs = VIEW_TEXT;
	if (want->context & (JUDGE_TOOL_SEQUENCE | JUDGE_TOOL_INPUTS))
		needs |= VIEW_CALLS;
	return check_new(a, &kind, want, sizeof *want, needs);
}
