#include "check/answer/answer_kinds.h"

struct json_path_want {
	struct jsonpath *path;
	struct str written;
	const struct json *equals;
};

static bool
is_identical(const struct json *a, const struct json *b)
{
	return a->type != JSON_ARRAY && a->type != JSON_OBJECT &&
	    json_equal(a, b);
}

static bool
holds(const struct json_path_want *w, struct jsonpath_list list)
{
	if (w->equals == NULL)
		return list.n != 0;
	for (size_t i = 0; i < list.n; i++)
		if (is_identical(list.values[i], w->equals))
			return true;
	return false;
}

static struct finding
json_path_find(const void *want, struct view *v)
{
	const struct json_path_want *w = want;
	const struct json *root = view_json(v);
	struct finding f = { .open = v->cut & VIEW_TEXT };
	struct jsonpath_list list;

	if (root == NULL) {
		f.found = FOUND_CANNOT;
		return f;
	}
	list = jsonpath_select(w->path, root, v->arena);
	if (list.cut) {
		f.found = FOUND_ERROR;
		f.why = str_cat(v->arena,
		    STR("no verdict within the step limit: "), w->written);
	} else if (holds(w, list)) {
		f.found = FOUND_YES;
	}
	return f;
}

static void
release(const void *want)
{
	const struct json_path_want *w = want;

	jsonpath_free(w->path);
}

static const struct check_kind json_path_check_kind = { .name = "jsonpath",
	.find = json_path_find,
	.release = release,
	WANTS(WANT("path", WANT_STR, json_path_want, written),
	    WANT("equals", WANT_JSON, json_path_want, equals)) };

struct check
json_path_check(struct arena *a, struct jsonpath *path, struct str written,
    const struct json *equals)
{
	const struct json_path_want w = {
		.path = path, .written = written, .equals = equals
	};

	return check_new(a, &json_path_check_kind, &w, sizeof w, VIEW_TEXT);
}
