/* Go's patterns: what the parser's files share. */
#pragma once

#include "regex/flavour/parse.h"

enum {
	RE2_FOLD = REGEX_CASELESS,
	RE2_LINES = REGEX_MULTILINE,
	RE2_DOT_ALL = REGEX_DOTALL,
	RE2_LAZY =
	    1 << 8, /* (?U): what is greedy and what is not change places */
};

struct re2 {
	struct arena *arena;
	struct str pattern;
	size_t at;
	unsigned flags;
	int depth;
	struct pattern *made;
	struct regex_error *error;
	bool failed;
};

/* The first mistake is kept: Go's words for it, and the piece of the pattern
 * that they are about. The cursor goes to the end. */
void re2_fail(struct re2 *, const char *why, size_t from, size_t to);

/* The byte at the cursor (or further on); -1 at the end. */
int re2_peek(const struct re2 *, size_t ahead);
/* Steps over the character at the cursor, and returns it. */
uint32_t re2_next(struct re2 *);

/* The character that the escape at the cursor stands for. */
uint32_t re2_escape(struct re2 *);

/* The set at the cursor: \d and the like, \pL and \p{Name}; NULL if none
 * stands there. */
const struct set *re2_shorthand(struct re2 *);
/* The class whose '[' is at the cursor. */
const struct set *re2_class(struct re2 *);
/* Done with adding: closes the set over case where (?i) holds, then turns it
 * into what it lacks if asked to. */
const struct set *re2_complete(struct re2 *, struct set *, bool invert);
/* One character, with its equals under (?i). */
const struct set *re2_character(struct re2 *, uint32_t);
const struct set *re2_dot(struct re2 *);
/* What \b goes by, and what ends a line. */
const struct set *re2_word(struct re2 *);
const struct set *re2_newline(struct re2 *);
