/*
 * GitHub Copilot's command line: events.jsonl of a session, and the output of
 * --output-format json. Most printed events are ephemeral and are repeated.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"

struct session {
	/* The calls that started sub-agents (struct str: bodies of the calls'
	 * ids), by the agent's id. */
	struct hash_table starters;
	struct hash_table names;   /* of these agents, by the call */
	struct hash_table by_user; /* calls that the user made */
	/* Calls that began before the message that asks for them. */
	struct hash_table early;
	/* Usage that the requests to models log, if they do. */
	struct usage used;
};

/* Begins a session. A resumed session continues its run, but its totals start
 * at 0. */
static void
read_start(struct log *log, const struct json *data)
{
	struct builder *b = log->builder;

	((struct session *)log->state)->used = (struct usage){ 0 };
	builder_restart_total(b);
	builder_model(b, json_get(data, "selectedModel"));
	builder_meta(b, "version", json_get(data, "copilotVersion"));
	builder_meta(b, "cwd", json_path(data, "context.cwd"));
	builder_meta(b, "branch", json_path(data, "context.branch"));
}

static void
read_call(struct builder *b, const struct json *call)
{
	builder_call(b, .id = json_get(call, "toolCallId"),
	    .tool = field_find(call, "name toolName"),
	    .server = json_get(call, "mcpServerName"),
	    .name = json_get(call, "mcpToolName"),
	    .args = json_get(call, "arguments"), .decode = true,
	    .task = json_path(call, "arguments.prompt"));
}

/* Returns the counts of m, whose input count includes cached tokens. */
static struct usage
tokens_of(const struct json *m)
{
	struct usage u = { 0 };

	field_usage(&u, m, .input_and_cache = "inputTokens",
	    .output = "outputTokens", .cache_read = "cacheReadTokens",
	    .cache_write = "cacheWriteTokens", .reasoning = "reasoningTokens");
	return u;
}

/* Returns whether the call that a message asks for began before. */
static bool
is_early(struct session *s, const struct json *id)
{
	bool early = hash_get(&s->early, json_raw(id)) != NULL;

	if (early) /* another message may use the id again */
		*hash_put(&s->early, json_raw(id)) = NULL;
	return early;
}

/* Reads a message, whose counts have its output only. */
static void
read_message(struct log *log, const struct json *data)
{
	struct session *s = log->state;
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_model(b, json_get(data, "model"));
	builder_error(b, NULL);
	builder_message(b);
	builder_text(b, json_get(data, "content"));
	for (json_each(call, json_get(data, "toolRequests")))
		if (!is_early(s, json_get(call, "toolCallId")))
			read_call(b, call);
	if (s->used.known == 0)
		usage_read(&u, USAGE_OUTPUT, json_get(data, "outputTokens"));
	builder_usage(b, json_raw(json_get(data, "messageId")), &u, false);
}

static void
read_request(struct log *log, const struct json *data)
{
	struct session *s = log->state;
	struct usage u = tokens_of(data);

	usage_add(&s->used, &u);
	builder_total(log->builder, &s->used);
}

/* Returns whether the call is a command that the user ran, and not the agent. */
static bool
is_by_user(struct log *log, const struct json *data)
{
	const struct session *s = log->state;
	struct str id = json_raw(json_get(data, "toolCallId"));

	return hash_get(&s->by_user, id) != NULL;
}

static void
note_users_call(struct log *log, const struct json *data)
{
	const struct json *id = json_get(data, "toolCallId");
	struct session *s = log->state;

	if (json_raw(id).n != 0)
		*hash_put(&s->by_user, copy_body(log->arena, id)) = s;
}

/* Reads the begin of a call. */
static void
read_begin(struct log *log, const struct json *data)
{
	const struct json *id = json_get(data, "toolCallId");
	struct session *s = log->state;

	if (is_by_user(log, data))
		return;
	if (builder_has_call(log->builder, id)) {
		builder_begin_call(log->builder, id);
		return;
	}
	read_call(log->builder, data);
	if (json_raw(id).n != 0)
		*hash_put(&s->early, copy_body(log->arena, id)) = s;
}

