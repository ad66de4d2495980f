/* The texts that an agent has read in a run: the system prompt, prompts and results, in
 * the order in which the agent came to know them. */
#pragma once

#include "check/rule/run.h"

struct rule_source {
	/* The system prompt, a prompt, a result; arguments. */
	const struct json *value;
	bool cut;
	/* A result, or arguments: numbers of the value are added up. */
	bool adds;
	struct rule_addends *addends; /* once they were asked for */
	struct str text, lower;       /* once they were asked for */
};

struct rule_seen {
	struct rule_source *list;
	size_t n;
	/* By call: how many sources come before it, and whether the log lacks
	 * some of them. */
	size_t *before;
	bool *lacks;
	bool lacking;              /* ... of all sources */
	struct hash_table values;  /* of texts: where they occur first */
	struct hash_table numbers; /* to the first source that has it */
	size_t numbered;           /* sources whose numbers are known */
};

/* Returns the run's sources, which are found once. */
struct rule_seen *rule_seen_of(struct rule_run *);

/* Returns the text of a source. */
struct str rule_source_text(struct rule_run *, struct rule_source *);
/* Returns whether the source has the text, in any letter case; `lower` is the
 * text in lower case. */
bool rule_source_has(struct rule_run *, struct rule_source *, struct str lower);

/* A number as a text writes it: digits with points and commas between them. */
struct rule_digits {
	struct str run;
	/* Its readings: with commas, and with points, between thousands. Absent
	 * if it cannot be read so. */
	struct str readings[2];
};

/* Finds the next number at or after *at, and moves *at behind it. */
bool rule_digits_next(
    struct str text, size_t *at, struct rule_digits *, struct arena *);

/* Returns the first source with this number, a reading; SIZE_MAX: none. */
size_t rule_number_source(struct rule_run *, struct str number);

/* ---- sums.c ---- */

/* Returns whether the number is the sum or the difference of two numbers of the source,
 * a result or the arguments of a call, which has few numbers. */
bool rule_is_sum(struct rule_run *, struct rule_source *, double n);
/* Returns whether the digits are the last ones of a longer number in the source. */
bool rule_ends_longer(
    struct rule_run *, struct rule_source *, struct str digits);
/* Returns whether the text before a number says that the number is the end of a longer
 * one, by the signs of a mask or by words as "ending in". */
bool rule_is_masked(struct str before);
