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
	struct builder *builder;
	struct arena *scratch;
	bool prompted; /* the prompt was read */
	/* For messages one a line: some message was read; the time when the
	 * task began, and its id, as far as they are known. */
	bool any_message;
	struct str began, id;
	/* The last call waits for its output, which is kept as far as it was
	 * read; it lives as long as the run. */
	bool waits;
	bool by_server; /* the call is one of an MCP server */
	struct text output;
};

static bool
is_message(const struct json *m)
{
	return json_is(json_get(m, "ts"), JSON_NUMBER) &&
	    field_is_type(m, "say ask") &&
	    (json_get(m, "say") != NULL || json_get(m, "ask") != NULL);
}

static void
read_call(struct task *t, const struct json *tool, const struct json *server,
    const struct json *args)
{
	t->waits = true;
	t->by_server = server != NULL;
	builder_call(t->builder, .tool = tool, .server = server, .args = args,
	    /* A command may look like JSON, but is text. */
	    .decode = server != NULL || !json_str_is(tool, "command"));
}

/* Appends text to the output of the last call. */
static void
read_output(struct task *t, const struct json *text)
{
	if (t->waits && json_is(text, JSON_STRING))
		text_append_line(
		    &t->builder->run_arena, &t->output, json_raw(text));
}

/* Ends the output of the last call: it is all text that was appended. The
 * output of a server's tool begins with a line "Error:" if the tool failed. */
static void
end_output(struct task *t)
{
	struct str body = { t->output.s, t->output.n };

	if (t->output.s == NULL)
		return;
	builder_result(t->builder, .last = true,
	    .value = builder_str(t->builder, body),
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
read_request(struct task *t, const struct json *text)
{
	const struct json *v = field_decode(t->scratch, text);
	const struct json *why = field_find(v, "cancelReason");
	struct usage u = usage_in(v);

	if (u.known != 0)
		builder_usage(t->builder, (struct str){ 0 }, &u, false);
	if (json_str_is(why, "user_cancelled"))
		builder_meta(t->builder, "interrupted", why);
	else
		builder_error(t->builder,
		    why == NULL
			? NULL
			: field_find(v, "streamingFailedMessage cancelReason"));
}

/* Reads the counts of requests that are not in the list (any more), and of a
 * summary of the context. */
static void
read_counts(struct task *t, const struct json *m, const struct json *text)
{
	struct usage u = usage_in(field_decode(t->scratch, text));

	usage_read(&u, USAGE_COST, json_path(m, "contextCondense.cost"));
	builder_usage_uncounted(t->builder, &u);
}

/* Reads what agents that ran side by side said, once all of them have ended. */
static void
read_agents(struct task *t, const struct json *text)
{
	const struct json *v = field_decode(t->scratch, text);

	if (!field_is(v, "status", "completed failed"))
		return;
	builder_result(t->builder, .last = true, .value = json_get(v, "items"),
	    .is_error = builder_bool(field_is(v, "status", "failed")));
}

static void
read_tool(struct task *t, const struct json *text, bool of_server)
{
	const struct json *v = field_decode(t->scratch, text);
	const struct json *tool = field_find(v, "tool toolName uri");

	if (of_server)
		read_call(t, tool, json_get(v, "serverName"),
		    json_get(v, "arguments"));
	else if (tool != NULL)
		read_call(t, tool, NULL, v);
}

/* Reads a question, or, in a mode that only plans, the answer; the agent waits
 * for what the user says to it. The text may be within an object. */
static void
read_question(struct task *t, const struct json *text)
{
	const struct json *v = field_decode(t->scratch, text);
	const struct json *answer = field_find(v, "response question");

	builder_text(t->builder, answer != NULL ? answer : text);
}

/* Messages that carry nothing: what the user is told, asks for permission to go
 * on, and calls and errors that are shown otherwise as well. */
#define NOT_READ \
	"text task error reasoning api_req_finished api_req_retried " \
	"api_req_retry_delayed api_req_rate_limit_wait api_req_deleted " \
	"user_feedback_diff shell_integration_warning " \
	"shell_integration_warning_with_suggestion " \
	"mcp_server_request_started " \
	"mcp_notification diff_error clineignore_error rooignore_error " \
	"checkpoint_created checkpoint_saved info task_progress error_retry " \
	"hook_status hook_output_stream generate_explanation " \
	"conditional_rules_applied command_permission_denied " \
	"condense_context_error sliding_window_truncation user_edit_todos " \
	"too_many_tools_warning image completion_result resume_task " \
	"resume_completed_task auto_approval_max_req_reached"

/* Counts a message of no known kind. Its text may be an object. */
static void
note_unread(struct task *t, const struct json *m, const struct json *what)
{
	const struct json *v = field_decode(t->scratch, json_get(m, "text"));

	builder_unread(t->builder, json_raw(what),
	    unread_lost(m) | (v == NULL ? 0 : unread_lost(v)));
}

static void
read_said(struct task *t, const struct json *m, const struct json *text)
{
	struct builder *b = t->builder;

	if (field_is(m, "say", "user_feedback") ||
	    (!t->prompted && field_is(m, "say", "text task"))) {
		builder_prompt(b, text);
		t->prompted = true;
	} else if (field_is(m, "say", "text completion_result")) {
		builder_text(b, text);
	} else if (field_is(m, "say", "api_req_started")) {
		read_request(t, text);
	} else if (field_is(m, "say",
		       "deleted_api_reqs subagent_usage condense_context")) {
		read_counts(t, m, text);
	} else if (field_is(m, "say", "subagent")) {
		read_agents(t, text);
	} else if (field_is(m, "say",
		       "command_output mcp_server_response subtask_result "
		       "codebase_search_result browser_action_result")) {
		read_output(t, text);
	} else if (!field_is(m, "say", NOT_READ)) {
		note_unread(t, m, json_get(m, "say"));
	}
}

/* Returns whether a message of this kind is a call, whose argument is its
 * text. */
static bool
is_call(struct str kind)
{
	static const char *const kinds[] = { "command", "browser_action",
		"browser_action_launch", "use_subagents", "new_task",
		"condense", "report_bug", "load_mcp_documentation" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_is(kind, kinds[i]))
			return true;
	return false;
}

/* Reads a message. A message that asks for permission is read like one that
 * does not. */
static void
read_message(struct task *t, const struct json *m)
{
	const struct json *text = json_get(m, "text");
	const struct json *what = field_find(m, "say ask");
	struct str kind = json_raw(what);

	arena_reset(t->scratch);
	if (!str_is(kind, "command_output"))
		end_output(t);
	builder_locate(t->builder, .ts = json_get(m, "ts"));
	builder_model(t->builder, field_find(m, "modelInfo.modelId"));
	if (str_is(kind, "tool"))
		read_tool(t, text, false);
	else if (str_is(kind, "use_mcp_server"))
		read_tool(t, text, true);
	else if (is_call(kind))
		read_call(t, what, NULL, text);
	else if (field_is(m, "ask", "command_output"))
		read_output(t, text);
	else if (field_is(m, "ask", "followup plan_mode_respond"))
		read_question(t, text);
	else if (field_is(m, "ask", "api_req_failed mistake_limit_reached"))
		builder_error(t->builder, text);
	else if (json_get(m, "say") != NULL)
		read_said(t, m, text);
	else if (!field_is(m, "ask", NOT_READ))
		note_unread(t, m, what);
}

/* ---- sessions ---- */

static void
end(struct log *log)
{
	if (log->state != NULL)
		end_output(log->state);
	log->state = NULL;
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

/* Reads the counts of a message. The input count includes cached tokens. */
static void
read_metrics(struct builder *b, const struct json *m)
{
	const struct json *counts = json_get(m, "metrics");
	struct usage u = { 0 };

	field_usage(&u, counts, .input_and_cache = "inputTokens",
	    .output = "outputTokens", .cache_read = "cacheReadTokens",
	    .cache_write = "cacheWriteTokens", .cost = "cost");
	if (u.known != 0)
		builder_usage(b, json_raw(json_get(m, "id")), &u, false);
}

static void
read_session(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	end(log);
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "sessionId"));
	for (json_each(m, json_get(r, "messages"))) {
		const struct json *prompt = prompt_in(b, m);

		builder_locate(b, .ts = json_get(m, "ts"));
		builder_model(b, field_find(m, "modelInfo.id"));
		if (prompt != NULL)
			builder_prompt(b, prompt);
		else
			anthropic_message_read(b, m);
		read_metrics(b, m);
	}
	builder_end_run(b);
}

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
	struct task t = { .builder = log->builder, .scratch = log->scratch };
	struct hash_table last = { .arena = &log->builder->run_arena };
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
			read_message(&t, m);
	}
	end_output(&t);
	builder_end_run(log->builder);
}

