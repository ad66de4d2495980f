/* MEMBER=VALUE: which records are meant, and whether any is. */
#ifndef WHERE_H
#define WHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

struct where {
	const char *member; /* a path of names: "usage.llm_calls" */
	struct str value;
};

/* All of them must hold. Zeroed there is none, and every record is meant. */
struct where_list {
	struct where *list;
	size_t n;
};

/* What was seen. Zeroed is nothing. */
struct where_count {
	size_t meant, others; /* records */
	uint64_t found;       /* bit i: another one has the i-th member */
};

/* Reads a condition more; false if it has no '=' or no member. */
bool where_add(struct where_list *, struct arena *, const char *text);

/* Whether the record has these members with these values: a string by its text,
 * a number by its value, anything else by its source. Counts it. */
bool where_holds(
    const struct where_list *, const struct json *record, struct where_count *);

void where_add_count(struct where_count *to, const struct where_count *from);

/* Warns if there were records, and none was meant. */
void where_tell(
    const struct where_list *, const struct where_count *, struct arena *);

#endif
