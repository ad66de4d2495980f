/*
 * Steps, or blocks within steps, by what they are: a member names the kind of
 * each one, and from that name, or else from the members that a kind's steps
 * have, follows whether they are prompts, texts, calls or results.
 */
#pragma once

#include "extract/draft/words.h"

enum { SPLIT_CLASSES = DRAFT_IS_RESULT + 1 };

struct split {
	struct shape *at;
	struct shape *kind;   /* NULL: they have no kind */
	struct shape *values; /* the shape of each of the kind's values */
	enum draft_class class_of[SHAPE_VALUES]; /* of each of these */
	struct shape classes[SPLIT_CLASSES];     /* the shape of each class */
};

/* Sorts the values at split->at of n records by their member split->kind, and marks
 * the member as used. If split->kind is NULL, or if the values are rows of a table,
 * split->kind becomes NULL, and nothing is sorted. */
void split_by_kind(struct split *, struct arena *,
    const struct json *const *records, size_t n);

/* Returns whether there are steps of the class. */
bool split_has(const struct split *, enum draft_class);

/* Marks the member that names the kind as used, in the shape of a class. */
void split_use_kind(const struct split *, struct shape *of);

/* Returns the condition, in JSONPath, that a step is of the class; `self`, `$`
 * or `@`, is the step. */
struct str split_condition(
    struct arena *, const struct split *, enum draft_class, char self);
