/* Each entry of a list gives its form, and the remark on it. */
#include "check/permission/claude.h"

#include "tests/unit/unit.h"

static const char *const names[CLAUDE_FORMS] = {
	[CLAUDE_IGNORED] = "ignored",
	[CLAUDE_NAME] = "name",
	[CLAUDE_NAME_GLOB] = "glob",
	[CLAUDE_SHELL] = "shell",
	[CLAUDE_PATH] = "path",
	[CLAUDE_DOMAIN] = "domain",
	[CLAUDE_MCP] = "mcp",
	[CLAUDE_AGENT] = "agent",
	[CLAUDE_SKILL] = "skill",
};

#define SKIPS "; Claude Code skips the entry"
#define NEVER "; the entry never applies"

/* The list, the entry as JSON, what was read, the remark. */
static const char *const cases[][4] = {
	/* forms */
	{ "allow", "\"Bash\"", "name Bash", "" },
	{ "allow", "\"Bash(*)\"", "name Bash", "" },
	{ "allow", "\"Bash(npm run build)\"", "shell Bash npm run build", "" },
	{ "allow", "\"Bash(npm run:*)\"", "shell Bash npm run * prefix", "" },
	{ "allow", "\"Bash(echo \\\\(a\\\\))\"", "shell Bash echo (a)", "" },
	{ "allow", "\"Bash(node -e \\\"f(1)\\\")\"",
	    "shell Bash node -e \"f(1)\"", "" },
	{ "allow", "\"Bash(echo a\\\\\\\\b)\"", "shell Bash echo a\\b", "" },
	{ "allow", "\"PowerShell(Get-ChildItem *)\"",
	    "shell PowerShell Get-ChildItem *", "" },
	{ "allow", "\"Read(//tmp/**)\"", "path Read //tmp/**", "" },
	{ "allow", "\"Edit\"", "name Edit", "" },
	{ "allow", "\"WebFetch(domain:a.org)\"", "domain WebFetch a.org", "" },
	{ "deny", "\"WebFetch(domain:a.org)\"", "domain WebFetch a.org", "" },
	{ "allow", "\"WebFetch(*)\"", "name WebFetch", "" },
	{ "allow", "\"mcp__a\"", "mcp mcp__a a: ", "" },
	{ "allow", "\"mcp__a__*\"", "mcp mcp__a__* a: ", "" },
	{ "allow", "\"mcp__a__get_*\"", "mcp mcp__a__get_* a: get_*", "" },
	{ "allow", "\"mcp__a__b__c\"", "mcp mcp__a__b__c a: b__c", "" },
	{ "deny", "\"mcp__*\"", "glob mcp__*", "" },
	{ "deny", "\"*\"", "glob *", "" },
	{ "ask", "\"Agent(Explore)\"", "agent Agent Explore", "" },
	{ "allow", "\"Task(Explore)\"", "agent Agent Explore", "" },
	{ "allow", "\"Skill(deploy:*)\"", "skill Skill deploy * prefix", "" },
	{ "allow", "\"SlashCommand(/x)\"", "skill SlashCommand /x", "" },
	{ "allow", "\"TodoWrite(*)\"", "name TodoWrite", "" },
	{ "allow", "\"LS(*)\"", "name LS", "" },
	{ "deny", "\"Cd(~/x)\"", "ignored Cd ~/x", "" },
	/* parameters */
	{ "deny", "\"Agent(model : opus)\"",
	    "agent Agent model : opus [model=opus]", "" },
	{ "deny", "\"Bash(run_in_background:true)\"",
	    "shell Bash run_in_background:true [run_in_background=true]", "" },
	{ "deny", "\"Bash(timeout:*)\"", "shell Bash timeout * prefix", "" },
	{ "deny", "\"Bash(run_in_background:*)\"",
	    "shell Bash run_in_background * prefix [run_in_background=*]", "" },
	{ "deny", "\"TaskStop(task_id:*)\"",
	    "ignored TaskStop task_id:* [task_id=*]", "" },
	{ "allow", "\"Agent(model:opus)\"", "agent Agent model:opus", "" },
	{ "deny", "\"Bash(command:rm *)\"", "ignored Bash",
	    "the argument 'command' of Bash cannot be compared as a "
	    "parameter" NEVER },
	{ "allow", "\"TaskStop(task_id:1)\"", "ignored TaskStop",
	    "the entries of TaskStop have no brackets" NEVER },
	/* what is no entry */
	{ "allow", "null", "ignored ", "expected a string, found null" },
	{ "allow", "7", "ignored ", "expected a string, found a number" },
	{ "allow", "\" \"", "ignored  ",
	    "expected a tool, found an empty text" SKIPS },
	{ "allow", "\"// tests\"", "ignored // tests",
	    "a comment is no entry: the text is read as the name of a "
	    "tool" NEVER },
	{ "allow", "\"Bash(ls\"", "ignored Bash(ls",
	    "the brackets do not balance (one that belongs to the text has a "
	    "backslash before it)" SKIPS },
	{ "allow", "\"Bash()\"", "ignored Bash",
	    "nothing is between the brackets (all calls: Bash)" SKIPS },
	{ "allow", "\"Bash(:*)\"", "ignored Bash",
	    "nothing is between the brackets (all calls: Bash)" SKIPS },
	{ "deny", "\"Bash(rm -r /)*\"", "ignored Bash(rm -r /)*",
	    "expected the end of the entry behind the closing bracket, found "
	    "more "
	    "text" SKIPS },
	{ "deny", "\"(rm)\"", "ignored (rm)",
	    "expected a tool before the bracket, found none" SKIPS },
	{ "allow", "\"mcp__a__b(*)\"", "ignored mcp__a__b",
	    "a rule of an MCP tool has no brackets (all calls: "
	    "mcp__a__b)" SKIPS },
	{ "allow", "\"mcp__\"", "ignored mcp__",
	    "expected mcp__SERVER or mcp__SERVER__TOOL" NEVER },
	{ "allow", "\"*\"", "ignored *",
	    "a pattern in the name of a tool allows nothing, but behind "
	    "mcp__SERVER__" SKIPS },
	{ "allow", "\"mcp__*__get\"", "ignored mcp__*__get",
	    "a pattern in the name of a tool allows nothing, but behind "
	    "mcp__SERVER__" SKIPS },
	{ "allow", "\"bash(ls)\"", "ignored bash",
	    "expected a tool, whose name begins with a capital letter, found "
	    "'bash' (did you mean 'Bash'?)" SKIPS },
	{ "allow", "\"Base(cd:*)\"", "ignored Base",
	    "expected a tool, found 'Base' (did you mean 'Bash'?)" NEVER },
	{ "allow", "\"Fetch(*)\"", "ignored Fetch",
	    "expected a tool, found 'Fetch' (did you mean 'WebFetch'?)" NEVER },
	{ "allow", "\"Web Search(*)\"", "ignored Web Search",
	    "expected a tool, found 'Web Search' (did you mean "
	    "'WebSearch'?)" NEVER },
	{ "deny", "\"Write(src/**)\"", "ignored Write",
	    "files are only compared with Read(path) and Edit(path): write "
	    "Edit(src/**)" NEVER },
	{ "deny", "\"Grep(src/**)\"", "ignored Grep",
	    "files are only compared with Read(path) and Edit(path): write "
	    "Read(src/**)" NEVER },
	{ "allow", "\"WebFetch(https://a.org)\"", "ignored WebFetch",
	    "expected WebFetch(domain:HOST)" SKIPS },
	{ "allow", "\"Read(src:*)\"", "ignored Read",
	    "':*' is for commands; a pattern of paths ends in /** or *" SKIPS },
	{ "allow", "\"WebSearch(cats)\"", "ignored WebSearch",
	    "the entries of WebSearch have no brackets" NEVER },
	{ "deny", "\"Read(C:\\\\\\\\Users\\\\\\\\**)\"", "ignored Read",
	    "a path of Windows is written //c/..., with slashes" NEVER },
	{ "deny", "\"Read(!.env)\"", "ignored Read",
	    "'!' at the start makes no exception from other entries" NEVER },
	/* what stands, and may say something else */
	{ "allow", "\"Read(/Users/a/**)\"", "path Read /Users/a/**",
	    "one slash begins at the folder of the settings; an absolute path "
	    "is "
	    "written //Users/a/**" },
	{ "allow", "\"Edit(/src/**)\"", "path Edit /src/**", "" },
	{ "deny", "\"Bash(git:* push)\"", "shell Bash git:* push [git=* push]",
	    "':*' is a wildcard only at the end: here the colon is part of the "
	    "text" },
	{ "allow", "\"Bash(git * main)\"", "shell Bash git * main",
	    "the wildcard before the subcommand also allows options in its "
	    "place" },
	{ "allow", "\"Bash(git -C * status *)\"",
	    "shell Bash git -C * status *",
	    "the wildcard before the subcommand also allows options in its "
	    "place" },
	{ "allow", "\"Bash(git log * main)\"", "shell Bash git log * main",
	    "" },
	{ "allow", "\"Bash(* --version)\"", "shell Bash * --version", "" },
	{ "deny", "\"Bash(git * main)\"", "shell Bash git * main", "" },
	{ "allow", "\"Bash(git * log:*)\"", "shell Bash git * log * prefix",
	    "before ':*' at the end, '*' is part of the text" },
	{ "allow", "\"Bash(done)\"", "shell Bash done",
	    "looks like a piece of a longer command: 'done'" },
	{ "allow", "\"Bash(do rm -rf \\\"$d\\\")\"",
	    "shell Bash do rm -rf \"$d\"",
	    "looks like a piece of a longer command: 'do'" },
	{ "allow", "\"Bash(node -e ':*)\"", "shell Bash node -e ' * prefix",
	    "has a quotation mark that is not closed" },
	{ "allow", "\"Bash(echo \\\"it's\\\")\"", "shell Bash echo \"it's\"",
	    "" },
	{ "allow", "\"Bash(a\\nb)\"", "shell Bash a\nb",
	    "has a line break, at which commands are taken apart" },
	{ "allow", "\"Bash(cat C:UsersMeFile)\"",
	    "shell Bash cat C:UsersMeFile",
	    "looks like a path of Windows without its backslashes" },
	{ "allow", "\"Bash(rm __TRACKED_VAR__)\"",
	    "shell Bash rm __TRACKED_VAR__",
	    "has a placeholder in the place of a variable, which no command "
	    "has" },
};