static void
read_result(struct log *log, const struct json *data)
{
	if (!is_by_user(log, data))
		builder_result(log->builder, .id = json_get(data, "toolCallId"),
		    .value = field_find(data,
			"result.content result.text_result_for_llm "
			"error.message result error"),
		    .ok = json_get(data, "success"));
}

/* Reads the totals of each model, and why the program ended. */
static void
read_shutdown(struct log *log, const struct json *data)
{
	struct builder *b = log->builder;
	struct usage all = { 0 };

	for (json_members(name, json_get(data, "modelMetrics"))) {
		struct usage u = tokens_of(json_get(json_value(name), "usage"));

		usage_add(&all, &u);
	}
	builder_total(b, &all);
	if (field_is(data, "shutdownType", "error"))
		builder_error(b, field_find(data, "errorReason shutdownType"));
}

/* Reads the last record of the output, the only one with the session's id. */
static void
read_end(struct log *log, const struct json *r)
{
	double status = json_double(json_get(r, "exitCode"));
	struct session *s = log->state;
	struct builder *b = log->builder;

	builder_set(b, RUN_ID, json_get(r, "sessionId"));
	builder_set(b, RUN_DURATION, json_path(r, "usage.sessionDurationMs"));
	builder_meta(b, "usage", json_get(r, "usage"));
	builder_meta(b, "exit_code", json_get(r, "exitCode"));
	if (status != 0)
		builder_error(b, builder_str(b, STR("exit status not 0")));
	builder_end_run(b);
	s->used = (struct usage){ 0 };
}

/* ---- sub-agents ---- */

/* Notes which call started an agent, and the agent's name. The agent's id may be logged as that of
 * the agent that started it, if that is known already. */
static void
note_agent(struct log *log, const struct json *agent, const struct json *data)
{
	const struct json *call = json_get(data, "toolCallId");
	struct session *s = log->state;
	struct str id = json_raw(agent);
	struct str *body;

	body = arena_new(log->arena, struct str);
	*body = copy_body(log->arena, json_get(data, "agentName"));
	*hash_put_copy(&s->names, json_raw(call)) = body;
	if (id.n == 0 || hash_get(&s->starters, id) != NULL)
		return;
	body = arena_new(log->arena, struct str);
	*body = copy_body(log->arena, call);
	*hash_put(&s->starters, str_dup(log->arena, id)) = body;
}

/* Returns the id of the call that started the record's sub-agent. Older records
 * name the call; later ones have the agent's id only, which may be that of the
 * call. */
static struct str
call_of(struct log *log, const struct json *agent, const struct json *data)
{
	const struct json *call = json_get(data, "parentToolCallId");
	struct session *s = log->state;
	const struct str *known = hash_get(&s->starters, json_raw(agent));

	if (json_raw(call).n == 0 && known != NULL)
		return *known;
	if (json_raw(call).n == 0 && builder_has_call(log->builder, agent))
		return json_raw(agent);
	return json_raw(call);
}

