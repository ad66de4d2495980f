/*
 * Streams of events of AG-UI, the protocol between agents and user interfaces,
 * one event a record: {"type": "TEXT_MESSAGE_CONTENT", "messageId", "delta"}.
 * A thread is a run, and each of its runs is a turn. The names are those of the
 * protocol's SDK for TypeScript; the SDK for Python may write them with
 * underscores.
 */
#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/value/copy.h"

struct thread_state {
	struct hash_table known;  /* messages and calls, by body of the id */
	const struct json *said;  /* id of the text that is streamed */
	const struct json *call;  /* id of the call that is streamed */
	struct text words;        /* body: a user's text so far */
	bool by_user, by_program; /* the author of the streamed text */
	bool streamed;            /* the current turn was streamed */
};

/* ---- which messages are new ---- */

/* Notes the message or call. Returns whether it was noted before. */
static bool
note(struct log *log, const struct json *id)
{
	struct thread_state *s = log->state;
	bool known = hash_get(&s->known, json_raw(id)) != NULL;

	if (json_raw(id).n != 0 && !known)
		*hash_put_copy(&s->known, json_raw(id)) = s;
	return known;
}

/* Returns whether all calls of the message are known, and there is one. */
static bool
calls_are_known(struct log *log, const struct json *message)
{
	const struct json *calls = field_find(message, "toolCalls tool_calls");

	for (json_each(call, calls))
		if (!builder_has_call(log->builder, json_get(call, "id")))
			return false;
	return json_count(calls) != 0;
}

/* ---- messages as a whole ---- */

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("role=assistant", LOG_MESSAGE, .id = "id"),
	LOG_ROW("role=assistant", LOG_BLOCKS, .of = "content"),
	LOG_ROW("role=assistant", LOG_HOOK, .each = "toolCalls tool_calls",
	    .report = openai_call_read),
	LOG_ROW("role=tool", LOG_RESULT, .id = "toolCallId tool_call_id",
	    .result = "content", .failed = "error"),
	LOG_ROW("role=system|developer", LOG_SYSTEM, .of = "content"),
	LOG_ROW("role=activity|reasoning", LOG_NOTHING),
	LOG_LAST,
};

/* Reads the messages that are new. */
static void
read_messages(struct log *log, const struct json *list)
{
	for (json_each(m, list)) {
		const struct json *result =
		    field_find(m, "toolCallId tool_call_id");

		if (!note(log, json_get(m, "id")) && !calls_are_known(log, m) &&
		    (result == NULL || !note(log, result)))
			log_read_part(log, messages, m);
	}
}

/* Reads all messages of the thread so far. Of a turn that was streamed, only the
 * prompt may be new. */
static void
read_snapshot(struct log *log, const struct json *list)
{
	struct builder *b = log->builder;
	struct thread_state *s = log->state;
	const struct json *last = NULL;

	if (!s->streamed) {
		read_messages(log, list);
		return;
	}
	for (json_each(m, list))
		if (!note(log, json_get(m, "id")) &&
		    field_is(m, "role", "user"))
			last = json_get(m, "content");
	if (json_raw(last).n != 0 && !builder_has_prompt(b))
		text_append_line(builder_arena(b),
		    &builder_current_turn(b)->prompt, json_raw(last));
}

/* ---- streamed messages ---- */

static void
end_words(struct log *log, const struct json *end)
{
	struct thread_state *s = log->state;

	(void)end;
	if (s->by_user && s->words.n != 0)
		builder_prompt_body(
		    log->builder, (struct str){ s->words.s, s->words.n });
	s->words = (struct text){ 0 };
	s->by_user = s->by_program = false;
	s->said = NULL;
	builder_end_text(log->builder);
}

/* Reads a part of a text, perhaps its first one. */
static void
read_text(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct thread_state *s = log->state;
	const struct json *id = field_find(r, "messageId message_id");
	const struct json *delta = json_get(r, "delta");

	if (id != NULL && !str_eq(json_raw(id), json_raw(s->said))) {
		end_words(log, NULL);
		note(log, id);
		s->said = copy_tree(builder_arena(b), id);
		s->by_user = field_is(r, "role", "user");
		s->by_program = field_is(r, "role", "system developer");
	}
	if (s->by_user && json_is(delta, JSON_STRING))
		text_append(builder_arena(b), &s->words, json_raw(delta));
	if (s->by_user || s->by_program)
		return;
	s->streamed = true;
	builder_message_named(b, s->said);
	builder_append_text(b, delta);
}

/* Reads a part of a call, perhaps its first one. */
static void
read_call(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct thread_state *s = log->state;
	const struct json *id = field_find(r, "toolCallId tool_call_id");
	const struct json *tool =
	    field_find(r, "toolCallName tool_call_name toolName");
	const struct json *parent =
	    field_find(r, "parentMessageId parent_message_id");

	if (id != NULL)
		s->call = copy_tree(builder_arena(b), id);
	if (tool != NULL && !builder_has_call(b, s->call)) {
		end_words(log, NULL);
		note(log, parent);
		builder_message_named(b, parent);
		builder_call(b, .id = s->call, .tool = tool);
		s->streamed = true;
	}
	builder_append_args(b, s->call, json_get(r, "delta"));
}

