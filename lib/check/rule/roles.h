/* Roles: the tools of agents that do the same thing, and their arguments. The table is
 * roles.txt, which is embedded. */
#pragma once

#include "check/rule/rule.h"

/* A tool of a role. */
struct rule_role_tool {
	struct str tool;     /* absent: a shell that runs the program `runs` */
	struct str argument; /* absent: any call of the tool */
	struct str values;   /* of the argument, with | between them */
	const struct shell_pattern *runs;
};

/* An argument that a role names, and the arguments of tools for it. */
struct rule_role_argument {
	struct str name;
	struct str_list arguments;
};

struct rule_role {
	struct str name;
	struct rule_role_tool *tools;
	size_t ntools;
	struct rule_role_argument *arguments;
	size_t narguments;
};

struct rule_roles {
	struct rule_role *list;
	size_t n;
};

/* Returns the role of that name (without the colon), or NULL. The roles are read once,
 * and live as long as the program. */
const struct rule_role *rule_role_find(struct rule_program *, struct str name);
/* Returns all roles. */
const struct rule_roles *rule_roles(struct rule_program *);
/* Returns the arguments that the role names so, or an empty list. */
struct str_list rule_role_arguments(const struct rule_role *, struct str name);

/* Returns the tool of the role that the call is of, by its name alone, or NULL. */
const struct rule_role_tool *rule_role_tool_of(
    const struct rule_role *, const struct trace_call *);

/* Returns whether the call has a value of the argument that the tool's row has, or the
 * row has no argument. */
bool rule_role_has_value(
    const struct rule_role_tool *, const struct trace_call *, struct arena *);

/* Returns the first role that the call is of: by the name of the tool and, where the
 * table has an argument, by its value; NULL: the call is of none. */
const struct rule_role *rule_role_of_call(
    struct rule_program *, const struct trace_call *, struct arena *);
/* Returns whether all calls of the tool are of one role, whatever their arguments. */
bool rule_role_is_fixed(struct rule_program *, const struct trace_call *);

/* Returns the command line of a call of a shell, a text or a list of words, or NULL. */
const struct json *rule_role_command(
    struct rule_program *, const struct trace_call *);

/* Returns whether the object has an argument that the role names. */
bool rule_role_knows(const struct rule_role *, const struct json *args);

/* Returns the files that a patch for apply_patch names, in any text of the arguments. */
struct str_list rule_patch_files(const struct json *args, struct arena *);

/* The table as text, for --print-roles. */
struct str rule_roles_text(void);
