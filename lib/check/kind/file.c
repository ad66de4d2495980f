#include "check/kind/kind.h"

#include <fnmatch.h>

#include "io/in.h"
#include "io/list_files.h"
#include "text/unicode.h"
#include "trace/workspace.h"

struct file_want {
	struct str path;           /* or a pattern of paths */
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
		return finding_why(FOUND_ERROR,
		    str_printf(v->arena,
			"%.*s is larger than %zu bytes (see --max-line)",
			STR_FMT(w->path), most(v)));
	return finding_why(FOUND_CANNOT,
	    str_cat(v->arena, w->path,
		found == WORKSPACE_OUTSIDE ? STR(" leads out of the workspace")
					   : STR(" missing")));
}

static struct finding
file_find(const void *want, struct view *v)
{
	const struct file_want *w = want;
	enum workspace_found found =
	    workspace_look(v->arena, v->workspace, w->path, NULL);

	if (found == WORKSPACE_OUTSIDE)
		return nothing_there(found, w, v);
	return finding_of(found == WORKSPACE_THERE);
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

/* ---- patterns of paths ---- */

enum { FILES_MOST = 20000 };

/* Returns whether the path fits the pattern, in which ** is any number of folders and
 * {a,b} a choice. */
static bool
path_fits(struct arena *a, struct str pattern, struct str path)
{
	size_t from = str_find_char(pattern, '{');
	size_t to = from + str_find_char(str_from(pattern, from), '}');
	struct str segment, name, choices;

	if (to < pattern.n) {
		choices = str_slice(pattern, from + 1, to);
		while (choices.s != NULL) {
			struct str one[] = { str_slice(pattern, 0, from),
				str_cut(&choices, ','),
				str_from(pattern, to + 1) };

			if (path_fits(a, str_join(a, one, 3, STR("")), path))
				return true;
		}
		return false;
	}
	segment = str_cut(&pattern, '/');
	if (str_is(segment, "**")) {
		if (pattern.s == NULL)
			return true;
		for (; path.s != NULL; (void)str_cut(&path, '/'))
			if (path_fits(a, pattern, path))
				return true;
		return false;
	}
	name = str_cut(&path, '/');
	return fnmatch(str_c(a, segment), str_c(a, name), 0) == 0 &&
	    (pattern.s == NULL || path.s == NULL ? pattern.s == path.s
						 : path_fits(a, pattern, path));
}

/* Decides whether a file fits the pattern, and the inner check, if there is one, finds
 * what it wants in such a file. */
static struct finding
glob_find(const void *want, struct view *v)
{
	struct file_want one = *(const struct file_want *)want;
	struct folder all =
	    list_readable_files(v->arena, v->workspace, FILES_MOST);
	struct str pattern = one.path;
	struct finding f = { .found = FOUND_NO };
	size_t n = 0;

	if (str_starts(pattern, "./"))
		pattern = str_from(pattern, 2);
	for (size_t i = 0; i < all.n; i++) {
		one.path =
		    str_from(str_of(all.paths[i]), strlen(v->workspace) + 1);
		if (!path_fits(v->arena, pattern, one.path))
			continue;
		n++;
		f = one.inner == NULL ? file_find(&one, v)
				      : content_find(&one, v);
		if (f.found != FOUND_NO && f.found != FOUND_CANNOT)
			return f;
	}
	if (all.n == FILES_MOST)
		return finding_skip("the folder has too many files");
	return n == 0 && one.inner != NULL
	    ? nothing_there(WORKSPACE_MISSING, want, v)
	    : f;
}

/* ---- the kinds ---- */

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

static const struct check_want wants[] = {
	WANT("path", WANT_STR, file_want, path),
	WANT(NULL, WANT_CHECK, file_want, inner),
	{ NULL, WANT_END, 0 },
};

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
		.name = "file", .find = file_find, .wants = wants
	};

	return make(a, &kind, path, NULL);
}

struct check
file_content_check(struct arena *a, struct str path, const struct check *inner)
{
	static const struct check_kind kind = { .name = "content",
		.find = content_find,
		.wants = wants,
		.case_differs = content_case_differs };

	return make(a, &kind, path, inner);
}

struct check
file_glob_check(struct arena *a, struct str pattern, const struct check *inner)
{
	static const struct check_kind kind = {
		.name = "files", .find = glob_find, .wants = wants
	};

	return make(a, &kind, pattern, inner);
}
