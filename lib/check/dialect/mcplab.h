/*
 * MCPLab's checks, with its result types, labels and reasons (core/src/eval.ts
 * of inspectr-hq/mcplab), for its files and for the short checks of the command
 * line. If a pattern or path does not compile, *wrong is set to the reason; else
 * *wrong is unchanged. A check is returned in both cases: after a mistake, only
 * its label, and MCPLab's own reason if there is one, may be used.
 */
#pragma once

#include "base/suggest.h"
#include "check/dialect/scenarios.h"
#include "check/kind/kind.h"
#include "emulate/regex/regex.h"

/* ---- mcplab_checks.c: checks of calls, and for the judge ---- */

/* Returns the check of a tool: "required_tool" or "forbidden_tool". */
struct check mcplab_tool(struct arena *, const char *type, struct str tool);
struct check mcplab_sequence(struct arena *, struct str_list tools);
struct check mcplab_allow(struct arena *, const struct str_list *, size_t n);
struct check mcplab_agent(
    struct arena *, struct str label, const struct judge_want *);

/* ---- mcplab_forms.c: assertions by type ---- */

/* Returns the check of the answer that response_assertions have by this type; with
 * `equals` NULL a path may select any value. */
struct check mcplab_response(struct arena *, const char *type, struct str value,
    const struct json *equals, struct str *wrong);

/* Returns a compiled pattern of MCPLab's flavour, or NULL with *wrong set. */
struct regex *mcplab_compile(
    struct arena *, struct str pattern, unsigned flags, struct str *wrong);

extern const struct forms mcplab_response_forms, mcplab_input_forms;
extern const struct form_list mcplab_types[];

/* ---- mcplab_bundle.c ---- */

/* The folder beside a configuration that holds the scenarios which the
 * configuration names by ref. */
struct mcplab_bundle {
	struct arena *arena;
	const char *config;     /* the configuration's path */
	struct policy *policy;  /* the configuration's */
	const char *folder;     /* of the scenarios; NULL: not looked for yet */
	struct document **docs; /* one a scenario, sorted by file name */
	size_t n;
	bool unread; /* the folder, or a file in it, could not be read */
	const struct document *other; /* a second scenario of the last id */
};

/*
 * Returns the document that holds the scenario of that id, or NULL and the
 * nearest id there is. Sets `other` to a second document that has the id, or to
 * NULL. The folder is test-cases, or scenarios if that does not exist, beside
 * the configuration (or beside the configuration's folder, if that is called
 * configs or evals). It is read at the first call; files that cannot be read
 * are reported.
 */
const struct document *mcplab_bundle_find(
    struct mcplab_bundle *, struct str id, struct suggest *near);
