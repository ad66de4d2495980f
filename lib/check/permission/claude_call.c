/* A recorded call as Claude Code's permissions look at it: the tool, and the values that
 * lines compare. */
#include "base/ascii.h"
#include "base/uri.h"
#include "check/permission/claude.h"
#include "check/rule/roles.h"
#include "text/caseless.h"

/* Tools of other agents, by their role and by a word of their name (NULL: any), and the
 * tool of Claude Code that does the same. */
static const struct {
	const char *role, *word, *tool;
} same_tools[] = {
	{ "shell", NULL, "Bash" },
	{ "other_shell", NULL, "PowerShell" },
	{ "read", NULL, "Read" },
	{ "edit", "notebook", "NotebookEdit" },
	{ "edit", "write", "Write" },
	{ "edit", "create", "Write" },
	{ "edit", NULL, "Edit" },
	{ "search", "toolsearch", "ToolSearch" },
	{ "search", "grep", "Grep" },
	{ "search", "search", "Grep" },
	{ "search", NULL, "Glob" },
	{ "fetch", "search", "WebSearch" },
	{ "fetch", NULL, "WebFetch" },
	{ "ask", NULL, "AskUserQuestion" },
	{ "agent", NULL, "Agent" },
	{ NULL, "todo", "TodoWrite" },
	{ NULL, "update_plan", "TodoWrite" },
};

static struct str
same_tool(const struct permission_call *c)
{
	struct str role = c->role != NULL ? c->role->name : (struct str){ 0 };

	for (size_t i = 0; i < sizeof same_tools / sizeof same_tools[0]; i++) {
		const char *r = same_tools[i].role, *word = same_tools[i].word;

		if ((r == NULL ? role.s == NULL : str_is(role, r)) &&
		    (word == NULL || caseless_has(c->call->tool, str_of(word))))
			return str_of(same_tools[i].tool);
	}
	return c->call->tool;
}

/* Returns the name as Claude Code writes the names of servers. */
static struct str
server_name(struct str name, struct arena *a)
{
	char *to = str_c(a, name);

	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum((unsigned char)to[i]) && to[i] != '_' &&
		    to[i] != '-')
			to[i] = '_';
	return (struct str){ to, name.n };
}

static void
read_tool(struct claude_call *c, struct arena *a)
{
	const struct trace_call *call = c->of->call;
	struct str tool = call->tool;

	if (call->server.s != NULL) {
		c->server = server_name(call->server, a);
		c->name = call->name;
		c->mcp = str_printf(
		    a, "mcp__%.*s__%.*s", STR_FMT(c->server), STR_FMT(c->name));
	} else if (str_starts(tool, "mcp__")) {
		c->mcp = c->name = tool;
		c->name = str_from(tool, strlen("mcp__"));
		c->server = str_slice(c->name, 0, str_find(c->name, "__"));
		c->name = str_from(c->name, c->server.n + 2);
	}
	c->tool = c->mcp;
	if (c->mcp.s != NULL)
		return;
	c->tool = claude_tool_name(tool);
	c->known = claude_tool_named(c->tool);
	if (c->known != NULL)
		return;
	c->tool = same_tool(c->of);
	c->known = claude_tool_named(c->tool);
}

/* ---- values ---- */

/* Adds a text, the texts of a list, or those of objects in a list. */
static void
add_texts(struct claude_call *c, const struct json *v, struct arena *a)
{
	static const char *const names[] = { "path", "file_path", "filePath",
		"url" };
	struct str text = json_text(v, a);

	if (text.s != NULL) {
		*arena_push(a, c->values, c->n) = text;
	} else if (json_is(v, JSON_ARRAY)) {
		for (json_each(item, v))
			add_texts(c, item, a);
	} else if (json_is(v, JSON_OBJECT)) {
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
			add_texts(c, json_get(v, names[i]), a);
	}
}

/* Adds the values of the argument, or of the arguments that the role calls so. */
static void
add_argument(struct claude_call *c, const char *argument, const char *of_role,
    struct arena *a)
{
	const struct json *args = c->of->call->args;
	struct str_list names = { 0 };

