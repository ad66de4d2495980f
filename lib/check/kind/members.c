#include "check/kind/kind.h"

#include "emulate/lang/py.h"

static bool
has(const struct json *object, struct str name, const struct json *wanted,
    struct arena *a)
{
	const struct json *value = json_get(object, name);

	return value == NULL ? json_is(wanted, JSON_NULL)
			     : py_equal(value, wanted, a);
}

static struct finding
members_find(const void *want, struct view *v)
{
	const struct json *members = *(const struct json *const *)want,
			  *object = view_json(v);
	struct finding f = { .open = v->cut & VIEW_TEXT };

	if (!json_is(object, JSON_OBJECT))
		return f;
	for (json_members(key, members)) {
		struct str name = json_text(key, v->arena);

		if (!has(object, name, json_get(members, name), v->arena))
			return f;
	}
	f.found = FOUND_YES;
	return f;
}

static const struct check_kind members_kind = { .name = "members",
	.find = members_find,
	WANTS({ "members", WANT_JSON, 0 }) };

struct check
members_check(struct arena *a, const struct json *members)
{
	return check_new(a, &members_kind, &members, sizeof members, VIEW_TEXT);
}
