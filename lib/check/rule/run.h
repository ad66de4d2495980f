/* Decides rules: private to this folder. */
#pragma once

#include "check/kind/kind.h"
#include "check/rule/fit.h"
#include "check/rule/rule.h"
#include "check/rule/tool_names.h"

/* A value that a variable is bound to. */
struct rule_value {
	const struct json *json;
	struct str key; /* equal for values that are equal as JSON */
};

/* The fit of a call to a description, but for what its variables must hold. */
struct rule_match {
	enum rule_fit fit;
	const struct rule_value *values; /* by variable; NULL: none */
	unsigned known, wild; /* variables with a value, and with one that is
			       * not recorded */
	const char *lacking;  /* why the fit is MAYBE */
};

/* A condition that waits for the value of its variable. */
struct rule_waiting {
	const struct rule_waiting *next;
	const struct rule_cond *cond;
	size_t call;
};

/* Events that were found to be in the order of the first stages, or, for EVERY,
 * an event that waits for its response. */
struct rule_entry {
	struct rule_entry *next;
	struct rule_entry *twin; /* in the same bag, with the same values */
	struct rule_match bound; /* `fit` is that of the calls so far */
	const struct rule_waiting *waiting;
	size_t call; /* the number of the last one */
	size_t done; /* the place up to which others start no later */
	struct rule_entry *before; /* the events before it; or NULL */
	/* Events that end the wait of the entry: whether one surely did, and those
	 * that do by the values of the event that is waited for. */
	enum rule_fit ended;
	struct rule_entry *ends;
	bool gone;
	bool swept;    /* ... and no longer among its twins */
	bool advanced; /* EVERY: the next event of the response was found */
};

/* Entries whose known variables are the same. */
struct rule_part {
	unsigned known, wild;
	bool waiting;
	struct hash_table by_key; /* of the values; else a list */
	struct rule_entry *list;  /* newest first */
	size_t n, gone;           /* entries in the list, and those of them that
				   * were dropped */
	struct rule_index *index; /* of the list, by words; or NULL */
};

struct rule_bag {
	struct rule_part *parts;
	size_t n;
};

/* The calls with one value of the variables of a COUNT. */
struct rule_count {
	struct rule_count *next;
	size_t sure, possible;
	size_t call; /* the last one */
};

/* The state of a machine. */
struct rule_state {
	bool decided; /* calls that follow do not matter */
	bool maybe;   /* it would be decided if evidence were there */
	bool limit;   /* too much work */
	/* For a guard, which looks at each event afresh: `decided` and `maybe` are
	 * about the current event, and these about the events before. */
	bool ever, doubted;
	bool idle; /* the event that a hook asks about does not matter */
	const char *lacking; /* the evidence, for `maybe` */
	struct rule_bag *bags;
	/* BEFORE, EVERY, absence after: calls that it is about. */
	size_t applied;
	size_t call, other; /* what decided, or came nearest; SIZE_MAX: none */
	size_t sure, possible;     /* COUNT, ROW: the number of calls so far */
	size_t row, row_possible;  /* ROW: of the current row */
	size_t wild;               /* COUNT: calls with unknown values */
	struct rule_count *values; /* COUNT: of each value of variables */
	struct hash_table counts;  /* `values`, by the values of variables */
	struct rule_total *totals,
	    *last_total;            /* ... of SUM, DISTINCT, and COUNT
						 * with a time */
	struct rule_total *unknown; /* ... of calls with unknown values */
	double total;               /* that decided */
	enum rule_fit fit;          /* LAST: of the last event so far */
	size_t *calls;              /* SAME: those that fit */
	size_t ncalls;
	const struct rule_difference *difference; /* SAME, once compared */
};

/* The texts of a call, once they were asked for. */
struct rule_texts {
	struct str args, result;
	struct str printed[2]; /* the result as JSON, with blanks and without */
	const struct shell *shell; /* the commands */
	const struct json *json;   /* the result, once it was `read` */
	bool read;
};

