/* OpenAI's graders of text: an input and a reference, both of which are templates. */
#include <math.h>

#include "check/kind/kind.h"
#include "check/placeholders.h"
#include "emulate/metric/common.h"
#include "emulate/metric/rouge.h"
#include "text/unicode.h"

/* ---- what a template takes its values from ---- */

/* Returns the calls of the run as those of a chat completion. */
static struct str
tool_calls(struct view *v)
{
	struct trace_calls calls = view_calls(v);
	struct out o;

	out_open_json(&o, '[');
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];

		out_begin(&o, '{');
		out_member_str(&o, "type", STR("function"));
		out_member_begin(&o, "function", '{');
		out_member_str(&o, "name", call->tool);
		if (call->args != NULL)
			out_member_str(&o, "arguments",
			    json_is(call->args, JSON_STRING)
				? json_text(call->args, v->arena)
				: call->args->text);
		out_end(&o, '}');
		out_end(&o, '}');
	}
	return out_keep_json(&o, ']', v->arena);
}

/* Returns what the namespace `sample` has, as far as a record has it. */
static const struct json *
sample_of(struct view *v)
{
	struct str text = view_text(v, VIEW_AS_WRITTEN), calls = { 0 };
	const struct json *value = view_json(v);
	struct out o;

	if (v->have & VIEW_CALLS)
		calls = tool_calls(v);
	out_open_json(&o, '{');
	out_member_str(&o, "output_text", text);
	if (value != NULL)
		out_member_raw(&o, "output_json", value->text);
	if (calls.s != NULL)
		out_member_raw(&o, "output_tools", calls);
	out_member_begin(&o, "choices", '[');
	out_begin(&o, '{');
	out_member_begin(&o, "message", '{');
	out_member_str(&o, "content", text);
	if (calls.s != NULL)
		out_member_raw(&o, "tool_calls", calls);
	out_end(&o, '}');
	out_end(&o, '}');
	out_end(&o, ']');
	return json_parse(v->arena, out_keep_json(&o, '}', v->arena));
}

struct str
grader_value(const struct json *from, struct str path, struct arena *a)
{
	struct jsonpath_error error;
	struct jsonpath *compiled = jsonpath_compile(
	    a, str_cat(a, STR("$."), path), JSONPATH_PLUS, &error);
	struct jsonpath_list found = { 0 };

	if (compiled == NULL)
		return (struct str){ 0 };
	if (from != NULL)
		found = jsonpath_select(compiled, from, a);
	jsonpath_free(compiled);
	if (found.n == 0)
		return (struct str){ 0 };
	return json_is(found.values[0], JSON_STRING)
	    ? json_text(found.values[0], a)
	    : found.values[0]->text;
}

/* ---- templates ---- */

struct filling {
	struct view *view;
	const struct json *item, *sample;
	struct finding unfilled; /* NO: all places are filled */
};

static struct str
value_of(struct str name, void *arg)
{
	struct filling *f = arg;
	struct arena *a = f->view->arena;
	struct str path = str_trim(name), space = str_cut(&path, '.'), text;
	bool item = str_is(space, "item");
	bool recorded = str_starts(path, "output_text") ||
	    str_starts(path, "choices") || str_starts(path, "output_json") ||
	    (str_starts(path, "output_tools") && f->view->have & VIEW_CALLS);

	text = grader_value(item ? f->item : f->sample, path, a);
	if (text.s != NULL || f->unfilled.found != FOUND_NO)
		return text;
	f->unfilled.found = item || !recorded ? FOUND_SKIP : FOUND_CANNOT;
	f->unfilled.why = str_printf(a, "%s: %.*s",
	    item           ? "not in the file"
		: recorded ? "not in the answer"
			   : "not recorded",
	    STR_FMT(str_trim(name)));
	return text;
}

/* ---- scores ---- */

/* A score below 0 says that the texts are too long. */
static struct metric_range
exactly(double score)
{
	return score < 0 ? (struct metric_range){ NAN, NAN }
			 : (struct metric_range){ score, score };
}

static struct metric_range
grader_score(const struct grader_want *w, struct str input,
    struct str reference, struct arena *a)
{
	switch (w->how) {
	case GRADER_EQ:
		return exactly(str_eq(input, reference));
	case GRADER_NE:
		return exactly(!str_eq(input, reference));
	case GRADER_LIKE:
		return exactly(str_contains(input, reference));
	case GRADER_ILIKE:
		return exactly(str_contains(unicode_lower_js(a, input),
		    unicode_lower_js(a, reference)));
	case GRADER_FUZZY:
		return exactly(common_ratio(a, input, reference));
	case GRADER_ROUGE:
		return exactly(
		    rouge_score(a, input, reference, w->order, NULL));
	case GRADER_METRIC:
		return metric_score(a, w->metric, input, reference);
	case GRADER_PYTHON:
		break;
	}
	return exactly(-1);
}

