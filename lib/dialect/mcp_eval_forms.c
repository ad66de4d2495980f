/* mcp-eval's assertions by kind. */
#include "../check/args.h"
#include "../check/called.h"
#include "../check/judge.h"
#include "../check/limit.h"
#include "../check/members.h"
#include "../check/output.h"
#include "../check/sequence.h"
#include "../check/text.h"
#include "../suggest.h"
#include "mcp_eval.h"
#include "mcp_eval_fields.h"

/* ---- reasons ---- */

/* The check's detail is what was expected; the finding says what was found. */
static void
explain_found(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (r->status != STATUS_FAILED)
		return;
	r->reason = str_printf(
	    v->arena, "%.*s, found %.*s", STR_FMT(c->detail), STR_FMT(f->why));
}

static void
explain_count(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct called_want *w = c->want;
	struct trace_calls calls = view_calls(v);
	struct finding counted = *f;
	size_t n = 0;

	for (size_t i = 0; i < calls.n; i++)
		n += trace_call_is(&calls.list[i], w->tools.list[0]);
	counted.why = str_printf(v->arena, "%zu", n);
	explain_found(c, &counted, v, r);
}

static void
explain_others(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct finding counted = *f;

	counted.why = f->seen == 0
	    ? STR("no call")
	    : str_printf(v->arena, "%zu with others", f->seen);
	explain_found(c, &counted, v, r);
}

static void
explain_calls(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct trace_calls calls = view_calls(v);
	struct str *names = arena_new_n(v->arena, struct str, calls.n);
	struct finding named = *f;

	for (size_t i = 0; i < calls.n; i++)
		names[i] = calls.list[i].tool;
	named.why = calls.n == 0
	    ? STR("none")
	    : str_join(v->arena, names, calls.n, STR(", "));
	explain_found(c, &named, v, r);
}

/* Done with an assertion, of which this says most. */
static struct check
labelled(struct entry *e, struct check c, struct str about)
{
	c.label = e->where;
	if (entry_good(e) && about.n != 0)
		c.label = str_printf(
		    e->arena, "%.*s %.*s", STR_FMT(e->where), STR_FMT(about));
	return c;
}

/* A value as its author wrote it, on one line. */
static struct str
source(struct arena *a, const struct json *v)
{
	struct out o;

	if (v == NULL)
		return (struct str){ 0 };
	out_open_memory(&o);
	out_source(&o, v->text);
	return out_keep(&o, a);
}

/* ---- calls ---- */

static struct check
called(struct entry *e, struct str tool, int64_t least)
{
	struct str *list = arena_new(e->arena, struct str);
	size_t times = least < 0 ? 0 : (size_t)least;
	struct check c;

	*list = tool;
	c = called_all(e->arena, (struct str_list){ list, 1 }, times);
	c.detail = str_printf(e->arena, "expected %zu or more calls of %.*s",
	    times, STR_FMT(tool));
	c.explain = explain_count;
	return labelled(e, c, tool);
}

static struct check
tool_was_called(struct entry *e)
{
	struct str tool = entry_str(e, "tool_name");

	return called(e, tool, mcp_eval_int_or(e, "min_times", 1));
}

/* Without arguments any call will do. */
static struct check
tool_called_with(struct entry *e)
{
	struct str tool = entry_str(e, "tool_name");
	const struct json *arguments = entry_need(e, "arguments");
	struct str shown = source(e->arena, arguments);
	struct check c, *inner = arena_new(e->arena, struct check);

	if (arguments != NULL && arguments->type != JSON_OBJECT)
		entry_wrong(e, arguments,
		    "arguments: expected a mapping, found %s",
		    json_type_name(arguments));
	if (json_count(arguments) == 0)
		return called(e, tool, 1);
	*inner = members_check(arguments);
	c = args_check(e->arena, tool, inner);
	c.detail = str_printf(e->arena, "expected a call of %.*s with %.*s",
	    STR_FMT(tool), STR_FMT(shown));
	c.explain = explain_others;
	return labelled(e, c, tool);
}

