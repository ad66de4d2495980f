/* Lines of Claude Code in the words of rules, and lines that cover others. */
#include "check/permission/claude.h"
#include "check/permission/claude_product.h"

#include "tests/unit/unit.h"

/* A line of deny, and its calls in the words of rules. */
static const char *const calls[][2] = {
	{ "WebSearch", "WebSearch" },
	{ "Task*", "Task*" },
	{ "mcp__a", "mcp__a__*" },
	{ "mcp__a__get_*", "mcp__a__get_*" },
	{ "Bash(git push *)", "run \"git push\"" },
	{ "Bash(curl:*)", "run \"curl\"" },
	{ "Bash(npm run a:b *)", "run \"npm run a:b\"" },
	{ "Bash(rm -rf *)", "run \"rm -rf\"" },
	{ "Bash(git push)",
	    ":shell(command ~ /(^|[;&|(\\n] *)git push *($|[;&|)\\n])/)" },
	{ "Bash(git * main)",
	    ":shell(command ~ /(^|[;&|(\\n] *)git [^;&|]* main *"
	    "($|[;&|)\\n])/)" },
	{ "Bash(curl*|*sh*)", ":shell(command ~ /^curl.*\\|.*sh.*$/)" },
	{ "Read(.env)",
	    ":read|:search|:edit(path ~ /^([^\\/].*\\/)?\\.env(\\/|$)/)" },
	{ "Edit(/src/**)", ":edit(path ~ /^src(\\/|$)/)" },
	{ "Edit(//etc/*.d/**)",
	    ":edit(path ~ /^\\/etc\\/[^\\/]*\\.d(\\/|$)/)" },
	{ "Edit(**/a/**/b?)",
	    ":edit(path ~ /^(.*\\/)?a\\/(.*\\/)?b[^\\/](\\/|$)/)" },
	{ "Edit(//**)", ":edit(path ~ /^\\//)" },
	{ "Edit(~/x)",
	    ":edit(path ~ /^(~|\\/home\\/[^\\/]+|\\/Users\\/[^\\/]+|"
	    "\\/root)\\/x(\\/|$)/)" },
	{ "Edit([a]b)", "" },
	{ "WebFetch(domain:*.a.org)",
	    "WebFetch(url ~ "
	    "/^\\w+:\\/\\/([^\\/?#]*@)?([^\\/?#]*\\.)a\\.org\\.?"
	    "(:|\\/|[?#]|$)/i)" },
	{ "Agent(Explore)", ":agent(agent = \"Explore\")" },
	{ "Agent(model:op*)", "Agent(model ~ /^op.*$/)" },
	{ "Agent(run_in_background:true)", "Agent(run_in_background = true)" },
	{ "Skill(pdf *)", "Skill(skill ~ /^pdf/)" },
	{ "Write(src/**)", "" },
};

/* Two lines of a list: + the first covers the second, - it does not. */
static const char *const covers[][3] = {
	{ "+", "Bash", "Bash(git *)" },
	{ "+", "Bash(git *)", "Bash(git push *)" },
	{ "-", "Bash(git push *)", "Bash(git *)" },
	{ "+", "Bash(npm *)", "Bash(npm)" },
	{ "+", "Bash(npm *)", "Bash(npm:*)" },
	{ "+", "Bash(npm*)", "Bash(npm *)" },
	{ "-", "Bash(npm *)", "Bash(npm*)" },
	{ "-", "Bash(npm * x)", "Bash(npm *)" },
	{ "+", "Bash(git * main)", "Bash(git push * main)" },
	{ "+", "Bash(* --version)", "Bash(node --version)" },
	{ "-", "Bash(npm)", "Bash(npm *)" },
	{ "+", "mcp__a", "mcp__a__get" },
	{ "+", "mcp__a__*", "mcp__a" },
	{ "-", "mcp__a__get", "mcp__a" },
	{ "-", "mcp__a", "mcp__ab__get" },
	{ "+", "Read(//**)", "Read(//etc/**)" },
	{ "-", "Read(**)", "Read(//etc/**)" },
	{ "+", "Read(**)", "Read(src/**)" },
	{ "+", "Edit(/src/**)", "Edit(/src/a/**)" },
	{ "-", "Edit(/src/a/**)", "Edit(/src/**)" },
	{ "-", "Edit(/src/*.c)", "Edit(/src/**)" },
	{ "-", "Edit(/src/**)", "Read(/src/**)" },
	{ "-", "Edit(a/*/x)", "Edit(a/**/x)" },
	{ "-", "Edit(a/**)", "Edit(.env)" },
	{ "+", "Edit(*.env)", "Edit(.env)" },
	{ "-", "Edit", "Edit(.env)" },
	{ "+", "WebFetch", "WebFetch(domain:a.org)" },
	{ "+", "WebFetch(domain:*)", "WebFetch(domain:a.org)" },
	{ "+", "WebFetch(domain:*.org)", "WebFetch(domain:*.a.org)" },
	{ "-", "WebFetch(domain:*.a.org)", "WebFetch(domain:a.org)" },
	{ "+", "Agent", "Agent(Explore)" },
	{ "-", "Agent(Explore)", "Agent(Plan)" },
};

static struct permission_line
line_of(const char *text, struct arena *a)
{
	static const struct permission_source source = { .file =
							     "settings.json" };
	struct claude_entry *e = arena_new(a, struct claude_entry);
	struct json_reader reader = { 0 };

	*e = claude_entry_read(
	    json_keep(
		a, json_read(&reader, out_quote(a, str_of(text)), NULL, NULL)),
	    PERMISSION_DENY, a);
	json_reader_free(&reader);
	return (struct permission_line){
		.decision = PERMISSION_DENY,
		.written = str_of(text),
		.source = &source,
		.of = e,
	};
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		struct permission_line line = line_of(calls[i][0], &a);

		CHECK_STR(permission_claude.calls(&line, &a), calls[i][1]);
	}
	for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
		struct permission_line outer = line_of(covers[i][1], &a);
		struct permission_line inner = line_of(covers[i][2], &a);

		if (permission_claude.covers(&outer, &inner) !=
		    (*covers[i][0] == '+'))
			FAIL(str_c(&a,
			    str_printf(
				&a, "%s and %s", covers[i][1], covers[i][2])));
	}
	arena_free(&a);
	return unit_status();
}