static enum permission
permission_of(struct str name)
{
	enum permission p = PERMISSION_ALLOW;

	while (p < PERMISSION_DENY && !str_is(name, permission_name(p)))
		p++;
	return p;
}

static struct str
show(const struct claude_entry *e, struct arena *a)
{
	struct str text =
	    str_printf(a, "%s %.*s", names[e->form], STR_FMT(e->tool));

	if (e->form == CLAUDE_MCP)
		text = str_printf(a, "%.*s %.*s: %.*s", STR_FMT(text),
		    STR_FMT(e->server), STR_FMT(e->value));
	else if (e->value.s != NULL && e->form != CLAUDE_NAME_GLOB)
		text = str_printf(
		    a, "%.*s %.*s", STR_FMT(text), STR_FMT(e->value));
	if (e->prefix)
		text = str_cat(a, text, STR(" prefix"));
	if (e->parameter.s != NULL)
		text = str_printf(a, "%.*s [%.*s=%.*s]", STR_FMT(text),
		    STR_FMT(e->parameter), STR_FMT(e->wanted));
	return text;
}

int
main(void)
{
	struct arena a = { 0 };
	struct json_reader reader = { 0 };
	struct json_error error;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct json *item =
		    json_read(&reader, str_of(cases[i][1]), NULL, &error);
		struct claude_entry e = claude_entry_read(
		    item, permission_of(str_of(cases[i][0])), &a);

		CHECK(item != NULL);
		CHECK_STR(show(&e, &a), cases[i][2]);
		CHECK_STR(e.warning, cases[i][3]);
	}
	json_reader_free(&reader);
	arena_free(&a);
	return unit_status();
}
