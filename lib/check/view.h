/*
 * What a check looks at: a run, one of its turns, or the arguments of one
 * call. What is asked for is decoded then, and once.
 */
#pragma once

#include "regex/regex.h"
#include "text/ngrams.h"
#include "trace/trace.h"

/* Evidence: what a view has, and what of it the log cut short. */
enum {
	VIEW_TEXT = 1, /* the text: of a run, the answer */
	VIEW_CALLS = 2,
	VIEW_WORKSPACE = 4,
	VIEW_STATE = 8,       /* the workflow's state */
	VIEW_WORKFLOW = 16,   /* the transitions, and whether it is complete */
	VIEW_GUARDRAILS = 32, /* those that ran in a turn */
};

/* What the user lets checks do and tells them of, whatever the run. */
struct view_leave {
	const char *workspace; /* where runs left their folders, with {id},
				* {scenario_id} and {run_index}, and no other
				* names in braces; NULL: where the records say
				*/
	bool commands;         /* assertion files may run them */
	bool sandbox;          /* ... where they can do little */
	double seconds;        /* ... for so long */
};

/* Whether all that such a folder's name has in braces is one of those. */
bool view_can_fill_in(struct str folder);

/* How letters are made alike before they are compared. */
enum view_fold {
	VIEW_AS_WRITTEN,
	VIEW_LOWER_JS, /* JavaScript's toLowerCase */
	VIEW_LOWER_GO, /* Go's strings.ToLower */
};

/* A text in which one thing after the other is sought. */
struct view_searched {
	struct str text;
	size_t searches; /* so far */
	bool known;      /* its pieces are */
	struct ngrams pieces;
};

/* What a kind of check made of a view, for the next check of that kind. */
enum view_memo {
	VIEW_PLAIN,    /* kind plain */
	VIEW_MESSAGES, /* kind messages */
	VIEW_ANSWERS,  /* kind answer */
	VIEW_RESULTS,  /* kind output */
	VIEW_PATH,     /* kind efficiency */
	VIEW_NAMED,    /* kind call */
	VIEW_EMBEDDED, /* JSON in the text */
	VIEW_QUOTED,   /* the text as JSON */
	VIEW_MEMOS,
};

/* Zeroed is new. Reused from record to record it keeps its memory. */
struct view {
	const struct trace *trace;
	struct arena *arena; /* the record's */
	unsigned have, cut;
	bool unmarked;           /* as of trace_cut_unmarked */
	struct view_leave leave; /* kept from run to run */
	const char *workspace;   /* the folder that the run left, which is
				  * there if VIEW_WORKSPACE is; or NULL */
	const struct json *turn; /* NULL: no turn's view */
	size_t turn_index;       /* the turn's place in the run */
	void *memo[VIEW_MEMOS];  /* each its kind's, in the arena; or NULL */

	/* private: what was asked for so far */
	struct str text, lower;
	enum view_fold lowered;             /* how lower was folded */
	struct view_searched plain, folded; /* literals in these */
	size_t patterns;                    /* that were sought, */
	size_t caseless; /* and literals before the text was folded */
	const struct json *value;
	bool value_known;
	struct trace_calls calls;
	bool calls_known;
	struct view *turns;       /* those that were looked at, by turn_index */
	struct view_index *index; /* of the turns; NULL: not made yet */
	struct view *arguments;   /* of each call */
	struct json_reader reader;
};

/* Looks at the whole run from now on. */
void view_run(struct view *, const struct trace *, struct arena *);

/* Which part of the run a check is about. What the agent says before the user
 * says anything is a turn of its own, and none of the user's. */
struct scope {
	enum { SCOPE_RUN, SCOPE_OPENING, SCOPE_TURN, SCOPE_LAST } part;
	size_t turn;       /* of SCOPE_TURN: the user's n-th, from 0 */
	struct str prompt; /* squeezed. Unless absent: rather the turn in which
			    * the user said this, if there is one */
};

/* The run's view for SCOPE_RUN; else a view of the turn, or NULL if the run
 * has no such turn. The last turn of a run whose turns were not kept is the
 * run. Turns that the user took back do not count. */
struct view *view_part(struct view *run, const struct scope *);

/* The text, with letters folded. Of a run it is the answer, of a turn its last
 * message of the assistant, of a call its arguments as JSON.stringify writes
 * them. */
struct str view_text(struct view *, enum view_fold);

/* Whether a literal is in that text; none is in an answer that is no text.
 * However many are asked for, most of those that are not take no search of it.
 */
bool view_contains(struct view *, enum view_fold, struct str literal);

/* regex_search in the text as it is written; nothing matches in an answer that
 * is no text. However many are asked for, most of those that do not match take
 * no search of it. */
enum regex_found view_search(
    struct view *, const struct regex *, struct regex_match *);

/* The same folding for what an author wrote. */
struct str view_fold(struct arena *, struct str, enum view_fold);

/* A log that cuts a text short says so with three dots, which are not its and
 * may stand behind half a character: takes them off. False: no dots. */
bool view_uncut(struct str *text);

/* The text as a JSON value; NULL if it is none. */
const struct json *view_json(struct view *);

struct trace_calls view_calls(struct view *);

/* The messages of the assistant, in order, without the dots of those that the
 * log cut short. */
struct view_messages {
	struct str *list;
	const bool *cut; /* of each, whether it is */
	size_t n;
};

struct view_messages view_messages(struct view *);

/* A view of a text that is no run's: a file's, say. */
struct view *view_of_text(struct view *, struct str text);

/* A view of one call's arguments. It has no text if they were not recorded. */
struct view *view_arguments(struct view *, size_t call);

/* The member that the evidence (one bit) comes from. */
const char *view_evidence(unsigned bit);

/* Frees what zeroed memory came to hold. */
void view_free(struct view *);