enum { SHOWN = 120 }; /* bytes of a text in a reason */

/* Asks the function grade(sample, item) of the file's own Python. */
static struct finding
ask_python(const struct grader_want *w, struct view *v)
{
	struct program_call call = { .language = PROGRAM_PYTHON,
		.parameters = "source, sample, item",
		.code = STR("names = {}\n"
			    "exec(source, names)\n"
			    "return names['grade'](sample, item)") };
	struct program_answer answer;
	struct out args;
	double score;

	if (w->item == NULL &&
	    (str_contains(w->source, STR("item.")) ||
		str_contains(w->source, STR("item["))))
		return finding_skip("not in the file: item");
	if (v->options.programs == NULL)
		return finding_skip(
		    "programs are not run without --allow-commands");
	out_open_json(&args, '[');
	out_json_str(&args, w->source);
	out_json_raw(&args, sample_of(v)->text);
	out_json_raw(&args, w->item == NULL ? STR("{}") : w->item->text);
	call.args = out_keep_json(&args, ']', v->arena);
	answer = program_ask(v->options.programs, &call, v->arena);
	score = json_is(answer.value, JSON_TRUE) ? 1
	    : json_is(answer.value, JSON_FALSE)  ? 0
						 : json_double(answer.value);
	if (answer.error.s == NULL && isnan(score))
		answer.error = STR("grade: expected a number");
	if (answer.error.s != NULL)
		return finding_why(FOUND_ERROR, view_shown(v, answer.error));
	return grader_finding(
	    (struct metric_range){ score, score }, w->least, v);
}

static struct finding
grader_find(const void *want, struct view *v)
{
	static const char *const words[] = {
		[GRADER_EQ] = "the text",
		[GRADER_NE] = "another text than",
		[GRADER_LIKE] = "a text with",
		[GRADER_ILIKE] = "in any letter case, a text with",
	};
	const struct grader_want *w = want;
	struct filling fill = { .view = v,
		.item = w->item,
		.sample = sample_of(v),
		.unfilled.found = FOUND_NO };
	struct str input =
	    placeholders_fill(v->arena, w->input, value_of, &fill);
	struct str reference =
	    placeholders_fill(v->arena, w->reference, value_of, &fill);
	struct metric_range r;
	struct finding f;

	if (w->how == GRADER_PYTHON)
		return ask_python(w, v);
	if (fill.unfilled.found != FOUND_NO)
		return fill.unfilled;
	r = grader_score(w, input, reference, v->arena);
	f = grader_finding(r, w->least, v);
	if (w->how <= GRADER_ILIKE)
		f.cause = str_printf(v->arena,
		    "expected %s '%.*s', found '%.*s'", words[w->how],
		    STR_FMT(view_ellipsize(v, reference, SHOWN)),
		    STR_FMT(view_ellipsize(v, input, SHOWN)));
	return f;
}

struct finding
grader_finding(struct metric_range r, const double *least, struct view *v)
{
	double needed = least != NULL ? *least : 1;
	struct finding f = { .found = r.low >= needed ? FOUND_YES : FOUND_NO,
		.graded = r.low == r.high,
		.ungraded = r.low != r.high,
		.share = r.low,
		.open = v->cut & VIEW_TEXT };

	f.why = str_printf(v->arena, "%.4g", r.low);
	if (r.low < r.high)
		f.why = str_printf(v->arena, "%.4g to %.4g", r.low, r.high);
	if (isnan(r.low)) {
		f.found = FOUND_SKIP;
		f.why = STR("the texts are too long to be compared");
	} else if ((r.high >= needed) != (r.low >= needed)) {
		f.found = FOUND_SKIP;
		f.why = str_printf(v->arena,
		    "the score, %.*s, depends on synonyms of WordNet",
		    STR_FMT(f.why));
	} else if (least == NULL && r.high > 0 && r.low < 1) {
		f.found = FOUND_SKIP;
		f.why = str_printf(v->arena,
		    "the score is %.*s, and the grader has no pass_threshold",
		    STR_FMT(f.why));
	}
	return f;
}

static const struct check_kind grader_check_kind = { .name = "grader",
	.find = grader_find,
	WANTS(WANT("score eq ne like ilike fuzzy_match rouge metric "
		   "python",
		  WANT_WORD, grader_want, how),
	    WANT("source", WANT_STR, grader_want, source),
	    WANT("input", WANT_STR, grader_want, input),
	    WANT("reference", WANT_STR, grader_want, reference),
	    WANT("least", WANT_DOUBLE | WANT_AT, grader_want, least)) };

struct check
grader_check(struct arena *a, const struct grader_want *want)
{
	return check_new(a, &grader_check_kind, want, sizeof *want, VIEW_TEXT);
}
