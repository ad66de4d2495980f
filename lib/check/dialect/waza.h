/* waza.c reads the files of waza and Vally; waza_forms.c has the types of their
 * graders, and adds their checks; waza_keys.c makes these of the keys of a grader. */
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

/* A key of graders. */
struct waza_key {
	const char *graders; /* that have the key, with blanks between them */
	const char *key;
	/* Adds the checks of the key's value, or of each element of a list. */
	void (*add)(
	    struct fields *, const struct waza_key *, const struct json *);
	int how;
	bool negate;
	bool whole; /* a list is one value */
};

struct waza_grader *waza_grader_of(const struct fields *);

/* Adds a check of the grader, about this value. */
void waza_emit(struct fields *, const struct waza_key *, const struct json *,
    struct check);

/* Adds a check that is skipped for this reason. */
void waza_emit_undecided(struct fields *, const struct waza_key *,
    const struct json *, const char *why);

/* Adds the check of a judge. */
void waza_emit_rubric(
    struct fields *, const struct waza_key *, const struct json *);

/* Adds the checks of the keys of a grader, by its type. Returns the last check, which
 * the caller adds. */
form_make waza_keys;
