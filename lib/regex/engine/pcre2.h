/* PCRE2 and its just-in-time compiler, without which it is not used: our own
 * machines are no slower than its interpreter and keep better limits. */
#pragma once

#include "regex/tree/tree.h"
#include "regex/tree/types.h"

/* For PCRE2_UTF, or, with bytes, for texts taken as bytes, of which the
 * pattern must treat all beyond ASCII alike. Groups keep their numbers. */
struct str emit_pcre2(struct arena *, const struct pattern *, bool bytes);

enum {
	PCRE2_REGEX_UTF = 1, /* texts are valid UTF-8; else they are bytes */
	PCRE2_REGEX_ANCHORED = 2, /* a match begins where the text does */
	PCRE2_REGEX_UNSET =
	    4, /* a reference to what is not captured is empty */
	PCRE2_REGEX_PLAIN =
	    8, /* without what speeds up the search for a start */
};

struct pcre2_regex;

/* Compiles what emit_pcre2 wrote; pcre2_regex_free frees it. NULL if PCRE2 does not
 * take it (too large, a lookbehind of variable length) or has no JIT here. */
struct pcre2_regex *pcre2_regex_new(struct str pattern, unsigned options);
void pcre2_regex_free(struct pcre2_regex *);

/* Sets spans[2 * i] and the next to where group i begins and ends, SIZE_MAX
 * if it took no part, unless spans is NULL. REGEX_LIMIT if it backtracks too
 * much or too deep. */
enum regex_found pcre2_regex_search(const struct pcre2_regex *, struct str text,
    size_t from, size_t *spans, size_t groups);