static const struct log_row rows[] = {
	LOG_ROW("type=session.start|session.resume", LOG_HOOK, .of = "data",
	    .read = read_start),
	LOG_ROW(
	    "type=user.message !data.source", LOG_PROMPT, .of = "data.content"),
	LOG_ROW("type=user.message data.source=user", LOG_PROMPT,
	    .of = "data.content"),
	/* Words of the program, such as the body of a skill. */
	LOG_ROW("type=user.message data.source !data.source=user", LOG_NOTHING),
	LOG_ROW("type=assistant.message", LOG_HOOK, .of = "data",
	    .read = read_message),
	LOG_ROW("type=assistant.usage", LOG_HOOK, .of = "data",
	    .read = read_request),
	LOG_ROW("type=tool.execution_start", LOG_HOOK, .of = "data",
	    .read = read_begin),
	LOG_ROW("type=tool.execution_complete", LOG_HOOK, .of = "data",
	    .read = read_result),
	LOG_ROW("type=tool.user_requested", LOG_HOOK, .of = "data",
	    .read = note_users_call),
	LOG_ROW("type=session.model_change", LOG_MODEL, .of = "data.newModel"),
	LOG_ROW("type=session.error", LOG_ERROR, .of = "data"),
	LOG_ROW(
	    "type=abort", LOG_META, .name = "interrupted", .of = "data.reason"),
	LOG_ROW("type=session.shutdown", LOG_HOOK, .of = "data",
	    .read = read_shutdown),
	LOG_ROW("type=result", LOG_HOOK, .read = read_end),

	LOG_ROW("type=system.message", LOG_SYSTEM, .of = "data.content"),
	LOG_ROW(
	    "type=assistant.turn_start|assistant.turn_end|assistant.intent|"
	    "assistant.reasoning|system.notification|"
	    "subagent.started|subagent.completed|subagent.failed|"
	    "subagent.selected|subagent.deselected|skill.invoked|hook.start|"
	    "hook.progress|hook.end|model.call_start|model.call_failure",
	    LOG_NOTHING),
	LOG_ROW("type=session.info|session.warning|session.idle|"
		"session.usage_checkpoint|session.usage_info|"
		"session.auto_mode_resolved|session.permissions_changed|"
		"session.compaction_start|session.compaction_complete|"
		"session.truncation|session.snapshot_rewind|session.handoff|"
		"session.task_complete|session.title_changed|"
		"session.mode_changed|session.plan_changed|"
		"session.todos_changed|session.context_changed|"
		"session.workspace_file_changed|session.binary_asset|"
		"session.remote_steerable_changed|session.schedule_created|"
		"session.schedule_cancelled",
	    LOG_NOTHING),
	/* A question and its answer. What an external tool is asked is a call
	 * that began before. */
	LOG_ROW(
	    "type=permission.requested|permission.completed|"
	    "user_input.requested|user_input.completed|"
	    "elicitation.requested|elicitation.completed|"
	    "sampling.requested|sampling.completed|"
	    "exit_plan_mode.requested|exit_plan_mode.completed|"
	    "auto_mode_switch.requested|auto_mode_switch.completed|"
	    "external_tool.requested|external_tool.completed|"
	    "mcp.oauth_required|mcp.oauth_completed|"
	    "command.queued|command.execute|command.completed|"
	    "commands.changed|capabilities.changed|pending_messages.modified",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *data = json_get(r, "data");
	const struct json *agent = json_get(r, "agentId");
	const struct str *name;
	struct session *s;
	struct str call;

	/* Most ephemeral records are repeated, but not the usage of
	 * requests. */
	if (json_is(json_get(r, "ephemeral"), JSON_TRUE) &&
	    !field_is_type(r, "assistant.usage")) {
		log->builder->reported |= BUILDER_NOTHING;
		return;
	}
	if (field_is_type(r, "session.start session.resume"))
		log_run(log, json_get(data, "sessionId"));
	if (log->state == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->starters.arena = s->names.arena = s->by_user.arena =
		    s->early.arena = log->arena;
	}
	if (field_is_type(r, "subagent.started"))
		note_agent(log, agent, data);
	call = call_of(log, agent, data);
	s = log->state;
	name = hash_get(&s->names, call);
	builder_locate(log->builder, .ts = json_get(r, "timestamp"),
	    .message = json_get(data, "messageId"), .parent = call,
	    .sidechain = json_raw(agent).n != 0,
	    .agent = call.n == 0 ? agent : NULL,
	    .name = name == NULL ? NULL : builder_str(log->builder, *name));
	log_read_by_rows(log, r);
}

const struct log_format log_format_copilot = {
	.name = "copilot",
	.what = "Copilot CLI: session events, output of --output-format json",
	.shared_session = "data.sessionId",
	.sure = "type=session.*|assistant.*|tool.*|user.*|subagent.*|"
		"hook.*|system.*|model.*|mcp.* data={ id timestamp, "
		"type=result usage.premiumRequests",
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
};
