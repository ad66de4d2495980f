/*
 * Claude Code's permission rules: the entries of permissions.allow, ask and deny, and
 * the decision that they make. The rules are those of the page "Configure permissions"
 * (code.claude.com/docs/en/permissions) and of the pages that it names, as of autumn
 * 2026. Private to this folder, and used by check/dialect.
 */
#pragma once

#include "base/suggest.h"
#include "check/permission/claude_product.h"
#include "check/permission/path_pattern.h"
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
	/* SHELL: the value with one star for each row of stars, and the number of its
	 * other characters. Absent in an entry that was not read: as the value. */
	struct str stars;
	size_t least;
	struct str server; /* MCP; a pattern in deny and ask */
	bool prefix;
	/* The entry, if it denies or asks, also applies if the argument of this name
	 * fits the pattern `wanted`. Absent: no argument counts. */
	struct str parameter, wanted;
	/* PATH: the pattern, relative to `anchor`, or `up` folders above. */
	enum claude_anchor {
		CLAUDE_FOLDER, /* of the run */
		CLAUDE_SOURCE, /* of the settings */
		CLAUDE_HOME,
		CLAUDE_ROOT,
	} anchor;
	size_t up;
	/* Without the anchor and without the stars at its end that stand for all that is
	 * in a folder; empty: all. */
	struct str path;
	const struct path_pattern *pattern; /* NULL: fits all that is below */
	bool floats; /* the pattern begins at any folder */
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

/* ---- calls ---- */

/* A call as Claude Code's lines look at it. */
struct claude_call {
	const struct permission_call *of;
	/* The canonical name; for a tool of another agent, the name of the tool of
	 * Claude Code that does the same, if there is one. */
	struct str tool;
	const struct claude_tool *known; /* or NULL */
	struct str mcp; /* mcp__SERVER__TOOL; absent: no tool of a server */
	struct str server, name;
	/* Files and folders (as claude_path_of gives them), hosts, subagents or skills,
	 * by the tool. */
	struct str *values;
	size_t n;
	enum {
		CLAUDE_NO_FILES,
		CLAUDE_READS,
		CLAUDE_SEARCHES, /* the values are folders */
		CLAUDE_EDITS,
	} files;
	bool lacking; /* the log lacks the arguments */
};

/* Reads a call, which must outlive the result. */
struct claude_call claude_call_read(
    const struct permission_call *, struct arena *);

/* Returns whether the line applies to the call. For a line with a command for Bash the
 * answer is that of `parameter` alone; claude_parts.h decides commands. *part becomes the
 * value that fits. */
enum rule_fit claude_line_fits(const struct permission_set *,
    const struct permission_line *, const struct claude_call *, struct arena *,
    struct str *part);

/* Returns what is missing where claude_line_fits returned RULE_MAYBE; NULL: the shell
 * computes a word. */
const char *claude_line_lacks(
    const struct permission_line *, const struct claude_call *);

/* Like claude_line_fits, for a line about PowerShell and such a call. */
enum rule_fit claude_powershell_fits(const struct permission_set *,
    const struct permission_line *, const struct claude_call *, struct arena *,
    struct str *part);

/* Returns whether the text fits the pattern, in which each star is any text without
 * `bound` ('\0': any text). */
bool claude_star_fits(struct str pattern, struct str text, char bound);

/* Returns a copy with the ASCII letters in lower case. */
struct str claude_lower(struct arena *, struct str);

/* Returns whether a host fits the pattern of a DOMAIN entry. */
bool claude_domain_fits(struct str pattern, struct str host, struct arena *);

/* Returns the calls that the line is about, in the words of mcpl-rules(5); absent: rules
 * have no words for the calls. */
struct str claude_calls_of(const struct permission_line *, struct arena *);

/* Returns whether each call that fits `inner` fits `outer`, for lines with all forms but
 * commands of Bash. */
bool claude_form_covers(
    const struct permission_line *outer, const struct permission_line *inner);

/* The decision about a call that no line covers. */
struct claude_default {
	enum permission decision; /* ALLOW or NONE */
	bool unknown; /* the log lacks what the decision depends on */
	struct str why;
	struct permission_cover cover; /* NONE */
};

/* Decides by what each tool needs in the default mode, and by acceptEdits. Commands of
 * Bash are NONE. */
struct claude_default claude_default_of(
    const struct permission_set *, const struct claude_call *, struct arena *);

/* ---- paths ---- */

/* Returns the path, of a run in the folder (absent: not recorded), in the form that the
 * functions below take: absolute, with C:\\x as /c/x, without "." and "..". Without a
 * folder a relative path stays one, and so does ~/x if the home is not known. */
struct str claude_path_of(struct str folder, struct str path, struct arena *);

/* Sets the members of a PATH entry. */
void claude_path_read(struct claude_entry *, enum permission, struct arena *);

/* Returns whether the path fits the line, whose form is PATH; `how` as for
 * path_pattern_fits. */
enum rule_fit claude_path_fits(const struct permission_line *,
    struct str folder, struct str path, unsigned how, struct arena *);

/* Returns whether the path is the folder, or below; then *below is relative to the folder,
 * and empty for the folder itself. */
bool claude_path_is_below(
    struct str folder, struct str path, struct str *below);

/* Returns whether the path is in the folder of the run or in an additional one. */
enum rule_fit claude_path_is_inside(const struct permission_set *,
    struct str folder, struct str path, struct arena *);

/* Returns whether no mode but bypassPermissions lets the file be written by itself. */
bool claude_path_is_protected(
    struct str folder, struct str path, struct arena *);

/* Returns the line of the tool (Read or Edit) that covers the path and what is beside
 * the path, and the line of the path alone. A line for a device cannot be undone. */
struct permission_cover claude_path_cover(
    const char *tool, struct str folder, struct str path, struct arena *);
