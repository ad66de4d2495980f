/* The types that parsers and engines share with callers of regex/regex.h:
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
	/* the construct at the offset that the flavour lacks: "lookahead",
	 * "lookbehind"; or NULL */
	const char *unsupported;
};

enum regex_found {
	REGEX_NO,
	REGEX_YES,
	REGEX_LIMIT, /* no verdict within the step budget */
};

/* The positions of the groups: groups[0] is the whole match; s is NULL for a
 * group that took no part. The groups are slices of the text that was searched,
 * except where JavaScript matches half of a character beyond U+FFFF: then the
 * group is a copy with U+FFFD in place of the half. */
struct regex_match {
	struct str *groups;
	size_t n;
	/* The whole match, in bytes of the text; two bytes into a character of
	 * four bytes is the position between its halves. */
	size_t from, to;
};
