/*
 * GitHub Copilot's command line: events.jsonl of a session, and the output of
 * --output-format json. Most printed events are ephemeral and are repeated.
 */
#include "base/hash.h"
#include "extract/format/log_format.h"

/* Members of a record, in the order in which they are written. */
enum { TYPE, DATA, EPHEMERAL, TIMESTAMP, AGENT, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[DATA] = STR_CONST("data"),
	[EPHEMERAL] = STR_CONST("ephemeral"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[AGENT] = STR_CONST("agentId"),
};

struct session {
	/* The calls that started sub-agents (struct str: bodies of the calls'
	 * ids), by the agent's id. */
	struct hash_table starters;
	struct hash_table by_user; /* calls that the user made */
	/* Calls that began before the message that asks for them. */
	struct hash_table early;
	/* Usage that the requests to models log, if they do. */
	struct usage used;
};

static int
score(const struct json *r)
{
	static const char *const families[] = { "session.", "assistant.",
		"tool.", "user.", "subagent.", "hook.", "system.", "model.",
		"mcp." };
	struct str type = json_raw(json_get(r, "type"));

	if (json_is(json_get(r, "data"), JSON_OBJECT) &&
	    json_get(r, "id") != NULL && json_get(r, "timestamp") != NULL)
		for (size_t i = 0; i < sizeof families / sizeof families[0];
		     i++)
			if (str_starts(type, str_of(families[i])))
				return LOG_FORMAT_SURE;
	return str_is(type, "result") &&
		json_path(r, "usage.premiumRequests") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Begins a session. A resumed session continues its run, but its totals start
 * at 0. */
static void
read_start(struct log *log, const struct json *data)
{
	struct session *s = log->state;
	struct builder *b = log->builder;

	s->used = (struct usage){ 0 };
	log_run(log, json_get(data, "sessionId"));
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

	usage_read(&u, USAGE_CACHE_READ, json_get(m, "cacheReadTokens"));
	usage_read(&u, USAGE_CACHE_WRITE, json_get(m, "cacheWriteTokens"));
	usage_input_with_cache(&u, json_get(m, "inputTokens"));
	usage_read(&u, USAGE_OUTPUT, json_get(m, "outputTokens"));
	usage_read(&u, USAGE_REASONING, json_get(m, "reasoningTokens"));
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

/* Reads the begin of a call. */
static void
read_begin(struct log *log, const struct json *data)
{
	const struct json *id = json_get(data, "toolCallId");
	struct session *s = log->state;

	if (builder_has_call(log->builder, id)) {
		builder_begin_call(log->builder, id);
		return;
	}
	read_call(log->builder, data);
	if (json_raw(id).n != 0)
		*hash_put(&s->early, copy_body(log->arena, id)) = s;
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

static void
read_result(struct builder *b, const struct json *data)
{
	const struct json *value = field_find(data,
	    "result.content result.text_result_for_llm error.message result "
	    "error");

	builder_result(b, .id = json_get(data, "toolCallId"), .value = value,
	    .ok = json_get(data, "success"));
}

/* Reads the totals of each model, and why the program ended. */
static void
read_shutdown(struct builder *b, const struct json *data)
{
	struct usage all = { 0 };

	for (json_members(name, json_get(data, "modelMetrics"))) {
		struct usage u = tokens_of(json_get(json_value(name), "usage"));

		usage_add(&all, &u);
	}
	builder_total(b, &all);
	if (field_is(data, "shutdownType", "error"))
		builder_error(b, field_find(data, "errorReason shutdownType"));
}

/* Returns whether the user said this. Words of the program (the body of a
 * skill) have a source. */
static bool
is_by_user(const struct json *data)
{
	struct str source = json_raw(json_get(data, "source"));

	return source.n == 0 || str_is(source, "user");
}

/* Returns whether the call is a command that the user ran, and not the
 * agent. */
static bool
is_users_call(struct log *log, const struct json *type, const struct json *id)
{
	struct session *s = log->state;

	if (json_str_is(type, "tool.user_requested") && json_raw(id).n != 0)
		*hash_put(&s->by_user, copy_body(log->arena, id)) = s;
	return hash_get(&s->by_user, json_raw(id)) != NULL;
}

static void
read_event(struct log *log, const struct json *type, const struct json *data)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(data, "toolCallId");

	if (is_users_call(log, type, id))
		return;
	if (json_str_is(type, "session.start") ||
	    json_str_is(type, "session.resume"))
		read_start(log, data);
	else if (json_str_is(type, "session.shutdown"))
		read_shutdown(b, data);
	else if (json_str_is(type, "session.error"))
		builder_error(b, data);
	else if (json_str_is(type, "session.model_change"))
		builder_model(b, json_get(data, "newModel"));
	else if (json_str_is(type, "abort"))
		builder_meta(b, "interrupted", json_get(data, "reason"));
	else if (json_str_is(type, "assistant.message"))
		read_message(log, data);
	else if (json_str_is(type, "assistant.usage"))
		read_request(log, data);
	else if (json_str_is(type, "tool.execution_complete"))
		read_result(b, data);
	else if (json_str_is(type, "tool.execution_start"))
		read_begin(log, data);
	else if (json_str_is(type, "user.message") && is_by_user(data))
		builder_prompt(b, json_get(data, "content"));
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

/* Notes which call started an agent. The agent's id may be logged as that of
 * the agent that started it, if that is known already. */
static void
note_agent(struct log *log, const struct json *agent, const struct json *call)
{
	struct session *s = log->state;
	struct str id = json_raw(agent);
	struct str *body;

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

static void
locate_record(struct log *log, const struct json *const *m)
{
	struct str call = call_of(log, m[AGENT], m[DATA]);

	builder_locate(log->builder, .ts = m[TIMESTAMP],
	    .message = json_get(m[DATA], "messageId"), .parent = call,
	    .sidechain = json_raw(m[AGENT]).n != 0,
	    .agent = call.n == 0 ? m[AGENT] : NULL);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	/* Most ephemeral records are repeated, but not the usage of
	 * requests. */
	if (json_is(m[EPHEMERAL], JSON_TRUE) &&
	    !json_str_is(m[TYPE], "assistant.usage"))
		return;
	if (log->state == NULL) {
		struct session *s = arena_new(log->arena, struct session);

		s->starters.arena = s->by_user.arena = s->early.arena =
		    log->arena;
		log->state = s;
	}
	if (json_str_is(m[TYPE], "subagent.started"))
		note_agent(log, m[AGENT], json_get(m[DATA], "toolCallId"));
	locate_record(log, m);
	if (json_str_is(m[TYPE], "result"))
		read_end(log, r);
	else
		read_event(log, m[TYPE], m[DATA]);
}

const struct log_format log_format_copilot = {
	.name = "copilot",
	.what = "Copilot CLI: session events, output of --output-format json",
	.score = score,
	.signs = "type=session.* type=assistant.* type=tool.* type=user.* "
		 "type=subagent.* type=hook.* type=system.* type=model.* "
		 "type=mcp.* type=result",
	.read = read_record,
};
