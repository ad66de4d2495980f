/*
 * Tasks of Cline, Roo Code and Kilo Code: ui_messages.json, or the same
 * messages one a line, as the user sees them; the messages that the model got
 * (cline_history.c); and the messages of a session of Cline's own program, which
 * are Anthropic's with token counts.
 */
#include "extract/format/cline.h"

#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* The state of a task. */
struct task {
	bool prompted; /* the prompt was read */
	/* For messages one a line: some message was read; the time when the
	 * task began, and its id, as far as they are known. */
	bool any_message;
	struct str began, id;
	struct str request; /* time of the last request to a model */
	/* The last call waits for its output, which is kept as far as it was
	 * read; it lives as long as the run. */
	bool waits;
	bool by_server; /* the call is one of an MCP server */
	struct text output;
};

static void
read_call(struct log *log, const struct json *tool, const struct json *server,
    const struct json *args)
{
	struct task *t = log->state;

	t->waits = true;
	t->by_server = server != NULL;
	builder_call(log->builder, .tool = tool, .server = server, .args = args,
	    /* A command may look like JSON, but is text. */
	    .decode = server != NULL || !json_str_is(tool, "command"));
}

/* Appends text to the output of the last call. */
static void
read_output(struct log *log, const struct json *text)
{
	struct task *t = log->state;

	if (t->waits && json_is(text, JSON_STRING))
		text_append_line(
		    builder_arena(log->builder), &t->output, json_raw(text));
}

/* Ends the output of the last call: it is all text that was appended. The
 * output of a server's tool begins with a line "Error:" if the tool failed. */
static void
end_output(struct log *log)
{
	struct task *t = log->state;
	struct str body = { t->output.s, t->output.n };

	if (body.s == NULL)
		return;
	builder_result(log->builder, .last = true,
	    .value = builder_str(log->builder, body),
	    .is_error = t->by_server
		? builder_bool(str_starts(body, "Error:\\n"))
		: NULL);
	t->output = (struct text){ 0 };
	t->waits = false;
}

/* Returns the counts of a request. Where the protocol is named, by Roo and
 * Kilo, the input count may include cached tokens: always for OpenAI's, and
 * since Roo 3.29.5 for Anthropic's too. */
static struct usage
usage_in(const struct json *v)
{
	const struct json *in = json_get(v, "tokensIn");
	struct usage u = { 0 };

	field_usage(&u, v, .output = "tokensOut", .cache_read = "cacheReads",
	    .cache_write = "cacheWrites", .cost = "cost");
	if (json_get(v, "apiProtocol") != NULL &&
	    json_double(in) >= u.n[USAGE_CACHE_READ] + u.n[USAGE_CACHE_WRITE])
		usage_input_with_cache(&u, in);
	else
		usage_read(&u, USAGE_INPUT, in);
	return u;
}

/* Reads a request's record. The record is written again when its counts are
 * known, or when the request was not answered. */
static void
read_request(struct log *log, const struct json *text)
{
	const struct json *v = field_decode(log->scratch, text);
	const struct json *why = field_find(v, "cancelReason");
	struct usage u = usage_in(v);

	if (u.known != 0)
		builder_usage(log->builder, (struct str){ 0 }, &u, false);
	if (json_str_is(why, "user_cancelled"))
		builder_meta(log->builder, "interrupted", why);
	else
		builder_error(log->builder,
		    why == NULL
			? NULL
			: field_find(v, "streamingFailedMessage cancelReason"));
}

/* Reads the counts of requests that are not in the list (any more), and of a
 * summary of the context. */
static void
read_counts(struct log *log, const struct json *m)
{
	struct usage u =
	    usage_in(field_decode(log->scratch, json_get(m, "text")));

	usage_read(&u, USAGE_COST, json_path(m, "contextCondense.cost"));
	builder_usage_uncounted(log->builder, &u);
}

/* Reads what agents that ran side by side said, once all of them have ended. */
static void
read_agents(struct log *log, const struct json *text)
{
	const struct json *v = field_decode(log->scratch, text);

	if (field_is(v, "status", "completed failed"))
		builder_result(log->builder, .last = true,
		    .value = json_get(v, "items"),
		    .is_error = builder_bool(field_is(v, "status", "failed")));
}

static void
read_tool(struct log *log, const struct json *text)
{
	const struct json *v = field_decode(log->scratch, text);
	const struct json *tool = field_find(v, "tool toolName uri");

	if (tool != NULL)
		read_call(log, tool, NULL, v);
}

static void
read_server_tool(struct log *log, const struct json *text)
{
	const struct json *v = field_decode(log->scratch, text);

	read_call(log, field_find(v, "tool toolName uri"),
	    json_get(v, "serverName"), json_get(v, "arguments"));
}

/* Reads a call whose argument is the message's text. */
static void
read_other_call(struct log *log, const struct json *m)
{
	read_call(log, field_find(m, "say ask"), NULL, json_get(m, "text"));
}

