/* What lines make of calls, but for commands of Bash. The run was in /w/p, but where the
 * row says otherwise. */
#include "check/permission/claude.h"
#include "check/rule/roles.h"

#include "tests/unit/unit.h"

/* The lines with their decisions and bars between (~ before a line: of the user's
 * settings; + instead: an additional folder; @: another folder of the run; acceptEdits),
 * the tool, the arguments, and what becomes of the call: a decision, or the line that
 * would cover the call, with ! for one that is never proposed. */
static const char *const cases[][4] = {
	/* names */
	{ "", "Read", "{\"file_path\":\"/w/p/a\"}", "allow" },
	{ "", "Read", "{\"file_path\":\"/w/q/b/a\"}", "Read(//w/q/b/**)" },
	{ "", "Read", "{\"file_path\":\"/w/pq\"}", "Read(//w/pq)" },
	{ "+/w/q", "Read", "{\"file_path\":\"/w/q/b/a\"}", "allow" },
	{ "+../q", "Read", "{\"file_path\":\"/w/q/b/a\"}", "allow" },
	{ "", "Read", "{\"file_path\":\"/w/p/../q/x/y\"}", "Read(//w/q/x/**)" },
	{ "", "Read", "{\"file_path\":\"/home/u/.ssh/id\"}",
	    "!Read(//home/u/.ssh/**)" },
	{ "", "Edit", "{\"file_path\":\"/w/p/src/a.c\"}", "Edit(/src/**)" },
	{ "", "Write", "{\"file_path\":\"/w/p/[a].c\"}", "Edit(/\\[a\\].c)" },
	{ "acceptEdits", "Write", "{\"file_path\":\"/w/p/a.c\"}", "allow" },
	{ "acceptEdits", "Write", "{\"file_path\":\"/w/q/a.c\"}",
	    "Edit(//w/q/**)" },
	{ "acceptEdits", "Edit", "{\"file_path\":\"/w/p/.git/config\"}",
	    "!Edit(/.git/**)" },
	{ "acceptEdits", "Edit", "{\"file_path\":\"/w/p/.claude/skills/a\"}",
	    "allow" },
	{ "", "TodoWrite", "{}", "allow" },
	{ "", "Agent", "{}", "allow" },
	{ "", "WebSearch", "{\"query\":\"x\"}", "WebSearch" },
	{ "allow WebSearch", "WebSearch", "{\"query\":\"x\"}", "allow" },
	{ "deny Write", "Write", "{\"file_path\":\"/w/p/a\"}", "deny" },
	{ "deny Write", "Edit", "{\"file_path\":\"/w/p/a\"}", "Edit(/a)" },
	{ "deny *", "Bash", "{}", "deny" },
	{ "deny *", "EndConversation", "{}", "allow" },
	{ "ask Task*", "TaskStop", "{}", "ask" },
	/* parameters */
	{ "deny Bash(run_in_background:true)", "Bash",
	    "{\"command\":\"npm start\",\"run_in_background\":true}", "deny" },
	{ "deny Agent(model:*)", "Agent", "{\"prompt\":\"x\"}", "allow" },
	{ "deny Agent( model : op* )", "Agent", "{\"model\":\"opus\"}",
	    "deny" },
	{ "deny Agent(model:opus)", "Agent", "{\"model\":\"opus-5\"}",
	    "allow" },
	{ "deny Agent(model:*)", "Agent", "{\"model\":{\"a\":1}}", "allow" },
	{ "ask Read(limit:1*)", "Read",
	    "{\"file_path\":\"/w/p/a\",\"limit\":10}", "ask" },
	/* paths */
	{ "deny Read(.env)", "Read", "{\"file_path\":\"/w/p/pkg/.env\"}",
	    "deny" },
	{ "deny Read(.env)", "Read", "{\"file_path\":\"/w/.env\"}",
	    "!Read(//w/.env)" },
	{ "deny Read(./.env)", "Read", "{\"file_path\":\"/w/p/.env\"}",
	    "deny" },
	{ "deny Read(//**/.env)", "Read", "{\"file_path\":\"/x/.env\"}",
	    "deny" },
	{ "deny ~Read(/secrets/**)", "Read",
	    "{\"file_path\":\"/w/p/secrets/k\"}", "allow" },
	{ "deny Read(/secrets/**)", "Read",
	    "{\"file_path\":\"/w/p/secrets/k\"}", "deny" },
	{ "allow Edit(src/**)", "Edit", "{\"file_path\":\"/w/p/src/app.ts\"}",
	    "allow" },
	{ "allow Edit(src/**)", "Edit", "{\"file_path\":\"/w/p/v/src/app.ts\"}",
	    "Edit(/v/**)" },
	{ "deny Edit(src/**)", "Edit", "{\"file_path\":\"/w/p/v/src/app.ts\"}",
	    "deny" },
	{ "deny Edit(/src/**)", "Edit", "{\"file_path\":\"/w/p/v/src/app.ts\"}",
	    "Edit(/v/**)" },
	{ "allow Edit(**/src/**)", "Write", "{\"file_path\":\"/w/p/v/src/a\"}",
	    "allow" },
	{ "allow Edit(docs/*.md)", "Edit",
	    "{\"file_path\":\"/w/p/docs/a/b.md\"}", "Edit(/docs/**)" },
	{ "deny Edit(src/a/**)", "Edit", "{\"file_path\":\"/w/p/v/src/a/b\"}",
	    "Edit(/v/**)" },
	{ "deny Read(secrets/**)", "NotebookEdit",
	    "{\"notebook_path\":\"/w/p/secrets/a.ipynb\"}",
	    "Edit(/secrets/**)" },
	{ "deny Read(secrets/**)", "Write",
	    "{\"file_path\":\"/w/p/secrets/a\"}", "deny" },
	{ "ask Read(secrets/**)", "Write", "{\"file_path\":\"/w/p/secrets/a\"}",
	    "Edit(/secrets/**)" },
	{ "deny Edit(secrets/**)", "Read", "{\"file_path\":\"/w/p/secrets/a\"}",
	    "allow" },
	{ "allow Edit(//w/q/**)", "Read", "{\"file_path\":\"/w/q/a\"}",
	    "allow" },
	{ "deny Read(src/**)", "Grep",
	    "{\"pattern\":\"x\",\"path\":\"/w/p/src\"}", "deny" },
	{ "deny Read(src/)", "Grep", "{\"pattern\":\"x\",\"path\":\"src\"}",
	    "deny" },
	{ "deny Read(src/**)", "Grep", "{\"pattern\":\"x\"}", "allow" },
	{ "deny Read(../q/**)", "Glob", "{\"pattern\":\"x\",\"path\":\"/w/q\"}",
	    "deny" },
	{ "deny Read(~/.ssh/**)|@/home/u/x", "Read",
	    "{\"file_path\":\"~/.ssh/id\"}", "deny" },
	{ "deny Read(~/.ssh/**)|@/home/u/x", "Read",
	    "{\"file_path\":\"/home/v/.ssh/id\"}", "!Read(//home/v/.ssh/**)" },
	{ "deny Read(~/.ssh/**)", "Read", "{\"file_path\":\"/r/.ssh/id\"}",
	    "unknown" },
	{ "deny Read(~/.ssh/**)", "Read", "{\"file_path\":\"~/.ssh/id\"}",
	    "deny" },
	{ "deny Read(//c/**/.env)|@C:\\w", "Read",
	    "{\"file_path\":\"C:\\\\w\\\\a\\\\.env\"}", "deny" },
	{ "deny Read(*.env)|@C:\\w", "Read", "{\"file_path\":\"a\\\\x.env\"}",
	    "deny" },
	{ "deny Read(src/**)|@", "Read", "{\"file_path\":\"/w/p/src/a\"}",
	    "unknown" },
	{ "deny Read(src/**)|@", "Read", "{\"file_path\":\"src/a\"}", "deny" },
	{ "deny Read(src/**)|@", "Read", "{\"file_path\":\"lib/a\"}", "allow" },
	{ "deny Read(//**/.env)|@", "Read", "{\"file_path\":\"lib/a\"}",
	    "allow" },
	{ "deny Read(//etc/**)|@", "Read", "{\"file_path\":\"lib/a\"}",
	    "unknown" },
	{ "|@", "Read", "{\"file_path\":\"/w/a\"}", "unknown" },
	{ "", "Read", "", "unknown" },
	/* hosts */
	{ "", "WebFetch", "{\"url\":\"https://A.org/x\"}",
	    "WebFetch(domain:a.org)" },
	{ "allow WebFetch(domain:a.org)", "WebFetch",
	    "{\"url\":\"https://A.org.:443/x\"}", "allow" },
	{ "allow WebFetch(domain:a.org)", "WebFetch",
	    "{\"url\":\"https://a.org@b.org/\"}", "WebFetch(domain:b.org)" },
	{ "allow WebFetch(domain:a.org)", "WebFetch",
	    "{\"url\":\"https:\\\\\\\\b.org\\\\@a.org\"}",
	    "WebFetch(domain:b.org)" },
	{ "allow WebFetch(domain:a.org)", "WebFetch",
	    "{\"url\":\"https://x.a.org/\"}", "WebFetch(domain:x.a.org)" },
	{ "allow WebFetch(domain:*.a.org)", "WebFetch",
	    "{\"url\":\"https://a.org/\"}", "WebFetch(domain:a.org)" },
	{ "allow WebFetch(domain:*.A.org.)", "WebFetch",
	    "{\"url\":\"https://x.y.a.org/\"}", "allow" },
	{ "allow WebFetch(domain:a.*)", "WebFetch",
	    "{\"url\":\"https://a.b.com/\"}", "WebFetch(domain:a.b.com)" },
	{ "allow WebFetch(domain:a.*)", "WebFetch",
	    "{\"url\":\"https://a.net\"}", "allow" },
	{ "deny WebFetch(domain:*)", "WebFetch", "{\"url\":\"https://a.net\"}",
	    "deny" },
	/* servers */
	{ "", "mcp__a__get", "{}", "mcp__a__get" },
	{ "allow mcp__a", "mcp__a__get", "{}", "allow" },
	{ "allow mcp__a", "mcp__ab__get", "{}", "mcp__ab__get" },
	{ "allow mcp__a__*", "mcp__a__get", "{}", "allow" },
	{ "allow mcp__a__get_*", "mcp__a__get_x", "{}", "allow" },
	{ "allow mcp__a__get_*", "mcp__a__set_x", "{}", "mcp__a__set_x" },
	{ "allow mcp__*", "mcp__a__get", "{}", "mcp__a__get" },
	{ "deny mcp__*", "mcp__a__get", "{}", "deny" },
	{ "deny mcp__a__get", "get", "{}", "unknown" },
	{ "deny Bash", "mcp__workspace__bash", "{}", "deny" },
	{ "allow Bash", "mcp__workspace__bash", "{}", "mcp__workspace__bash" },
	/* agents, skills, commands */
	{ "deny Agent(Explore)", "Agent", "{\"subagent_type\":\"Explore\"}",
	    "deny" },
	{ "deny Task(Explore)", "Task", "{\"subagent_type\":\"Explore\"}",
	    "deny" },
	{ "deny Agent(Explore)", "Agent", "{\"subagent_type\":\"Plan\"}",
	    "allow" },
	{ "deny Agent(general-purpose)", "Agent", "{\"prompt\":\"x\"}",
	    "unknown" },
	{ "", "Skill", "{\"skill\":\"pdf\"}", "Skill(pdf)" },
	{ "allow Skill(pdf)", "Skill", "{\"skill\":\"pdf\"}", "allow" },
	{ "allow Skill(pdf:*)", "Skill", "{\"skill\":\"pdf\"}", "allow" },
	{ "allow Skill(pdf)", "Skill", "{\"command\":\"pdf\"}", "allow" },
	{ "allow SlashCommand(/a:*)", "SlashCommand", "{\"command\":\"/a b\"}",
	    "allow" },
	/* PowerShell */
	{ "", "PowerShell", "{\"command\":\"Get-Date -x\"}",
	    "PowerShell(Get-Date *)" },
	{ "allow PowerShell(Get-ChildItem *)", "PowerShell",
	    "{\"command\":\"gci x\"}", "allow" },
	{ "allow PowerShell(Get-ChildItem *)", "PowerShell",
	    "{\"command\":\"LS\"}", "allow" },
	{ "allow PowerShell(gci *)", "PowerShell",
	    "{\"command\":\"ls x; Remove-Item y\"}", "PowerShell(ls *)" },
	{ "allow PowerShell(gci *)|allow PowerShell(Select-Object:*)",
	    "PowerShell", "{\"command\":\"ls x | select -First 1\"}", "allow" },
	{ "deny PowerShell(Remove-Item *)", "PowerShell",
	    "{\"command\":\"ls 'a|b' | % { rm $_ }\"}", "deny" },
	{ "deny PowerShell(Remove-Item *)", "PowerShell",
	    "{\"command\":\"& $x y\"}", "unknown" },
	{ "deny PowerShell(Remove-Item *)", "PowerShell",
	    "{\"command\":\"echo 'rm x'\"}", "PowerShell(echo *)" },
	/* other agents */
	{ "deny Read(.env)", "read_file", "{\"path\":\".env\"}", "deny" },
	{ "allow Edit(src/**)|allow Edit(/a)", "apply_patch",
	    "{\"input\":\"*** Update File: src/x\\n*** Add File: a\\n\"}",
	    "allow" },
	{ "allow Edit(src/**)", "apply_patch",
	    "{\"input\":\"*** Update File: src/x\\n*** Add File: a\\n\"}",
	    "Edit(/src/**)" },
	{ "deny Write", "write_file", "{\"path\":\"a\",\"content\":\"\"}",
	    "deny" },
	{ "", "update_plan", "{}", "allow" },
	{ "", "something_else", "{}", "none" },
};

