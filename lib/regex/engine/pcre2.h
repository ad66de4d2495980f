/* PCRE2 and its just-in-time compiler, without which it is not used: our own
 * machines are no slower than its interpreter and keep better limits. */
#pragma once

#include "regex/tree/types.h"

enum {
	JIT_UTF = 1,      /* texts are valid UTF-8; else they are bytes */
	JIT_ANCHORED = 2, /* a match begins where the text does */
	JIT_UNSET = 4,    /* a reference to what is not captured is empty */
	JIT_PLAIN = 8,    /* without what speeds up the search for a start */
};

struct jit;

/* Compiles what emit_pcre2 wrote; jit_free frees it. NULL if PCRE2 does not
 * take it (too large, a lookbehind of variable length) or has no JIT here. */
struct jit *jit_new(struct str pattern, unsigned options);
void jit_free(struct jit *);

/* Sets spans[2 * i] and the next to where group i begins and ends, SIZE_MAX
 * if it took no part, unless spans is NULL. REGEX_LIMIT if it backtracks too
 * much or too deep. */
enum regex_found jit_search(const struct jit *, struct str text, size_t from,
    size_t *spans, size_t groups);
