/*
 * Assembles agent runs from events that a log format reports in the order of
 * the log, and writes each run as a trace record when the run ends.
 *
 * For each record of its log, a format calls builder_locate with the record's
 * time and place, and then one function for each thing that happened there:
 * builder_prompt, builder_text, builder_call, builder_result, builder_usage.
 * builder_begin_run and builder_end_run bound a run; a format whose file holds
 * one run needs neither, and where each record has the id of its run, log_run
 * (format/log_format.h) does both. The builder matches results with calls,
 * starts a turn at each prompt, finds the call that started a sub-agent, counts
 * usage once, and notes which kinds of evidence the log recorded.
 *
 * The builder copies what it keeps, so that a value may be freed when the
 * function returns. NULL and a value of the wrong type mean "not logged". A
 * "body" is the JSON source of a string without its quotes. A function that
 * adds to a run opens a run if none is open.
 */
#pragma once

#include "extract/run/builder_state.h"

/* ---- life cycle: for the reader of log files, not for formats ---- */

/* Initializes the builder and copies *options. */
void builder_init(struct builder *, const struct builder_options *);

/* Sets the file and line of the record from which the next events come. `file`
 * is not copied. Opens no run. */
void builder_source(struct builder *, const char *file, size_t line);

/* Notes that the log breaks off in the next record: the last run in that record
 * is incomplete. */
void builder_set_log_cut(struct builder *);

/* Notes that a record at this line is lost: the runs that are open or suspended,
 * and, if `next` is true, the next run that begins, may lack calls and texts. The
 * run of a session to which no record returns has ended before that line. */
void builder_torn(struct builder *, size_t line, bool next);

/* Ends the log: writes the open run and all suspended runs. */
void builder_end(struct builder *);

/* Calls builder_end and frees all memory of the builder. */
void builder_close(struct builder *);

/* Returns whether a record of the open run, or one before any run, had the id
 * with this hash (hash_add, whose last byte does not count), and notes the id. */
bool builder_had_record(struct builder *, uint64_t id);

/* ---- the run ---- */

/* Opens a run if none is open or the open run has ended; returns the open run.
 * builder_current_run is its fast path. */
struct run *builder_open_run(struct builder *);

/* Returns the open run; opens one if there is none. */
static inline struct run *
builder_current_run(struct builder *b)
{
	return b->run == NULL || b->ended ? builder_open_run(b) : b->run;
}

/* Returns whether a run is open whose end was not reported. builder_has_run is true
 * as well if the end was reported, until the run is written. */
static inline bool
builder_is_open(const struct builder *b)
{
	return b->run != NULL && !b->ended;
}

static inline bool
builder_has_run(const struct builder *b)
{
	return b->run != NULL;
}

/* Returns the memory that lives until the open run is written. */
static inline struct arena *
builder_arena(struct builder *b)
{
	return &b->run_arena;
}

/* Notes that the next run that begins lacks the records from this line on. */
static inline void
builder_lacks_from(struct builder *b, size_t line)
{
	b->torn = line;
}

/* Returns whether a run is open or suspended, so that the next record may
 * belong to it. Opens no run. */
static inline bool
builder_may_continue(const struct builder *b)
{
	return b->run != NULL || b->n_suspended != 0;
}

/* Ends the previous run, or suspends it if its mark says that it may continue,
 * and begins a run. A format that never calls this function gets a run at its
 * first event. */
void builder_begin_run(struct builder *);

/* Like builder_begin_run, for a run that ends before `text` is freed. The text
 * is one line that holds most of the run's values; these are not copied. */
void builder_begin_run_in(struct builder *, struct str text);

/* Ends the open run, if any. */
void builder_end_run(struct builder *);

/* Returns the open run's mark, which the format fills in if a later record may
 * continue the run after records of other runs. */
struct builder_mark *builder_mark(struct builder *);

/* Returns the mark of the i-th run that may continue, in the order of their
 * last use (the open run comes last), or NULL if there are fewer. */
const struct builder_mark *builder_mark_at(const struct builder *, size_t i);

