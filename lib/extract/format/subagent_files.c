#include "extract/format/subagent_files.h"

#include "io/list_files.h"

struct str
subagent_files_stem(const char *path)
{
	const struct str extension = STR(".jsonl");
	struct str s = str_of(path);

	return str_ends(s, extension) ? str_slice(s, 0, s.n - extension.n) : s;
}

struct str
subagent_files_folder(const char *path)
{
	struct str s = str_of(path);

	while (s.n != 0 && s.s[s.n - 1] != '/')
		s.n--;
	return s;
}

size_t
subagent_files_find(struct str path)
{
	const struct str name = STR("/subagents/");
	size_t found = path.n, at = 0;

	while (str_contains(str_from(path, at), name)) {
		found = at + str_find(str_from(path, at), name);
		at = found + 1;
	}
	return found;
}

char **
subagent_files_list(struct arena *a, const char *folder, struct str end)
{
	struct folder all = { 0 };
	char **files;
	size_t n = 0;

	if (folder != NULL)
		all = list_files(a, folder);
	files = arena_new_n(a, char *, all.n + 1);
	for (size_t i = 0; i < all.n; i++)
		if (str_ends(str_of(all.paths[i]), end))
			files[n++] = all.paths[i];
	return files;
}