/* An input of the user, or a text of an agent. */
struct rule_text {
	const struct json *text, *step; /* NULL: not recorded */
	size_t turn;
	bool user, cut;
	struct str lower; /* once it was asked for */
};

/* Holds when an event is. The places of events count in the order of their starts. */
struct rule_moment {
	size_t start;
	size_t done; /* what starts at a later place starts after the result */
	size_t turn, message; /* numbers; message 0: not recorded */
	size_t agent;   /* which made the event: a number; 0: the run's own */
	double seconds; /* NaN: not recorded */
};

/* The uses of an event in a machine, in this order. */
enum {
	RULE_TESTS = 1, /* decide, by the events that are kept */
	RULE_ENDS = 2,  /* end their waits */
	RULE_KEEPS = 4, /* be kept */
	RULE_ALL = RULE_TESTS | RULE_ENDS | RULE_KEEPS,
};

/* An entry that is added to a bag when its result is there. */
struct rule_later {
	struct rule_later *next;
	const struct rule_claim *claim;
	struct rule_bag *bag;
	struct rule_entry *entry;
};

/* A pass of a group over the events of a run. An event has a number: calls come first,
 * and texts behind them. */
struct rule_run {
	const struct rule_group *group;
	struct view *view;
	struct arena *arena;
	struct trace_calls calls;
	bool sound;         /* calls and texts are surely all there */
	bool recorded, cut; /* calls: at all; the last ones may be missing */
	bool holes;         /* calls may be missing anywhere */
	bool steps_cut;     /* steps may say what of them is cut */
	size_t at;          /* the event's number */
	size_t place;       /* ... and its place in the order of starts */
	struct rule_text *said;
	size_t nsaid;
	bool silent; /* the log may lack texts anywhere, */
	bool mute;   /* ... those of agents, of which the log has none */
	const size_t *order; /* of the events, by place; NULL: all are calls */
	/* By number; NULL: each result is there before the next call, and all
	 * are of one agent. */
	struct rule_moment *moments;
	bool untimed;  /* the moments are not found yet */
	size_t *lasts; /* by agent: the place of its last call, from 1 */
	struct rule_later *later; /* by the place behind which they are added */
	unsigned phases;          /* what a machine does with the event */
	/* Which of several values variables are bound to, and how many there are. */
	size_t choice, choices;
	/* For each of the first calls, the call that started its sub-agent. */
	size_t *starters;
	size_t nstarters;
	struct rule_choices *found; /* of the current call */
	size_t nfound;
	size_t nagents; /* beside the run's own */
	/* These are of a part of a run: */
	struct rule_run *whole;  /* NULL: this is the run */
	size_t *numbers;         /* by number: the number in the whole run */
	const struct json *turn; /* NULL: the part is no turn */
	struct view *spoken;     /* of the answer; NULL: not known */
	/* These are of a run that rules see in parts: */
	struct rule_run *parts;
	size_t nparts;
	const char *unparted; /* why the parts are not known; or NULL */
	struct rule_texts *texts;
	struct rule_state *states;
	/* A guard's pass ends with the event that a hook asks about. */
	const struct guard *guard; /* NULL: the pass is for no guard */
	size_t asked; /* number of that event in the whole run, or SIZE_MAX */
	bool reached; /* the event is one of this run */
	struct rule_seen *seen; /* for `unseen` */
	size_t work;
};

/* Returns whether the run may have made calls that are not in the log. */
static inline bool
rule_may_lack(const struct rule_run *run)
{
	return run->cut || run->holes;
}

/* Notes that the machine would be decided if this evidence were there. */
static inline void
rule_doubt(struct rule_state *s, const char *lacking)
{
	s->maybe = true;
	if (s->lacking == NULL)
		s->lacking = lacking;
}

#define RULE_PATTERN_LIMIT "no verdict within the step limit of a pattern"

