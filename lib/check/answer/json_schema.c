#include "check/answer/answer_kinds.h"

/* Returns a NO that says where the answer violates the schema, and how. */
static struct finding
unfit(const struct jsonschema_error *error, struct arena *a)
{
	struct str text = error->why;
	struct out o;

	if (error->path.n != 0)
		text = str_printf(
		    a, "%.*s: %.*s", STR_FMT(error->path), STR_FMT(error->why));
	out_open_memory(&o);
	out_member_strs(&o, "errors", (struct str_list){ &text, 1 });
	return (struct finding){
		.found = FOUND_NO, .why = out_keep(&o, a), .cause = text
	};
}

static struct finding
look_at(
    const struct json_schema_want *w, const struct json *root, struct arena *a)
{
	struct jsonschema_error error;

	if (w->compiled == NULL ||
	    jsonschema_valid(w->compiled, root, a, &error))
		return finding_of(true);
	if (error.limit)
		return finding_why(FOUND_ERROR, error.why);
	return unfit(&error, a);
}

static struct finding
json_schema_find(const void *want, struct view *v)
{
	const struct json_schema_want *w = want;
	struct embedded_json_error wrong;
	const struct json *root = embedded_json_read(&w->where, v, &wrong);
	struct finding f = {
		.found = FOUND_CANNOT, .why = wrong.members, .cause = wrong.what
	};

	if (root != NULL)
		f = look_at(w, root, v->arena);
	f.open = v->cut & VIEW_TEXT;
	return f;
}

static void
json_schema_show(const void *want, struct out *o)
{
	const struct json_schema_want *w = want;

	embedded_json_show(&w->where, o);
	out_key(o, "schema");
	if (w->written != NULL)
		out_json_raw(o, w->written->text);
	else
		out_json_bool(o, true);
}

static void
release(const void *want)
{
	const struct json_schema_want *w = want;

	jsonschema_free(w->compiled);
}

struct check
json_schema_check(struct arena *a, const struct json_schema_want *want)
{
	static const struct check_kind kind = {
		.name = "schema",
		.find = json_schema_find,
		.show = json_schema_show,
		.release = release,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
