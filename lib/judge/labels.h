/*
 * Reads a file of labels, the verdicts of people on checks. A label is an object
 * {"id": RUN, "label": CHECK, "at": FILE:LINE, "turn": N, "verdict": "pass" or
 * "fail"}, one after another or in a list, or a row of CSV with these names at
 * the top. "at" and "turn" may be left out if the run has only one check of that
 * label. "sample": "uncertain" says that the check was chosen since the judge is
 * unsure, "replaces": true that the label replaces the one before. A line with a
 * "comment" needs no verdict. Other members are ignored.
 */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "json/json.h"

/* The verdict of people on a check. */
struct label {
	struct str id, label, at, turn; /* at, turn: absent if not given */
	bool pass, uncertain, replaces;
	struct place place;
	size_t uses; /* number of checks that the label fits, for the caller */
};

struct labels {
	struct arena *arena;
	struct label *list; /* sorted */
	size_t n;
	struct str text; /* the file */
};

/* Reads the file into a zeroed struct with an arena. Returns false after messages
 * if the file cannot be read or has a mistake. */
bool labels_read(struct labels *, const char *path);

/* Sets the members of a label that identify the check with this result, in the
 * run with this id. The texts live in the arena or the result. */
void label_of_check(
    struct label *, struct arena *, struct str id, const struct json *result);

/* Returns the label of the check; NULL if there is none. */
struct label *labels_find(const struct labels *, const struct label *check);

/* Returns <0, 0 or >0 as the check of one label sorts before, with or after that of the
 * other. */
int label_compare(const struct label *, const struct label *);
