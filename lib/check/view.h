/*
 * A view is what a check looks at: a run, one of its turns, or the arguments of
 * one call. It decodes a text or list when a check first asks for it, and only
 * once.
 */
#pragma once

#include "base/hash.h"
#include "check/guard.h"
#include "check/program/program.h"
#include "emulate/regex/regex.h"
#include "redact/redact.h"
#include "text/ngrams.h"
#include "trace/trace.h"

/* Evidence: what a view has, and what of it the log cut short. */
enum {
	VIEW_TEXT = 1, /* the text: of a run, the answer */
	VIEW_CALLS = 2,
	VIEW_WORKSPACE = 4,   /* the folder that the run left behind */
	VIEW_STATE = 8,       /* the workflow's state */
	VIEW_WORKFLOW = 16,   /* the transitions, and whether it is complete */
	VIEW_GUARDRAILS = 32, /* those that ran in a turn */
};

/* The user's settings for all runs. */
struct view_options {
	const char *workspace; /* where runs left their folders; {id},
				* {scenario_id} and {run_index}, and no other
				* names in braces, are filled in; NULL: the
				* folder that the record names */
	bool commands;         /* assertion files may run commands, */
	bool sandbox;          /* which then run in a sandbox, */
	char **environment;    /* with these variables, as programs always do */
	double seconds;        /* for at most this time */
	/* Programs of assertion files, one thread's; NULL: they may not run. */
	struct programs *programs;
	size_t most; /* bytes of a file; 0: IN_MAX_LINE */
};

/* Returns whether all names in braces in the path of a folder are known. */
bool view_template_is_valid(struct str folder);

/* Ways to make letters alike before texts are compared. */
enum view_fold {
	VIEW_AS_WRITTEN,
	VIEW_LOWER_JS, /* JavaScript's toLowerCase */
	VIEW_LOWER_GO, /* Go's strings.ToLower */
};

/* A text in which checks search, one after another. */
struct view_searched {
	struct str text;
	size_t searches; /* so far */
	bool known;      /* `pieces` is set */
	struct ngrams pieces;
};

/* Slots in which a kind of check keeps data of a view for the next check of
 * that kind. */
enum view_memo {
	VIEW_WITHOUT_ESCAPES, /* kind plain */
	VIEW_MESSAGES,        /* kind messages */
	VIEW_ANSWERS,         /* kind answer */
	VIEW_RESULTS,         /* kind output */
	VIEW_PATH,            /* kind efficiency */
	VIEW_NAMED,           /* kind call */
	VIEW_EMBEDDED,        /* JSON in the text */
	VIEW_QUOTED,          /* the text as JSON */
	VIEW_RULES,           /* kind rule: the passes over the calls */
	VIEW_PERMISSIONS,     /* kind permission: the sets' decisions */
	VIEW_MEMOS,
};

/* Values that checks keep from run to run; freed with the view. */
struct view_lasting {
	struct arena arena;
	void *of_rules;       /* kind rule: names of tools */
	void *of_permissions; /* kind permission: lines that applied */
};

/* Zeroed memory is a new view. A view keeps its memory from record to
 * record. */
struct view {
	const struct trace *trace;
	struct arena *arena;          /* the record's */
	unsigned have, cut;           /* evidence: VIEW_... bits */
	bool holes;                   /* VIEW_CALLS is not set, but some calls
				    are there: others may be between them */
	bool until;                   /* the calls and messages of earlier turns
				    count as well */
	bool unmarked;                /* see trace_cut_unmarked */
	struct view_options options;  /* kept from run to run */
	const struct guard *guard;    /* what a hook asks; NULL: no hook does */
	struct redact_quotes *quotes; /* secrets that a result must not show;
				       * NULL: none */
	struct view_lasting lasting;
	const char *workspace;   /* the folder that the run left, which exists
				  * if VIEW_WORKSPACE is set; or NULL */
	const struct json *turn; /* NULL: not a turn's view */
	size_t turn_index;       /* the turn's place in the run */
	void *memo[VIEW_MEMOS];  /* each in the arena, or NULL */