/* Returns whether the log may lack events of the claim's kinds before the last one. */
static inline bool
rule_has_holes(const struct rule_run *run, const struct rule_claim *c)
{
	return (c->calls && run->holes) || (c->texts && run->silent) ||
	    (c->says && run->mute);
}

/* ... or behind the last one, too. */
static inline bool
rule_is_open(const struct rule_run *run, const struct rule_claim *c)
{
	return !run->sound && (run->cut || rule_has_holes(run, c));
}

enum { RULE_WORK_MAX = 200000000 }; /* steps of a group for a run */

/* ---- events.c ---- */

/* Finds the texts of the run, and when each event is, as far as the group asks. */
void rule_find_events(struct rule_run *);
/* Returns the number of events. */
size_t rule_events(const struct rule_run *);
/* Returns the run's moments, which may not be found before they are asked for. */
const struct rule_moment *rule_moments(struct rule_run *);
/* Returns when the event is. */
struct rule_moment rule_moment_of(struct rule_run *, size_t number);
/* Returns the text that is the event; NULL: the event is a call. */
static inline struct rule_text *
rule_text_at(const struct rule_run *run, size_t number)
{
	return number < run->calls.n ? NULL : &run->said[number - run->calls.n];
}

/* Returns whether the text that is the event has the other one, which is in lower
 * case. */
bool rule_said_has(struct rule_run *, size_t number, struct str lower);

/* ---- part.c ---- */

/* Makes the parts of the run that the group's rules are about, as runs of their own,
 * before their passes. */
void rule_part_run(struct rule_run *);

/* ---- match.c ---- */

/* Returns whether the current event is the one that the hook asks about: guard.c. */
bool rule_guard_asks(const struct rule_run *);

/* Tests the conditions of the call that need no other call. */
void rule_test(
    struct rule_run *, const struct rule_call *, struct rule_match *);

/* Returns how the current call fits the description. */
static inline struct rule_match
rule_match_call(struct rule_run *run, const struct rule_name *name,
    const struct rule_call *call)
{
	struct rule_match m = { .fit = rule_name_fits(name, call) };

	if (run->choice > 0 && !call->chooses)
		m.fit = RULE_NO;
	/* The result of a call that is not made yet is open. */
	if (call->late && run->guard != NULL &&
	    run->guard->event == GUARD_ASKS && rule_guard_asks(run))
		m.fit = RULE_NO;
	if (m.fit == RULE_NO)
		return m;
	run->work++;
	if (m.fit == RULE_MAYBE)
		m.lacking = "not recorded: the server of a call";
	if (call->nconds != 0)
		rule_test(run, call, &m);
	return m;
}

/* Returns whether the condition of a call holds; `value` is the variable's, if
 * it has one. A MAYBE sets *lacking. */
enum rule_fit rule_cond_holds(struct rule_run *, const struct rule_cond *,
    size_t call, const struct rule_value *value, const char **lacking);
/* Returns whether the condition holds for a member of the record; MAYBE, with
 * *lacking, if there is none. */
enum rule_fit rule_trace_holds(
    struct rule_run *, const struct rule_cond *, const char **lacking);
/* Returns a text that is the same for values that are equal as JSON. */
struct str rule_key(const struct json *, struct arena *);
/* Returns whether the calls are of one tool with equal arguments. */
enum rule_fit rule_identical(
    struct rule_run *, size_t one, size_t other, const char **lacking);
/* Returns whether the call surely lacks what the condition tests, so that the result
 * is the same for every value of the variable; then *holds is this result. */
bool rule_cond_ignores_value(
    struct rule_run *, const struct rule_cond *, size_t call, bool *holds);
/* Returns the decoded strings and scalars of a value, also the keys or not, one a
 * line. */
struct str rule_text_of(const struct json *, bool keys, struct arena *);
/* Returns the text of a result: of a list of parts, as MCP has it, the texts of
 * the parts, one a line; of any other list or object its JSON. */
