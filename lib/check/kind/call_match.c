#include "check/kind/call_match.h"

#include "emulate/lang/go.h"

bool
call_match_is_of(const struct call_match *m, const struct trace_call *call)
{
	return m->tool.n == 0 || trace_call_is(call, m->tool);
}

/* ---- the object of arguments ---- */

/* Returns the value at a path of keys with dots between them. */
static const struct json *
at_path(const struct json *v, struct str path)
{
	while (path.s != NULL && v != NULL)
		v = json_get(v, str_cut(&path, '.'));
	return v;
}

static bool
equal(const struct json *expected, const struct json *actual)
{
	return actual != NULL && json_equal(expected, actual);
}

/* Returns whether the object has all members of the part with their values. */
static bool
has_all(const struct json *object, const struct json *part, struct arena *a)
{
	for (json_members(key, part))
		if (!equal(
			json_value(key), json_get(object, json_text(key, a))))
			return false;
	return true;
}

/* Returns whether the arguments are equal at the paths: with `all` at each, where a path
 * that leads nowhere is the same as one that leads to null; else where something is
 * expected. */
static bool
paths_fit(const struct call_match *m, const struct json *args, bool all)
{
	for (size_t i = 0; i < m->fields.n; i++) {
		const struct json *v = at_path(m->args, m->fields.list[i]),
				  *w = at_path(args, m->fields.list[i]);
		bool none = v == NULL || (all && json_is(v, JSON_NULL));

		if (none ? all && w != NULL && !json_is(w, JSON_NULL)
			 : !equal(v, w))
			return false;
	}
	return true;
}

/* ---- arguments of which some do not count ---- */

/* Returns whether the argument of this name does not count. */
static bool
is_ignored(const struct call_match *m, struct str name)
{
	for (size_t i = 0; i < m->nignored; i++)
		if (str_eq(m->ignored[i].pattern, name) ||
		    (m->ignored[i].regex != NULL &&
			regex_search(m->ignored[i].regex, name, NULL, NULL) ==
			    REGEX_YES))
			return true;
	return false;
}

/* Returns the argument, or NULL if the call has none, or one that does not
 * count. */
static const struct json *
argument(const struct call_match *m, const struct json *args, struct str name)
{
	const struct json *v = json_get(args, name);
	const struct json *usual = json_get(m->defaults, name);

	if (v == NULL || is_ignored(m, name) ||
	    (usual != NULL && json_equal(v, usual)))
		return NULL;
	return v;
}

/* Returns whether the value has all of the expected value: all members of
 * objects, and lists element by element. */
static bool
has_parts(const struct json *v, const struct json *expected, struct arena *a)
{
	const struct json *item = json_first(v);

	if (json_is(expected, JSON_ARRAY)) {
		if (!json_is(v, JSON_ARRAY) ||
		    json_count(v) != json_count(expected))
			return false;
		for (json_each(e, expected)) {
			if (!has_parts(item, e, a))
				return false;
			item = json_next(v, item);
		}
		return true;
	}
	if (!json_is(expected, JSON_OBJECT))
		return json_equal(v, expected);
	if (!json_is(v, JSON_OBJECT))
		return false;
	for (json_members(key, expected)) {
		const struct json *member = json_get(v, json_text(key, a));

		if (member == NULL || !has_parts(member, json_value(key), a))
			return false;
	}
	return true;
}

/* Returns the number of arguments that count. */
static size_t
count_arguments(
    const struct call_match *m, const struct json *args, struct arena *a)
{
	size_t n = 0;

	for (json_members(key, args))
		n += argument(m, args, json_text(key, a)) != NULL;
	return n;
}

/* Returns whether the arguments that count are the expected ones: equal and no others, or
 * with these parts. */
