/*
 * Puts runs together from what a log tells, in the log's order, and writes
 * each as a trace record when it ends. A format says where a record of the log
 * stands (builder_locate) and then what happened there: prompt, text, call,
 * result, usage; and where a run begins and ends. The builder pairs results
 * with calls, cuts turns at prompts, finds the call that a sub-agent's steps
 * belong in, counts usage once, and knows what was recorded.
 *
 * A log's values are copied as far as they are kept; they may go when the
 * call returns. NULL and values of the wrong type stand for "not logged".
 */
#pragma once

#include "extract/run/call_matching.h"
#include "extract/run/run.h"
#include "extract/run/run_ids.h"
#include "extract/run/time_range.h"
#include "extract/run/trace_write.h"

enum sidechains {
	SIDECHAINS_NEST,     /* a sub-agent's steps within the call before it */
	SIDECHAINS_SEPARATE, /* a record of its own for each sub-agent */
	SIDECHAINS_DROP,
};

struct builder_options {
	struct out *out;
	struct trace_options trace;
	enum sidechains sidechains;
	bool split; /* a record for each turn */
	const struct time_range
	    *period; /* of runs that are written; NULL: any */
	/* Records that were written, which are not written again; NULL: all
	 * are. Its arena outlives the builder. */
	struct hash_table *once;
	/* What numbers runs of one id or group; NULL: only the builder's own
	 * are told apart. */
	struct run_ids *ids;
};

struct builder_starter {
	struct builder_starter *next;
	struct step *call;
};

/* Calls that ask a sub-agent for the same, in order, without those whose
 * sub-agent was found by that. */
struct builder_starters {
	struct builder_starter *first, *last;
};

/* Where a record of a tree stands. */
struct builder_node {
	struct str id;
	struct thread *thread;
	struct turn *turn; /* NULL: before the first */
	size_t length;     /* of its content */
	int64_t ms;
};

struct builder_ids {
	struct str *list; /* bodies */
	size_t n;
};

/* What a record that goes on with a run is known by. */
struct builder_mark {
	size_t n;      /* it repeats so many messages (0: none), */
	uint64_t hash; /* which have this hash */
	bool failed;   /* ... or has no more: it is asked again */
	uint64_t id;   /* or it names what has an id of this hash; 0: nothing */
	size_t items;  /* ... of which so much was told */
};

struct builder {
	struct builder_options options;
	size_t written;  /* records, since builder_init */
	size_t left_out; /* runs that are not of the period */

	/* private */
	struct arena arena;
	struct run_ids ids; /* where none are given */
	const char *file;
	size_t line;
	struct json_reader reader;
	bool breaks_off; /* the log does, in the record that is read */
	/* Runs that were left, the one that was told last at the end: what
	 * follows from here, of each. */
	struct builder **aside;
	size_t n_aside, bytes_aside;

	struct arena run_arena;
	struct run *run; /* NULL: none is open */
	struct builder_mark mark;
	struct call_matching call_matching;
	struct hash_table threads;  /* by the sub-agent's id */
	struct hash_table nodes;    /* by the record's id */
	struct hash_table usages;   /* by the message's id */
	struct hash_table starters; /* calls by the sub-agent's id */
	struct hash_table tasks;    /* ... and by what they ask it to do */
	struct builder_ids started; /* the keys of starters */
	struct thread *last_thread;
	/* Where the next event stands. */
	struct thread *thread;
	struct builder_node *node, *after;
	bool root;
	struct builder_node *latest; /* that was noted */
	struct moment ts;
	struct timestamp_minute minute; /* of a moment before */
	bool replay;    /* the record is a copy: its events do not count */
	bool in_prompt; /* the record's last event was a prompt */
	/* The run's end was told, but the run stays open: if no other begins in
	 * the record in which the log breaks off, it is the one cut short. */
	bool ended;
	bool *cut; /* set by builder_cut: the flag of what was told last */
	struct step *call;            /* that was told last, or answered */
	bool args_come;               /* some call's arguments came in pieces */
	struct usage total;           /* as it was told last */
	struct turn_usage *uncounted; /* told since, the latest first */
};

void builder_init(struct builder *, const struct builder_options *);
/* Names the record of the log that what follows is taken from. */
void builder_source(struct builder *, const char *file, size_t line);
/* The log breaks off in the record that comes now: of the runs in it, the last
 * is not whole. */
void builder_breaks_off(struct builder *);
/* Ends the log: writes the run that is open, if any. */
void builder_end(struct builder *);
/* The same, and frees all. */
void builder_close(struct builder *);

/* ---- the run ---- */

/* Opens a run where none is. */
struct run *builder_open(struct builder *);

/* The run that is open; a new one where none is. */
static inline struct run *
builder_current_run(struct builder *b)
{
	return b->run == NULL || b->ended ? builder_open(b) : b->run;
}

/* Whether a run is open, or set aside: what comes next may be of it. */
static inline bool
builder_is_within(const struct builder *b)
{
	return b->run != NULL || b->n_aside != 0;
}

/* Ends the run before, or sets it aside if its mark says that it may go on, and
 * begins one. Where a format does not call it, the first event does. */
