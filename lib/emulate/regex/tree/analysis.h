/* Properties of a pattern's tree that decide which engine may run the
 * pattern. */
#pragma once

#include "emulate/regex/tree/tree.h"

struct analysis {
	/* The pattern asks what groups captured, or compares a capture ignoring
	 * case. */
	bool backrefs, caseless_backrefs;
	/* ECMAScript and PCRE2 may disagree on where groups and the match begin
	 * and end: ECMAScript resets a group within a repetition at each
	 * iteration, undoes an optional iteration that matches nothing, and
	 * reads a lookbehind from right to left. */
	bool own_captures;
	/* The verdict may depend on the number of bytes of a character beyond
	 * ASCII (or the positions of groups may), or on the number of code
	 * units of a character beyond U+FFFF. */
	bool counts_bytes, counts_pairs;
	/* Some alternative can be empty, or the pattern has a lookahead: PCRE2
	 * up to 10.42 makes mistakes in its search for a start, as in (a|)b*a
	 * and (?=a)b?a. */
	bool misleads;
	/* Some lookbehind is more than a sequence of sets. */
	bool looks_far_behind;
	/* Some set holds units beyond ASCII, or surrogates that are units. */
	bool takes_wide, takes_pairs;
	/* Some repetition is lazy. */
	bool lazy;
	/* Some repetition can run over a large part of a long text. */
	bool loops;
};

struct analysis analysis_of(const struct pattern *);
