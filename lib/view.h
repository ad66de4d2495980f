/*
 * What a check looks at: a run, or within it the arguments of one call. What
 * is asked for is decoded then, and once.
 */
#ifndef VIEW_H
#define VIEW_H

#include "trace.h"

/* Evidence: what a view has, and what of it the log cut short. */
enum {
	VIEW_TEXT = 1, /* the text: of a run, the answer */
	VIEW_CALLS = 2,
	VIEW_WORKSPACE = 4,
};

/* What the user lets checks do and tells them of, whatever the run. */
struct view_leave {
	const char *workspace; /* where runs left their folders, with {id},
				* {scenario_id} and {run_index}; NULL: where the
				* records say */
	bool commands;         /* assertion files may run them */
	double seconds;        /* ... for so long */
};

/* How letters are made alike before they are compared. */
enum view_fold {
	VIEW_AS_WRITTEN,
	VIEW_LOWER_JS, /* JavaScript's toLowerCase */
};

/* Zeroed is new. Reused from record to record it keeps its memory. */
struct view {
	const struct trace *trace;
	struct arena *arena; /* the record's */
	unsigned have, cut;
	struct view_leave leave; /* kept from run to run */
	const char *workspace;   /* the folder that the run left; or NULL */

	/* private: what was asked for so far */
	struct str text, lower;
	const struct json *value;
	bool value_known;
	struct trace_calls calls;
	struct view *arguments; /* of each call */
	struct json_reader reader;
};

/* Looks at the whole run from now on. */
void view_run(struct view *, const struct trace *, struct arena *);

/* The text, with letters folded. Of a run it is the answer, of a call its
 * arguments as JSON.stringify writes them. */
struct str view_text(struct view *, enum view_fold);

/* The same folding for what an author wrote. */
struct str view_fold(struct arena *, struct str, enum view_fold);

/* The text as a JSON value; NULL if it is none. */
const struct json *view_json(struct view *);

struct trace_calls view_calls(struct view *);

/* A view of a text that is no run's: a file's, say. */
struct view *view_of_text(struct view *, struct str text);

/* A view of one call's arguments. It has no text if they were not recorded. */
struct view *view_arguments(struct view *, size_t call);

/* The member that the evidence (one bit) comes from. */
const char *view_evidence(unsigned bit);

/* Frees what zeroed memory came to hold. */
void view_free(struct view *);

#endif