/* Makes the i-th run of builder_mark_at the open run. If another run is open,
 * it ends or is suspended. */
void builder_resume(struct builder *, size_t i);

/* Sets whether the log breaks off before the run's end. If it does, the members
 * that may be incomplete are listed in the record's `cut`. */
void builder_set_broken(struct builder *, bool);

/* Sets a member of the run; NULL removes it, and an object or a list is
 * ignored. A number as RUN_SCENARIO becomes a string. */
void builder_set(struct builder *, enum run_member, const struct json *);

/* Like builder_set, but does nothing if the member is set already. */
void builder_set_first(struct builder *, enum run_member, const struct json *);

/* Like builder_set, but takes the body of a string that is no value of the
 * log. */
void builder_set_body(struct builder *, enum run_member, struct str body);

/* Sets the error that made the run itself fail: a string, or an object with a
 * `message`; of any other value the JSON text. NULL, null, false and an empty
 * string remove the error. */
void builder_error(struct builder *, const struct json *);

/* Continues the run after its end was reported: removes the final answer, the
 * error and the duration that came with that end. */
void builder_reopen(struct builder *);

/* Sets the run's duration in milliseconds; removes it if `ms` is NAN, infinite
 * or negative. */
void builder_duration(struct builder *, double ms);

/* Sets when the run began and ended, where the log records it for the run as a
 * whole. The values are as in builder_locate's ts; NULL changes nothing. */
void builder_set_times(
    struct builder *, const struct json *start, const struct json *end);

/* Sets a member of `meta`. `name` must outlive the run. null and NULL change
 * nothing. */
void builder_meta_named(struct builder *, struct str name, const struct json *);
static inline void
builder_meta(struct builder *b, const char *name, const struct json *v)
{
	builder_meta_named(b, str_of(name), v);
}

/* Adds to the run's system prompt: a string, a block with a text, or a list of
 * these, which are joined with newlines. The first prompt that is reported counts,
 * with what follows before the first turn; repetitions, and prompts of sub-agents,
 * are ignored. */
void builder_system(struct builder *, const struct json *);

/* Like builder_system, for a message of a conversation: after the first turn, such a
 * message is no system prompt. */
void builder_system_message(struct builder *, const struct json *);

/* Adds a model that answered in the current thread; the first model is the
 * run's, and if there are several, all are listed under `meta`. */
void builder_model(struct builder *, const struct json *);

/* Returns the model of the message that is read; NULL: unknown. */
const struct run_item *builder_model_now(const struct builder *);

/* Numbers the run from 0 among the runs of the same group, scenario and agent,
 * for logs that do not number them. */
void builder_number_run(struct builder *);

/* Notes that the log records no calls, or none of this run.
 * builder_records_calls takes this back, if a later record shows that the log
 * records calls. */
void builder_no_calls(struct builder *);
void builder_records_calls(struct builder *);

/* Notes that the run began with a prompt that is not logged. */
void builder_no_prompt(struct builder *);

/* ---- position: time, thread and place of a record ---- */

struct builder_locate {
	const struct json *ts;      /* RFC 3339 text, or a number since 1970 */
	const struct json *message; /* id, if a message has several records */
	/* For a sub-agent's record: the sub-agent's id, and the body of the id
	 * of the call that started the sub-agent, as far as they are logged. */
	const struct json *agent;
	struct str parent;
	bool sidechain;
	/* The record was copied from another log: its events are ignored, but
	 * builder_total takes note of its counters. */
	bool replay;
	bool root; /* follows no record: its thread starts over here */
	/*
	 * In logs whose records form a tree: the id of the record, and the id
	 * of the record before it. A record with the id, the content length and
	 * the time of an earlier record is a copy: its events are ignored.
	 */
	const struct json *node, *after, *content;
	const struct json *name; /* see builder_agent */
};

/* Sets the position of the events that follow. A format calls this function
 * before it reports the events of a record. builder_locate is the usual
 * spelling: builder_locate(b, .ts = ts, .message = id). */
