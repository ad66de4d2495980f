/* The kinds of check of a run beside its answer and its calls: limits, the
 * files that the run left, its workflow; those that a judge decides, and those that
 * ask other checks. kind.h says what all kinds have in common. */
#pragma once

#include "check/check.h"
#include "emulate/regex/regex.h"

/* ---- limits ---- */

enum limit {
	LIMIT_LLM_CALLS, /* number of requests to the model */
	LIMIT_TOKENS,    /* input, from a cache or not, and output */
	LIMIT_COST,      /* US dollars */
	LIMIT_SECONDS,   /* from the run's start to its end */
};

/* Kinds llm_calls, tokens, cost and seconds: decide whether the run used at
 * most this amount. `why` is the amount that was used. */
struct check limits_check(struct arena *, enum limit, double most);

/* Kind call_time: decides whether all calls together took at most this number
 * of milliseconds. `why` is the time that they took. */
struct check limits_call_time(struct arena *, double most);

/* The limits of a run; NULL: no limit. */
struct budget_want {
	const double *cost, *input, *output, *total;
};

/* Kind budget: decides whether the run used at most this much money and this
 * number of tokens. `why` is what was exceeded. The share is the part of the
 * money that is left. */
struct check limits_budget(struct arena *, const struct budget_want *);

/* Kind latency: decides whether the turn took at most this number of
 * milliseconds. `why` is its time. The share is 1 within the limit, else
 * limit / time. */
struct check limits_turn_time(struct arena *, double most);

/* ---- files and commands ---- */

/* Kind file: decides whether the path exists in the folder that the run left
 * behind. CANNOT if the path leads out of the folder, which `why` says. */
struct check file_check(struct arena *, struct str path);

/* Kind content: decides whether the inner check, which is of text, finds what
 * it wants in a file of that folder. CANNOT, with the reason in `why`, if there
 * is no such file or the path leads out. Bytes that are no UTF-8 are read as
 * U+FFFD. */
struct check file_content_check(
    struct arena *, struct str path, const struct check *inner);

/* Kind files: decides whether a file in that folder fits a pattern of paths (*, ?, [],
 * {a,b}, ** for folders), and the inner check, if it is not NULL, finds what it wants in
 * such a file: CANNOT if no file fits. Names that begin with a dot do not count. */
struct check file_glob_check(
    struct arena *, struct str pattern, const struct check *inner);

struct command_want {
	struct str run;      /* for the shell */
	struct str cwd;      /* within the folder; absent or empty: itself */
	struct str requires; /* a program without which the check is skipped;
	                      * absent or empty: none */
	int64_t exit;        /* the status that is a YES; -1: a signal or the
	                      * time limit ended the command */
	double seconds;      /* time limit; 0: the user's */
};

/* Kind command: decides whether a shell command in the run's folder ends with
 * the expected status. SKIP if the user does not allow commands, or the
 * required program is missing. CANNOT if cwd is no folder or leads out. `why`
 * is evidence: "exit N: " and the end of what the command printed. */
struct check command_check(struct arena *, const struct command_want *);

struct proc;

/* Runs the command of *p for a check, in a sandbox if the user wants one. Ends this
 * program if the system ran out of resources. Returns false if the command could not be
 * started, for the reason p->failed (errno). */
bool command_run(struct proc *, const struct view *);

/* A program that grades a run, as AgentV has it; NULL: not in the file. */
struct code_grader_want {
	struct str run;      /* for the shell */
	struct str folder;   /* where it runs */
	struct str criteria; /* those of the test, maybe absent */
	const struct json *input,
	    *expected;               /* texts, messages or other values */
	const struct json *metadata; /* of the test */
	const struct json *config;   /* of the assertion */
	bool checks; /* the program answers as in AgentV 5, by pass, score and
		      * checks; else by score and assertions */
};

/* Kind code-grader: decides whether a program, which gets the run and its test as JSON,
 * gives a score of at least 0.8, or says so itself. SKIP if the user does not allow
 * commands; ERROR if the program fails. `why` is the score and what does not hold. */
struct check code_grader_check(struct arena *, const struct code_grader_want *);

/* Returns, in the view's arena, what the program gets as its standard input, as AgentV has
 * it (graders/code-grader.ts of version 4.42.4, graders/script-grader.ts of version 5). */
struct str code_grader_input(const struct code_grader_want *, struct view *);

/* ---- workflow ---- */

enum state_how {
	STATE_IS,       /* `why` is the state */
	STATE_REACHED,  /* some transition led to the state */
	STATE_COMPLETE, /* the workflow is at its end */
	STATE_SPOKEN,   /* the assistant said something in a turn that ended in
			 * the state */
};

struct state_want {
	enum state_how how;
	struct str state; /* absent for STATE_COMPLETE */
};

/* Kind state: decides whether the run's workflow is in a state, or has been in
 * it; for a turn's view, after that turn. SKIP if the log does not say what the
 * state was by then. */
struct check state_check(struct arena *, enum state_how, struct str state);

/* Returns whether the transition is known to have happened before the view's
 * turn ended. */
bool state_transition_made(const struct view *, const struct json *transition);

/* Returns whether the log says for each transition whether it happened before
 * the view's turn ended. */
bool state_transitions_known(const struct view *);

struct guardrail_want {
	struct str name;      /* absent: any */
	struct str direction; /* input or output; absent or other: both */
	bool last; /* the last record of exactly that name counts. Else the
		    * first, also one of PromptKit's older name:
		    * BannedWordsValidator for banned_words */
	struct str older; /* private */
};

