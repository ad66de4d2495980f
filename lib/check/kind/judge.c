#include "check/kind/kind.h"
#include "text/rubric_words.h"

/* ---- what the judge is shown ---- */

enum { CALLS = JUDGE_TOOL_INPUTS | JUDGE_TRANSCRIPT | JUDGE_RESULTS };

const struct judge_kind judge_kinds[] = {
	{ RUBRIC_TOOLS, "tools", "tools", "results",
	    CALLS | JUDGE_TOOL_SEQUENCE },
	{ RUBRIC_RESULTS, "results", "results of calls", "results",
	    JUDGE_RESULTS | JUDGE_TRANSCRIPT },
	{ RUBRIC_COMMANDS, "commands", "commands", "results", CALLS },
	{ RUBRIC_FILES, "files", "files", "files", CALLS | JUDGE_WORKSPACE },
	{ RUBRIC_CONVERSATION, "conversation", "the conversation", "transcript",
	    JUDGE_PROMPT | JUDGE_TRANSCRIPT },
	{ RUBRIC_PROMPT, "prompt", "the user's prompt", "prompt",
	    JUDGE_PROMPT | JUDGE_TRANSCRIPT },
	{ RUBRIC_SYSTEM, "system", "the system prompt", "system",
	    JUDGE_SYSTEM },
	{ RUBRIC_ANSWER, "answer", "the answer", "answer", JUDGE_TRANSCRIPT },
	{ 0, NULL, NULL, NULL, 0 },
};

static unsigned
speaks_of(const struct judge_want *w)
{
	const struct judge_criteria *c = w->criteria;
	unsigned of = w->ours ? 0 : rubric_speaks_of(w->rubric);

	for (size_t i = 0; c != NULL && i < c->n; i++)
		of |= rubric_speaks_of(c->list[i].description);
	return of;
}

unsigned
judge_lacks(const struct judge_want *w, bool folder)
{
	unsigned shown = w->context, lacks = 0, of = speaks_of(w);

	if (w->text == JUDGE_ALL)
		shown |= JUDGE_TRANSCRIPT;
	if (!folder)
		shown &= ~(unsigned)JUDGE_WORKSPACE;
	for (const struct judge_kind *k = judge_kinds; k->name != NULL; k++)
		if (of & k->kind && !(shown & k->context) &&
		    !(k->kind == RUBRIC_ANSWER && w->text <= JUDGE_TURN))
			lacks |= k->kind;
	return lacks;
}

/* ---- the run ---- */

/* Returns why a call is not shown in full; absent: it is. */
static struct str
why_not_whole(const struct view *v, const struct trace_call *call, bool results)
{
	if (call->args == NULL)
		return STR("not recorded: the arguments of a call");
	if (results && call->result == NULL)
		return STR("not recorded: the result of a call");
	if (v->unmarked || trace_step_cut(call->step, STR("result")))
		return STR("cut short in the log: the result of a call");
	return (struct str){ 0 };
}

/* Returns why something that the judge must see in full was not recorded so; absent:
 * everything was. */
static struct str
why_lacking(const struct judge_want *w, struct view *v)
{
	static const struct {
		unsigned context;
		enum trace_member member;
	} parts[] = { { JUDGE_PROMPT, TRACE_PROMPT },
		{ JUDGE_SYSTEM, TRACE_SYSTEM },
		{ JUDGE_RESULTS, TRACE_TOOL_SEQUENCE },
		{ JUDGE_TRANSCRIPT, TRACE_TOOL_SEQUENCE } };
	unsigned context =
	    w->context | (w->text == JUDGE_ALL ? JUDGE_TRANSCRIPT : 0);
	struct trace_calls calls = { 0 };
	struct str why = { 0 };
	const char *type;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct str name =
		    str_of(trace_member_name(parts[i].member, &type));

		if (!(context & parts[i].context))
			continue;
		if (v->trace->member[parts[i].member] == NULL)
			return str_cat(v->arena, STR("not recorded: "), name);
		if (trace_cut(v->trace, name))
			return str_cat(
			    v->arena, STR("cut short in the log: "), name);
	}
	if (context & JUDGE_WORKSPACE &&
	    (v->options.workspace == NULL || !(v->have & VIEW_WORKSPACE)))
		return STR("the files are not there: name the run's folder "
			   "with -w");
	if (context & (JUDGE_RESULTS | JUDGE_TRANSCRIPT))
		calls = view_calls(v);
	for (size_t i = 0; i < calls.n && why.s == NULL; i++)
		why = why_not_whole(v, &calls.list[i], context & JUDGE_RESULTS);
	return why;
}

/* Returns PENDING, or SKIP if something that the judge must see was not
 * recorded in full. */