static void
read_result(struct log *log, const struct json *r)
{
	const struct json *id = field_find(r, "toolCallId tool_call_id");

	note(log, id);
	note(log, field_find(r, "messageId message_id"));
	builder_result(log->builder, .id = id, .value = json_get(r, "content"));
}

/* ---- runs of a thread ---- */

static void
begin(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct thread_state *s = log->state;

	end_words(log, NULL);
	s->streamed = false;
	builder_reopen(b);
	builder_set_broken(b, true); /* until the run's end is read */
	read_messages(log, json_path(r, "input.messages"));
	builder_locate(b, .ts = json_get(r, "timestamp"));
	builder_turn(b);
}

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	builder_set_first(b, RUN_PROVIDER, json_get(counts, "provider"));
	builder_model(b, json_get(counts, "model"));
	field_usage(&u, counts, .input_and_cache = "inputTokens input_tokens",
	    .output = "outputTokens output_tokens",
	    .cache_read = "cachedInputTokens cached_input_tokens",
	    .reasoning = "reasoningTokens reasoning_tokens");
	builder_usage_uncounted(b, &u);
}

static void
read_end(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct thread_state *s = log->state;

	end_words(log, NULL);
	for (json_each(counts, json_get(r, "usage")))
		read_usage(b, counts);
	if (field_is_type(r, "RUN_ERROR"))
		builder_error(b, field_find(r, "message code"));
	else if (!s->streamed)
		builder_text(b, json_get(r, "result"));
	if (json_str_is(json_path(r, "outcome.type"), "interrupt"))
		builder_meta(b, "interrupted", json_path(r, "outcome.type"));
	builder_set_broken(b, false);
}

static void
before(struct log *log, const struct json *r)
{
	struct thread_state *s = log->state;

	(void)r;
	if (s != NULL)
		return;
	log->state = s = arena_new(log->arena, struct thread_state);
	s->known.arena = log->arena;
}

static const struct log_row events[] = {
	LOG_ROW("type=RUN_STARTED", LOG_HOOK, .read = begin),
	LOG_ROW("type=TEXT_MESSAGE_START|TEXT_MESSAGE_CONTENT|"
		"TEXT_MESSAGE_CHUNK",
	    LOG_HOOK, .read = read_text),
	LOG_ROW("type=TEXT_MESSAGE_END", LOG_HOOK, .read = end_words),
	LOG_ROW("type=TOOL_CALL_START|TOOL_CALL_ARGS|TOOL_CALL_CHUNK", LOG_HOOK,
	    .read = read_call),
	LOG_ROW("type=TOOL_CALL_RESULT", LOG_HOOK, .read = read_result),
	LOG_ROW("type=MESSAGES_SNAPSHOT", LOG_HOOK, .of = "messages",
	    .read = read_snapshot),
	LOG_ROW("type=RUN_FINISHED|RUN_ERROR", LOG_HOOK, .read = read_end),
	LOG_ROW("type=TOOL_CALL_END|STATE_SNAPSHOT|STATE_DELTA|"
		"ACTIVITY_SNAPSHOT|ACTIVITY_DELTA|RAW|CUSTOM|STEP_STARTED|"
		"STEP_FINISHED|THINKING_START|THINKING_END|"
		"THINKING_TEXT_MESSAGE_START|THINKING_TEXT_MESSAGE_CONTENT|"
		"THINKING_TEXT_MESSAGE_END|REASONING_START|"
		"REASONING_MESSAGE_START|REASONING_MESSAGE_CONTENT|"
		"REASONING_MESSAGE_END|REASONING_MESSAGE_CHUNK|"
		"REASONING_END|REASONING_ENCRYPTED_VALUE",
	    LOG_NOTHING),
	LOG_LAST,
};

/* A recorder of connections may put the event into a member. */
static const struct log_row rows[] = {
	LOG_ROW("!type=RUN_STARTED !event.type=RUN_STARTED", LOG_LOCATE,
	    .of = "event.timestamp timestamp"),
	LOG_ROW("event={", LOG_IN, .of = "event", .rows = events),
	LOG_ROW("kind=meta else", LOG_NOTHING), /* of the recorder */
	LOG_ROW("else", LOG_IN, .of = "", .rows = events),
	LOG_LAST,
};

const struct log_format log_format_ag_ui = {
	.name = "ag-ui",
	.what = "AG-UI: streams of events",
	.sure = "type=RUN_STARTED threadId|thread_id, "
		"type=TEXT_MESSAGE_START|TEXT_MESSAGE_CONTENT|"
		"TEXT_MESSAGE_CHUNK messageId|message_id, "
		"type=TOOL_CALL_START|TOOL_CALL_CHUNK|TOOL_CALL_RESULT "
		"toolCallId|tool_call_id, type=MESSAGES_SNAPSHOT messages=[",
	.nested = "event",
	.session = "event.threadId event.thread_id threadId thread_id",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