struct str rule_result_text(const struct json *, struct arena *);
bool rule_compare(
    enum rule_op, const struct json *a, const struct json *b, struct arena *);
/* Returns one key for the values of the variables in `bits`. */
struct str rule_values_key(
    const struct rule_match *, unsigned bits, struct arena *);
/* Returns whether the call failed. */
enum rule_fit rule_failed(const struct trace_call *);

/* Returns room for the values of these variables. */
static inline struct rule_value *
rule_values(struct rule_run *run, unsigned bits)
{
	size_t n = 0;

	while (bits >> n != 0)
		n++;
	return arena_new_n(run->arena, struct rule_value, n);
}

/* ---- choices.c ---- */

/* The passes through the values of a call to which its conditions bind variables. */
struct rule_passes {
	size_t n;  /* so far */
	bool each; /* a pass for each value; else for the first alone */
};

/* Returns whether the condition binds variables. */
bool rule_binds(const struct rule_cond *);
/* Binds the condition's variables to values of the current call, those of the current
 * pass. Returns NO if the call has no such value, or a variable another one; MAYBE if
 * the log lacks the value. */
enum rule_fit rule_bind(struct rule_run *, struct rule_passes *,
    const struct rule_cond *, struct rule_match *, struct rule_value *values);

/* ---- subject.c ---- */

/* The value that a condition looks at. */
struct rule_subject {
	const struct json *value; /* NULL: the call has none */
	bool cut;                 /* the log cut it short */
	size_t call;
};

/* Finds the subject of s->call, the first of several. Returns false, with *lacking, if
 * the subject is not recorded. */
bool rule_find_subject(struct rule_run *, const struct rule_cond *,
    struct rule_subject *s, const char **lacking);
/* Stores in *list the values to which the condition's path leads, and returns their
 * number: NULL for each that is lacking, and none where a list is empty. The call's
 * arguments or result must be recorded. */
size_t rule_subjects(struct rule_run *, const struct rule_cond *, size_t call,
    const struct json ***list);
/* Like rule_subjects, in the record. */
size_t rule_trace_subjects(
    struct rule_run *, const struct rule_cond *, const struct json ***list);
/* Returns the subject as a text, empty if there is none; and as a value to compare: a
 * result that has a text is that text. */
struct str rule_subject_text(
    struct rule_run *, const struct rule_cond *, const struct rule_subject *);
const struct json *rule_subject_value(
    struct rule_run *, const struct rule_cond *, const struct rule_subject *);
/* Returns a result that is JSON as printed with a blank behind each ':' and ',' that is
 * between values, or without blanks; absent if the condition's pattern cannot mind the
 * blanks, or the log has the result so. */
struct str rule_result_printed(struct rule_run *, const struct rule_cond *,
    const struct rule_subject *, bool blank);
/* Returns whether the log cut the result or the arguments of a call. */
bool rule_is_cut(struct rule_run *, const struct trace_call *, bool result);
/* Returns the texts of a call, of which those that were asked for are kept. */
struct rule_texts *rule_texts_of(struct rule_run *, size_t call);

/* Returns the text as a JSON value. */
const struct json *rule_text_value(struct arena *, struct str);

/* ---- path.c ---- */

/* Returns a path so that two paths of one file are equal: without "." and "..", and
 * from the root on if the log says in which folder the run worked. Other values are
 * returned as they are. */
const struct json *rule_path_value(struct rule_run *, const struct json *);
/* Returns a path that rule_path_value returned, from the run's folder on; absent if the
 * file is not in the folder, or the folder is not known. */
struct str rule_path_within(struct rule_run *, struct str path);

/* ---- value.c ---- */

bool rule_is_in_order(enum rule_op, int comparison);

/* ---- shell.c ---- */

/* Returns whether the condition, RULE_RUN or RULE_ROLE, holds for a call. */
enum rule_fit rule_runs(struct rule_run *, const struct rule_cond *, size_t at,
    const char **lacking);
