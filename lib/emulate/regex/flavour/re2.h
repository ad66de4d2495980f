/* The parser of Go's patterns: re2.c (terms) uses re2_class.c (sets and escapes
 * of one character), and both use re2_cursor.c. */
#pragma once

#include "emulate/regex/flavour/parse.h"

enum {
	RE2_FOLD = REGEX_CASELESS,
	RE2_LINES = REGEX_MULTILINE,
	RE2_DOT_ALL = REGEX_DOTALL,
	RE2_LAZY = 1 << 8, /* (?U): swaps greedy and lazy */
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

/* Records the first error: Go's words for it, and the piece of the pattern from
 * `from` to `to`. Moves the cursor to the end. */
void re2_fail(struct re2 *, const char *why, size_t from, size_t to);
/* Like re2_fail, for an error at another place than the start of the piece. */
void re2_fail_at(
    struct re2 *, size_t at, const char *why, size_t from, size_t to);

/* Returns the byte `ahead` bytes behind the cursor; -1 at the end. */
int re2_peek(const struct re2 *, size_t ahead);
/* Skips the character at the cursor, and returns it. */
uint32_t re2_next(struct re2 *);

/* Returns the character that the escape at the cursor denotes. */
uint32_t re2_escape(struct re2 *);

/* Reads the set at the cursor: \d and the like, \pL and \p{Name}. Returns NULL
 * if there is none. */
const struct set *re2_shorthand(struct re2 *);
/* Parses the class whose '[' is at the cursor. */
const struct set *re2_class(struct re2 *);
/* Returns the set of one character and, if (?i) is on, of its case variants. */
const struct set *re2_character(struct re2 *, uint32_t);
const struct set *re2_dot(struct re2 *);
/* The set that \b depends on, and the set of line ends. */
const struct set *re2_word(struct re2 *);
const struct set *re2_newline(struct re2 *);
