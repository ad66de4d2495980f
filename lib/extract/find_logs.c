#include "extract/find_logs.h"

#include <sys/stat.h>

#include "io/list_files.h"

/* Removes one of the endings from the name; returns whether it had one. */
static bool
strip(struct str *name, const char *const *ends)
{
	for (; *ends != NULL; ends++) {
		struct str end = str_of(*ends);

		if (name->n > end.n && str_ends(*name, end)) {
			name->n -= end.n;
			return true;
		}
	}
	return false;
}

static bool
may_be_log(struct str name)
{
	static const char *const packed[] = { ".gz", ".zst", ".zstd", ".xz",
		".bz2", NULL };
	static const char *const logs[] = { ".jsonl", ".ndjson", ".json",
		".eval", ".traj", NULL };

	strip(&name, packed);
	return strip(&name, logs);
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_older(const struct log_search *w, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	    (int64_t)st.st_mtime < w->since / 1000 - 1;
}

struct list {
	char **paths;
	size_t n;
};

static void
add_folder(struct log_search *w, struct list *to, const char *path)
{
	struct folder all = list_files(w->arena, path);

	for (size_t i = 0; i < all.n; i++) {
		if (!may_be_log(str_of(all.paths[i])))
			continue;
		if (is_older(w, all.paths[i])) {
			w->n_older++;
			continue;
		}
		*arena_push(w->arena, to->paths, to->n) = all.paths[i];
		fileset_add(&w->found, all.paths[i]);
		w->n++;
	}
}

char **
find_logs(struct log_search *w, char **files)
{
	struct list all = { 0 };
	bool any = false;

	w->found.arena = w->arena;
	for (char **f = files; *f != NULL; f++) {
		if (is_folder(*f)) {
			add_folder(w, &all, *f);
			any = true;
		} else {
			*arena_push(w->arena, all.paths, all.n) = *f;
		}
	}
	*arena_push(w->arena, all.paths, all.n) = NULL;
	return any ? all.paths : files;
}
