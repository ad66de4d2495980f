/*
 * libmcpl-tools: logs of AI agents to traces, checks of traces, and reports on the
 * checked traces, within a program. See mcpl-tools(3).
 *
 * No function ends the program, prints, or changes signals or the locale, on which no
 * result depends. What is said about an input goes to the `message` of mcplt_options, in
 * the thread of the function, before the records of what follows. Different objects may be used
 * by different threads at the same time, also if they are made of the same mcplt or
 * mcplt_spec; an object by one thread at a time. An mcplt_spec that is complete may serve
 * many objects of type mcplt_check.
 *
 * Texts are UTF-8 with a length, and need no NUL at the end. A text that a function
 * returns lives until the next call with the same object, unless stated otherwise.
 * An object of NULL is MISUSE, and closing NULL does nothing.
 * Each struct of options begins with its size, so that a program that was compiled with an
 * older version of this page keeps working; zeroed members are the defaults.
 */
#ifndef MCPL_TOOLS_H
#define MCPL_TOOLS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MCPLT_API
#define MCPLT_API
#endif

/* The version of this page: ten thousand times the major number, and a hundred times the
 * minor number. mcplt_version returns that of the library. */
#define MCPLT_VERSION 200

struct mcplt_text {
	const char *s;
	size_t n;
};

enum mcplt_code {
	MCPLT_OK,
	MCPLT_STOPPED, /* the caller's function asked to stop */
	MCPLT_MISTAKE, /* the input has an error, which a message names */
	MCPLT_SYSTEM, /* no memory, or the system refuses, as a message says. The object
			* can only be closed from then on. */
	MCPLT_MISUSE /* an argument is not one that is allowed */
};

enum mcplt_level { MCPLT_ERROR, MCPLT_WARNING };

/* A message, as the commands print it: FILE:LINE:COLUMN: TEXT. */
struct mcplt_message {
	enum mcplt_level level;
	const char *file;    /* NULL: about no file */
	size_t line, column; /* from 1; 0: the file, the line as a whole */
	const char *text;
};

/* The status of a run or of a check: see mcpl-trace(5). */
enum mcplt_status {
	MCPLT_PASSED,
	MCPLT_FAILED,
	MCPLT_STATUS_ERROR,
	MCPLT_PENDING,
	MCPLT_SKIPPED,
	MCPLT_UNCHECKED
};

/* Returns the status as records have it: "passed". */
MCPLT_API const char *mcplt_status_name(enum mcplt_status);

MCPLT_API int mcplt_version(void);

/* ---- the library ---- */

typedef struct mcplt mcplt;

struct mcplt_options {
	size_t size;
	/* Takes each message; NULL: none is told. */
	void (*message)(void *arg, const struct mcplt_message *);
	void *arg;
};

/* Returns what all other objects are made of, which it must outlive; NULL without memory.
 * `options` may be NULL. */
MCPLT_API mcplt *mcplt_open(const struct mcplt_options *);
MCPLT_API void mcplt_close(mcplt *);

/* ---- logs to traces ---- */

/* Takes a record: a line of NDJSON without its newline, see mcpl-trace(5). Returns nonzero
 * to stop. */
typedef int mcplt_take(void *arg, struct mcplt_text record);

/* Stores the next bytes of a log, n at most, and returns their number: 0 at the end, -1
 * on failure. */
typedef ptrdiff_t mcplt_read(void *arg, char *to, size_t n);

struct mcplt_extract_options {
	size_t size;
	mcplt_take *take; /* takes the records with this argument */
	void *arg;
	const char *format; /* NULL: found by the first records */
	const char *to;     /* as mcpl-extract --to; NULL: traces */
	/* scenario_id and agent of the records; NULL: the log's */
	const char *scenario, *agent;
	size_t results;    /* bytes of each result to keep; 0: all */
	int no_results;    /* keep none */
	int no_system;     /* leave out the system prompt */
	int split;         /* a record for each prompt */
	int sidechains;    /* sub-agents: 0 nested, 1 separate, 2 dropped */
	size_t max_memory; /* bytes for the places of spans; 0: the default */
};

/* Reads a log. Its name stands in messages and records. Memory does not grow with the
 * log. */
MCPLT_API enum mcplt_code mcplt_extract(mcplt *,
    const struct mcplt_extract_options *, const char *name, mcplt_read *,
    void *arg);

/* Like mcplt_extract, for a log in memory. */
MCPLT_API enum mcplt_code mcplt_extract_text(mcplt *,
    const struct mcplt_extract_options *, const char *name, struct mcplt_text);