	/* private: what checks asked for so far */
	struct str text, lower;
	enum view_fold lowered;             /* how `lower` was folded */
	struct view_searched plain, folded; /* texts searched for literals */
	size_t patterns; /* number of patterns searched for */
	size_t caseless; /* searches before the text was folded */
	const struct json *value;
	bool value_known;
	struct trace_calls calls;
	bool calls_known;
	struct view *turns, *untils; /* those that were looked at, by
				      * turn_index */
	struct view_index *index;    /* of the turns; NULL: not made yet */
	struct view *arguments;      /* of each call */
	struct json_reader reader;
};

/* Makes the view one of the whole run. */
void view_run(struct view *, const struct trace *, struct arena *);

/* The part of a run that a check is about. What the agent says before the
 * user's first input is a turn of its own, and is not counted among the user's
 * turns. */
struct scope {
	enum { SCOPE_RUN, SCOPE_OPENING, SCOPE_TURN, SCOPE_LAST } part;
	size_t turn;       /* of SCOPE_TURN: the user's n-th, from 0 */
	bool until;        /* the calls and messages of earlier turns count as
			    * well */
	struct str prompt; /* squeezed. Unless absent: a turn in which the user
			    * said this has precedence */
	const struct hash_table *listed; /* all such prompts of the file, or
			    * NULL: if the user never said `prompt`, a turn at
			    * the place `turn` counts unless its prompt is one
			    * of these */
};

/* Returns the run's view for SCOPE_RUN; else a view of the turn, or NULL if the
 * run has no such turn. The last turn of a run whose turns were not kept is the
 * run. Turns that the user took back do not count. */
struct view *view_part(struct view *run, const struct scope *);

/* Returns the view of the run's turn at this place, which exists. */
struct view *view_turn(struct view *run, size_t index);

/* Returns the text, with letters folded: of a run the answer, of a turn the
 * assistant's last message, of a call its arguments as JSON.stringify writes
 * them. */
struct str view_text(struct view *, enum view_fold);

/* Returns whether the text contains a literal. An answer that is not text
 * contains none. If many literals are asked for, most of those that are missing
 * cost no search of the text. */
bool view_contains(struct view *, enum view_fold, struct str literal);

/* Like regex_search, in the text as it is written. Nothing matches in an answer
 * that is not text. If many patterns are searched for, most of those that do
 * not match cost no search of the text. */
enum regex_found view_search(
    struct view *, const struct regex *, struct regex_match *);

/* Returns an author's text, folded like a view's text. */
struct str view_fold(struct arena *, struct str, enum view_fold);

/* Removes the three dots that a log appends to a text that it cuts short, and
 * half a character before the dots. Returns false if there are no dots. */
bool view_uncut(struct str *text);

/* Returns the text as a JSON value; NULL if it is not JSON. */
const struct json *view_json(struct view *);

struct trace_calls view_calls(struct view *);

/* The assistant's messages, in order, without the dots of those that the log
 * cut short. */
struct view_messages {
	struct str *list;
	const bool *cut; /* of each message, whether it is cut short */
	size_t n;
};

struct view_messages view_messages(struct view *);

/* Returns whether the view shows what was said and called in this turn of the
 * run. */
bool view_shows_turn(const struct view *, const struct json *turn);

/* Returns a view of a text that is not a run's: a file's, for example. */
struct view *view_of_text(struct view *, struct str text);

/* Returns a view of one call's arguments. It has no text if they were not
 * recorded. */
struct view *view_arguments(struct view *, size_t call);

/* Return a text of the run as a result may show it: view_shown without secrets,
 * view_excerpt without parts of the secrets of the text around it, the others without
 * secrets and at most its first `most` bytes; view_ellipsize appends dots if there
 * are more. A text is never cut for a result without one of these functions, since
 * no rule recognizes a part of a secret. */
struct str view_shown(const struct view *, struct str);
struct str view_excerpt(const struct view *, struct str part, struct str text);
struct str view_truncate(const struct view *, struct str, size_t most);
struct str view_ellipsize(const struct view *, struct str, size_t most);

/* Returns the member of the record that holds this evidence (one bit). */
const char *view_evidence_name(unsigned bit);

/* Frees what a view that began as zeroed memory holds. */
void view_free(struct view *);