/* Reads a question, or, in a mode that only plans, the answer; the agent waits
 * for what the user says to it. The text may be within an object. */
static void
read_question(struct log *log, const struct json *text)
{
	const struct json *answer =
	    field_find(field_decode(log->scratch, text), "response question");

	builder_text(log->builder, answer != NULL ? answer : text);
}

/* Reads the first text, which is the prompt; another one is the agent's, unless it
 * gives the task again. */
static void
read_text(struct log *log, const struct json *m)
{
	struct task *t = log->state;

	if (!t->prompted)
		builder_prompt(log->builder, json_get(m, "text"));
	else if (!field_is(m, "say", "task"))
		builder_text(log->builder, json_get(m, "text"));
	t->prompted = true;
}

static void
read_feedback(struct log *log, const struct json *text)
{
	builder_prompt(log->builder, text);
	((struct task *)log->state)->prompted = true;
}

/* Counts a message of no known kind. Its text may be an object. */
static void
note_unread(struct log *log, const struct json *m)
{
	const struct json *v = field_decode(log->scratch, json_get(m, "text"));

	builder_unread(log->builder, json_raw(field_find(m, "say ask")),
	    unread_lost(m) | (v == NULL ? 0 : unread_lost(v)));
}

static void
locate(struct log *log, const struct json *m)
{
	const struct json *ts = json_get(m, "ts");
	struct task *t = log->state;

	if (!json_str_is(field_find(m, "say ask"), "command_output"))
		end_output(log);
	builder_locate(log->builder, .ts = ts);
	if (field_is(m, "say", "api_req_started") && ts != NULL)
		t->request = str_dup(log->arena, ts->text);
	builder_message_named(
	    log->builder, builder_str(log->builder, t->request));
	builder_model(log->builder, field_find(m, "modelInfo.modelId"));
}

/* Messages that carry nothing: what the user is told, asks for permission to go
 * on, and calls and errors that are shown otherwise as well. */
#define NOT_READ \
	"text|task|error|reasoning|api_req_finished|api_req_retried|" \
	"api_req_retry_delayed|api_req_rate_limit_wait|api_req_deleted|" \
	"user_feedback_diff|shell_integration_warning|" \
	"shell_integration_warning_with_suggestion|" \
	"mcp_server_request_started|" \
	"mcp_notification|diff_error|clineignore_error|rooignore_error|" \
	"checkpoint_created|checkpoint_saved|info|task_progress|error_retry|" \
	"hook_status|hook_output_stream|generate_explanation|" \
	"conditional_rules_applied|command_permission_denied|" \
	"condense_context_error|sliding_window_truncation|user_edit_todos|" \
	"too_many_tools_warning|image|completion_result|resume_task|" \
	"resume_completed_task|auto_approval_max_req_reached"

/* A message that asks for permission is read like one that does not. */
static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .read = locate),
	LOG_ROW("say|ask=tool", LOG_HOOK, .of = "text", .read = read_tool),
	LOG_ROW("say|ask=use_mcp_server", LOG_HOOK, .of = "text",
	    .read = read_server_tool),
	LOG_ROW("say|ask=command|browser_action|browser_action_launch|"
		"use_subagents|new_task|condense|report_bug|"
		"load_mcp_documentation",
	    LOG_HOOK, .read = read_other_call),
	LOG_ROW("ask=command_output, say=command_output|mcp_server_response|"
		"subtask_result|codebase_search_result|browser_action_result",
	    LOG_HOOK, .of = "text", .read = read_output),
	LOG_ROW("ask=followup|plan_mode_respond", LOG_HOOK, .of = "text",
	    .read = read_question),
	LOG_ROW("ask=api_req_failed|mistake_limit_reached", LOG_ERROR,
	    .of = "text"),
	LOG_ROW(
	    "say=user_feedback", LOG_HOOK, .of = "text", .read = read_feedback),
	LOG_ROW("say=text|task", LOG_HOOK, .read = read_text),
	LOG_ROW("say=completion_result", LOG_TEXT, .of = "text"),
	LOG_ROW("say=api_req_started", LOG_HOOK, .of = "text",
	    .read = read_request),
	LOG_ROW("say=deleted_api_reqs|subagent_usage|condense_context",
	    LOG_HOOK, .read = read_counts),
	LOG_ROW("say=subagent", LOG_HOOK, .of = "text", .read = read_agents),
	LOG_ROW("say|ask=" NOT_READ " else", LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = note_unread),
	LOG_LAST,
};

static void
read_message(struct log *log, const struct json *m)
{
	arena_reset(log->scratch);
	log_read_part(log, messages, m);
}

/* ---- sessions ---- */

static void
end_run(struct log *log)
{
	struct task *t = log->state;

	end_output(log);
	*t = (struct task){ 0 };
}

