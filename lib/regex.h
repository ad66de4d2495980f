/*
 * Regular expressions as four systems write them. Each flavour has a parser
 * of its own (lib/regex/) that accepts and refuses what the flavour does and
 * gives one syntax tree; the tree is run by PCRE2 where that gives the
 * flavour's answer, else by machines of ours.
 */
#ifndef REGEX_H
#define REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "hash.h"
#include "str.h"

enum regex_flavour {
	REGEX_JS,     /* ECMAScript without flags u and v, Annex B included */
	REGEX_RE2,    /* Go's regexp */
	REGEX_PYTHON, /* Python's re, str patterns */
	REGEX_FLAVOURS,
};

enum {
	REGEX_CASELESS = 1,
	REGEX_MULTILINE = 2,
	REGEX_DOTALL = 4,
	REGEX_STICKY = 8, /* JavaScript's y: match at the start only */
};

struct regex_error {
	size_t offset;  /* in bytes from the start of the pattern */
	struct str why; /* the flavour's reason, in lower case */
};

enum regex_found {
	REGEX_NO,
	REGEX_YES,
	REGEX_LIMIT, /* no verdict within the step budget */
};

/* Where groups matched: groups[0] is the whole match. s is NULL for a group
 * that took no part. Slices of the text searched; but where JavaScript matches
 * half of a character beyond U+FFFF, a copy that has U+FFFD for the half. */
struct regex_match {
	struct str *groups;
	size_t n;
	/* The whole match, in bytes of the text; two bytes into a character of
	 * four is between its halves. */
	size_t from, to;
};

struct regex;

/* Compiles a pattern for as long as the arena lives (what searching made of it
 * is released with regex_free). NULL if the flavour refuses it, and *error says
 * why; its text lives in the arena. */
struct regex *regex_compile(struct arena *, enum regex_flavour,
    struct str pattern, unsigned flags, struct regex_error *error);
void regex_free(struct regex *);

/* From now on the regex shares what searching makes of it with those before it
 * in the table that are the same: flavour, pattern and flags. Each is freed as
 * ever; all live as long as the table. To be called before it is searched
 * with. */
void regex_share(struct regex *, struct hash_table *);

/*
 * Searches the whole text, which is valid UTF-8. With match NULL only the
 * verdict is sought, which is faster, and the arena may be NULL; else *match
 * is filled, in the arena. Time is bounded: REGEX_LIMIT comes of patterns that
 * refer back to groups or are huge, and of asking for groups. Several threads
 * may search with one regex.
 */
enum regex_found regex_search(const struct regex *, struct str text,
    struct regex_match *match, struct arena *);

/* The same from byte `from` on, where a character begins (in JavaScript also
 * its second half, as in a match's `to`): what lies before it is seen by what
 * looks behind, and is no part of a match. */
enum regex_found regex_search_from(const struct regex *, struct str text,
    size_t from, struct regex_match *match, struct arena *);

/*
 * Texts in lower case of which each text that matches holds at least one, once
 * it is in lower case too (unicode_lower_js or unicode_lower_go); none if
 * nothing is known. For who has many patterns and one text.
 */
struct str_list regex_factors(const struct regex *);

/* Whether a search takes no longer than the next: the first takes as long as
 * many, but of a pattern that is a plain text in either case. */
bool regex_is_ready(const struct regex *);

/* The number of the named group, or 0. */
size_t regex_group(const struct regex *, struct str name);

#endif
