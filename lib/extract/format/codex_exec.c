/*
 * Output of codex exec --json: threads, turns and items, one a line; and the
 * events that earlier versions printed, each as a msg.
 */
#include "extract/format/codex_call.h"
#include "extract/format/log_rows.h"

/* Returns the event of the older kind in a record, bare or in the form of the
 * program's own recorder; NULL if there is none. */
static const struct json *
msg_of(const struct json *r)
{
	const struct json *msg = field_find(r, "msg payload.msg");

	return json_is(json_get(msg, "type"), JSON_STRING) ? msg : NULL;
}

/* Begins a thread. A resumed thread continues its run, but the program numbers
 * its items from the beginning each time that it is started. */
static void
begin_thread(struct log *log, const struct json *r)
{
	log_run(log, field_find(r, "thread_id session_id"));
	builder_restart_ids(log->builder);
}

/* Reads a turn's counts, which are the thread's totals so far. */
static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = codex_usage(counts);

	builder_total(log->builder, &u);
}

/* Reads a call from an event of the older kind, or from an item. */
static void
read_call(struct log *log, const struct json *event)
{
	struct codex_calls how = { 0 };

	if (!codex_call_read(log->builder, event, &how))
		codex_event_unread(log, event);
}

static void
read_started(struct log *log, const struct json *item)
{
	if (!builder_has_call(log->builder, json_get(item, "id")))
		read_call(log, item);
}

/* Reads a prompt. The program prints its one prompt first, so a prompt after
 * something else is that of another run. */
static void
read_prompt(struct log *log, const struct json *prompt)
{
	if (builder_current_run(log->builder)->main.turns != NULL) {
		builder_begin_run(log->builder);
		log->id = (struct str){ 0 };
	}
	builder_prompt(log->builder, prompt);
}

/* Most records in the files of the program's own recorder say how the screen
 * changes. */
static void
before(struct log *log, const struct json *r)
{
	if (json_get(r, "dir") == NULL || msg_of(r) != NULL ||
	    !builder_may_continue(log->builder))
		builder_locate(
		    log->builder, .ts = field_find(r, "timestamp ts"));
}

#define TEXT "agent_message|assistant_message"
#define NOTHING "reasoning|todo_list|error"

static const struct log_row started[] = {
	LOG_ROW("type=" NOTHING "|" TEXT ", item_type=" NOTHING "|" TEXT,
	    LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_started),
	LOG_LAST,
};

static const struct log_row completed[] = {
	LOG_ROW("type=" TEXT ", item_type=" TEXT, LOG_TEXT, .of = "text"),
	LOG_ROW("type=" NOTHING ", item_type=" NOTHING, LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_call),
	LOG_LAST,
};

/* The older kind. */
static const struct log_row msgs[] = {
	LOG_ROW("type=session_configured", LOG_RUN, .of = "session_id"),
	LOG_ROW("type=session_configured", LOG_MODEL, .of = "model"),
	LOG_ROW("type=task_started", LOG_INPUT),
	LOG_ROW("type=task_started", LOG_OPEN), /* until its end is read */
	LOG_ROW("type=user_message", LOG_PROMPT, .of = "message"),
	LOG_ROW("type=agent_message", LOG_TEXT, .of = "message"),
	LOG_ROW("type=error", LOG_ERROR, .of = "message"),
	LOG_ROW("type=task_complete", LOG_CLOSED),
	LOG_ROW("type=task_complete last_agent_message", LOG_NO_ERROR),
	LOG_ROW("type=token_count", LOG_HOOK, .of = "info.total_token_usage ",
	    .read = read_usage),
	LOG_ROW("type=" CODEX_EVENTS_OF_NOTHING, LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_call),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("type=item.started", LOG_IN, .of = "item", .rows = started),
	LOG_ROW("type=item.completed", LOG_IN, .of = "item", .rows = completed),
	LOG_ROW("type=item.updated", LOG_NOTHING),
	LOG_ROW("type=turn.started", LOG_INPUT),
	LOG_ROW("type=turn.started", LOG_OPEN), /* until its end is read */
	LOG_ROW("type=turn.completed|turn.failed", LOG_CLOSED),
	LOG_ROW("type=turn.completed|turn.failed", LOG_ERROR, .of = "error"),
	LOG_ROW(
	    "type=turn.completed", LOG_HOOK, .of = "usage", .read = read_usage),
	LOG_ROW("type=error", LOG_ERROR, .of = "message"),
	/* An early version names the type of an event as that of an item. */
	LOG_ROW("type=thread.started|thread.resumed|session.created, "
		"item_type=session.created",
	    LOG_HOOK, .read = begin_thread),
	LOG_ROW("msg.type", LOG_IN, .of = "msg", .rows = msgs),
	LOG_ROW(
	    "!msg payload.msg.type", LOG_IN, .of = "payload.msg", .rows = msgs),
	LOG_ROW(
	    "prompt=\" !msg", LOG_HOOK, .of = "prompt", .read = read_prompt),
	LOG_ROW(
	    "dir else, model provider else, model workdir else", LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_codex_exec = {
	.name = "codex-exec",
	.what = "Codex: output of codex exec --json",
	.sure = "dir=to_tui, kind=session_start model_provider_id, "
		"msg.type=\" id, payload.msg.type=\" id, "
		"type=thread.started|thread.resumed thread_id, "
		"type=item.* item.type|item.item_type, "
		"type=turn.completed|turn.failed usage|error",
	.before = before,
	.rows = rows,
};
