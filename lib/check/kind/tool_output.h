/* Kind output: whether what a call of a tool gave is as its author expects. */
#pragma once

#include "check/check.h"
#include "check/kind/field_path.h"
#include "regex/regex.h"

enum output_how {
	OUTPUT_EXACT,    /* equal; text: has it in it */
	OUTPUT_CONTAINS, /* a text or list that has it in it */
	OUTPUT_REGEX,
	OUTPUT_PARTIAL, /* an object or list that has all of it in it */
	OUTPUT_EQUALS,
};

struct output_want {
	struct str tool;
	int64_t call; /* which of the tool's calls; negative: from the end */
	struct field field;
	enum output_how how;
	const struct json *expected;
	struct regex *regex; /* NULL: what is expected is no pattern */
	bool caseless;
};

/* Takes the regex over; what is expected must live as long as the check. What
 * was found is `why`. */
struct check output_check(struct arena *, const struct output_want *);

/* "exact" and so on; NULL after the last. */
const char *output_how_name(enum output_how);
