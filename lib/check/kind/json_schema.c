#include "check/kind/json_schema.h"

/* Where in the answer, and what. */
static struct failure
unfit(const struct jsonschema_error *error, struct arena *a)
{
	struct str text = error->why;
	struct out o;

	if (error->path.n != 0)
		text = str_printf(
		    a, "%.*s: %.*s", STR_FMT(error->path), STR_FMT(error->why));
	out_open_memory(&o);
	out_key(&o, "errors");
	out_json_strs(&o, (struct str_list){ &text, 1 });
	return (struct failure){
		.found = FOUND_NO, .why = out_keep(&o, a), .cause = text
	};
}

static struct failure
look_at(const struct schema_want *w, const struct json *root, struct arena *a)
{
	struct jsonschema_error error;

	if (w->compiled == NULL ||
	    jsonschema_valid(w->compiled, root, a, &error))
		return (struct failure){ .found = FOUND_YES };
	if (error.limit)
		return (
		    struct failure){ .found = FOUND_ERROR, .why = error.why };
	return unfit(&error, a);
}

static struct failure
find(const void *want, struct view *v)
{
	const struct schema_want *w = want;
	struct embedded_wrong wrong;
	const struct json *root = embedded_read(&w->where, v, &wrong);
	struct failure f = {
		.found = FOUND_CANNOT, .why = wrong.members, .cause = wrong.what
	};

	if (root != NULL)
		f = look_at(w, root, v->arena);
	f.open = v->cut & VIEW_TEXT;
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct schema_want *w = want;

	embedded_show(&w->where, o);
	out_key(o, "schema");
	if (w->written != NULL)
		out_json_raw(o, w->written->text);
	else
		out_json_bool(o, true);
}

static void
release(const void *want)
{
	const struct schema_want *w = want;

	jsonschema_free(w->compiled);
}

struct check
schema_check(struct arena *a, const struct schema_want *want)
{
	static const struct check_kind kind = {
		.name = "schema",
		.find = find,
		.show = show,
		.release = release,
	};
	struct schema_want *w = arena_new(a, struct schema_want);

	*w = *want;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_TEXT };
}
