#include "extract/format/openhands_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "extract/format/subagent_files.h"
#include "io/list_files.h"

static const char state_name[] = "base_state.json";

/* Returns whether the path is one of a conversation. Sets the conversation's
 * folder, with its slash. */
static bool
is_in_conversation(const char *path, struct str *folder)
{
	const struct str events = STR("events/");
	struct str name;

	*folder = subagent_files_folder(path);
	name = str_from(str_of(path), folder->n);
	if (str_is(name, state_name))
		return true;
	if (!str_ends(*folder, events) || !str_ends(name, ".json"))
		return false;
	folder->n -= events.n;
	return str_starts(name, "event-") ||
	    ascii_is_digit((unsigned char)name.s[0]);
}

/* Compares names whose numbers may have different lengths. */
static int
by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	size_t n = strlen(*x), m = strlen(*y);

	return n != m ? (n > m) - (n < m) : strcmp(*x, *y);
}

/* Returns the files of the events, in order. */
static struct folder
events_in(struct arena *a, struct str folder)
{
	struct folder all =
	    list_files(a, str_c(a, str_cat(a, folder, STR("events"))));
	struct str of;
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_in_conversation(all.paths[i], &of) && str_eq(of, folder))
			all.paths[n++] = all.paths[i];
	all.n = n;
	if (n > 1)
		qsort(all.paths, n, sizeof *all.paths, by_number);
	return all;
}

const char *
openhands_files_owner(struct arena *a, const char *path)
{
	struct str folder;
	struct folder all = { 0 };

	if (is_in_conversation(path, &folder))
		all = events_in(a, folder);
	return all.n == 0 || strcmp(all.paths[0], path) == 0 ? NULL
							     : all.paths[0];
}

char **
openhands_files_beside(struct arena *a, const char *path)
{
	struct str folder;
	struct folder all = { 0 };
	char **files, *state;

	if (is_in_conversation(path, &folder))
		all = events_in(a, folder);
	if (all.n != 0 && strcmp(all.paths[0], path) != 0)
		all.n = 0;
	files = arena_new_n(a, char *, all.n + 1);
	if (all.n == 0)
		return files;
	memcpy(files, all.paths + 1, (all.n - 1) * sizeof *files);
	state = str_c(a, str_cat(a, folder, str_of(state_name)));
	if (access(state, R_OK) == 0)
		files[all.n - 1] = state;
	return files;
}