struct state {
	struct arena arena;
	struct rule_program program;
	struct permission_set set;
	struct claude_settings settings;
	struct permission_call call;
};

static enum permission
permission_of(struct str name)
{
	enum permission p = PERMISSION_ALLOW;

	while (p < PERMISSION_DENY && !str_is(name, permission_name(p)))
		p++;
	return p;
}

/* Reads the lines of a row. */
static void
read_lines(struct state *s, struct str text)
{
	static const struct permission_source project = { .file = "p" },
					      user = { .file = "u",
						      .folder = STR_CONST(
							  "~/.claude") };

	while (text.n > 0) {
		struct str line = str_cut(&text, '|'), decision;
		struct json_reader reader = { 0 };
		struct claude_entry *e =
		    arena_new(&s->arena, struct claude_entry);
		bool of_user;

		if (str_starts(line, "@")) {
			s->call.folder =
			    line.n == 1 ? (struct str){ 0 } : str_from(line, 1);
		} else if (str_starts(line, "+")) {
			struct str *folder = arena_new(&s->arena, struct str);

			*folder = str_from(line, 1);
			s->settings.folders = (struct str_list){ folder, 1 };
		} else if (str_is(line, "acceptEdits")) {
			s->settings.mode = CLAUDE_ACCEPT_EDITS;
		} else if (line.n > 0) {
			decision = str_cut(&line, ' ');
			of_user = str_starts(line, "~");
			line = str_from(line, of_user);
			*e = claude_entry_read(
			    json_keep(&s->arena,
				json_read(&reader, out_quote(&s->arena, line),
				    NULL, NULL)),
			    permission_of(decision), &s->arena);
			permission_add(&s->set,
			    (struct permission_line){
				.decision = permission_of(decision),
				.written = line,
				.source = of_user ? &user : &project,
				.of = e,
			    });
			json_reader_free(&reader);
		}
	}
}

