/* The result of one check: an element of a record's check_results. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trace/trace.h"
#include "json/json.h"

/* The severity of a check that is not passed: a result has it in its member
 * `severity`. */
enum severity {
	SEVERITY_ERROR, /* the default */
	SEVERITY_WARNING,
	SEVERITY_NOTE,
	SEVERITY_COUNT,
};

const char *severity_name(enum severity); /* "error" */
bool severity_of(struct str name, enum severity *);

struct result_check {
	enum status status;
	enum severity severity;
	struct str type, label, dialect, at, reason; /* s is NULL: absent */
	struct str got;      /* what was there in place of what was wanted */
	struct str scenario; /* of the assertion; else the run's */
	uint64_t names;      /* result_check_names(); 0: not computed yet */
	/* set by result_read_details(): how many checks of the same names came before in
	 * the run, and the hash of the assertion, which is the same in all runs */
	size_t ordinal;
	uint64_t hash;
	int64_t applied;          /* how many events it judged; -1: absent */
	const struct json *judge; /* the judge's question and answer, or NULL */
	const struct json *metadata; /* further members, by type, or NULL */
	bool of_run;      /* about the run itself, not of an assertion */
	bool by_author;   /* skipped by a condition in the assertion itself */
	bool general;     /* the assertion is of no scenario */
	bool expectation; /* its author wrote it as an expectation */
	/* of lines of agents' own permissions, which tally/permissions.h counts:
	 * only lines that applied have a result */
	bool permission;
};

/* Reads a check; its texts live in the arena or in the record. Returns false
 * and sets *why if its status or its severity is unknown. */
bool result_check_read(struct result_check *, const struct json *,
    struct arena *, struct str *why);

/* Like result_check_read(), but reads only a status, which a run has as
 * well. */
bool result_check_status(
    const struct json *, enum status *, struct arena *, struct str *why);

/* Returns the label without the words by which result_check_read() marks the
 * label of an expectation. */
struct str result_check_bare_label(struct str label, bool expectation);

enum {
	RESULT_CHECK_KEY_TEXTS = 5,
	RESULT_CHECK_TEXT_MAX = 2048, /* bytes of each text of the key */
};

/* Returns the key of a check's assertion, the same in all runs: scenario, dialect, type,
 * label and ordinal. */
struct str result_check_key(const struct result_check *, struct arena *);

/* Returns the hash of an assertion, of that of its names (dialect, type and label; not
 * 0) and of that of its scenario. */
uint64_t result_check_names(const struct result_check *, struct arena *);
uint64_t result_check_scenario(struct str scenario, struct arena *);
uint64_t result_check_hash(uint64_t names, uint64_t scenario, size_t ordinal);
