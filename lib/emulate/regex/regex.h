/*
 * Regular expressions in the syntax and semantics of JavaScript, Go and Python.
 * Each flavour has a parser of its own (regex/flavour/), which accepts exactly
 * the patterns that the flavour accepts and returns a syntax tree that all
 * flavours share. PCRE2 runs the tree where PCRE2 gives the flavour's answer;
 * otherwise the engines of regex/engine/ do.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "emulate/regex/tree/types.h"

struct regex;

/* Compiles a pattern. The regex lives as long as the arena; regex_free releases
 * what searches have computed for it. Returns NULL if the flavour refuses the
 * pattern; then *error has the reason, whose text lives in the arena. */
struct regex *regex_compile(struct arena *, enum regex_flavour,
    struct str pattern, unsigned flags, struct regex_error *error);
void regex_free(struct regex *);

/* Returns the text that says to an author why a pattern does not compile: the
 * reason, its offset, and the name of a construct that the flavour lacks. */
struct str regex_error_text(struct arena *, const struct regex_error *);

/* Lets the regex share what searches compute with an earlier regex of the table
 * that has the same flavour, pattern and flags. Each regex is still freed by
 * regex_free; all of them must live as long as the table. Call regex_share
 * before the first search; frees what the regex computed before. */
void regex_share(struct regex *, struct hash_table *);

/*
 * Searches the whole text, which must be valid UTF-8. With match NULL only the
 * verdict is computed, which is faster, and the arena may be NULL; otherwise
 * *match is filled, in the arena. The time is bounded: REGEX_LIMIT is returned
 * only for patterns that have backreferences, are huge or have many lookarounds,
 * and for queries that ask for groups or do not begin at the start of the text.
 * Several threads may search with one regex.
 */
enum regex_found regex_search(const struct regex *, struct str text,
    struct regex_match *match, struct arena *);

/* Like regex_search, but begins at byte `from`, where a character begins (in
 * JavaScript also the second half of a character, as in a match's `to`).
 * Lookbehinds see the text before `from`, but no match contains text before
 * `from`. */
enum regex_found regex_search_from(const struct regex *, struct str text,
    size_t from, struct regex_match *match, struct arena *);

/* Returns whether surely no text matches that is made of the strings and scalars of this
 * JSON. Takes less time than a search. */
bool regex_misses_json(const struct regex *, struct str json);

/*
 * Returns texts in lower case; each text that matches the regex contains at
 * least one of them once that text is in lower case too (by unicode_lower_js or
 * unicode_lower_go). The list is empty if nothing is known. A caller that has
 * many patterns and one text can skip most searches.
 */
struct str_list regex_literals(const struct regex *);

/* Returns the number of the group of this name, or 0. */
size_t regex_group(const struct regex *, struct str name);