enum rule_fit rule_has_role(struct rule_run *, const struct rule_cond *,
    size_t at, const char **lacking);
/* Returns whether the current call runs nothing but commands that the calls permit. */
enum rule_fit rule_runs_only(
    struct rule_run *, struct rule_calls, const char **lacking);

/* ---- seen.c ---- */

/* Returns whether no prompt and no result before the call holds the value. */
enum rule_fit rule_is_unseen(struct rule_run *, const struct json *value,
    size_t call, const char **lacking);

/* ---- bag.c ---- */

/* A search for the entries of a bag that go with a match of the current
 * call. */
struct rule_scan {
	struct rule_run *run;
	struct rule_bag *bag;
	const struct rule_match *match;
	const struct rule_call *call;
	bool early;  /* also entries whose results are not there yet */
	size_t part; /* the next one */
	struct rule_entry *next;
	struct rule_entry **found; /* those of the part to test; NULL: all */
	size_t nfound;
	/* of the entry that was returned: */
	enum rule_fit fit; /* without the fits of entry and match themselves */
	const char *lacking;
};

/* Returns the next entry, or NULL. */
struct rule_entry *rule_scan_next(struct rule_scan *);
/* Returns the current call and what the entry (NULL: none) holds, as an entry
 * with the variables of `needed`. */
struct rule_entry *rule_entry_join(struct rule_run *, const struct rule_call *,
    const struct rule_match *, struct rule_entry *, unsigned needed);
/* Returns how the entry goes with the match, but for their own fits. */
enum rule_fit rule_scan_fit(struct rule_scan *, const struct rule_entry *);
/* Adds the entry to a bag of a machine of the claim, unless one as good is there. */
void rule_bag_add(struct rule_run *, const struct rule_claim *,
    struct rule_bag *, struct rule_entry *);
/* Takes the entry out of the bag, also during a scan. */
void rule_bag_drop(struct rule_bag *, struct rule_entry *, struct arena *);
/* Returns whether the bag (NULL: an empty one) has a call that suits whatever comes
 * later. */
bool rule_bag_is_settled(const struct rule_bag *);
/* Returns the best entry that is left, or NULL. */
const struct rule_entry *rule_bag_best(const struct rule_bag *);

/* ---- tokens.c ---- */

/* Returns whether the text has the value with no letter, digit or _ next to it, and not
 * as a part of a longer number; 42.5 is found in 42.50. In a text that the log `cut`,
 * MAYBE in place of NO, and of what more text could undo. */
enum rule_fit rule_text_has(struct str text, struct str value, bool cut);
/* Stores in s->found those entries of the part, the oldest first, that may go with the
 * match by a condition that looks for the value of a variable. Returns false if no such
 * condition chooses among the entries. */
bool rule_index_find(struct rule_scan *s, struct rule_part *);

/* ---- sequence.c: CHAIN, BEFORE and EVERY ---- */

/* Drive a machine by the current event, which has the name. */
typedef void rule_machine(struct rule_run *, const struct rule_name *,
    const struct rule_claim *, struct rule_state *);
rule_machine rule_step_chain, rule_step_before, rule_step_every;
/* Adds the entries whose results are there before the current place. */
void rule_add_later(struct rule_run *);
/* ---- totals.c: SUM and DISTINCT, and COUNT with a time ---- */

/* Count the current event, or its values. */
rule_machine rule_step_total, rule_step_window;

/* ---- count.c: COUNT and ROW ---- */

/* Returns the place in the machine's table of counts for the values of the match. */
void **rule_count_slot(
    struct rule_run *, struct rule_state *, const struct rule_match *);

/* Count the current call. */
rule_machine rule_step_count, rule_step_row;

/* ---- calls.c ---- */

