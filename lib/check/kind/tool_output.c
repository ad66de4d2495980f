#include "check/kind/kind.h"

#include "emulate/lang/py.h"

enum { SHOWN = 120 }; /* bytes */

const char *
tool_output_how_name(enum tool_output_how how)
{
	static const char *const names[] = {
		[OUTPUT_EXACT] = "exact",
		[OUTPUT_CONTAINS] = "contains",
		[OUTPUT_REGEX] = "regex",
		[OUTPUT_PARTIAL] = "partial",
		[OUTPUT_EQUALS] = "equals",
	};

	return how <= OUTPUT_EQUALS ? names[how] : NULL;
}

/* ---- comparing ---- */

/* The value to compare. Expected text is compared with the value's text, if it
 * has any. */
struct actual {
	const struct json *value;
	struct view *text; /* NULL: the value itself counts */
};

static bool
is_scalar(const struct json *v)
{
	return v->type != JSON_ARRAY && v->type != JSON_OBJECT;
}

/* Returns a view of the text; NULL if the text is absent. */
static struct view *
view_if(struct view *v, struct str text)
{
	return text.s == NULL ? NULL : view_of_text(v, text);
}

static enum view_fold
fold_of(const struct tool_output_want *w)
{
	return w->caseless ? VIEW_LOWER_JS : VIEW_AS_WRITTEN;
}

/* Returns the expected text, folded; absent if the expected value is no
 * text. */
static struct str
wanted_text(const struct tool_output_want *w, struct arena *a)
{
	struct str text = json_text(w->expected, a);

	return text.s == NULL ? text : view_fold(a, text, fold_of(w));
}

static bool
has_text(const struct tool_output_want *w, struct view *text)
{
	struct str wanted;

	if (text == NULL)
		return false;
	wanted = wanted_text(w, text->arena);
	return wanted.s != NULL && view_contains(text, fold_of(w), wanted);
}

static bool
has_item(const struct json *list, const struct json *wanted, struct arena *a)
{
	for (json_each(item, list))
		if (py_equal(item, wanted, a))
			return true;
	return false;
}

static bool
contains(const struct tool_output_want *w, const struct actual *actual,
    struct view *v)
{
	struct arena *a = v->arena;

	if (actual->text != NULL)
		return has_text(w, actual->text);
	for (json_members(key, actual->value))
		if (has_text(w, view_if(v, json_text(json_value(key), a))))
			return true;
	return has_item(actual->value, w->expected, a);
}

static bool
equals(const struct tool_output_want *w, const struct actual *actual,
    struct arena *a)
{
	if (actual->text == NULL)
		return py_equal(actual->value, w->expected, a);
	return json_is(w->expected, JSON_STRING) &&
	    str_eq(view_text(actual->text, fold_of(w)), wanted_text(w, a));
}

static bool partial(
    const struct json *actual, const struct json *expected, struct arena *);

/* Returns whether a member's value fits: two objects or two lists if one
 * contains the other, other values if they are equal. */
static bool
fits(const struct json *actual, const struct json *expected, struct arena *a)
{
	return actual != NULL &&
	    (partial(actual, expected, a) || py_equal(actual, expected, a));
}

static bool
has_fitting(const struct json *list, const struct json *wanted, struct arena *a)
{
	for (json_each(item, list))
		if (json_is(wanted, JSON_OBJECT) ? fits(item, wanted, a)
						 : py_equal(item, wanted, a))
			return true;
	return false;
}

static bool
partial(const struct json *actual, const struct json *expected, struct arena *a)
{
	if (is_scalar(expected) || actual->type != expected->type)
		return false;
	for (json_each(item, expected))
		if (!has_fitting(actual, item, a))
			return false;
	for (json_members(key, expected))
		if (!fits(json_get(actual, json_text(key, a)), json_value(key),
			a))
			return false;
	return true;
}

static enum regex_found
matches(const struct tool_output_want *w, const struct actual *actual)
{
	if (w->regex == NULL || actual->text == NULL)
		return REGEX_NO;
	return view_search(actual->text, w->regex, NULL);
}

static struct finding
compare(const struct tool_output_want *w, const struct actual *actual,
    struct view *v)
{
	struct arena *a = v->arena;
	bool found = false;

	switch (w->how) {
	case OUTPUT_EXACT:
		found = equals(w, actual, a) || has_text(w, actual->text);
		break;
	case OUTPUT_CONTAINS:
		found = contains(w, actual, v);
		break;
	case OUTPUT_PARTIAL:
		found = partial(actual->value, w->expected, a);
		break;
	case OUTPUT_EQUALS:
		found = equals(w, actual, a);
		break;
	case OUTPUT_REGEX:
		switch (matches(w, actual)) {
		case REGEX_NO:
			break;
		case REGEX_YES:
			found = true;
			break;
		case REGEX_LIMIT:
			return finding_why(
			    FOUND_ERROR, "no verdict within the step limit");
		}
		break;
	}
	return (struct finding){
		.found = found ? FOUND_YES : FOUND_NO,
		.why = view_ellipsize(v, actual->value->text, SHOWN),
	};
}