void builder_locate_at(struct builder *, const struct builder_locate *);
#define builder_locate(b, ...) \
	builder_locate_at((b), &(struct builder_locate){ __VA_ARGS__ })

/* Returns whether the record of the position is a copy, whose events are ignored. */
static inline bool
builder_replays(const struct builder *b)
{
	return b->replay;
}

/* Puts the events that follow, up to the next builder_locate, inside the call
 * with this id (a body): the program that the call ran did these things. */
void builder_enter_call(struct builder *, struct str call);

/* Notes that the texts and calls that follow, up to the next builder_locate, are
 * those of the agent with this name, a string. Without this, steps of a sub-agent are
 * named after the kind of agent that the arguments of the call ask for, or after the
 * sub-agent's id, or after the call's tool. Other steps get a name only in a run of several agents, and only
 * those that the run's own agent did not make. */
void builder_agent(struct builder *, const struct json *name);

/* Notes that the run is that of a sub-agent with this name, a string, which is the
 * name of its steps' agent. */
void builder_sub_agent(struct builder *, const struct json *name);

/* Notes that the texts and calls that follow, up to the next builder_locate, are
 * those of one message of the model: of the message whose id builder_locate got, or
 * of a message of their own. Without this, steps have no number of a message. */
void builder_message(struct builder *);

/* Like builder_message, for the message with this id (a string), also where builder_locate
 * got no id: texts with the id are not joined. Does nothing without an id. */
void builder_message_named(struct builder *, const struct json *id);

/* Like builder_message, for logs that record each text and call by itself, without
 * the message's id: the message goes on until the thread has a result, a prompt or
 * usage. Results must follow all calls of their message. */
void builder_message_by_order(struct builder *);

/* Returns whether a record of the run has this id (`node` of builder_locate). Opens
 * no run. */
bool builder_has_node(const struct builder *, const struct json *id);

/* ---- turns and prompts ---- */

/* Begins a turn, unless the current turn is still empty. Its prompt, if it is
 * logged, must be the next event. */
void builder_turn(struct builder *);

/* Like builder_turn, for a turn that a user's input began. If the first input
 * of a run is not logged, the run has no prompt. */
void builder_input(struct builder *);

/* Returns the thread's current turn and extends the turn's time to the current
 * position; begins a turn if the thread has none. */
struct turn *builder_current_turn(struct builder *);

/* Adds a user's input: a string, a list of content blocks whose texts count, or
 * a body. Prompts of one record are joined with newlines. */
void builder_prompt(struct builder *, const struct json *);
void builder_prompt_body(struct builder *, struct str body);

/* Replaces the turn's prompt with a better copy; begins a turn instead if the
 * turn has steps. */
void builder_replace_prompt(struct builder *, const struct json *);

/* Returns whether the thread's current turn has a prompt. Opens no run. */
bool builder_has_prompt(const struct builder *);

/* Sets the duration of the current turn in milliseconds. A value that exceeds
 * the turn's own time stamps is ignored: it covers several turns. Does nothing if
 * no turn has begun. */
void builder_turn_duration(struct builder *, const struct json *);

/* Sets the duration of a turn of the open run (builder_current_turn) in milliseconds,
 * for logs that record the durations at the end. NAN, infinite or negative: changes
 * nothing. */
void builder_turn_lasted(struct builder *, struct turn *, double ms);

/* Goes back before the last `turns` turns of the thread, as a user does who
 * edits an earlier prompt; these turns are written as abandoned. */
void builder_rewind(struct builder *, size_t turns);

/* ---- texts of the assistant ---- */

/* Adds an assistant's text, a string. Texts of one message are joined with
 * newlines. */
void builder_text(struct builder *, const struct json *);

/* Like builder_text, but takes a string or a list of content blocks. */
void builder_text_blocks(struct builder *, const struct json *);

/* Like builder_text, but the text is the JSON source of the value: for an
 * answer that is not a string. */
void builder_text_value(struct builder *, const struct json *);

/* Appends to the last text without a newline, for streamed texts. After a call
 * or builder_end_text, begins another text as builder_text does. */
