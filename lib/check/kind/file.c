#include "check/kind/kind.h"

#include "io/in.h"
#include "text/unicode.h"
#include "trace/workspace.h"

struct file_want {
	struct str path;
	const struct check *inner; /* NULL: only the path's existence counts */
};

static size_t
most(const struct view *v)
{
	return v->options.most != 0 ? v->options.most : IN_MAX_LINE;
}

static struct finding
nothing_there(
    enum workspace_found found, const struct file_want *w, struct view *v)
{
	if (found == WORKSPACE_LARGE)
		return (struct finding){ .found = FOUND_ERROR,
			.why = str_printf(v->arena,
			    "%.*s is larger than %zu bytes (see --max-line)",
			    STR_FMT(w->path), most(v)) };
	return (struct finding){ .found = FOUND_CANNOT,
		.why = str_cat(v->arena, w->path,
		    found == WORKSPACE_OUTSIDE
			? STR(" leads out of the workspace")
			: STR(" missing")) };
}

static struct finding
file_find(const void *want, struct view *v)
{
	const struct file_want *w = want;
	enum workspace_found found =
	    workspace_look(v->arena, v->workspace, w->path, NULL);

	if (found == WORKSPACE_OUTSIDE)
		return nothing_there(found, w, v);
	return (struct finding){ .found = found == WORKSPACE_THERE ? FOUND_YES
								   : FOUND_NO };
}

static struct finding
content_find(const void *want, struct view *v)
{
	const struct file_want *w = want;
	struct str text;
	enum workspace_found found = workspace_read_whole(
	    v->arena, v->workspace, w->path, most(v), &text);

	if (found != WORKSPACE_THERE)
		return nothing_there(found, w, v);
	return w->inner->kind->find(
	    w->inner->want, view_of_text(v, unicode_repair(v->arena, text)));
}

static bool
content_case_differs(const void *want, struct view *v)
{
	const struct file_want *w = want;
	struct str text;

	return workspace_read_whole(v->arena, v->workspace, w->path, most(v),
		   &text) == WORKSPACE_THERE &&
	    check_case_differs(
		w->inner, view_of_text(v, unicode_repair(v->arena, text)));
}

static void
show(const void *want, struct out *o)
{
	const struct file_want *w = want;

	out_key(o, "path");
	out_json_str(o, w->path);
	if (w->inner != NULL)
		w->inner->kind->show(w->inner->want, o);
}

static const struct check *
inner_of(const void *want)
{
	const struct file_want *w = want;

	return w->inner;
}

static struct check
make(struct arena *a, const struct check_kind *kind, struct str path,
    const struct check *inner)
{
	const struct file_want w = { .path = path, .inner = inner };

	return check_new(a, kind, &w, sizeof w, VIEW_WORKSPACE);
}

struct check
file_check(struct arena *a, struct str path)
{
	static const struct check_kind kind = {
		.name = "file", .find = file_find, .show = show
	};

	return make(a, &kind, path, NULL);
}

struct check
file_content_check(struct arena *a, struct str path, const struct check *inner)
{
	static const struct check_kind kind = { .name = "content",
		.find = content_find,
		.show = show,
		.inner = inner_of,
		.case_differs = content_case_differs };

	return make(a, &kind, path, inner);
}