static struct check
tool_sequence(struct entry *e)
{
	const struct json *list = entry_need(e, "sequence");
	bool others = mcp_eval_bool_or(e, "allow_other_calls", false);
	struct str_list *tools = arena_new(e->arena, struct str_list);
	struct str joined;
	struct check c;

	if (list != NULL && list->type != JSON_ARRAY)
		entry_wrong(e, list, "sequence: expected a list, found %s",
		    json_type_name(list));
	*tools = entry_strs(e, list, "sequence");
	joined = str_join(e->arena, tools->list, tools->n, STR(", "));
	c = others ? sequence_check(e->arena, *tools)
		   : sequence_check_exact(e->arena, tools, 1);
	c.detail = str_printf(e->arena, "expected the calls %.*s%s",
	    STR_FMT(joined), others ? " in this order" : " and no others");
	c.explain = explain_calls;
	return labelled(e, c, joined);
}

/* ---- answers ---- */

static struct check
text_in_answer(struct entry *e, bool negate)
{
	struct str text = entry_str(e, "text");
	bool exact = mcp_eval_bool_or(e, "case_sensitive", false);
	struct check c = text_check(e->arena, TEXT_CONTAINS,
	    exact ? VIEW_AS_WRITTEN : VIEW_LOWER_JS, text);

	c.negate = negate;
	c.reason = str_printf(e->arena, "expected %s'%.*s' in the answer",
	    negate ? "no " : "", STR_FMT(text));
	return labelled(e, c, text);
}

static struct check
response_contains(struct entry *e)
{
	return text_in_answer(e, false);
}

static struct check
not_contains(struct entry *e)
{
	return text_in_answer(e, true);
}

static struct check
llm_judge(struct entry *e)
{
	static const char *const ignored[] = { "include_input", "model",
		"require_reasoning", NULL };
	const struct mcp_eval_scenario *s = e->context;
	struct judge_want want = {
		.rubric = entry_str(e, "rubric"),
		.expected = s->expected,
		.scored = true,
		.min_score = mcp_eval_min_score(e),
	};

	entry_ignore(e, ignored);
	if (s->expected.s != NULL)
		want.context = JUDGE_EXPECTED;
	return labelled(e, judge_check(e->arena, &want), want.rubric);
}

/* ---- limits ---- */

static struct check
max_iterations(struct entry *e)
{
	int64_t most = mcp_eval_int(e, "max_iterations");
	struct check c = llm_calls_check(e->arena, most);

	c.detail = str_printf(e->arena,
	    "expected %lld calls of the model or fewer", (long long)most);
	c.explain = explain_found;
	return labelled(e, c, str_printf(e->arena, "%lld", (long long)most));
}

static struct check
response_time_under(struct entry *e)
{
	double most = mcp_eval_float(e, "ms");
	struct check c = call_time_check(e->arena, most);

	c.detail = str_printf(
	    e->arena, "expected calls that take %.15g ms or less", most);
	c.explain = explain_found;
	return labelled(e, c, str_printf(e->arena, "%.15g ms", most));
}

/* ---- outputs ---- */

static enum output_how
match_type(struct entry *e)
{
	struct str written = entry_str_if(e, "match_type");
	struct suggest near = suggest_for(written);
	const char *name;

	if (json_get(e->object, STR("match_type")) == NULL)
		return OUTPUT_EXACT;
	for (unsigned how = 0; (name = output_how_name(how)) != NULL; how++) {
		if (str_is(written, name))
			return how;
		suggest_try(&near, str_of(name));
	}
	entry_wrong(e, json_get(e->object, STR("match_type")),
	    "match_type: unknown '%.*s'%s", STR_FMT(written),
	    suggest_text(&near, e->arena));
	return OUTPUT_EXACT;
}

static void
read_field(struct entry *e, struct field *field)
{
	struct str path = entry_str_if(e, "field_path"), why;

	if (!field_read(field, e->arena, path, &why))
		entry_wrong(e, json_get(e->object, STR("field_path")),
		    "field_path: %.*s", STR_FMT(why));
}

static void
compile(struct entry *e, struct output_want *w)
{
	struct regex_error error;

	if (w->how != OUTPUT_REGEX || !json_is(w->expected, JSON_STRING))
		return;
	w->regex = regex_compile(e->arena, REGEX_PYTHON,
	    json_text(w->expected, e->arena), w->caseless ? REGEX_CASELESS : 0,
	    &error);
	if (w->regex == NULL)
		entry_wrong(e, w->expected, "expected_output: %.*s",
		    STR_FMT(error.why));
}

