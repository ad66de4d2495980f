/* waza.c reads the files of waza and Vally; waza_forms.c has the types of their
 * graders with their keys; waza_keys.c makes checks of a key. */
#pragma once

#include "check/dialect/scenarios.h"

/* Returns whether a grader has this type. */
bool waza_has_type(struct str type);

/* The types of all graders. */
extern const struct form_list waza_types[];

/* Adds the checks of the grader at this value, one for each thing that the
 * grader wants. `task` is the object that the grader belongs to. */
void waza_read_grader(
    struct scenarios *, const struct json *, const struct json *task);

/* Adds the checks of limits: those of an object of them, or with `among`, those
 * among the other keys of a task. */
void waza_limits(struct scenarios *, const struct json *, bool among);

/* Adds a check that a judge decides: the answer meets the rubric. */
void waza_rubric(struct scenarios *, const struct json *rubric);

/* ---- for the forms ---- */

/* The grader that is being read, and the check that was made last. Each check but
 * the last is added to the scenario at once. */
struct waza_grader {
	struct scenarios *scenarios;
	const struct json *task;
	struct str name;
	const struct json *turn; /* the turn that is graded; NULL: the run */
	bool negate;
	struct check last;
	const struct json *at; /* of `last`; NULL: there is none yet */
};

/* The context of a form; a pointer, so that forms can change the grader. */
struct waza_context {
	struct waza_grader *grader;
};

enum waza_flavour {
	WAZA_GO,
	WAZA_GO_CASELESS,
	WAZA_JS,  /* with flags in front: (?i), (?m), (?s) */
	WAZA_NET, /* as WAZA_JS, in any letter case */
};

enum waza_amount {
	WAZA_CALLS,
	WAZA_LEAST_CALLS,
	WAZA_TOKENS,
	WAZA_TURNS,
	WAZA_MILLISECONDS,
	WAZA_DURATION,
};

struct waza_grader *waza_grader_of(const struct fields *);

/* Adds a check of the grader, about this value. */
void waza_emit(
    struct fields *, const struct param *, const struct json *, struct check);

/* Adds a check that is skipped for this reason. */
void waza_emit_undecided(struct fields *, const struct param *,
    const struct json *, const char *why);

/* Add the checks of a key's value; the row's `how` is the flavour of a pattern, the
 * letter case of a text (enum view_fold), an amount, or whether a sequence is of
 * skills. */
param_add waza_add_pattern, waza_add_text, waza_add_file, waza_add_content,
    waza_add_content_patterns, waza_add_limit, waza_add_tool, waza_add_skill,
    waza_add_call, waza_add_allowed, waza_add_order, waza_add_sequence,
    waza_add_schema, waza_add_rubric, waza_add_command;
