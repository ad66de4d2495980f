/* How alike two answers, or two extracted values, are, as MCPLab measures it
 * for its snapshots (mcplab's own rules: packages/cli/src/snapshot.ts). */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "json/json.h"

/* The words of more than two characters, each once, in order; folded to lower
 * case and to what MCPLab keeps of a text. */
struct str_list similarity_words(struct arena *, struct str);

/* Two sets in order: how many both have, of how many one of them has (the
 * index of Jaccard); 1 if both are empty. */
double similarity_overlap(struct str_list, struct str_list);

struct similarity_value {
	enum {
		SIMILARITY_NULL,
		SIMILARITY_BOOLEAN,
		SIMILARITY_NUMBER,
		SIMILARITY_TEXT
	} kind;
	double number;   /* of a boolean 0 or 1 */
	struct str text; /* as JavaScript's String() has it */
};

/* What a text stands for: true, 12 and "abc" are what they look like. */
struct similarity_value similarity_value_of(struct str, struct arena *);
struct similarity_value similarity_value_read(
    const struct json *, struct arena *);

/* From 0 to 1: numbers within 5 % or 15 % of what was expected, texts that are
 * equal or within each other. */
double similarity_of_values(
    struct similarity_value expected, struct similarity_value, struct arena *);
