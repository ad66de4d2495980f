/* What parsers and engines of regular expressions share with those who search:
 * flavours, flags, errors, verdicts and matches. */
#pragma once

#include <stddef.h>

#include "base/str.h"

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
