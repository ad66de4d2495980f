/* Conditions MEMBER=VALUE that select records, and a count of the records that
 * they select. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

struct trace_filter {
	const char *member; /* a path of names: "usage.llm_calls" */
	struct str value;
};

/* All conditions must hold. A zeroed list has none, and selects every
 * record. */
struct trace_filter_list {
	struct trace_filter *list;
	size_t n;
};

/* The records seen so far; zeroed at the start. */
struct trace_filter_count {
	size_t meant, others; /* records that were selected, and not */
	uint64_t found;       /* bit i, of the first 64 conditions: a record
			       * that was not selected has the member */
};

/* Adds a condition; returns false if the text has no '=' or no member. */
bool trace_filter_add(
    struct trace_filter_list *, struct arena *, const char *text);

/* Returns whether the record has these members with these values, and counts
 * the record. A string is compared by its text, a number by its value, any
 * other value by its source. */
bool trace_filter_holds(const struct trace_filter_list *,
    const struct json *record, struct trace_filter_count *);

void trace_filter_add_count(
    struct trace_filter_count *to, const struct trace_filter_count *from);

/* Warns, or with `error` reports an error, if there were records, but none was
 * selected. */
void trace_filter_warn(const struct trace_filter_list *,
    const struct trace_filter_count *, bool error, struct arena *);
