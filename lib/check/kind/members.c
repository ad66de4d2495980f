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
	const struct json *members = want, *object = view_json(v);
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

static void
members_show(const void *want, struct out *o)
{
	const struct json *members = want;

	out_member_raw(o, "members", members->text);
}

struct check
members_check(const struct json *members)
{
	static const struct check_kind kind = {
		.name = "members", .find = members_find, .show = members_show
	};

	return (
	    struct check){ .kind = &kind, .want = members, .needs = VIEW_TEXT };
}
