/*
 * The allow-lists of Cursor (permissions.json, cli-config.json, cli.json; pages
 * cursor.com/docs/reference/permissions and cursor.com/docs/cli/reference/permissions)
 * and of Gemini CLI (settings.json; docs/tools/shell.md and docs/reference/
 * configuration.md of google-gemini/gemini-cli).
 */
#pragma once

#include "check/permission/permission.h"

struct path_pattern;

/* An entry of a list. */
struct allow_entry {
	enum allow_kind {
		ALLOW_NOTHING, /* malformed: the entry never applies */
		ALLOW_TOOL,    /* calls of the tool `name` */
		ALLOW_SHELL,   /* commands that begin with `name` */
		ALLOW_READ,    /* files */
		ALLOW_EDIT,
		ALLOW_HOST,
		ALLOW_SERVER, /* the tool `name` of `server`, which are patterns */
	} kind;
	struct str name, server;
	struct str
	    args; /* SHELL: a pattern of the text behind the name; absent: any */
	const struct path_pattern *pattern; /* of files */
	/* The name in any folder, if the entry is a name without a slash; the pages do
	 * not say whether the entry means that. NULL: not such a name. */
	const struct path_pattern *anywhere;
	bool absolute,
	    of_home; /* the pattern begins at the root, at the home */
};

/* The settings beside the lines, to which a set's `of` points. */
struct allow_lists {
	/* Gemini CLI's tools.core: of its own tools only these are there; NULL: all. */
	struct allow_entry *core;
	size_t ncore;
	bool has_core;
	bool edits; /* files of the workspace are edited without a question */
	bool
	    cli; /* Cursor: some file is one of the CLI, with Shell(...) and the like */
};

/* Read an entry of a list, in the arena. `in_cli`: of permissions.allow or deny of
 * Cursor's CLI; `server`: of mcpAllowlist. *why becomes a remark, or NULL. */
struct allow_entry allow_read_gemini(
    struct str, struct arena *, const char **why);
struct allow_entry allow_read_cursor_cli(
    struct str, struct arena *, const char **why);
struct allow_entry allow_read_cursor(
    struct str, bool server, struct arena *, const char **why);

/* Returns the name that the model calls the tool by: run_shell_command for ShellTool. */
struct str allow_gemini_name(struct str);
/* Returns whether the name is one of a tool of Gemini CLI. */
bool allow_is_gemini(struct str);

/* Lines' `of` are struct allow_entry. */
extern const struct permission_product permission_cursor, permission_gemini;