static struct str
decide(struct state *s)
{
	struct claude_call c = claude_call_read(&s->call, &s->arena);
	struct claude_default d = claude_default_of(&s->set, &c, &s->arena);
	enum permission best = PERMISSION_ALLOW;
	bool any = false, unknown = false;
	struct str part;

	for (size_t i = 0; i < s->set.n; i++) {
		struct permission_line *line = &s->set.lines[i];
		enum rule_fit fit =
		    claude_line_fits(&s->set, line, &c, &s->arena, &part);

		unknown |= fit == RULE_MAYBE;
		if (fit != RULE_YES)
			continue;
		any = true;
		best = line->decision > best ? line->decision : best;
	}
	if (any)
		return str_of(permission_name(best));
	if (unknown || d.unknown)
		return STR("unknown");
	if (d.decision == PERMISSION_NONE && d.cover.line.s != NULL)
		return str_printf(&s->arena, "%s%.*s",
		    d.cover.irrevocable ? "!" : "", STR_FMT(d.cover.line));
	return str_of(permission_name(d.decision));
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct state s = { .call = { .folder = STR("/w/p") } };
		struct trace_call call = { .tool = str_of(cases[i][1]) };
		struct json_reader reader = { 0 };
		struct str got;

		s.program.arena = s.set.arena = &s.arena;
		s.set.of = &s.settings;
		if (*cases[i][2] != '\0')
			call.args =
			    json_read(&reader, str_of(cases[i][2]), NULL, NULL);
		s.call.call = &call;
		s.call.role = rule_role_of_call(&s.program, &call, &s.arena);
		read_lines(&s, str_of(cases[i][0]));
		got = decide(&s);
		if (!str_is(got, cases[i][3]))
			fprintf(stderr, "%s %s %s:\n", cases[i][0], cases[i][1],
			    cases[i][2]);
		CHECK_STR(got, cases[i][3]);
		json_reader_free(&reader);
		arena_free(&s.arena);
	}
	return unit_status();
}