/* Like mcplt_extract, for n files and folders of logs. */
MCPLT_API enum mcplt_code mcplt_extract_files(mcplt *,
    const struct mcplt_extract_options *, const char *const *paths, size_t n);

/* Returns the name of format i, and sets *about to a line about the format; returns NULL
 * behind the last. */
MCPLT_API const char *mcplt_format_name(mcplt *, size_t i, const char **about);

/* ---- what is to be checked ---- */

typedef struct mcplt_spec mcplt_spec;

/* Returns a spec without checks; NULL without memory. */
MCPLT_API mcplt_spec *mcplt_spec_open(mcplt *);
MCPLT_API void mcplt_spec_close(mcplt_spec *);

/* Add an assertion file, the text of such a file, a rule. MISTAKE: messages name what was
 * not understood, and each record that is checked by the spec is a MISTAKE, too. A dialect
 * of NULL is found by the look of the file. */
MCPLT_API enum mcplt_code mcplt_spec_file(
    mcplt_spec *, const char *path, const char *dialect);
MCPLT_API enum mcplt_code mcplt_spec_text(
    mcplt_spec *, const char *name, struct mcplt_text, const char *dialect);
MCPLT_API enum mcplt_code mcplt_spec_rule(mcplt_spec *, struct mcplt_text);

/* Returns the name of dialect i; NULL behind the last. */
MCPLT_API const char *mcplt_dialect_name(size_t i);

/* ---- verdicts ---- */

typedef struct mcplt_check mcplt_check;

struct mcplt_check_options {
	size_t size;
	int slim; /* leave out the turns of runs in which nothing is pending */
	int append; /* add to earlier results */
};

/* The result of a check. Texts that a check has not are { NULL, 0 }. */
struct mcplt_result {
	enum mcplt_status status;
	struct mcplt_text type, label;
	struct mcplt_text reason; /* why the check did not pass */
	struct mcplt_text got; /* the run's own in place of what was wanted */
	struct mcplt_text at;  /* FILE:LINE where the check stands */
	struct mcplt_text severity;
	ptrdiff_t turn; /* from 0; -1: of the run */
};

/* Checks by a spec, to which nothing is added from then on and which must outlive the
 * check. `options` may be NULL. NULL without memory. */
MCPLT_API mcplt_check *mcplt_check_open(
    const mcplt_spec *, const struct mcplt_check_options *);
MCPLT_API void mcplt_check_close(mcplt_check *);

/* Checks a record, sets *status to the run's, and *checked (may be NULL) to the record
 * with the results, without a newline. */
MCPLT_API enum mcplt_code mcplt_check_record(mcplt_check *,
    struct mcplt_text record, enum mcplt_status *status,
    struct mcplt_text *checked);

/* Returns whether the checks of the spec would permit the agent of the record to make this
 * call now: PASSED, FAILED, PENDING if a person is to decide, or SKIPPED if the record
 * does not tell or no check of the spec judges the call. MISTAKE: the spec has a check
 * that cannot judge a single call, or the record lacks its turns. `args` is a JSON object.
 * What was broken before does not count. */
MCPLT_API enum mcplt_code mcplt_check_call(mcplt_check *,
    struct mcplt_text record, struct mcplt_text tool, struct mcplt_text args,
    enum mcplt_status *);

/* Returns the results of the last call: of mcplt_check_call those that are against the
 * call or undecided. */
MCPLT_API const struct mcplt_result *mcplt_check_results(
    mcplt_check *, size_t *n);

/* ---- reports ---- */

typedef struct mcplt_report mcplt_report;

struct mcplt_report_options {
	size_t size;
	const char *format; /* NULL: text */
	int details;
	double min_pass_rate; /* of the gate, to 1; 0: each run must pass */
};

/* `options` may be NULL. NULL without memory, or if an option is none of these. */
MCPLT_API mcplt_report *mcplt_report_open(
    mcplt *, const struct mcplt_report_options *);
MCPLT_API void mcplt_report_close(mcplt_report *);

/* Counts a record that was checked. */
MCPLT_API enum mcplt_code mcplt_report_add(
    mcplt_report *, struct mcplt_text record);

/* Ends the report: sets *text to the report, which lives until the report is closed, and
 * *gate (may be NULL) to what mcpl-report's exit status would be. MISTAKE: a record was
 * one. */
MCPLT_API enum mcplt_code mcplt_report_end(
    mcplt_report *, struct mcplt_text *text, int *gate);

/* Returns the name of format i of reports, and sets *about to a line about the format;
 * returns NULL behind the last. */
MCPLT_API const char *mcplt_report_format(size_t i, const char **about);

#ifdef __cplusplus
}
#endif
#endif
