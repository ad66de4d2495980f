#include "value.h"

#include "../decimal.h"
#include "../py.h"

enum { SHOWN = 120 }; /* bytes */

static const struct json *
answer_of(const struct view *v)
{
	return v->trace->member[TRACE_FINAL_TEXT];
}

static struct finding
found(bool yes, const struct view *v)
{
	return (struct finding){
		.found = yes ? FOUND_YES : FOUND_NO,
		.why = str_begin(v->arena, answer_of(v)->text, SHOWN),
	};
}

/* ---- its type ---- */

static bool
is_instance(const struct json *v, struct str type)
{
	bool truth = json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE);

	if (str_is(type, "bool"))
		return truth;
	if (str_is(type, "int"))
		return truth ||
		    (json_is(v, JSON_NUMBER) && decimal_is_plain(v->text));
	if (str_is(type, "float"))
		return json_is(v, JSON_NUMBER) && !decimal_is_plain(v->text);
	if (str_is(type, "list"))
		return json_is(v, JSON_ARRAY);
	if (str_is(type, "dict"))
		return json_is(v, JSON_OBJECT);
	return json_is(v, JSON_STRING);
}

static struct finding
find_instance(const void *want, struct view *v)
{
	const struct str *type = want;

	return found(is_instance(answer_of(v), *type), v);
}

static void
show_instance(const void *want, struct out *o)
{
	const struct str *type = want;

	out_key(o, "type");
	out_json_str(o, *type);
}

struct check
instance_check(struct arena *a, struct str type)
{
	static const struct check_kind kind = {
		.name = "instance",
		.find = find_instance,
		.show = show_instance,
	};
	struct str *w = arena_new(a, struct str);

	*w = type;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_TEXT };
}

/* ---- what it is equal to ---- */

static bool
is_equal(const struct equals_want *w, const struct json *answer, struct view *v)
{
	enum view_fold fold = w->caseless ? VIEW_LOWER_JS : VIEW_AS_WRITTEN;
	struct str wanted, text;

	if (!json_is(answer, JSON_STRING) || !json_is(w->expected, JSON_STRING))
		return py_equal(answer, w->expected, v->arena);
	wanted = view_fold(v->arena, json_text(w->expected, v->arena), fold);
	text = view_text(v, fold);
	return w->within ? str_contains(text, wanted) : str_eq(text, wanted);
}

static struct finding
find_equal(const void *want, struct view *v)
{
	const struct equals_want *w = want;
	struct finding f;

	if (w->expected == NULL)
		return (struct finding){ .found = FOUND_YES };
	f = found(is_equal(w, answer_of(v), v), v);
	f.open = v->cut & VIEW_TEXT && (f.found == FOUND_NO || !w->within);
	return f;
}

static void
show_equal(const void *want, struct out *o)
{
	const struct equals_want *w = want;

	out_key(o, w->within ? "within" : "equals");
	out_json_raw(o, w->expected == NULL ? STR("null") : w->expected->text);
	if (w->caseless)
		out_member_bool(o, "caseless", true);
}

struct check
equals_check(struct arena *a, const struct equals_want *want)
{
	static const struct check_kind kind = {
		.name = "equals", .find = find_equal, .show = show_equal
	};
	struct equals_want *w = arena_new(a, struct equals_want);

	*w = *want;
	return (struct check){ .kind = &kind,
		.want = w,
		.needs = w->expected == NULL ? 0 : VIEW_TEXT };
}
