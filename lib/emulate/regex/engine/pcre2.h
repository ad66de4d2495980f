/* PCRE2 with its just-in-time compiler. PCRE2 is not used without it: our other
 * engines are no slower than its interpreter and have better limits. */
#pragma once

#include "emulate/regex/tree/tree.h"
#include "emulate/regex/tree/types.h"

/* Writes a tree as a pattern for PCRE2: for PCRE2_UTF, or, with `bytes`, for
 * texts taken as bytes; then the pattern must treat all bytes beyond ASCII
 * alike. Groups keep their numbers. */
struct str emit_pcre2(struct arena *, const struct pattern *, bool bytes);

enum {
	PCRE2_REGEX_UTF = 1, /* texts are valid UTF-8; else they are bytes */
	PCRE2_REGEX_ANCHORED = 2, /* a match begins where the text does */
	PCRE2_REGEX_UNSET = 4,    /* a reference to an unset group is empty */
	PCRE2_REGEX_PLAIN = 8, /* no optimization of the search for a start */
};

struct pcre2_regex;

/* Compiles the result of emit_pcre2; pcre2_regex_free frees the regex. Returns
 * NULL if PCRE2 refuses the pattern (too large, a lookbehind of variable
 * length) or has no JIT here. */
struct pcre2_regex *pcre2_regex_new(struct str pattern, unsigned options);
void pcre2_regex_free(struct pcre2_regex *);

/* Searches the text from byte `from` on. Unless spans is NULL, sets spans[2 *
 * i] and spans[2 * i + 1] to the start and end of group i, or to SIZE_MAX if
 * the group took no part. Returns REGEX_LIMIT if PCRE2 backtracks too often or
 * too deep. */
enum regex_found pcre2_regex_search(const struct pcre2_regex *, struct str text,
    size_t from, size_t *spans, size_t groups);
