/*
 * One record's pending checks: which questions they make, and the record with
 * the answers. Checks that want to be shown the same go into one question;
 * none is shown what another asked for.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "judge/context.h"
#include "judge/criteria.h"
#include "judge/scheduler.h"
#include "redact/redact.h"
#include "trace/trace.h"

/* How questions are made of checks. */
struct judge_way {
	size_t votes;          /* how often each check is asked about, from 1 */
	size_t max_checks;     /* of one question; 0: any number */
	size_t shuffle;        /* seed of their order; 0: the first vote has the
	                    * author's */
	bool canary;           /* each question has one that has to fail */
	struct redact *redact; /* what nobody is sent; NULL: nothing */
};

/* Checks that share a question. */
struct group {
	struct context context;
	size_t vote;    /* from 0 */
	struct str why; /* they cannot be asked; absent: they can */
	struct prompt_check *checks;
	size_t n;
	struct str data;
	struct redaction redaction; /* of the data */
	struct question question;
	struct str *labels; /* of its checks, as their author has them; once
			     * they are told */
	size_t n_labels;
	struct group *next;

	/* private */
	const struct group *same; /* the first that is shown this */
	struct group *alike;      /* the vote's next that is shown this */
};

/* A vote on a check: its question, and its place there. */
struct ballot {
	struct group *group;
	size_t index;
};

/* A check that waits for a judge. */
struct pending {
	const struct json *result; /* the element of check_results */
	struct prompt_check ask;
	double min_score;
	struct criteria criteria; /* what is asked instead, if there are any */
	struct context context;
	struct str why;         /* it cannot be asked; absent: it can */
	struct ballot *ballots; /* else one for each vote */
};

struct judge {
	struct arena *arena;
	const struct judge_way *way;
	struct trace trace;
	struct place at;
	struct pending *list;
	size_t n;
	struct group *groups;

	/* private */
	struct group *last;
	struct hash_table shown; /* by evidence */
};

/* What became of pending checks, over all records. */
struct judge_tally {
	size_t checks[STATUS_COUNT]; /* by what they are now */
};

/* How many checks of the record wait for a judge. */
size_t judge_pending(const struct trace *);

/*
 * Puts the questions that the record's pending checks make. All of it lives
 * in the arena, and the record and the way must live as long. `at` is where
 * the record stands.
 */
struct judge *judge_ask(const struct judge_way *, struct arena *,
    const struct trace *, struct place at, struct scheduler *);

/* Whether all its questions are done. */
bool judge_is_done(const struct judge *);

/*
 * Writes the record with what came of its questions, tells what went wrong,
 * and counts. Nothing else of the record changes. No newline. Returns the
 * run's status.
 */
enum status judge_write(const struct judge *, const struct endpoint *,
    struct judge_tally *, struct out *);
