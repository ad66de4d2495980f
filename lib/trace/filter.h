/* MEMBER=VALUE: which records are meant, and whether any is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

struct trace_filter {
	const char *member; /* a path of names: "usage.llm_calls" */
	struct str value;
};

/* All of them must hold. Zeroed there is none, and every record is meant. */
struct trace_filter_list {
	struct trace_filter *list;
	size_t n;
};

/* What was seen. Zeroed is nothing. */
struct trace_filter_count {
	size_t meant, others; /* records */
	uint64_t found;       /* bit i: another one has the i-th member */
};

/* Reads a condition more; false if it has no '=' or no member. */
bool trace_filter_add(
    struct trace_filter_list *, struct arena *, const char *text);

/* Whether the record has these members with these values: a string by its text,
 * a number by its value, anything else by its source. Counts it. */
bool trace_filter_holds(const struct trace_filter_list *,
    const struct json *record, struct trace_filter_count *);

void trace_filter_add_count(
    struct trace_filter_count *to, const struct trace_filter_count *from);

/* Warns if there were records, and none was meant. */
void trace_filter_warn(const struct trace_filter_list *,
    const struct trace_filter_count *, struct arena *);