static struct task *
task_of(struct log *log)
{
	struct task *t = log->state;

	if (t == NULL) {
		log->state = t = arena_new(log->arena, struct task);
		t->builder = log->builder;
		t->scratch = log->scratch;
	}
	return t;
}

/* Begins another task, since a program is given one task. */
static void
next_task(struct task *t)
{
	end_output(t);
	builder_begin_run(t->builder);
	t->prompted = t->any_message = t->waits = false;
	t->began = t->id = (struct str){ 0 };
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
	struct task *t = task_of(log);
	struct str began = time_of(m);

	if (is_partial(m))
		return;
	if (field_is(m, "say", "task")) {
		if (is_another(t, t->began, began))
			next_task(t);
		t->began = str_dup(log->arena, began);
	}
	read_message(t, m);
	t->any_message = true;
}

/* Reads which task the program has begun: before or after that task's first
 * messages. */
static void
read_started(struct log *log, const struct json *r)
{
	struct task *t = task_of(log);
	const struct json *id = json_get(r, "taskId");

	if (json_raw(id).n == 0)
		return;
	if (is_another(t, t->id, json_raw(id)))
		next_task(t);
	t->id = copy_body(log->arena, id);
	builder_set(t->builder, RUN_ID, id);
}

static void
read_list(struct log *log, const struct json *r)
{
	if (!is_message(json_at(r, 0)) && !cline_history_is(r)) {
		log_unread(log, r);
		return;
	}
	end(log);
	if (is_message(json_at(r, 0)))
		read_task(log, r);
	else
		cline_history_read(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("type=say|ask ts", LOG_HOOK, .read = read_line),
	LOG_ROW("type=task_started", LOG_HOOK, .read = read_started),
	/* Why the program gives up. */
	LOG_ROW("type=error", LOG_ERROR, .of = "message"),
	LOG_ROW("sessionId messages=[", LOG_HOOK, .read = read_session),
	LOG_ROW("else", LOG_HOOK, .read = read_list),
	LOG_LAST,
};

const struct log_format log_format_cline = {
	.name = "cline",
	.what = "Cline, Roo, Kilo: ui_messages.json; Cline CLI: sessions",
	.sure = "agent sessionId messages.0.ts, type=say|ask ts=# say|ask, "
		"0.role=user "
		"0.content=<task>*|<user_message>*|<environment_details>*, "
		"0.role=user 0.content.*.text=<task>*|<user_message>*|"
		"<environment_details>*",
	.nested = "0",
	.rows = rows,
	.knows_blocks = true,
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