static bool
counted_fit(
    const struct call_match *m, const struct json *args, struct arena *a)
{
	const struct json *expected = m->args;
	bool exact = m->how == EXPECTED_COUNTED;
	size_t n = 0;

	if (!json_is(expected, JSON_OBJECT) || !json_is(args, JSON_OBJECT))
		return exact ? json_equal(args, expected)
			     : has_parts(args, expected, a);
	for (json_members(key, expected)) {
		struct str name = json_text(key, a);
		const struct json *v = argument(m, args, name),
				  *e = json_value(key);

		if (is_ignored(m, name))
			continue;
		if (v == NULL ||
		    !(exact ? json_equal(v, e) : has_parts(v, e, a)))
			return false;
		n++;
	}
	return !exact || n == count_arguments(m, args, a);
}

bool
call_match_object(
    const struct call_match *m, const struct json *args, struct arena *a)
{
	if (m->how == EXPECTED_COUNTED || m->how == EXPECTED_PARTS)
		return counted_fit(m, args, a);
	if (m->how == EXPECTED_FIELDS || m->how == EXPECTED_PATHS)
		return paths_fit(m, args, m->how == EXPECTED_PATHS);
	if (!json_is(args, JSON_OBJECT))
		return false;
	if (m->how == EXPECTED_SUPERSET)
		return has_all(args, m->args, a);
	if (m->how == EXPECTED_SUBSET)
		return has_all(m->args, args, a);
	return json_equal(m->args, args);
}

/* ---- single arguments ---- */

static struct str
text_of(const struct call_match *m, const struct json *v,
    const struct document *doc, struct arena *a)
{
	if (m->by != BY_JSON)
		return go_text(a, v, doc);
	return v == NULL              ? STR("")
	    : json_is(v, JSON_STRING) ? json_text(v, a)
				      : v->text;
}

static bool
values_equal(const struct call_match *m, const struct json *wanted,
    const struct json *actual, struct arena *a)
{
	switch (m->by) {
	case BY_GO:
		return go_equal(a, m->doc, wanted, actual);
	case BY_GO_TEXT:
		return str_eq(
		    text_of(m, wanted, m->doc, a), text_of(m, actual, NULL, a));
	case BY_JSON:
		return json_equal(actual, wanted);
	}
	return false;
}

enum argument_fit
call_match_argument(const struct call_match *m, const struct argument *wanted,
    const struct json *actual, struct arena *a)
{
	if (actual == NULL && (m->by != BY_JSON || wanted->regex == NULL))
		return ARGUMENT_MISSING;
	if (wanted->regex != NULL)
		switch (regex_search(
		    wanted->regex, text_of(m, actual, NULL, a), NULL, a)) {
		case REGEX_YES:
			return ARGUMENT_FITS;
		case REGEX_NO:
			return ARGUMENT_DIFFERS;
		case REGEX_LIMIT:
			return ARGUMENT_UNDECIDED;
		}
	return wanted->value == NULL ||
		values_equal(m, wanted->value, actual, a)
	    ? ARGUMENT_FITS
	    : ARGUMENT_DIFFERS;
}

static struct finding
arguments_fit(
    const struct call_match *m, const struct trace_call *call, struct arena *a)
{
	if ((m->n != 0 || m->how != EXPECTED_ANY) && call->args == NULL)
		return finding_why(
		    FOUND_CANNOT, "not recorded: the arguments of a call");
	if (m->how != EXPECTED_ANY && !call_match_object(m, call->args, a))
		return finding_of(false);
	for (size_t i = 0; i < m->n; i++) {
		const struct argument *one = &m->list[i];

		switch (call_match_argument(
		    m, one, json_get(call->args, one->name), a)) {
		case ARGUMENT_FITS:
			break;
		case ARGUMENT_MISSING:
		case ARGUMENT_DIFFERS:
			return (struct finding){ .why = one->name };
		case ARGUMENT_UNDECIDED:
			return finding_why(
			    FOUND_ERROR, "no verdict within the step limit");
		}
	}
	return finding_of(true);
}

/* ---- the result ---- */

struct str
tool_parts_text(const struct json *list, struct str between, struct arena *a)
{
	struct str_list parts = { 0 };

	for (json_each(part, list)) {
		const struct json *text = json_get(part, "text");

		if (json_is(text, JSON_STRING))
			str_list_add(a, &parts, json_text(text, a));
	}
	if (parts.n == 0)
		return (struct str){ 0 };
	return str_join(a, parts.list, parts.n, between);
}