void builder_begin_run(struct builder *);
/* The same of a run that ends before that text goes, which is one line and
 * holds most of what will be told: it is not copied. */
void builder_begin_run_in(struct builder *, struct str text);
/* The run that is open, if any, ends here. */
void builder_end_run(struct builder *);
/* By what the run that is open may go on, whatever comes between: to be set. */
struct builder_mark *builder_mark(struct builder *);
/* The mark of the i-th run that may go on, the one that was told last behind
 * all others; NULL behind that. */
const struct builder_mark *builder_mark_of(const struct builder *, size_t i);
/* Opens that one again, if it is not the one that is open; which ends then, or
 * is set aside. */
void builder_resume(struct builder *, size_t i);

/* Of the builder's own: sets the open run aside if it may go on, or if others
 * are that are to be written before it, or else writes it; writes it; writes
 * those that are set aside. */
void builder_suspend(struct builder *);
void builder_finish(struct builder *);
void builder_end_suspended(struct builder *);

/* Whether the log breaks off before the run's end; if it is so, members that
 * it may lack something of are named as cut. */
void builder_set_broken(struct builder *, bool);

/* Sets a member; NULL takes it back. A scenario may be a number: it is a name
 * like any other. */
void builder_set(struct builder *, enum run_member, const struct json *);
/* The same of one that is not set yet: the first that tells it counts. */
void builder_set_first(struct builder *, enum run_member, const struct json *);
/* What made the run itself fail: a string, or an object with a message; an
 * empty one, null or false takes it back. */
void builder_error(struct builder *, const struct json *);
/* The run goes on after an end that was told: neither the answer nor the error
 * nor the time of that is the run's. */
void builder_reopen(struct builder *);
/* As builder_set, from a body that is no value of the log. */
void builder_set_body(struct builder *, enum run_member, struct str body);
/* How long it took, in milliseconds; NAN: unknown, whatever was told before. */
void builder_duration(struct builder *, double ms);
/* When the run began and ended, where the log says so: as builder_locate's ts. */
void builder_span(
    struct builder *, const struct json *start, const struct json *end);
/* Keeps a value under meta; the name must outlive the run. null and NULL change
 * nothing. */
void builder_meta_named(struct builder *, struct str name, const struct json *);
static inline void
builder_meta(struct builder *b, const char *name, const struct json *v)
{
	builder_meta_named(b, str_of(name), v);
}
/* A model that answered; the first one is the run's. */
void builder_model(struct builder *, const struct json *);
/* Numbers the runs of this one's group, scenario and agent from 0, for logs
 * that do not. */
void builder_count(struct builder *);
/* The log does not record calls, or not this run's. */
void builder_no_calls(struct builder *);
/* The run began with a prompt that is not logged. */
void builder_no_prompt(struct builder *);

/* ---- where and when ---- */

struct builder_locate {
	const struct json *ts;      /* RFC 3339, or a number since 1970 */
	const struct json *message; /* id, where a message has many records */
	/* A sub-agent's record: its id, and (a body) that of the call that
	 * started it, as far as they are logged. */
	bool sidechain;
	const struct json *agent;
	struct str parent;
	/* The record was copied from another log: only its counters count. */
	bool replay;
	/*
	 * In logs that are trees: the record's id, and that of the one before.
	 * A record whose id was there before, with a content of that length
	 * and at that time, is a copy: its events are ignored.
	 */
	const struct json *node, *after, *content;
	/* ... and it follows none: what the thread tells begins anew with it. */
	bool root;
};

/* Called before a record's events: they stand there. */
void builder_locate_at(struct builder *, const struct builder_locate *);
#define builder_locate(b, ...) \
	builder_locate_at((b), &(struct builder_locate){ __VA_ARGS__ })

/* What follows was done by the program of that call (a body): it stands
 * within the call, until the next record. */
void builder_within(struct builder *, struct str call);

/* ---- what happened ---- */

/* A turn begins; its prompt, if it is logged, comes before anything else. */
void builder_turn(struct builder *);
/* The same, by an input. A run whose first input is not logged has no prompt. */
void builder_input(struct builder *);
/* The turn that the thread is in; begins one if it is in none. */
struct turn *builder_turn_now(struct builder *);

/* A user's input: a string, a body, or a list of blocks of which the text
 * counts. Prompts of one record are one. */
void builder_prompt(struct builder *, const struct json *);
void builder_prompt_body(struct builder *, struct str body);
/* The prompt again, in a better copy: it takes the place of that of the turn,
 * if nothing has happened in it. */
void builder_replace_prompt(struct builder *, const struct json *);
/* An assistant's text: a string. Texts of one message are one. */
void builder_text(struct builder *, const struct json *);
/* The same of a string or a list of blocks, of which the text counts. */
void builder_text_blocks(struct builder *, const struct json *);
/* An answer that is a value and no string: its JSON is the text. */
void builder_text_value(struct builder *, const struct json *);
/* More of the text that was told last, unless a call came between. */
void builder_append_text(struct builder *, const struct json *);
/* What is told as more of it begins another block of text. */
void builder_text_ends(struct builder *);
/* The assistant answered with an empty text: what builder_text passes over. */
void builder_empty_text(struct builder *);