	if (argument != NULL)
		add_texts(c, json_get(args, argument), a);
	if (c->of->role != NULL && of_role != NULL)
		names = rule_role_arguments(c->of->role, str_of(of_role));
	for (size_t i = 0; i < names.n && c->n == 0; i++)
		if (str_is(names.list[i], "@patch")) {
			struct str_list files = rule_patch_files(args, a);

			for (size_t k = 0; k < files.n; k++)
				*arena_push(a, c->values, c->n) = files.list[k];
		} else {
			add_texts(c, json_get(args, names.list[i]), a);
		}
}

/* Returns the host of a URL in lower case, without a dot at its end. Reads the URL as
 * browsers do: slashes of either kind, and any number of them. */
static struct str
host_of(struct str url, struct arena *a)
{
	struct str host = str_trim(url);
	size_t scheme = str_find(host, ":"), end = 0, at = SIZE_MAX;

	if (str_is_one_of(
		str_slice(host, 0, scheme), "http https HTTP HTTPS") ||
	    str_contains(host, "://"))
		host = str_from(host, scheme + 1);
	while (host.n > 0 && ascii_is_among((unsigned char)*host.s, "/\\"))
		host = str_from(host, 1);
	for (; end < host.n &&
	     !ascii_is_among((unsigned char)host.s[end], "/\\?#");
	     end++)
		if (host.s[end] == '@')
			at = end;
	host = str_slice(host, at == SIZE_MAX ? 0 : at + 1, end);
	if (str_starts(host, "["))
		host.n = str_find(host, "]") + 1 < host.n
		    ? str_find(host, "]") + 1
		    : host.n;
	else
		host = str_slice(host, 0, str_find_char(host, ':'));
	if (str_ends(host, "."))
		host.n--;
	return claude_lower(a, uri_decode(a, host));
}

/* Returns the name of the skill or command, without a slash and what follows it. */
static struct str
skill_of(struct str text)
{
	text = str_trim(text);
	if (str_starts(text, "/"))
		text = str_from(text, 1);
	return str_cut(&text, ' ');
}

static void
read_files(struct claude_call *c, struct arena *a)
{
	static const char *const searches = "Grep Glob LS",
				 *const edits =
				     "Edit Write MultiEdit NotebookEdit";
	struct str *list;

	c->files = str_is_one_of(c->tool, searches) ? CLAUDE_SEARCHES
	    : str_is_one_of(c->tool, edits)         ? CLAUDE_EDITS
						    : CLAUDE_READS;
	add_argument(c, c->known->main, "path", a);
	list = arena_new_n(a, struct str, c->n + 1);
	if (c->n == 0 && c->files == CLAUDE_SEARCHES)
		list[c->n++] = claude_path_of(c->of->folder, STR("."), a);
	else
		for (size_t i = 0; i < c->n; i++)
			list[i] =
			    claude_path_of(c->of->folder, c->values[i], a);
	c->values = list;
}

static void
read_values(struct claude_call *c, struct arena *a)
{
	static const char *const files =
	    "Read Edit Write MultiEdit NotebookEdit NotebookRead Grep Glob LS "
	    "LSP";
	struct str *list;

	if (str_is_one_of(c->tool, files)) {
		read_files(c, a);
	} else if (str_is(c->tool, "WebFetch")) {
		add_argument(c, "url", "url", a);
		list = arena_new_n(a, struct str, c->n);
		for (size_t i = 0; i < c->n; i++)
			list[i] = host_of(c->values[i], a);
		c->values = list;
	} else if (str_is(c->tool, "Agent")) {
		add_argument(c, "subagent_type", "agent", a);
	} else if (str_is_one_of(c->tool, "Skill SlashCommand")) {
		add_argument(c, "skill", NULL, a);
		if (c->n == 0)
			add_argument(c, "command", NULL, a);
		list = arena_new_n(a, struct str, c->n);
		for (size_t i = 0; i < c->n; i++)
			list[i] = skill_of(c->values[i]);
		c->values = list;
	} else if (str_is(c->tool, "PowerShell")) {
		add_argument(c, "command", "command", a);
	}
}

struct claude_call
claude_call_read(const struct permission_call *of, struct arena *a)
{
	struct claude_call c = { .of = of, .lacking = of->call->args == NULL };

	read_tool(&c, a);
	if (c.known != NULL && !c.lacking)
		read_values(&c, a);
	return c;
}