static const char *
verb(const struct output_want *w)
{
	switch (w->how) {
	case OUTPUT_EXACT:
		return json_is(w->expected, JSON_STRING) ? "contain" : "be";
	case OUTPUT_CONTAINS:
		return "contain";
	case OUTPUT_REGEX:
		return "match";
	case OUTPUT_PARTIAL:
		return "include";
	default:
		return "be";
	}
}

static struct str
expectation(struct arena *a, const struct output_want *w)
{
	struct str tool = w->tool, field = w->field.written,
		   expected = source(a, w->expected);

	return str_printf(a, "expected the output of %.*s%s%.*s to %s %.*s",
	    STR_FMT(tool), field.n == 0 ? "" : " at ", STR_FMT(field), verb(w),
	    STR_FMT(expected));
}

static struct check
tool_output_matches(struct entry *e)
{
	struct output_want want = {
		.tool = entry_str(e, "tool_name"),
		.call = mcp_eval_int_or(e, "call_index", -1),
		.how = match_type(e),
		.expected = entry_need(e, "expected_output"),
		.caseless = !mcp_eval_bool_or(e, "case_sensitive", true),
	};
	struct check c;

	read_field(e, &want.field);
	if (json_is(want.expected, JSON_NULL))
		entry_wrong(e, want.expected,
		    "expected_output: expected a value, found null");
	if (!entry_good(e))
		return (struct check){ .label = e->where };
	compile(e, &want);
	c = output_check(e->arena, &want);
	c.detail = expectation(e->arena, &want);
	c.explain = explain_found;
	return labelled(e, c, want.tool);
}

/* ---- kinds ---- */

enum { KEYS_MAX = 7 };

static const struct form kinds[] = {
	{ "tool_was_called", tool_was_called },
	{ "tool_called_with", tool_called_with },
	{ "response_contains", response_contains },
	{ "not_contains", not_contains },
	{ "tool_output_matches", tool_output_matches },
	{ "max_iterations", max_iterations },
	{ "response_time_under", response_time_under },
	{ "llm_judge", llm_judge },
	{ "tool_sequence", tool_sequence },
};

/* The keys of each kind, in the order above. */
static const char *const keys[][KEYS_MAX] = {
	{ "tool_name", "min_times" },
	{ "tool_name", "arguments" },
	{ "text", "case_sensitive" },
	{ "text", "case_sensitive" },
	{ "tool_name", "expected_output", "field_path", "match_type",
	    "case_sensitive", "call_index" },
	{ "max_iterations" },
	{ "ms" },
	{ "rubric", "min_score", "include_input", "model",
	    "require_reasoning" },
	{ "sequence", "allow_other_calls" },
};

static bool
has_key(size_t kind, const struct json *key)
{
	for (size_t i = 0; i < KEYS_MAX && keys[kind][i] != NULL; i++)
		if (json_str_is(key, str_of(keys[kind][i])))
			return true;
	return false;
}

static bool
has_keys(size_t kind, const struct json *object)
{
	for (json_members(key, object))
		if (!has_key(kind, key))
			return false;
	return true;
}

/* The one kind that has all of the object's keys. */
static struct str
guess(const struct json *object)
{
	struct str found = { 0 };

	if (json_count(object) == 0 || !json_is(object, JSON_OBJECT))
		return found;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!has_keys(i, object))
			continue;
		if (found.s != NULL)
			return (struct str){ 0 };
		found = str_of(kinds[i].name);
	}
	return found;
}

static struct forms
forms_of(const struct mcp_eval_scenario *s)
{
	return (struct forms){
		.key = "kind",
		.what = "assertions",
		.list = kinds,
		.n = sizeof kinds / sizeof kinds[0],
		.context = s,
		.guess = guess,
	};
}

/* A kind that a manifest has (PromptKit's) is another thing. */
bool
mcp_eval_is_assertion(const struct json *v)
{
	if (json_get(v, STR("apiVersion")) != NULL ||
	    json_get(v, STR("spec")) != NULL)
		return false;
	return json_is(json_get(v, STR("kind")), JSON_STRING) ||
	    guess(v).s != NULL;
}

void
mcp_eval_assertion(
    struct reader *r, const struct json *v, const struct mcp_eval_scenario *s)
{
	struct forms forms = forms_of(s);

	reader_entry(r, v, &forms);
}

void
mcp_eval_assertions(struct reader *r, const struct json *list,
    const struct mcp_eval_scenario *s)
{
	struct forms forms = forms_of(s);

	reader_entries(r, list, &forms);
}
