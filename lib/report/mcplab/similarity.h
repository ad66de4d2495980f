/* The similarity of two answers, or of two extracted values, as MCPLab measures
 * it for its snapshots (MCPLab's own rules: packages/cli/src/snapshot.ts). */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "json/json.h"

/* Returns the words of more than two characters, each once, in order; folded to
 * lower case and to the characters that MCPLab keeps. */
struct str_list similarity_words(struct arena *, struct str);

/* Returns the Jaccard index of two sorted sets: the number of words in both,
 * divided by the number in either; 1 if both are empty. */
double similarity_overlap(struct str_list, struct str_list);

struct similarity_value {
	enum {
		SIMILARITY_NULL,
		SIMILARITY_BOOLEAN,
		SIMILARITY_NUMBER,
		SIMILARITY_TEXT
	} kind;
	double number;   /* of a boolean 0 or 1 */
	struct str text; /* as JavaScript's String() writes the value */
};

/* Returns the value that a text looks like: true, 12, or "abc".
 * similarity_value_read() returns a JSON value. */
struct similarity_value similarity_value_of(struct str, struct arena *);
struct similarity_value similarity_value_read(
    const struct json *, struct arena *);

/* Returns a similarity from 0 to 1. Numbers are similar within 5 % or 15 % of
 * `expected`, texts if they are equal or one contains the other. */
double similarity_of_values(
    struct similarity_value expected, struct similarity_value, struct arena *);
