#include "check/answer/answer_kinds.h"

#include "emulate/lang/py.h"
#include "json/decimal.h"

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
		.why = view_ellipsize(v, answer_of(v)->text, SHOWN),
	};
}

/* ---- type ---- */

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

static const struct check_kind answer_value_type_kind = { .name = "instance",
	.find = find_instance,
	WANTS({ "type", WANT_STR, 0 }) };

struct check
answer_value_type(struct arena *a, struct str type)
{
	return check_new(
	    a, &answer_value_type_kind, &type, sizeof type, VIEW_TEXT);
}

/* ---- equality ---- */

struct equals {
	struct answer_value_want want;
	struct str text; /* the expected text, folded; absent: it is no text */
};

static enum view_fold
fold_of(const struct answer_value_want *w)
{
	return w->caseless ? VIEW_LOWER_JS : VIEW_AS_WRITTEN;
}

static bool
is_equal(const struct equals *e, struct view *v)
{
	const struct json *answer = answer_of(v);
	enum view_fold fold = fold_of(&e->want);

	if (!json_is(answer, JSON_STRING) || e->text.s == NULL)
		return py_equal(answer, e->want.expected, v->arena);
	return e->want.within ? view_contains(v, fold, e->text)
			      : str_eq(view_text(v, fold), e->text);
}

static struct finding
find_equal(const void *want, struct view *v)
{
	const struct equals *e = want;
	const struct answer_value_want *w = &e->want;
	struct finding f;

	if (w->expected == NULL)
		return finding_of(true);
	f = found(is_equal(e, v), v);
	f.open = v->cut & VIEW_TEXT && (f.found == FOUND_NO || !w->within);
	return f;
}

static void
show_equal(const void *want, struct out *o)
{
	const struct answer_value_want *w =
	    &((const struct equals *)want)->want;

	out_member_raw(o, w->within ? "within" : "equals",
	    w->expected == NULL ? STR("null") : w->expected->text);
	if (w->caseless)
		out_member_bool(o, "caseless", true);
}

struct check
answer_value_equals(struct arena *a, const struct answer_value_want *want)
{
	static const struct check_kind kind = {
		.name = "equals", .find = find_equal, .show = show_equal
	};
	struct equals e = { .want = *want };

	if (json_is(want->expected, JSON_STRING))
		e.text =
		    view_fold(a, json_text(want->expected, a), fold_of(want));
	return check_new(
	    a, &kind, &e, sizeof e, want->expected == NULL ? 0 : VIEW_TEXT);
}
