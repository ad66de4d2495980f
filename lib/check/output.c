#include "output.h"

#include "../py.h"
#include "../unicode.h"
#include "result_text.h"

enum { SHOWN = 120 }; /* bytes */

const char *
output_how_name(enum output_how how)
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

/* Text that is looked for is looked for in text, where there is any. */
struct actual {
	const struct json *value;
	struct str text; /* absent: the value itself counts */
};

static bool
is_scalar(const struct json *v)
{
	return v->type != JSON_ARRAY && v->type != JSON_OBJECT;
}

static struct actual
actual_of(const struct output_want *w, const struct json *v, struct arena *a)
{
	struct actual actual = { .value = v };

	if (is_scalar(w->expected) && !json_is(w->expected, JSON_NULL))
		actual.text = result_text(v, a);
	return actual;
}

static struct str
folded(const struct output_want *w, struct str text, struct arena *a)
{
	return w->caseless ? unicode_lower_js(a, text) : text;
}

static bool
has_text(const struct output_want *w, struct str text, struct arena *a)
{
	struct str wanted = json_text(w->expected, a);

	return wanted.s != NULL && text.s != NULL &&
	    str_contains(folded(w, text, a), folded(w, wanted, a));
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
contains(
    const struct output_want *w, const struct actual *actual, struct arena *a)
{
	if (actual->text.s != NULL)
		return has_text(w, actual->text, a);
	for (json_members(key, actual->value))
		if (has_text(w, json_text(json_value(key), a), a))
			return true;
	return has_item(actual->value, w->expected, a);
}

static bool
equals(
    const struct output_want *w, const struct actual *actual, struct arena *a)
{
	if (actual->text.s == NULL)
		return py_equal(actual->value, w->expected, a);
	return json_is(w->expected, JSON_STRING) &&
	    str_eq(folded(w, actual->text, a),
		folded(w, json_text(w->expected, a), a));
}

static bool partial(
    const struct json *actual, const struct json *expected, struct arena *);

/* A member's value: containers of one sort go on, all else is equal. */
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
matches(
    const struct output_want *w, const struct actual *actual, struct arena *a)
{
	if (w->regex == NULL || actual->text.s == NULL)
		return REGEX_NO;
	return regex_search(w->regex, actual->text, NULL, a);
}

static struct finding
compare(const struct output_want *w, const struct json *v, struct arena *a)
{
	struct actual actual = actual_of(w, v, a);
	bool found = false;

	switch (w->how) {
	case OUTPUT_EXACT:
		found = equals(w, &actual, a) || has_text(w, actual.text, a);
		break;
	case OUTPUT_CONTAINS:
		found = contains(w, &actual, a);
		break;
	case OUTPUT_PARTIAL:
		found = partial(v, w->expected, a);
		break;
	case OUTPUT_EQUALS:
		found = equals(w, &actual, a);
		break;
	case OUTPUT_REGEX:
		switch (matches(w, &actual, a)) {
		case REGEX_NO:
			break;
		case REGEX_YES:
			found = true;
			break;
		case REGEX_LIMIT:
			return (struct finding){ .found = FOUND_ERROR,
				.why =
				    STR("no verdict within the step limit") };
		}
		break;
	}
	return (struct finding){
		.found = found ? FOUND_YES : FOUND_NO,
		.why = str_begin(a, v->text, SHOWN),
	};
}

/* ---- finding what to compare ---- */

/* The call that is meant, or NULL. */
static const struct trace_call *
choose(const struct output_want *w, struct trace_calls calls)
{
	int64_t nth = w->call;

	if (nth < 0)
		nth += (int64_t)trace_calls_of(calls, w->tool);
	if (nth < 0)
		return NULL;
	for (size_t i = 0; i < calls.n; i++)
		if (trace_call_is(&calls.list[i], w->tool) && nth-- == 0)
			/* cppcheck-suppress returnDanglingLifetime; an arena's */
			return &calls.list[i];
	return NULL;
}

/* Logs keep results as text as well, which may be JSON. */
static const struct json *
read_text(const struct json *result, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct str text = result_text(result, a);
	const struct json *v = NULL;

	if (text.s != NULL)
		v = json_read(&reader, text, NULL, NULL);
	if (v != NULL)
		v = json_keep(a, v);
	json_reader_free(&reader);
	return v;
}

static const struct json *
value_in(
    const struct output_want *w, const struct json *result, struct arena *a)
{
	const struct json *v = field_get(&w->field, result, a);

	if (v == NULL)
		v = field_get(&w->field, read_text(result, a), a);
	return v;
}

static bool
is_cut(const struct trace_call *call)
{
	for (json_each(what, json_get(call->step, STR("cut"))))
		if (json_str_is(what, STR("result")))
			return true;
	return false;
}

static struct finding
find(const void *want, struct view *v)
{
	const struct output_want *w = want;
	const struct trace_call *call = choose(w, view_calls(v));
	const struct json *value;

	if (call == NULL)
		return (struct finding){ .open = v->cut & VIEW_CALLS,
			.why = STR("no such call") };
	if (call->result == NULL || json_is(call->result, JSON_NULL))
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: the result of the call") };
	if (is_cut(call))
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR(
			    "cut short in the log: the result of the call") };
	value = value_in(w, call->result, v->arena);
	if (value == NULL)
		return (struct finding){ .why = STR("nothing there") };
	return compare(w, value, v->arena);
}

/* A pattern's case is the pattern's own. */
static bool
case_differs(const void *want, struct view *v)
{
	struct output_want w = *(const struct output_want *)want;

	if (w.caseless || w.how == OUTPUT_REGEX)
		return false;
	w.caseless = true;
	return find(&w, v).found == FOUND_YES;
}

static void
show(const void *want, struct out *o)
{
	const struct output_want *w = want;

	out_key(o, "tool");
	out_json_str(o, w->tool);
	out_member_int(o, "call", w->call);
	if (w->field.written.s != NULL) {
		out_key(o, "field");
		out_json_str(o, w->field.written);
	}
	out_key(o, output_how_name(w->how));
	out_json_raw(o, w->expected->text);
	if (w->caseless)
		out_member_bool(o, "caseless", true);
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct output_want *w = want;

	each(w->regex, arg);
}

struct check
output_check(struct arena *a, const struct output_want *want)
{
	static const struct check_kind kind = {
		.name = "output",
		.find = find,
		.show = show,
		.patterns = patterns,
		.case_differs = case_differs,
	};
	struct output_want *w = arena_new(a, struct output_want);

	*w = *want;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
