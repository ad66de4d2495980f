#include "extract/run/call_words.h"

#include "base/ascii.h"

enum { WORD_MAX = 64 }; /* bytes that are compared */

/* Copies the letters of the word, in lower case, to `room`: toolUse, tool_use and
 * TOOL-USE become the same text. */
static struct str
bare_of(struct str word, char room[WORD_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < word.n && n < WORD_MAX; i++)
		if (ascii_is_letter((unsigned char)word.s[i]))
			room[n++] = (char)(word.s[i] | 0x20);
	return (struct str){ room, n };
}

static bool
has_any(struct str bare, const char *const *words)
{
	for (; *words != NULL; words++)
		if (str_contains(bare, str_of(*words)))
			return true;
	return false;
}

bool
word_names_call(struct str word)
{
	static const char *const words[] = { "tooluse", "toolcall",
		"toolresult", "toolinvocation", "toolresponse", "toolexecution",
		"toolstart", "functioncall", "functionresponse", "calltool",
		"mcpcall", NULL };
	char room[WORD_MAX];

	return has_any(bare_of(word, room), words);
}

bool
word_hints_at_call(struct str word)
{
	static const char *const words[] = { "tool", "function", NULL };
	char room[WORD_MAX];
	struct str bare = bare_of(word, room);

	return has_any(bare, words) || str_ends(bare, STR("call")) ||
	    str_ends(bare, STR("calls"));
}

bool
word_describes_tools(struct str name)
{
	static const char *const words[] = { "toolchoice", "toolconfig",
		"tooldefinition", "schema", NULL };
	char room[WORD_MAX];
	struct str bare = bare_of(name, room);

	return str_ends(bare, STR("tools")) || str_is(bare, "functions") ||
	    has_any(bare, words);
}
