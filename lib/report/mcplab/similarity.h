/* How alike two answers, or two extracted values, are, as MCPLab measures it
 * for its snapshots (mcplab's own rules: packages/cli/src/snapshot.ts). */
#ifndef LIKENESS_H
#define LIKENESS_H

#include "base/arena.h"
#include "base/str.h"
#include "json/json.h"

/* The words of more than two characters, each once, in order; folded to lower
 * case and to what MCPLab keeps of a text. */
struct str_list likeness_words(struct arena *, struct str);

/* Two sets in order: how many both have, of how many one of them has (the
 * index of Jaccard); 1 if both are empty. */
double likeness_overlap(struct str_list, struct str_list);

struct likeness_value {
	enum {
		LIKENESS_NULL,
		LIKENESS_BOOLEAN,
		LIKENESS_NUMBER,
		LIKENESS_TEXT
	} kind;
	double number;   /* of a boolean 0 or 1 */
	struct str text; /* as JavaScript's String() has it */
};

/* What a text stands for: true, 12 and "abc" are what they look like. */
struct likeness_value likeness_value_of(struct str, struct arena *);
struct likeness_value likeness_value_read(const struct json *, struct arena *);

/* From 0 to 1: numbers within 5 % or 15 % of what was expected, texts that are
 * equal or within each other. */
double likeness_of_values(
    struct likeness_value expected, struct likeness_value, struct arena *);

#endif