/* Returns a prompt without the tag around it, which names the mode; NULL if
 * there is no such tag. */
static const struct json *
prompt_in(struct builder *b, const struct json *m)
{
	struct str text =
	    json_raw(json_get(json_at(json_get(m, "content"), 0), "text"));
	size_t start = str_find_char(text, '>') + 1;

	if (!field_is(m, "role", "user") || !str_starts(text, "<user_input") ||
	    !str_ends(text, "</user_input>") || start > text.n - 13)
		return NULL;
	return builder_str(b, str_slice(text, start, text.n - 13));
}

static void
read_session_message(struct log *log, const struct json *m)
{
	const struct json *prompt = prompt_in(log->builder, m);

	if (prompt != NULL)
		builder_prompt(log->builder, prompt);
	else
		anthropic_message_read(log->builder, m);
}

static const struct field_usage counts = {
	.input_and_cache = "inputTokens",
	.output = "outputTokens",
	.cache_read = "cacheReadTokens",
	.cache_write = "cacheWriteTokens",
	.cost = "cost",
};

static const struct log_row session[] = {
	LOG_ROW("", LOG_LOCATE, .of = "ts"),
	LOG_ROW("", LOG_MODEL, .of = "modelInfo.id"),
	LOG_ROW("", LOG_HOOK, .read = read_session_message),
	LOG_ROW("", LOG_USAGE, .of = "metrics", .id = "id", .usage = &counts),
	LOG_LAST,
};

/* ---- tasks ---- */

static bool
is_partial(const struct json *m)
{
	return json_is(json_get(m, "partial"), JSON_TRUE);
}

static struct str
time_of(const struct json *m)
{
	const struct json *ts = json_get(m, "ts");

	return ts == NULL ? STR("") : ts->text;
}

/* Reads a task. A partial message comes again with the same time: the last one
 * counts. */
static void
read_task(struct log *log, const struct json *list)
{
	struct hash_table last = { .arena = builder_arena(log->builder) };
	const struct json **place;

	builder_begin_run(log->builder);
	for (json_each(m, list)) {
		place = arena_new(last.arena, const struct json *);
		*place = m;
		*hash_put(&last, time_of(m)) = place;
	}
	for (json_each(m, list)) {
		place = hash_get(&last, time_of(m));
		if (!is_partial(m) || *place == m)
			read_message(log, m);
	}
	builder_end_run(log->builder);
}

/* Returns whether a record is about another task than the current one: `named`
 * is the begin or the id of its task, and `known` that of the current task.
 * Messages before either is known are the end of a task that began before the
 * log. */
static bool
is_another(const struct task *t, struct str known, struct str named)
{
	if (known.s != NULL)
		return !str_eq(known, named);
	return t->any_message && t->began.s == NULL && t->id.s == NULL;
}

/* Reads one message a line; a partial message comes again whole. */
static void
read_line(struct log *log, const struct json *m)
{
	struct task *t = log->state;
	struct str began = time_of(m);

	if (is_partial(m))
		return;
	if (field_is(m, "say", "task")) {
		if (is_another(t, t->began, began))
			builder_begin_run(log->builder);
		t->began = str_dup(log->arena, began);
	}
	read_message(log, m);
	t->any_message = true;
}

/* Reads which task the program has begun: before or after that task's first
 * messages. */
static void
read_started(struct log *log, const struct json *r)
{
	struct task *t = log->state;
	const struct json *id = json_get(r, "taskId");

	if (json_raw(id).n == 0)
		return;
	if (is_another(t, t->id, json_raw(id)))
		builder_begin_run(log->builder);
	t->id = copy_body(log->arena, id);
	builder_set(log->builder, RUN_ID, id);
}

static const struct log_row rows[] = {
	LOG_ROW("type=say|ask ts", LOG_HOOK, .read = read_line),
	LOG_ROW("type=task_started", LOG_HOOK, .read = read_started),
	/* The reason why the program gives up. */
	LOG_ROW("type=error", LOG_ERROR, .of = "message"),
	LOG_ROW("sessionId messages=[", LOG_BEGIN, .of = "sessionId"),
	LOG_ROW("sessionId messages=[", LOG_EACH, .of = "messages",
	    .rows = session),
	LOG_ROW("sessionId messages=[", LOG_END),
	LOG_ROW("0.ts=# 0.type=say|ask", LOG_HOOK, .read = read_task),
	LOG_ROW(CLINE_HISTORY, LOG_HOOK, .read = cline_history_read),
	LOG_LAST,
};

const struct log_format log_format_cline = {
	.name = "cline",
	.what = "Cline, Roo, Kilo: ui_messages.json; Cline CLI: sessions",
	.sure = "agent sessionId messages.0.ts, type=say|ask ts=# "
		"say|ask, " CLINE_HISTORY,
	.nested = "0",
	.rows = rows,
	.state = sizeof(struct task),
	.knows_blocks = true,
	.end_run = end_run,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