void builder_append_text(struct builder *, const struct json *);

/* Ends a streamed block of text: see builder_append_text. */
void builder_end_text(struct builder *);

/* Adds an empty assistant text; builder_text ignores an empty string. */
void builder_empty_text(struct builder *);

/* Marks the last text as interim: it is not the run's answer. */
void builder_text_is_interim(struct builder *);

/* Notes that the log cut short the prompt, text, result or a call's arguments
 * that were reported last. */
void builder_mark_cut(struct builder *);

/* Notes why the model's answer ended, in the word of the model's API, after the
 * texts and calls of the answer. If the model did not stop by itself, `meta` records
 * the word, and `ended` says so of the turn, until a step follows. */
void builder_stop_reason(struct builder *, const struct json *reason);

/* Notes that the text that was reported last is a refusal of the model's. */
void builder_refused(struct builder *);

/* ---- calls and results ---- */

struct builder_call {
	const struct json *id, *tool, *server; /* strings */
	const struct json
	    *name; /* string: the tool's name without the server */
	const struct json *args; /* any value */
	bool ended;              /* the call is logged only after it ended */
	bool early;              /* only a later part of the call was logged so
				  * far: the next call with this id in the turn
				  * fills in this step, also after `ended` */
	bool decode;   /* a string in args should hold JSON: decode it */
	bool once;     /* ignored if a call with the same id, tool and args
		        * waits for its result; not with `decode` */
	bool by_user;  /* the user made the call, with a tool of the user's */
	bool null_too; /* null in args is a logged value, not "not logged" */
	const struct json *task;     /* string: what a sub-agent is asked */
	const struct json *duration; /* in milliseconds */
};

/* Adds a tool call. The log may record a call after its result. builder_call is
 * the usual spelling: builder_call(b, .id = id, .tool = name). */
void builder_add_call(struct builder *, const struct builder_call *);
#define builder_call(b, ...) \
	builder_add_call((b), &(struct builder_call){ __VA_ARGS__ })

/* Appends a string to the text of the arguments of the call with this id, or of
 * the last call if no call has the id. */
void builder_append_args(
    struct builder *, const struct json *id, const struct json *);

/* Sets the arguments of the call with this id, or of the last call if no call
 * has the id, for logs that record arguments after the call. Replaces what
 * builder_append_args added. */
void builder_set_args(
    struct builder *, const struct json *id, const struct json *);

/* Notes that the call with this id begins with the current record; before, the
 * model only asked for the call. */
void builder_begin_call(struct builder *, const struct json *id);

/* Sets the duration of the call that was last added or answered, in
 * milliseconds. NAN, infinite or negative: changes nothing. Opens no run. */
void builder_call_duration(struct builder *, double ms);

/* Forgets the call ids so far: the calls that follow come from another program
 * that counts its ids from the beginning. */
void builder_restart_ids(struct builder *);

/* Gives the call that was reported last, which has an id, another id by which results
 * may name the call. */
void builder_call_also(struct builder *, const struct json *id);

/* Returns whether there is a call, or a result without a call, with this id.
 * Opens no run. */
bool builder_has_call(const struct builder *, const struct json *id);

/* Returns whether there is a result with this id, but no call. Opens no run. */
bool builder_lacks_call(const struct builder *, const struct json *id);

struct builder_result {
	const struct json *id, *tool, *server, *name;
	bool last; /* answers the last call, whatever calls wait */
	const struct json *value; /* any value; NULL: keeps the value so far */
	bool
	    seen; /* value is the model's view: does not replace another value */
	const struct json *is_error; /* true or false */
	const struct json *ok;       /* the opposite of is_error */
	const struct json *duration; /* in milliseconds */
	const struct json *ts_start; /* when the call began, if logged here */
	const struct json *agent;    /* id of the sub-agent that was started */
};

/* Adds a result to the call that it answers (see call_matching.h), or as a step
 * of its own if there is none. builder_result is the usual spelling:
 * builder_result(b, .id = id, .value = v). */
