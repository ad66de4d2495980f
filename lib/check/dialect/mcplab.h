/*
 * MCPLab's checks, with its result types, labels and reasons (core/src/eval.ts
 * of inspectr-hq/mcplab), for its files and for the short checks of the command
 * line. If a pattern or path does not compile, *wrong is set to the reason; else
 * *wrong is unchanged. A check is returned in both cases: after a mistake, only
 * its label, and MCPLab's own reason if there is one, may be used.
 */
#pragma once

#include "check/dialect/scenarios.h"
#include "check/kind/kind.h"
#include "emulate/regex/regex.h"

enum mcplab_text {
	MCPLAB_CONTAINS,
	MCPLAB_NOT_CONTAINS,
	MCPLAB_STARTS_WITH,
	MCPLAB_ENDS_WITH,
	MCPLAB_EQUALS,
};

enum mcplab_path {
	MCPLAB_PATH,
	MCPLAB_PATH_EXISTS,
	MCPLAB_PATH_NOT_EXISTS,
};

/* ---- checks of calls ---- */

struct check mcplab_forbidden(struct arena *, struct str tool);
struct check mcplab_required(struct arena *, struct str tool);
struct check mcplab_sequence(struct arena *, struct str_list tools);
struct check mcplab_allow(struct arena *, const struct str_list *, size_t n);

/* ---- checks of the answer ---- */

struct check mcplab_text(struct arena *, enum mcplab_text, struct str value);
struct check mcplab_regex(
    struct arena *, struct str pattern, struct str *wrong);
/* With `equals` NULL any value is a match. */
struct check mcplab_path(struct arena *, enum mcplab_path, struct str path,
    const struct json *equals, struct str *wrong);

/* ---- checks of a tool's arguments ---- */

struct check mcplab_input_text(
    struct arena *, struct str tool, struct str value);
struct check mcplab_input_regex(
    struct arena *, struct str tool, struct str pattern, struct str *wrong);
struct check mcplab_input_path(struct arena *, struct str tool, struct str path,
    const struct json *equals, struct str *wrong);

/* Returns a check for the judge. */
struct check mcplab_agent(
    struct arena *, struct str label, const struct judge_want *);

/* Returns a compiled pattern of MCPLab's flavour, or NULL with *wrong set. */
struct regex *mcplab_compile(
    struct arena *, struct str pattern, unsigned flags, struct str *wrong);

/* MCPLab's assertions by type: response_assertions, tool_input_assertions. */
extern const struct forms mcplab_response_forms, mcplab_input_forms;
extern const struct form_list mcplab_types[];
