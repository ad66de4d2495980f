/*
 * MCPLab's checks, with its result types, labels and reasons (core/src/eval.ts
 * of inspectr-hq/mcplab): made here for its files and for the short checks of
 * the command line. Where a pattern or path does not compile, *wrong says why
 * (else it is not touched); the check is then good for its label alone, or for
 * MCPLab's own reason if it has one.
 */
#pragma once

#include "check/dialect/scenarios.h"
#include "regex/regex.h"

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

struct check mcplab_forbidden(struct arena *, struct str tool);
struct check mcplab_required(struct arena *, struct str tool);
struct check mcplab_sequence(struct arena *, struct str_list tools);
struct check mcplab_allow(struct arena *, const struct str_list *, size_t n);

struct check mcplab_text(struct arena *, enum mcplab_text, struct str value);
struct check mcplab_regex(
    struct arena *, struct str pattern, struct str *wrong);
/* equals NULL: whatever it is. */
struct check mcplab_path(struct arena *, enum mcplab_path, struct str path,
    const struct json *equals, struct str *wrong);

/* What a call's arguments must be. */
struct check mcplab_input_text(
    struct arena *, struct str tool, struct str value);
struct check mcplab_input_regex(
    struct arena *, struct str tool, struct str pattern, struct str *wrong);
struct check mcplab_input_path(struct arena *, struct str tool, struct str path,
    const struct json *equals, struct str *wrong);

/* For the judge; context is of JUDGE_... bits, prompt the scenario's. */
struct check mcplab_agent(struct arena *, struct str label, struct str rubric,
    unsigned context, struct str prompt);

/* What the above are made of: two texts around a word of ours (authors' texts
 * may hold NULs), a pattern or path of MCPLab's flavour, and what String(value)
 * is of a scalar. */
struct str mcplab_say(
    struct arena *, struct str, const char *between, struct str);
struct regex *mcplab_compile(
    struct arena *, struct str pattern, unsigned flags, struct str *wrong);
struct check mcplab_path_on(struct arena *, struct str path,
    const struct json *equals, struct str *wrong);
struct str mcplab_string(struct arena *, const struct json *);

/* Its assertions by type: of response_assertions and tool_input_assertions. */
extern const struct forms mcplab_response_forms, mcplab_input_forms;
