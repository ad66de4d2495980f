/* Tells whether the agent of a set has tools. */
#include "check/advice/set.h"

#include "io/slurp.h"

enum { ARENA_MOST = 1 << 20 }; /* bytes of an arena's file that are read */

/* Returns whether a text of YAML has a list of tools, or of servers of tools, that is
 * not empty. The rest of the file is of no interest, and may have mistakes. */
static bool
lists_tools(struct str text)
{
	while (text.s != NULL) {
		struct str line = str_trim(str_cut(&text, '\n')),
			   key = str_cut(&line, ':');

		if (line.s != NULL && !str_starts(str_trim(line), "[]") &&
		    str_is_one_of(key, "tools mcp_servers"))
			return true;
	}
	return false;
}

static bool
is_tool_arena(struct arena *a, struct str folder, const char *name)
{
	struct str text;

	return slurp_file(a, str_printf(a, "%.*s%s", STR_FMT(folder), name).s,
		   ARENA_MOST, &text) &&
	    lists_tools(text);
}

/* PromptKit's examples name the file of an arena so. */
static bool
has_tool_arena(struct arena *a, const char *file)
{
	static const char *const names[] = { "config.arena.yaml",
		"../config.arena.yaml", "arena.yaml", "../arena.yaml" };
	struct str folder = str_folder(str_of(file));

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (is_tool_arena(a, folder, names[i]))
			return true;
	return false;
}

bool
advice_has_tools(const struct advice_set *set)
{
	const struct scenario *s = set->scenario;

	return !set->dialect->messages || set->families & FAMILY_ARGUMENTS ||
	    (set->shown != NULL && set->shown->ntools != 0) ||
	    (s->doc != NULL && has_tool_arena(set->arena, s->doc->file));
}
