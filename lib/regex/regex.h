/*
 * Regular expressions as four systems write them. Each flavour has a parser
 * of its own (lib/regex/) that accepts and refuses what the flavour does and
 * gives one syntax tree; the tree is run by PCRE2 where that gives the
 * flavour's answer, else by machines of ours.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "regex/tree/types.h"

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
struct str_list regex_literals(const struct regex *);

/* Whether a search takes no longer than the next: the first takes as long as
 * many, but of a pattern that is a plain text in either case. */
bool regex_is_ready(const struct regex *);

/* The number of the named group, or 0. */
size_t regex_group(const struct regex *, struct str name);