/* Returns the text parts of a list, concatenated. */
static struct str
text_of_parts(const struct json *list, struct arena *a)
{
	struct str text = tool_parts_text(list, STR(""), a);

	return text.s == NULL ? STR("") : text;
}

struct str
tool_answer_text(const struct json *result, struct arena *a)
{
	const struct json *content = json_get(result, "content");

	if (json_is(result, JSON_STRING))
		return json_text(result, a);
	if (json_is(result, JSON_ARRAY))
		return text_of_parts(result, a);
	if (json_is(content, JSON_ARRAY))
		return text_of_parts(content, a);
	return result->text;
}

/* Returns whether the text includes all texts; if not, sets *lacking. */
static bool
includes(
    struct str_list list, struct str text, struct arena *a, struct str *lacking)
{
	struct str lower = view_fold(a, text, VIEW_LOWER_GO);

	for (size_t i = 0; i < list.n; i++) {
		*lacking = list.list[i];
		if (!str_contains(lower, view_fold(a, *lacking, VIEW_LOWER_GO)))
			return false;
	}
	return true;
}

static struct finding
search(const struct regex *re, struct str text, struct arena *a)
{
	switch (regex_search(re, text, NULL, a)) {
	case REGEX_YES:
		return finding_of(true);
	case REGEX_NO:
		return finding_of(false);
	case REGEX_LIMIT:
		break;
	}
	return finding_why(FOUND_ERROR, "no verdict within the step limit");
}

struct finding
call_match_result(const struct call_match *m, const struct trace_call *call,
    struct arena *a, const char **what)
{
	struct finding f = finding_of(true);
	struct str text;

	*what = "tool_error";
	if (m->succeeds && json_is(call->is_error, JSON_TRUE))
		return finding_of(false);
	if (m->includes.n == 0 && m->matches == NULL)
		return f;
	if (call->result == NULL)
		return finding_why(
		    FOUND_CANNOT, "not recorded: the result of a call");
	text = tool_answer_text(call->result, a);
	*what = "result_missing_pattern";
	if (!includes(m->includes, text, a, &f.why)) {
		f.found = FOUND_NO;
		return f;
	}
	*what = "result_pattern_mismatch";
	if (m->matches != NULL)
		f = search(m->matches, text, a);
	if (f.found == FOUND_NO)
		f.why = m->pattern;
	if (f.found != FOUND_YES)
		f.open = trace_step_cut(call->step, STR("result"));
	return f;
}

struct finding
call_match_fit(
    const struct call_match *m, const struct trace_call *call, struct arena *a)
{
	const char *what;
	struct finding f = call_match_result(m, call, a, &what);

	return f.found == FOUND_YES ? arguments_fit(m, call, a) : f;
}

/* ---- for checks ---- */

void
call_match_patterns(const struct call_match *m, check_pattern *each, void *arg)
{
	each(m->matches, arg);
	for (size_t i = 0; i < m->n; i++)
		each(m->list[i].regex, arg);
	for (size_t i = 0; i < m->nignored; i++)
		each(m->ignored[i].regex, arg);
}

void
call_match_show(const struct call_match *m, struct out *o)
{
	static const char *const hows[] = {
		[EXPECTED_EQUAL] = "equal",
		[EXPECTED_SUPERSET] = "superset",
		[EXPECTED_SUBSET] = "subset",
		[EXPECTED_FIELDS] = "fields",
		[EXPECTED_PATHS] = "paths",
	};

	out_begin(o, '{');
	out_member_str(o, "tool", m->tool);
	if (m->how != EXPECTED_ANY) {
		out_member_raw(o, "args", m->args->text);
		out_member_str(o, "match", str_of(hows[m->how]));
	}
	if (m->fields.n != 0)
		out_member_strs(o, "fields", m->fields);
	out_end(o, '}');
}