/* ---- the value to compare ---- */

/* Returns the call that the author means, or NULL. */
static const struct trace_call *
choose(const struct tool_output_want *w, struct trace_calls calls)
{
	int64_t nth = w->call;

	if (nth < 0)
		nth += (int64_t)trace_calls_of(calls, w->tool);
	if (nth < 0)
		return NULL;
	for (size_t i = 0; i < calls.n; i++)
		if (trace_call_is(&calls.list[i], w->tool) && nth-- == 0)
			/* cppcheck-suppress returnDanglingLifetime; in arena */
			return &calls.list[i];
	return NULL;
}

/* The result of a call, prepared once for all checks. */
struct result {
	bool known, read;         /* `text` is set; `value` is set */
	struct view *text;        /* NULL: it has none */
	const struct json *value; /* NULL: the text is no JSON */
};

static struct result *
result_of(struct view *v, const struct trace_call *call)
{
	struct trace_calls calls = view_calls(v);
	struct result *r = v->memo[VIEW_RESULTS];

	if (r == NULL)
		r = v->memo[VIEW_RESULTS] =
		    arena_new_n(v->arena, struct result, calls.n);
	r += call - calls.list;
	if (!r->known)
		r->text = view_if(v, tool_result_text(call->result, v->arena));
	r->known = true;
	return r;
}

/* Returns the result's text read as JSON, since logs also keep results as
 * text. */
static const struct json *
read_text(struct view *v, const struct trace_call *call)
{
	struct result *r = result_of(v, call);

	if (!r->read && r->text != NULL)
		r->value =
		    json_parse(v->arena, view_text(r->text, VIEW_AS_WRITTEN));
	r->read = true;
	return r->value;
}

static const struct json *
value_in(const struct tool_output_want *w, struct view *v,
    const struct trace_call *call)
{
	const struct json *value =
	    field_path_get(&w->field, call->result, v->arena);

	if (value == NULL)
		value = field_path_get(&w->field, read_text(v, call), v->arena);
	return value;
}

static struct actual
actual_of(const struct tool_output_want *w, struct view *v,
    const struct trace_call *call)
{
	struct actual actual = { .value = value_in(w, v, call) };

	if (!is_scalar(w->expected) || json_is(w->expected, JSON_NULL))
		return actual;
	if (actual.value == call->result)
		actual.text = result_of(v, call)->text;
	else
		actual.text =
		    view_if(v, tool_result_text(actual.value, v->arena));
	return actual;
}

static struct finding
tool_output_find(const void *want, struct view *v)
{
	const struct tool_output_want *w = want;
	const struct trace_call *call = choose(w, view_calls(v));
	struct actual actual;
	struct finding f;

	if (call == NULL)
		return (struct finding){ .open = v->cut & VIEW_CALLS,
			.why = STR("no such call") };
	if (call->result == NULL || json_is(call->result, JSON_NULL))
		return finding_skip("not recorded: the result of the call");
	if (trace_step_cut(call->step, STR("result")))
		return finding_skip(
		    "cut short in the log: the result of the call");
	actual = actual_of(w, v, call);
	if (actual.value == NULL)
		return (struct finding){ .why = STR("nothing there") };
	f = compare(w, &actual, v);
	f.open |= v->holes; /* the call may be another one than it seems */
	return f;
}

/* Returns whether only letter case differs; never for patterns, whose author
 * decides on case. */
static bool
case_differs(const void *want, struct view *v)
{
	struct tool_output_want w = *(const struct tool_output_want *)want;

	if (w.caseless || w.how == OUTPUT_REGEX)
		return false;
	w.caseless = true;
	return tool_output_find(&w, v).found == FOUND_YES;
}

static const struct check_kind tool_output_check_kind = { .name = "output",
	.find = tool_output_find,
	.case_differs = case_differs,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS, tool_output_want, tool),
	    WANT("call", WANT_INT, tool_output_want, call),
	    WANT("field", WANT_STR, tool_output_want, field.written),
	    WANT("exact contains regex partial equals", WANT_KEY,
		tool_output_want, how),
	    WANT(NULL, WANT_JSON, tool_output_want, expected),
	    WANT("caseless", WANT_BOOL | WANT_IF, tool_output_want, caseless),
	    WANT(NULL, WANT_REGEX, tool_output_want, regex)) };

struct check
tool_output_check(struct arena *a, const struct tool_output_want *want)
{
	return check_new(
	    a, &tool_output_check_kind, want, sizeof *want, VIEW_CALLS);
}