void builder_add_result(struct builder *, const struct builder_result *);
#define builder_result(b, ...) \
	builder_add_result((b), &(struct builder_result){ __VA_ARGS__ })

/* Counts a record, or a block of a message, that is not read: its kind (a body,
 * or another text without quotes), and what may be lost with it: RUN_LOST_... The
 * open run, if there is one, lists the kind. Opens no run. */
void builder_unread(struct builder *, struct str kind, unsigned lost);

/* Like builder_unread, for a block that is known only by its type (a body): the
 * type says what may be lost. */
void builder_unread_block(struct builder *, struct str type);

/* Like builder_unread_block, for a block that names its type; else the name of its
 * first member that is neither null, true nor false says what the block is. A block
 * without such a member carries nothing. */
void builder_unread_part(struct builder *, const struct json *part);

/* Counts the members of a model's message that hold calls by their names, except
 * tool_calls, function_call and executed_tools. */
void builder_unread_members(struct builder *, const struct json *message);

/* Adds `more` to what is not read. */
void builder_unread_add(
    struct builder_unread *, const struct builder_unread *more);

/* Returns whether there is a record of the sub-agent with this id. Opens no
 * run. */
bool builder_has_agent(const struct builder *, const struct json *id);

/* Returns the ids of sub-agents that calls started but that have no record, as
 * copies in the arena. Opens no run. */
struct builder_ids builder_missing_agents(
    const struct builder *, struct arena *);

/* ---- usage ---- */

/* Adds what a model used for one message and counts one call of the model. The
 * id `key` counts a message once, however often it is reported, with its larger
 * counts; an absent key counts each report. partial: the output was counted
 * before it was complete. */
void builder_usage(
    struct builder *, struct str key, const struct usage *, bool partial);

/* Returns a new key for a message that has no id but is reported more than
 * once. The key lives as long as the run. */
struct str builder_usage_key(struct builder *);

/* Says that the key of a usage names the same message in all runs of the input:
 * the first run that is written counts the usage. */
void builder_usage_once(struct builder *, struct str key);

/* Counts a call of a model whose usage is not logged. */
void builder_llm_call(struct builder *, struct str key);

/* Adds usage of an unknown number of model calls. */
void builder_usage_uncounted(struct builder *, const struct usage *);

/*
 * Sets what the run has used so far, from a counter of the log that only grows;
 * a counter that fell started again from 0. Replaces what builder_usage
 * reported since the last total. Returns whether the counter grew.
 */
bool builder_total(struct builder *, const struct usage *);
/* Like builder_total, where one model used all since the last total. */
bool builder_total_of(
    struct builder *, const struct usage *, const struct run_item *model);

/* Notes that the counter of builder_total restarts at 0. What was reported so
 * far, by total and by message, remains. */
void builder_restart_total(struct builder *);

/* ---- workflow: states and guardrails ---- */

/* Sets the workflow's state (a string) after the current turn, and whether the
 * workflow is complete. */
void builder_state(struct builder *, const struct json *state, bool complete);

/* Sets the state of the current turn to the last known state, in a log that
 * records every change of state. */
void builder_keep_state(struct builder *);

/* Adds a transition between two states; all values are strings. */
void builder_transition(struct builder *, const struct json *from,
    const struct json *to, const struct json *event);

struct builder_guardrail {
	const struct json *name;    /* string */
	const struct json *passed;  /* true or false */
	const struct json *details; /* any value */
};

/* Adds a guardrail that examined the current turn. */
void builder_add_guardrail(struct builder *, const struct builder_guardrail *);
#define builder_guardrail(b, ...) \
	builder_add_guardrail((b), &(struct builder_guardrail){ __VA_ARGS__ })

/* Notes that the log records the guardrails of the current turn, even if there
 * are none. */
void builder_guardrails_logged(struct builder *);

/* ---- values that the log does not spell as JSON ---- */

/* Returns a constant value true or false. */
const struct json *builder_bool(bool);

/* Returns a string with this body, which lives as long as the run. */
const struct json *builder_str(struct builder *, struct str body);
