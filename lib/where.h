/* MEMBER=VALUE: which records are meant. */
#ifndef WHERE_H
#define WHERE_H

#include <stdbool.h>

#include "json.h"

struct where {
	const char *member; /* a path of names: "usage.llm_calls" */
	struct str value;
};

/* Reads the condition; false if it has no '=' or no member. */
bool where_read(struct where *, struct arena *, const char *text);

/* Whether the record has that member with that value: a string by its text, a
 * number by its value, anything else by its source. */
bool where_holds(const struct where *, const struct json *record);

#endif
