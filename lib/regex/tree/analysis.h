/* What a pattern's tree tells about which machine may run it. */
#pragma once

#include "regex/tree/tree.h"

struct analysis {
	/* It asks what groups captured, or compares that ignoring case. */
	bool backrefs, caseless_backrefs;
	/* Where groups and the match begin and end may differ between
	 * ECMAScript and PCRE2: a group within a repetition is reset at each
	 * turn, an optional turn that matches nothing is undone, a lookbehind
	 * is read from right to left. */
	bool own_captures;
	/* Whether it matches may hang on how many bytes a character beyond
	 * ASCII has (or where its groups do), or how many code units one
	 * beyond U+FFFF. */
	bool counts_bytes, counts_pairs;
	/* Some alternative can be empty, or something is looked ahead for:
	 * PCRE2 up to 10.42 goes wrong in its search for a start, as in
	 * (a|)b*a and (?=a)b?a. */
	bool misleads;
	/* Some lookbehind is more than a string of sets. */
	bool looks_far_behind;
	/* Some set holds units beyond ASCII, or surrogates that are units. */
	bool takes_wide, takes_pairs;
	/* Some repetition would rather be short. */
	bool lazy;
	/* Some repetition can go over much of a long text. */
	bool loops;
};

struct analysis analysis_of(const struct pattern *);