/* Kind guardrail: decides whether a guardrail fired in the view's turn: whether
 * its record did not pass; with an absent name, whether any record did not
 * pass. */
struct check guardrail_check(struct arena *, const struct guardrail_want *);

/* Kind media: represents assertions about images, sounds or films. Always SKIP,
 * since traces hold texts and calls, but no media. `medium` is image, audio or
 * video; `params`, an object or NULL, is for --lint. */
struct check media_check(
    struct arena *, const char *medium, const struct json *params);

/* Kind live: represents assertions that a recorded run cannot decide. Always
 * SKIP; `why` is the reason, `params` as above. */
struct check media_check_live(
    struct arena *, struct str why, const struct json *params);
/* The reason may be a string literal. */
#define media_check_live(a, why, params) \
	media_check_live((a), AS_STR(why), (params))

/* A measure of the answer that a service takes (mcpl-judge). */
struct measure_want {
	const char *method;    /* similar or moderation */
	const char *metric;    /* cosine, dot or euclidean; NULL: of no texts */
	struct str_list texts; /* to which the answer is compared; without a
				* metric, the categories that count (none: all) */
	double threshold;
	bool negate;
	bool passes_empty; /* an empty answer passes without the service */
	struct str why;    /* the reason of the SKIP */
};

/* Kind measure: SKIP, with what mcpl-judge needs to decide the check where a service is
 * named. */
struct check measure_check(struct arena *, const struct measure_want *);

/* ---- judge ---- */

/* Context that the judge gets to see beside the judged text. */
enum {
	JUDGE_PROMPT = 1,
	JUDGE_TOOL_SEQUENCE = 2,
	JUDGE_TOOL_INPUTS = 4,
	JUDGE_TRANSCRIPT = 8,
	JUDGE_EXPECTED = 16,
	JUDGE_WORKSPACE = 32, /* the files of the folder, if the user named it
			       */
	JUDGE_RESULTS = 64,   /* each call with its arguments and result */
	JUDGE_SYSTEM = 128,   /* the system prompt */
};

enum judge_text {
	JUDGE_FINAL, /* the run's final answer is judged */
	JUDGE_TURN,  /* the answer of the turn that the check is about */
	JUDGE_ALL,   /* everything that was said and called */
	JUDGE_NONE,  /* the context alone is judged */
};

struct judge_want {
	enum judge_text text;
	struct str rubric;
	unsigned context;    /* JUDGE_... bits */
	unsigned optional;   /* those of them without which the judge decides */
	struct str prompt;   /* the scenario's; absent: the recorded prompt */
	struct str expected; /* what the author would like to see, or absent */
	bool scored;         /* the judge gives a score; it passes from */
	double min_score;    /* this score (0 to 1, also of a rubric that has a
			      * scale of its own) */
	bool ours;           /* the rubric is not the author's, and may hold
			      * texts that are to be judged */
	bool whole;          /* skipped unless all that the judge must see was
			      * recorded, and in full */
	bool reasoned;       /* a verdict without a reason does not count */
	struct regex *fails; /* a text that matches it fails without a judge;
			      * NULL: none */
	struct str_list tools;                 /* without a call of one of
				* them (none: of any) the check is skipped */
	bool called;                           /* `tools` counts */
	const struct judge_criteria *criteria; /* NULL: the rubric alone */
};

/* Several rubrics, each with a score of its own. */
struct judge_criteria {
	const struct judge_criterion *list;
	size_t n;
	struct str aggregate; /* weighted, min, harmonic_mean; anything else is
			       * the plain mean */
	bool all;             /* each criterion must reach its own min_score,
			       * not the aggregate */
	bool confidence;      /* the judge says how sure it is */
};

struct judge_criterion {
	struct str name, description;
	const struct json *examples; /* by score, or NULL */
	double weight, min_score;
};

/* Kind judge: PENDING, with everything that mcpl-judge must know, since
 * mcpl-judge reads no assertion file. SKIP if something that the judge must see
 * was not recorded in full. */
struct check judge_check(struct arena *, const struct judge_want *);

/* A kind of evidence: its RUBRIC_... bit, its name in a judge object, its name in
 * remarks, and the word of rules that shows it. */
struct judge_kind {
	unsigned kind;
	const char *name, *shown, *word;
	unsigned context; /* JUDGE_... bits, each of which shows some of it */
};

/* The kinds, up to one without a name. */
extern const struct judge_kind judge_kinds[];

/* Returns the RUBRIC_... bits of what the rubric speaks of and the judge is not
 * shown; without a `folder` the judge sees no files. */
unsigned judge_lacks(const struct judge_want *, bool folder);

/* ---- combinations ---- */

struct score_part {
	const struct check *check; /* NULL: `set`, or not decided */
	const struct score_want *set;
	double weight;
	const struct json *source; /* as the author wrote it, or NULL */
};

struct score_want {
	const struct score_part *parts;
	size_t n;
	double least;
	bool whole; /* a part that passes counts 1, one that fails 0 */
};

/* Kind score: decides whether the weighted mean of other checks' scores
 * (check_score) is at least a number; 0 if no weight counts. The other checks
 * stay their scenario's. SKIP if those that are not decided matter. `why` is the
 * score, which is also the share if all are decided. */
struct check score_check(struct arena *, const struct score_want *);

/* Kind messages: decides whether the inner check finds what it wants in any
 * message of the assistant. `why` is that of the message that decided, else of
 * the last message. */
struct check messages_check(struct arena *, const struct check *inner);

/* Kind plain: asks the inner check of what evolve takes for the run's answer,
 * without the escape sequences of terminals. */
struct check without_escapes_check(struct arena *, const struct check *inner);
