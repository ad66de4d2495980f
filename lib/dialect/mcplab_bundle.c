#include "mcplab_bundle.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The folder that a path's last part lies in. */
static struct str
folder_of(struct str path)
{
	while (path.n > 0 && path.s[path.n - 1] != '/')
		path.n--;
	while (path.n > 1 && path.s[path.n - 1] == '/')
		path.n--;
	return path.n == 0 ? STR(".") : path;
}

static struct str
last_part(struct str path)
{
	size_t from = path.n;

	while (from > 0 && path.s[from - 1] != '/')
		from--;
	return str_from(path, from);
}

static const char *
find_folder(const struct mcplab_bundle *b)
{
	struct str root = folder_of(str_of(b->config)), last = last_part(root);
	const char *today, *older;
	struct stat st;

	if (str_is(last, "configs") || str_is(last, "evals"))
		root = folder_of(root);
	today = str_printf(b->arena, "%.*s/test-cases", STR_FMT(root)).s;
	older = str_printf(b->arena, "%.*s/scenarios", STR_FMT(root)).s;
	return stat(today, &st) != 0 && stat(older, &st) == 0 ? older : today;
}

static int
is_yaml(const struct dirent *d)
{
	struct str name = str_of(d->d_name);

	return name.s[0] != '.' &&
	    (str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")));
}

/* By bytes, in whatever locale. */
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
		diag_error((struct place){ .file = b->folder }, "cannot read:");
	for (int i = 0; i < n; i++) {
		struct doc *doc = doc_read(b->arena,
		    str_printf(b->arena, "%s/%s", b->folder, names[i]->d_name)
			.s);

		free(names[i]);
		if (doc == NULL) {
			b->unread = true;
			continue;
		}
		doc_resolve(doc, DOC_CORE);
		*arena_push(b->arena, b->docs, b->n) = doc;
	}
	if (n >= 0)
		free(names);
}

const struct doc *
mcplab_bundle_find(struct mcplab_bundle *b, struct str id, struct suggest *near)
{
	const struct doc *found = NULL;

	if (b->folder == NULL) {
		b->folder = find_folder(b);
		read_folder(b);
	}
	b->other = NULL;
	for (size_t i = 0; i < b->n && b->other == NULL; i++) {
		const struct json *root =
		    b->docs[i]->n == 0 ? NULL : b->docs[i]->roots[0];
		const struct json *own = json_get(root, STR("id"));
		struct str text = json_is(own, JSON_NUMBER)
		    ? doc_source(b->docs[i], own)
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
