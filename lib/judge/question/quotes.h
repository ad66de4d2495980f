/*
 * Looks up the quotations of a judge's answer in the data that the judge was
 * shown. White space, the case of ASCII letters and the form of quotation marks
 * do not matter; "..." stands for text that was left out. The functions are
 * pure.
 */
#pragma once

#include <stdbool.h>

#include "json/json.h"

/* Returns all texts of the data (JSON; absent: none) in the form in which texts
 * are compared, in the arena, with a blank for white space, or (unless `blanks`)
 * without white space and backslashes. */
struct str quotes_texts(struct arena *, struct str data, bool blanks);

/* Returns whether one of the texts, which have no blanks, has all members of the
 * object, in whatever order. */
bool quotes_repeat(struct arena *, struct str texts, const struct json *said);

/* The quotations of an answer; `arena` and `texts` are set before. */
struct quotes {
	struct arena *arena;
	struct str texts; /* from quotes_texts, with blanks */
	struct quote {
		struct str text;
		bool found; /* in the texts */
		enum {
			QUOTE_LISTED, /* in the answer's list */
			QUOTE_MARKED, /* only in quotation marks */
			QUOTE_REASON, /* the whole reason */
		} where;
	} * list;
	size_t n;
};

/* Adds the strings of the list `listed` (NULL: none), and the texts in quotation
 * marks of the reason that are not among them. If there are none and `wanted`,
 * adds the reason. */
void quotes_add(
    struct quotes *, const struct json *listed, struct str reason, bool wanted);

/* Returns the first quotation that is not in the texts; NULL if there is none.
 * Unless `all`, only those of the list count. A text in quotation marks may
 * instead be in the rubric (a JSON string), since reasons speak of rubrics. */
const struct quote *quotes_missing(
    const struct quotes *, bool all, struct str rubric);

/* Returns the quotations as JSON: [{"text","found"}]; absent if there are
 * none. */
struct str quotes_json(const struct quotes *);