static struct finding
await(const struct judge_want *w, struct view *v)
{
	struct finding f = { .found = FOUND_PENDING,
		.open = w->text <= JUDGE_TURN && v->cut & VIEW_TEXT };
	struct trace_calls calls = { 0 };
	unsigned context = w->context & ~w->optional;
	struct str why = w->whole ? why_lacking(w, v) : (struct str){ 0 };

	if (why.s != NULL)
		return finding_skip(why);
	if (w->text == JUDGE_ALL || context & JUDGE_TRANSCRIPT) {
		if (v->trace->member[TRACE_TURNS] == NULL)
			return finding_skip("not recorded: turns");
		if (trace_cut(v->trace, STR("turns")))
			return finding_skip("cut short in the log: turns");
	}
	if (context & (JUDGE_TOOL_INPUTS | JUDGE_RESULTS))
		calls = view_calls(v);
	for (size_t i = 0; i < calls.n; i++)
		if (calls.list[i].args == NULL)
			return finding_skip(
			    "not recorded: the arguments of a call");
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
judge_find(const void *want, struct view *v)
{
	const struct judge_want *w = want;

	if (w->called && !is_called(view_calls(v), w->tools))
		return finding_skip("no matching tool calls");
	if (w->fails != NULL && view_search(v, w->fails, NULL) == REGEX_YES)
		return finding_of(false);
	return await(w, v);
}

/* ---- the judge object ---- */

/* Writes the rubric's own scale, if the score of the rubric is asked for. */
static void
show_scale(struct str rubric, struct out *o)
{
	struct rubric_scale scale;

	if (!rubric_scale(rubric, &scale))
		return;
	out_member_begin(o, "scale", '{');
	out_member_double(o, "min", scale.min);
	out_member_double(o, "max", scale.max);
	out_end(o, '}');
}

static void
show_lacks(unsigned lacks, struct out *o)
{
	if (lacks == 0)
		return;
	out_member_begin(o, "lacks", '[');
	for (const struct judge_kind *k = judge_kinds; k->name != NULL; k++)
		if (lacks & k->kind)
			out_json_str(o, str_of(k->name));
	out_end(o, ']');
}

static void
show_criteria(const struct judge_criteria *c, struct out *o)
{
	out_member_begin(o, "criteria", '[');
	for (size_t i = 0; i < c->n; i++) {
		const struct judge_criterion *one = &c->list[i];

		out_begin(o, '{');
		out_member_text(o, "name", one->name);
		out_member_text(o, "description", one->description);
		if (one->examples != NULL)
			out_member_raw(o, "examples", one->examples->text);
		out_member_double(o, "weight", one->weight);
		out_member_double(o, "min_score", one->min_score);
		show_scale(one->description, o);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_member_text(o, "aggregate", c->aggregate);
	out_member_bool(o, "require_all_pass", c->all);
	out_member_bool(o, "confidence", c->confidence);
}

static void
ask(const void *want, bool folder, struct out *o)
{
	static const char *const names[] = { "prompt", "tool_sequence",
		"tool_inputs", "transcript", "expected", "workspace", "results",
		"system" };
	static const char *const texts[] = {
		[JUDGE_FINAL] = "final",
		[JUDGE_TURN] = "turn",
		[JUDGE_ALL] = "transcript",
		[JUDGE_NONE] = "none",
	};
	const struct judge_want *w = want;

	if (w->criteria == NULL)
		out_member_text(o, "rubric", w->rubric);
	out_member_str(o, "text", str_of(texts[w->text]));
	out_member_begin(o, "context", '[');
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (w->context & 1U << i)
			out_json_str(o, str_of(names[i]));
	out_end(o, ']');
	if (w->context & JUDGE_PROMPT && w->prompt.s != NULL)
		out_member_text(o, "prompt", w->prompt);
	if (w->context & JUDGE_EXPECTED)
		out_member_text(o, "expected", w->expected);
	if (w->scored) {
		out_member_double(o, "min_score", w->min_score);
		show_scale(w->ours ? STR("") : w->rubric, o);
	}
	if (w->reasoned)
		out_member_bool(o, "require_reasoning", true);
	if (w->criteria != NULL)
		show_criteria(w->criteria, o);
	show_lacks(judge_lacks(w, folder), o);
}

static void
judge_show(const void *want, struct out *o)
{
	ask(want, true, o);
}

static const struct check_kind judge_check_kind = { .name = "judge",
	.find = judge_find,
	.show = judge_show,
	.ask = ask,
	WANTS(WANT(NULL, WANT_REGEX, judge_want, fails)) };

struct check
judge_check(struct arena *a, const struct judge_want *want)
{
	unsigned needs = 0;

	if (want->text <= JUDGE_TURN)
		needs = VIEW_TEXT;
	if (want->context & ~want->optional &
	    (JUDGE_TOOL_SEQUENCE | JUDGE_TOOL_INPUTS | JUDGE_RESULTS))
		needs |= VIEW_CALLS;
	return check_new(a, &judge_check_kind, want, sizeof *want, needs);
}
