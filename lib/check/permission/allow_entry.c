/* The entries of Cursor's and Gemini CLI's lists. */
#include "check/permission/allow_list.h"
#include "check/permission/path_pattern.h"

/* Tools of Gemini CLI: the name that the model calls, and that of earlier settings. */
static const char *const gemini_tools[][2] = {
	{ "run_shell_command", "ShellTool" },
	{ "read_file", "ReadFileTool" },
	{ "read_many_files", "ReadManyFilesTool" },
	{ "write_file", "WriteFileTool" },
	{ "replace", "EditTool" },
	{ "glob", "GlobTool" },
	{ "grep_search", "GrepTool" },
	{ "grep_search", "search_file_content" },
	{ "list_directory", "LSTool" },
	{ "web_fetch", "WebFetchTool" },
	{ "google_web_search", "WebSearchTool" },
	{ "save_memory", "MemoryTool" },
};

struct str
allow_gemini_name(struct str name)
{
	for (size_t i = 0; i < sizeof gemini_tools / sizeof *gemini_tools; i++)
		if (str_is(name, gemini_tools[i][1]))
			return str_of(gemini_tools[i][0]);
	return name;
}

bool
allow_is_gemini(struct str name)
{
	for (size_t i = 0; i < sizeof gemini_tools / sizeof *gemini_tools; i++)
		if (str_is(name, gemini_tools[i][0]) ||
		    str_is(name, gemini_tools[i][1]))
			return true;
	return false;
}

/* Takes Tool(text) apart: returns the tool and sets *text, which is absent without
 * brackets. */
static struct str
cut_brackets(struct str entry, struct str *text)
{
	size_t open = str_find_char(entry, '(');

	*text = (struct str){ 0 };
	if (open == 0 || open == entry.n || !str_ends(entry, ")"))
		return entry;
	*text = str_slice(entry, open + 1, entry.n - 1);
	return str_slice(entry, 0, open);
}

struct allow_entry
allow_read_gemini(struct str entry, struct arena *a, const char **why)
{
	struct allow_entry e = { .kind = ALLOW_TOOL };
	struct str text;

	(void)a;
	*why = NULL;
	e.name = allow_gemini_name(cut_brackets(str_trim(entry), &text));
	if (e.name.n == 0) {
		e.kind = ALLOW_NOTHING;
		*why = "expected a tool, found an empty text";
	} else if (str_find_char(e.name, '(') < e.name.n) {
		e.kind = ALLOW_NOTHING;
		*why = "the brackets do not balance, or do not end the entry; "
		       "the entry never applies";
	} else if (text.s != NULL && !str_is(e.name, "run_shell_command")) {
		*why = "only run_shell_command takes a command: the entry is "
		       "about "
		       "all calls of the tool";
	} else if (text.n > 0) {
		e.kind = ALLOW_SHELL;
		e.name = text;
		if (str_find_char(text, '*') < text.n)
			*why = "a command has no wildcards: '*' is part of the "
			       "text with which it must begin";
	}
	return e;
}

/* Reads COMMAND, which may be a pattern, or BASE:ARGUMENTS, the second a pattern. */
static void
read_command(struct allow_entry *e, struct str text)
{
	e->kind = ALLOW_SHELL;
	if (str_find_char(text, ':') == text.n &&
	    str_find_char(text, '*') < text.n) {
		e->name = STR("");
		e->args = text;
		return;
	}
	e->name = str_cut(&text, ':');
	if (!str_is(text, "*"))
		e->args = text;
}

/* Reads SERVER:TOOL. */
static bool
read_server(struct allow_entry *e, struct str text)
{
	char sign = str_find_char(text, ':') < text.n ? ':' : ',';

	e->kind = ALLOW_SERVER;
	e->server = str_trim(str_cut(&text, sign));
	e->name = str_trim(text);
	return text.s != NULL;
}

struct allow_entry
allow_read_cursor(
    struct str entry, bool server, struct arena *a, const char **why)
{
	struct allow_entry e = { .kind = ALLOW_NOTHING };

	(void)a;
	*why = NULL;
	entry = str_trim(entry);
	if (entry.n == 0) {
		*why = "expected a command, found an empty text";
	} else if (!server) {
		read_command(&e, entry);
	} else if (!read_server(&e, entry)) {
		e.kind = ALLOW_NOTHING;
		*why = "expected SERVER:TOOL";
	}
	return e;
}

struct allow_entry
allow_read_cursor_cli(struct str entry, struct arena *a, const char **why)
{
	static const struct {
		const char *tool;
		enum allow_kind kind;
	} kinds[] = {
		{ "Shell", ALLOW_SHELL },
		{ "Read", ALLOW_READ },
		{ "Write", ALLOW_EDIT },
		{ "WebFetch", ALLOW_HOST },
		{ "Mcp", ALLOW_SERVER },
	};
	struct allow_entry e = { .kind = ALLOW_NOTHING };
	struct str text, tool = cut_brackets(str_trim(entry), &text);

	*why = NULL;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && text.n > 0; i++)
		if (str_is(tool, kinds[i].tool))
			e.kind = kinds[i].kind;
	e.name = text;
	if (e.kind == ALLOW_SHELL) {
		read_command(&e, text);
	} else if (e.kind == ALLOW_READ || e.kind == ALLOW_EDIT) {
		while (str_starts(text, "./"))
			text = str_from(text, 2);
		e.absolute = str_starts(text, "/");
		e.of_home = str_starts(text, "~/");
		if (e.of_home)
			text = str_from(text, 1);
		if (str_find_char(text, '/') == text.n &&
		    !str_starts(text, "**"))
			e.anywhere = path_pattern_read(a, text);
		if (!e.absolute && !str_starts(text, "**"))
			text = str_cat(a, STR("/"), text);
		e.pattern = path_pattern_read(a, text);
	} else if (e.kind == ALLOW_SERVER && !read_server(&e, text)) {
		e.kind = ALLOW_NOTHING;
	}
	if (e.kind == ALLOW_NOTHING)
		*why = "expected Shell(COMMAND), Read(PATH), Write(PATH), "
		       "WebFetch(HOST) or Mcp(SERVER:TOOL); the entry never "
		       "applies";
	return e;
}
