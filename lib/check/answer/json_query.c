#include "check/answer/answer_kinds.h"

#include "json/keys.h"

/* ---- comparing as PromptKit does ---- */

static bool equal(const struct json *, const struct json *, struct arena *);

static bool
is_null(const struct json *v)
{
	return v == NULL || json_is(v, JSON_NULL);
}

static bool
equal_lists(const struct json *x, const struct json *y, struct arena *a)
{
	const struct json *other = json_first(y);

	if (json_count(x) != json_count(y))
		return false;
	for (json_each(v, x)) {
		if (!equal(v, other, a))
			return false;
		other = json_next(y, other);
	}
	return true;
}

/* Returns whether the values are equal; a missing value equals null. */
static bool
equal(const struct json *x, const struct json *y, struct arena *a)
{
	if (is_null(x) || is_null(y))
		return is_null(x) && is_null(y);
	if (x->type != y->type)
		return false;
	switch (x->type) {
	case JSON_NUMBER:
		return json_double(x) == json_double(y);
	case JSON_STRING:
		return str_eq(json_text(x, a), json_text(y, a));
	case JSON_ARRAY:
		return equal_lists(x, y, a);
	case JSON_OBJECT:
		return json_keys_equal(x, y, equal, a);
	default:
		return true;
	}
}

/* ---- limits ---- */

static struct finding
no(struct view *v, struct str message, const struct json *actual,
    const struct json *expected)
{
	struct out o;

	out_open_memory(&o);
	out_member_text(&o, "message", message);
	if (expected != NULL)
		out_member_raw(&o, "expected", expected->text);
	if (actual != NULL)
		out_member_raw(&o, "actual", actual->text);
	return (struct finding){ .found = FOUND_NO,
		.why = out_keep(&o, v->arena),
		.cause = message };
}

/* Returns the first wanted item that the list lacks, or NULL. */
static const struct json *
lacking(const struct json *list, const struct json *wanted, struct arena *a)
{
	for (json_each(one, wanted)) {
		bool there = false;

		for (json_each(v, list))
			there |= equal(v, one, a);
		if (!there)
			return one;
	}
	return NULL;
}

static struct finding
check_items(
    const struct json_query_want *w, struct view *v, const struct json *got)
{
	const struct json *one = NULL;
	int64_t n = (int64_t)json_count(got);

	if (!json_is(got, JSON_ARRAY))
		return no(v, STR("the result is not a list"), got, NULL);
	if (w->contains != NULL)
		one = lacking(got, w->contains, v->arena);
	if (one != NULL)
		return no(v, STR("the result lacks an item"), got, one);
	if (n < w->least_items)
		return no(v,
		    str_printf(v->arena, "%lld items, fewer than %lld",
			(long long)n, (long long)w->least_items),
		    got, NULL);
	if (w->most_items > 0 && n > w->most_items)
		return no(v,
		    str_printf(v->arena, "%lld items, more than %lld",
			(long long)n, (long long)w->most_items),
		    got, NULL);
	return finding_of(true);
}

static struct finding
check_bounds(
    const struct json_query_want *w, struct view *v, const struct json *got)
{
	if (!json_is(got, JSON_NUMBER))
		return no(v, STR("the result is not a number"), got, NULL);
	if (w->least != NULL && json_double(got) < json_double(w->least))
		return no(v,
		    str_cat(v->arena, STR("less than "), w->least->text), got,
		    NULL);
	if (w->most != NULL && json_double(got) > json_double(w->most))
		return no(v,
		    str_cat(v->arena, STR("more than "), w->most->text), got,
		    NULL);
	return finding_of(true);
}

static struct finding
look_at(const struct json_query_want *w, struct view *v, const struct json *got)
{
	struct finding f = { .found = FOUND_YES };

	if (w->equals != NULL && !equal(got, w->equals, v->arena))
		return no(v, STR("the result is not equal"), got, w->equals);
	if (w->least != NULL || w->most != NULL)
		f = check_bounds(w, v, got);
	if (f.found == FOUND_YES &&
	    (w->contains != NULL || w->least_items > 0 || w->most_items > 0))
		f = check_items(w, v, got);
	return f;
}

/* ---- the kind ---- */

static struct finding
json_query_find(const void *want, struct view *v)
{
	const struct json_query_want *w = want;
	struct embedded_json_error wrong;
	struct jmespath_error error;
	const struct json *root = embedded_json_read(&w->where, v, &wrong);
	const struct json *got = root == NULL
	    ? NULL
	    : jmespath_search(w->path, root, v->arena, &error);
	struct finding f = {
		.found = FOUND_CANNOT, .why = wrong.members, .cause = wrong.what
	};

	if (got != NULL)
		f = look_at(w, v, got);
	else if (root != NULL)
		f = no(v, error.why, NULL, NULL);
	f.open = v->cut & VIEW_TEXT;
	return f;
}

static void
json_query_show(const void *want, struct out *o)
{
	static const struct check_want wants[] = {
		WANT("path", WANT_STR, json_query_want, written),
		WANT("equals", WANT_JSON, json_query_want, equals),
		WANT("contains", WANT_JSON, json_query_want, contains),
		WANT("least", WANT_JSON, json_query_want, least),
		WANT("most", WANT_JSON, json_query_want, most),
		WANT("least_items", WANT_INT | WANT_IF, json_query_want,
		    least_items),
		WANT("most_items", WANT_INT | WANT_IF, json_query_want,
		    most_items),
		{ NULL, WANT_END, 0 },
	};
	const struct json_query_want *w = want;

	embedded_json_show(&w->where, o);
	out_member_str(o, "flavour", STR("jmespath"));
	check_wants_show(wants, want, o);
}

struct check
json_query_check(struct arena *a, const struct json_query_want *want)
{
	static const struct check_kind kind = { .name = "jsonpath",
		.find = json_query_find,
		.show = json_query_show };

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