struct builder_call {
	const struct json *id, *tool, *server; /* strings */
	const struct json *name; /* string: the tool's without the server's */
	const struct json *args; /* any value */
	bool ended;    /* the log tells of the call only now that it is over */
	bool decode;   /* args is a string that should hold JSON */
	bool null_too; /* args of null are what the call had, not untold */
	const struct json *task;     /* what a sub-agent is asked to do */
	const struct json *duration; /* in milliseconds */
};
void builder_add_call(struct builder *, const struct builder_call *);
#define builder_call(b, ...) \
	builder_add_call((b), &(struct builder_call){ __VA_ARGS__ })
/* More of the text of the arguments, a string, of the call with that id; if
 * there is none, of the call told last. */
void builder_append_args(
    struct builder *, const struct json *id, const struct json *);
/* All arguments of the call with that id, whose log tells them after it; if
 * there is none, of the call told last. */
void builder_args(struct builder *, const struct json *id, const struct json *);
/* What a string holds as JSON; else the string itself. */
struct str builder_decode(struct builder *, const struct json *string);
/* The call with that id was only asked for; it begins with this record. */
void builder_call_begins(struct builder *, const struct json *id);
/* The calls that come are of another program, which counts its ids from the
 * beginning: they name none that was told before. */
void builder_restart_ids(struct builder *);
/* Whether there is a call, or a lone result, with that id. */
bool builder_has_call(const struct builder *, const struct json *id);

struct builder_result {
	const struct json *id, *tool, *server, *name;
	bool last; /* of the call that was told last, whatever waits */
	const struct json *value; /* any; NULL: the rest tells more about it */
	bool seen; /* value is what the model saw: another one is better */
	const struct json *is_error; /* true or false */
	const struct json *ok;       /* the same, of a log that says it so */
	const struct json *duration; /* in milliseconds */
	const struct json *ts_start; /* of the call, if the log says it here */
	const struct json *agent;    /* id of the sub-agent that was started */
};
void builder_add_result(struct builder *, const struct builder_result *);
#define builder_result(b, ...) \
	builder_add_result((b), &(struct builder_result){ __VA_ARGS__ })
/* How long the call took that was told or answered last; NAN: unknown. */
void builder_call_duration(struct builder *, double ms);

/* A model's message was counted; `key` is its id (absent: counted but once).
 * partial: the output was counted before its end. */
void builder_usage(
    struct builder *, struct str key, const struct usage *, bool partial);
/* A key for a message that has no id, though it is counted more than once. */
struct str builder_usage_key(struct builder *);
/* A model's message that the log does not count. */
void builder_llm_call(struct builder *, struct str key);
/* What was used by who knows how many calls of models. */
void builder_usage_uncounted(struct builder *, const struct usage *);
/*
 * What the run has used so far, by a counter that only grows; where it fell,
 * it began anew. It takes the place of what was told by message since the
 * last one. True if it has grown.
 */
bool builder_total(struct builder *, const struct usage *);
/* That counter begins at 0 again: what was told so far stands, by it and by
 * message. */
void builder_restart_total(struct builder *);
/* A guardrail looked at the turn. */
struct builder_guardrail {
	const struct json *name;    /* string */
	const struct json *passed;  /* true or false */
	const struct json *details; /* any */
};
void builder_add_guardrail(struct builder *, const struct builder_guardrail *);
#define builder_guardrail(b, ...) \
	builder_add_guardrail((b), &(struct builder_guardrail){ __VA_ARGS__ })
/* The log tells which ones looked at the turn, if any did. */
void builder_guardrails(struct builder *);
/* The workflow is in that state (a string) now. */
void builder_state(struct builder *, const struct json *state, bool complete);
/* It has not moved in this turn, in a log that tells whenever it does. */
void builder_state_stays(struct builder *);
/* It went from one state to another; strings. */
void builder_transition(struct builder *, const struct json *from,
    const struct json *to, const struct json *event);

/* How long the turn took, in milliseconds. */
void builder_turn_duration(struct builder *, const struct json *);
/* The log cut short what was told last: a prompt, a text or a result. */
void builder_cut(struct builder *);
/* Why the model's answer ended, in the word of its API: if it is not whole, its
 * text is cut; and meta tells why it is incomplete. */
void builder_stop_reason(struct builder *, const struct json *reason);

/* Arguments that came in pieces are whole: at a run's end. */
void builder_close_args(struct builder *);

/* Ids of sub-agents that calls started and that no record is of. */
struct builder_ids builder_missing_agents(
    const struct builder *, struct arena *);

/* The user went back before so many of the thread's last turns. */
void builder_rewind(struct builder *, size_t turns);
/* The text that was told last was said on the way: it is no answer. */
void builder_text_is_interim(struct builder *);

/* Values for what a log says in other words: true or false, and a string of
 * that body, which lives as long as the run. */
const struct json *builder_bool(bool);
const struct json *builder_str(struct builder *, struct str body);

/* Whether the thread's turn has a prompt. */
bool builder_has_prompt(const struct builder *);
