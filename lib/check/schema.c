#include "schema.h"

/* Where in the answer, and what. */
static struct str
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
	return out_keep(&o, a);
}

static struct finding
find(const void *want, struct view *v)
{
	const struct schema_want *w = want;
	struct finding f = { .found = FOUND_YES, .open = v->cut & VIEW_TEXT };
	struct json_reader reader = { 0 };
	struct jsonschema_error error;
	const struct json *root = embedded_read(&w->where, &reader,
	    view_text(v, VIEW_AS_WRITTEN), v->arena, &f.why);

	if (root == NULL) {
		f.found = FOUND_CANNOT;
	} else if (w->compiled != NULL &&
	    !jsonschema_valid(w->compiled, root, v->arena, &error)) {
		f.found = error.limit ? FOUND_ERROR : FOUND_NO;
		f.why = error.limit ? error.why : unfit(&error, v->arena);
	}
	json_reader_free(&reader);
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