/* Notes that the current event decides, or would decide if evidence were there. */
void rule_note(struct rule_run *, struct rule_state *, enum rule_fit,
    const char *lacking, size_t other);
/* Makes the pass of the group over the view's run. */
struct rule_run *rule_run_new(const struct rule_group *, struct view *);

/* Returns the pass of the group over the view's run, which is made once. */
static inline struct rule_run *
rule_run_of(const struct rule_group *g, struct view *v)
{
	struct rule_run **runs = v->memo[VIEW_RULES];

	return runs != NULL && runs[g->number] != NULL ? runs[g->number]
						       : rule_run_new(g, v);
}

/* ---- what is found ---- */

enum rule_truth {
	RULE_FALSE,
	RULE_TRUE,
	RULE_UNKNOWN,
	RULE_PENDING,
	RULE_LIMIT,
};

struct rule_outcome {
	enum rule_truth truth;
	struct str why;     /* UNKNOWN: what is lacking */
	const char *folder; /* PENDING: for the judge; or NULL */
};

static inline struct rule_outcome
rule_known(bool holds)
{
	return (struct rule_outcome){ .truth = holds ? RULE_TRUE : RULE_FALSE };
}

/* Returns the outcome for the opposite claim. */
static inline struct rule_outcome
rule_negated(struct rule_outcome o)
{
	if (o.truth <= RULE_TRUE)
		o.truth = o.truth == RULE_TRUE ? RULE_FALSE : RULE_TRUE;
	return o;
}

struct rule_outcome rule_unknown(const char *why);
/* Return UNKNOWN, since the log lacks calls, or events of the claim's kinds. */
struct rule_outcome rule_calls_lack(const struct rule_run *);
struct rule_outcome rule_events_lack(
    const struct rule_run *, const struct rule_claim *);
/* Compares with n a number that is known to be `least` at least and `most` at most;
 * UNKNOWN, for what is lacking, if these do not decide. */
struct rule_outcome rule_interval(
    enum rule_op, double n, double least, double most, const char *lacking);
/* Returns whether a claim about calls holds, if that is found quickly. */
bool rule_holds_surely(const struct rule_run *, const struct rule_claim *);
/* Decide claims: rule_decide any, the others those of their files. */
typedef struct rule_outcome rule_decider(
    struct rule_run *, const struct rule_claim *);
rule_decider rule_decide, rule_decide_calls, rule_decide_every,
    rule_decide_count, rule_decide_total, rule_decide_window, rule_decide_text,
    rule_decide_amount, rule_decide_same;
struct rule_outcome rule_decide_grounded(struct rule_run *);

/* ---- got.c, text.c, same.c: what was there ---- */

/* Returns what was there in place of what the claim, which is true or not,
 * wants. */
struct str rule_got(struct rule_run *, const struct rule_claim *, bool holds);
struct str rule_got_text(
    struct rule_run *, const struct rule_claim *, bool holds);
struct str rule_got_ungrounded(struct rule_run *);
struct str rule_got_amount(struct rule_run *, const struct rule_claim *);
struct str rule_got_same(struct rule_run *, const struct rule_claim *);
/* Returns a call with its arguments and its place. */
struct str rule_got_call(struct rule_run *, size_t call);

/* ---- ignore.c ---- */

/* The arguments of a call that do not count. */
struct rule_ignored {
	struct arena *arena;
	const struct rule_cond *list; /* their paths */
	size_t n;                     /* at most RULE_IGNORED_MAX */
	bool (*is_free)(const void *arg, struct str name); /* also such a one */
	const void *arg;
};

/* Returns the arguments, an object, without those that do not count: a member is left
 * out, and null stands for an element of a list. */
const struct json *rule_without_ignored(
    const struct json *args, const struct rule_ignored *);

/* ---- say.c ---- */

/* Returns what the rule demands, in words of English. */
struct str rule_say(const struct rule_want *, struct arena *);

/* ---- show.c ---- */
void rule_show(const void *want, struct out *);
