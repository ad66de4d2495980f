/* Kinds that look at the answer as a value. It is text; a record that was not
 * made from a log may have another there. */
#pragma once

#include "check/check.h"

/* Kind instance: whether it is of the Python type: int, float, bool, list,
 * dict; any other name is str. Of what was found `why` is how it begins. */
struct check instance_check(struct arena *, struct str type);

struct equals_want {
	const struct json *expected; /* NULL: nothing is, and any will do */
	bool within;                 /* text may also have it in it */
	bool caseless;               /* whatever the case of text */
};

/* Kind equals: whether it is equal in Python's eyes. `why` as above. What is
 * expected must live as long as the check. */
struct check equals_check(struct arena *, const struct equals_want *);
