/*
 * Claude Code's permission rules: the entries of permissions.allow, ask and deny, and
 * the decision that they make. The rules are those of the page "Configure permissions"
 * (code.claude.com/docs/en/permissions) and of the pages that it names, as of autumn
 * 2026. Private to this folder, and used by check/dialect.
 */
#pragma once

#include "base/suggest.h"
#include "check/permission/permission.h"
#include "check/rule/fit.h"

/* Forms of entries, by what they compare. */
enum claude_form {
	CLAUDE_IGNORED,   /* nothing, but for `parameter` */
	CLAUDE_NAME,      /* the tool: Bash, Bash(*) */
	CLAUDE_NAME_GLOB, /* the tool's name with a pattern: *, Task* */
	CLAUDE_SHELL,     /* the command of Bash or PowerShell */
	CLAUDE_PATH,      /* the file of Read or Edit */
	CLAUDE_DOMAIN,    /* the host of WebFetch */
	CLAUDE_MCP,       /* a server, and a tool of the server */
	CLAUDE_AGENT,     /* the name of a subagent */
	CLAUDE_SKILL,     /* the name of a skill or of a slash command */
	CLAUDE_FORMS,
};

/* An entry, read. */
struct claude_entry {
	enum claude_form form;
	/* The canonical name (Agent for Task); NAME_GLOB: the pattern. */
	struct str tool;
	/* Between the brackets, without the escapes of brackets. SHELL and SKILL: a
	 * `:*` at the end is written " *" here, and `prefix` is set. DOMAIN: without
	 * domain:. MCP: the tool, which may be a pattern; absent: all tools. */
	struct str value;
	struct str server; /* MCP; a pattern in deny and ask */
	bool prefix;
	/* Of deny and ask: the entry also applies if the call's argument of this name
	 * fits the pattern `wanted`. Absent: no argument counts. */
	struct str parameter, wanted;
	/* A remark for the author, without the entry itself; absent: none. */
	struct str warning;
};

/* Reads an item of a list. Any JSON value is accepted; what is no entry becomes
 * IGNORED, with a warning. The entry lives in the arena. */
struct claude_entry claude_entry_read(
    const struct json *, enum permission, struct arena *);

/* A tool of Claude Code. */
struct claude_tool {
	struct str name; /* absent: any of the tools that ask for nothing */
	enum claude_form
	    form; /* of its entries with brackets; NAME: they have none */
	const char *main; /* argument, which no parameter can name; or NULL */
	bool asks;        /* needs a permission in the default mode */
};

/* Returns the name that the tool has today: Agent for Task. */
struct str claude_tool_name(struct str);
/* Returns the tool of that canonical name, or NULL. */
const struct claude_tool *claude_tool_named(struct str);
/* Makes the name of a tool that is nearest to the word the best. */
void claude_tool_suggest(struct suggest *);
