#include "check/dialect/mcplab.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/workspace.h"

/* Returns the folder of the path's last part. */
static struct str
folder_of(struct str path)
{
	path = str_folder(path);
	while (path.n > 1 && path.s[path.n - 1] == '/')
		path.n--;
	return path.n == 0 ? STR(".") : path;
}

static struct str
parent_of(struct arena *a, struct str folder)
{
	struct str last = str_file_name(folder);

	if (str_is(folder, "."))
		return STR("..");
	if (str_is(last, ".") || str_is(last, ".."))
		return str_cat(a, folder, STR("/.."));
	return folder_of(folder);
}

/* Returns the number of folders from one in which MCPLab keeps configurations
 * (evals or configs) down to this one, both included; 0 if there is none. */
static size_t
depth_in_evals(struct arena *a, struct str folder)
{
	char *here = str_starts(folder, "/") ? NULL : getcwd(NULL, 0);
	struct str path = folder;
	size_t depth = 0;

	if (here != NULL)
		path = str_printf(a, "%s/%.*s", here, STR_FMT(folder));
	free(here);
	if (!workspace_clean(a, path, &path))
		return 0;
	while (path.s != NULL) {
		struct str name = str_cut(&path, '/');

		if (str_is(name, "evals") || str_is(name, "configs"))
			depth = 1;
		else if (depth != 0)
			depth++;
	}
	return depth;
}

/* Returns the folder of test cases in a folder, or NULL. */
static const char *
library_in(struct arena *a, struct str root)
{
	static const char *const names[] = { "test-cases", "scenarios" };
	struct stat st;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct str path =
		    str_printf(a, "%.*s/%s", STR_FMT(root), names[i]);

		if (stat(path.s, &st) == 0)
			return path.s;
	}
	return NULL;
}

/* Returns the folder of test cases. MCPLab's command looks beside the
 * configuration, or beside its folder if that is called evals or configs;
 * MCPLab's app, which knows sub-folders of these (suites), looks beside evals
 * or configs. */
static const char *
find_folder(const struct mcplab_bundle *b)
{
	struct str beside = folder_of(str_of(b->config)), root = beside;
	size_t depth = depth_in_evals(b->arena, beside);
	const char *found = NULL;

	if (depth != 1)
		found = library_in(b->arena, beside);
	for (size_t i = 0; found == NULL && i < depth; i++)
		root = parent_of(b->arena, root);
	if (found == NULL)
		found = library_in(b->arena, root);
	if (depth == 1)
		beside = root;
	return found != NULL
	    ? found
	    : str_printf(b->arena, "%.*s/test-cases", STR_FMT(beside)).s;
}

static int
is_yaml(const struct dirent *d)
{
	struct str name = str_of(d->d_name);

	return name.s[0] != '.' &&
	    (str_ends(name, ".yaml") || str_ends(name, ".yml"));
}

/* Compares by bytes, regardless of the locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
read_folder(struct mcplab_bundle *b)
{
	struct dirent **names;
	int n = scandir(b->folder, &names, is_yaml, by_name);

	if (n < 0 && errno == ENOMEM)
		diag_die("out of memory");
	b->unread = n < 0 && errno != ENOENT;
	if (b->unread)
		diag_system_error("%s: cannot read:", b->folder);
	for (int i = 0; i < n; i++) {
		struct document *doc = document_read_regular(b->arena,
		    str_printf(b->arena, "%s/%s", b->folder, names[i]->d_name)
			.s,
		    b->policy);

		free(names[i]);
		if (doc == NULL) {
			b->unread = true;
			continue;
		}
		document_resolve(doc, TYPES_CORE);
		*arena_push(b->arena, b->docs, b->n) = doc;
	}
	if (n >= 0)
		free(names);
}

const struct document *
mcplab_bundle_find(struct mcplab_bundle *b, struct str id, struct suggest *near)
{
	const struct document *found = NULL;

	if (b->folder == NULL) {
		b->folder = find_folder(b);
		read_folder(b);
	}
	b->other = NULL;
	for (size_t i = 0; i < b->n && b->other == NULL; i++) {
		const struct json *root =
		    b->docs[i]->n == 0 ? NULL : b->docs[i]->roots[0];
		const struct json *own = json_get(root, "id");
		struct str text = json_is(own, JSON_NUMBER)
		    ? document_source(b->docs[i], own)
		    : json_text(own, b->arena);

		if (text.s == NULL)
			continue;
		if (!str_eq(text, id))
			suggest_try(near, text);
		else if (found == NULL)
			found = b->docs[i];
		else
			b->other = b->docs[i];
	}
	return found;
}
