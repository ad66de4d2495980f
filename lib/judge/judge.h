/*
 * Puts the pending checks of one record as questions to a judge. Checks that
 * ask for the same context share a question; no check is shown the context
 * that another check asked for.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "judge/context.h"
#include "judge/criteria.h"
#include "judge/question/measure.h"
#include "judge/scheduler.h"
#include "judge/shown.h"
#include "redact/redact.h"
#include "trace/trace.h"

/* The options for making questions from checks. */
struct judge_way {
	size_t votes;      /* how often each judge is asked about a check,
				* at least 1 */
	size_t panel;      /* number of judges that vote on each check: the
				* scheduler's first lanes; the others are asked
				* in turn where the panel is not sure */
	size_t max_checks; /* in one question; 0: no limit */
	size_t context;    /* tokens of a question; 0: what the model is
			        * known to take */
	size_t shuffle;    /* seed of the order of checks; 0: the first
			        * vote has the author's order */
	bool canary;       /* each question contains a check that has to
			        * fail */
	size_t judges;     /* number of judges; behind them, the
				* scheduler's lanes are those of: */
	size_t measures[MEASURES]; /* the lane of each measure; 0: none, else
				    * its index and 1 */
	bool retry_errors;         /* ask again about the errors of a judge */
	bool again;            /* ask again about all that a judge decided */
	bool recorded;         /* the requests are recorded (--log) */
	struct redact *redact; /* secrets that are not sent; NULL: none */
};

/* Checks that share a question. */
struct group {
	struct context context;
	struct str why; /* reason why the checks cannot be asked about; absent:
			 * they can */
	struct prompt_check *checks;
	size_t n;
	struct str whole;   /* the data without gaps */
	struct media media; /* of the data */
	struct shown shown;
	struct redaction redaction; /* of the data */
	struct question question;
	struct str *labels; /* labels of the checks, which vote_write lists for
			     * its messages */
	size_t n_labels;
	struct group *next;

	/* private */
	const struct group *same; /* first group with this context */
	struct group *alike;      /* the vote's next group with this context */
};

/* A vote on a check: its question, and the index of the check in it. */
struct ballot {
	struct group *group;
	size_t index;
};

/* A check that waits for a judge. */
struct pending {
	enum measure measure;      /* how the check is measured, if no judge is
			       * asked */
	const struct json *result; /* element of check_results */
	struct prompt_check ask;
	struct criteria criteria; /* asked about instead of `ask`, if not
				   * empty */
	struct context context;
	struct str why;         /* reason why it cannot be asked about; absent:
				 * it can */
	struct ballot *ballots; /* array of n_ballots, of all judges that were
				 * asked; empty if `why` is present */
	size_t n_ballots;
	size_t first; /* first ballot of the judges that decide: the panel, or
		       * the last judge that was asked in turn */
	bool open;    /* the next judge is asked about it */
};

/* The memory of a record's questions. */
struct judge_memory {
	struct arena *arena; /* for the result */
	/* For what is needed only until judge_is_done, such as the texts of
	 * requests. */
	struct arena *work;
};

struct judge {
	struct arena *arena, *work; /* see struct judge_memory */
	const struct judge_way *way;
	struct trace trace;
	struct place at;
	struct pending *list;
	size_t n;
	struct group *groups;
	const struct lane *lanes; /* of the scheduler */
	size_t asked;             /* number of lanes whose judge was asked */
	void *owner;              /* free for the caller */

	/* private */
	size_t left; /* questions that are not done */
	struct group *last;
	struct hash_table shown; /* by context_key */
};

/* Returns the number of the record's checks that wait for a judge while only the
 * services of measures are named. */
size_t judge_unnamed(const struct judge_way *, const struct trace *);

/* Returns the number of the record's checks that wait for a judge. With
 * retry_errors, checks with an error of the judge wait as well. Unless `dialect` is
 * NULL, only checks of this dialect count. */
size_t judge_pending(
    const struct judge_way *, const struct trace *, const char *dialect);

/* Returns whether a judge has passed or failed the check of this result. */
bool judge_has_verdict(const struct json *result);

/* Returns the number of the record's checks that a judge has passed or failed. */
size_t judge_decided(const struct trace *);

/* Returns the number of the record's checks that have no verdict because of the
 * judge or its server. */
size_t judge_errors(const struct trace *);

/*
 * Puts the questions for the record's pending checks to the scheduler. The
 * result is in the arena; the record and the way must live as long. `at` is the
 * record's position in the input.
 */
struct judge *judge_ask(const struct judge_way *, struct judge_memory,
    const struct trace *, struct place at, struct scheduler *);

/* Puts questions for the checks that are `open` to the judge of the next lane,
 * of which there must be one. */
void judge_ask_next(struct judge *, struct scheduler *);

/* Takes note that the question, which belongs to a record's checks, is done.
 * Each question that was put to the scheduler must be passed once. Returns the
 * record's judge. */
struct judge *judge_note(struct question *);

/* Returns whether all questions are done. */
bool judge_is_done(const struct judge *);
