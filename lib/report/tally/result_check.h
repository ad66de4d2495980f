/* What a record tells of one check: an element of its check_results. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "trace/trace.h"
#include "json/json.h"

/* How much it matters that a check is not passed. No dialect has a word for it;
 * a result says it in its member `severity`. */
enum severity {
	SEVERITY_ERROR, /* where nothing is said */
	SEVERITY_WARNING,
	SEVERITY_NOTE,
	SEVERITY_COUNT,
};

const char *severity_name(enum severity); /* "error" */
bool severity_of(struct str name, enum severity *);

struct result_check {
	enum status status;
	enum severity severity;
	struct str type, label, dialect, at, reason; /* s is NULL: not told */
	struct str scenario;         /* whose assertion it is; else the run's */
	struct str key;              /* of its assertion, if it is the first of
	                              * its name in its run; see below. s is
	                              * NULL: not made yet */
	const struct json *judge;    /* what it was asked and said, or NULL */
	const struct json *metadata; /* more, by type, or NULL */
	bool of_run; /* what is told of the run itself, by no assertion */
};

/* Reads one; its texts live in the arena or in the record. False, and *why says
 * so, if its status or its severity is none that there is. */
bool result_check_read(struct result_check *, const struct json *,
    struct arena *, struct str *why);

/* The same of a status alone, which a run has, too. */
bool result_check_status(
    const struct json *, enum status *, struct arena *, struct str *why);

enum {
	RESULT_CHECK_KEY_TEXTS = 5,
	RESULT_CHECK_TEXT_MAX = 2048, /* bytes of each of its texts */
};

/*
 * The key of a check's assertion in all runs: of its scenario, dialect, type,
 * label, and how many of these came before it in its run.
 */
struct str result_check_key(
    const struct result_check *, size_t ordinal, struct arena *);
