/*
 * Agent Client Protocol (ACP): the JSON-RPC messages between an editor and an
 * agent, one a line, bare or within a recorder's record; and the session files
 * of Grok (updates.jsonl), which hold the same updates. Several sessions may be
 * interleaved, and each session is a run. A tool is known by its title where
 * the log has no better name.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"

/* ---- the end of a turn in Grok's files ---- */

/* Reads the counts of Grok. Its input count includes cached tokens; 10^10 cost
 * ticks are one dollar. */
static struct usage
grok_usage(const struct json *of)
{
	struct usage u = { 0 };
	double cost = json_double(json_get(of, "costUsdTicks")) / 1e10;

	field_usage(&u, of, .input_and_cache = "inputTokens",
	    .output = "outputTokens", .reasoning = "reasoningTokens",
	    .cache_read = "cachedReadTokens",
	    .cache_write = "cacheCreationTokens", .llm_calls = "modelCalls");
	if (cost >= 0)
		usage_set(&u, USAGE_COST, cost);
	return u;
}

/* Reads how the turn ended, and what each model used in it. */
static void
read_turn_end(struct log *log, const struct json *update)
{
	struct builder *b = log->builder;
	const struct json *counts = json_get(update, "usage");
	const struct json *models = json_get(counts, "modelUsage");
	struct usage all = { 0 };

	for (json_members(model, models)) {
		struct usage u = grok_usage(json_value(model));

		usage_add(&all, &u);
		builder_model(b, builder_str(b, json_raw(model)));
	}
	if (json_count(models) == 0)
		all = grok_usage(counts);
	if (usage_any(&all))
		builder_usage(
		    b, json_raw(json_get(update, "prompt_id")), &all, false);
	builder_error(b,
	    field_is(update, "stop_reason", "error")
		? field_find(update, "agent_result stop_reason")
		: NULL);
}

/* ---- sessions ---- */

/* A session. It lives as long as its run. */
struct session {
	/* Calls that were asked for, without their arguments yet, by id. */
	struct hash_table waiting;
	bool asked;    /* prompts are logged as requests */
	bool chunk;    /* the last record was a chunk of a prompt */
	struct str of; /* the id of that prompt; empty: unknown */
};

/* A request that prompts a session. Both sides count their own requests, so the
 * other side may use the same id for another request. */
struct prompt {
	struct str session;
	/* Number of requests of the other side that wait under the same id. */
	size_t others;
	bool answered;
};

/* The state of a log. Several sessions may run side by side. */
struct connection {
	struct hash_table prompts; /* by the ids of the requests, as logged */
	/* Names of the sessions' models, by the sessions' ids. */
	struct hash_table models;
	/* The session that is being replayed, and the id of the request that
	 * loads it. */
	struct str loading, load;
	/* Name that the agent gives itself; NULL: unknown. */
	const struct json *agent;
};

/* The names that a recorder may give a message. */
#define MESSAGES "msg message payload data raw body json"

/* Returns the message in a recorder's record, or the record itself if it is a
 * bare message. */
static const struct json *
message_of(const struct json *r)
{
	const struct json *m = field_find(r, MESSAGES);

	return json_get(m, "jsonrpc") != NULL ? m : r;
}

static const struct json *
update_of(const struct json *r)
{
	const struct json *update = field_find(r, "params.update update");

	return json_get(update, "sessionUpdate") != NULL ? update : NULL;
}

static void
read_prompt(struct builder *b, const struct json *content)
{
	struct str text = json_raw(json_get(content, "text"));

	if (text.s != NULL)
		builder_prompt_body(b,
		    log_between_marks(
			text, STR("<user_query>"), STR("</user_query>")));
}

static const struct json *
tool_of(const struct json *update)
{
	const struct json *name =
	    json_get(json_get(json_get(update, "_meta"), "x.ai/tool"), "name");

	return name != NULL ? name
			    : field_find(update,
				  "_meta.claudeCode.toolName "
				  "_meta.toolName title kind");
}

static bool
is_over(const struct json *update)
{
	return field_is(update, "status", "completed failed");
}

static void
read_result(struct builder *b, const struct json *update)
{
	const struct json *content = json_get(update, "content");

	if (!is_over(update))
		return;
	if (json_first(content) == NULL)
		content = json_get(update, "rawOutput");
	builder_result(b, .id = json_get(update, "toolCallId"),
	    .value = content,
	    .is_error = builder_bool(field_is(update, "status", "failed")));
}

/* Marks the begin of the call with this id, if the call waited. */
static void
begin_call(struct log *log, const struct json *id)
{
	const struct session *s = log->state;
	bool *begun = hash_get(&s->waiting, json_raw(id));

	if (begun != NULL && !*begun) {
		*begun = true;
		builder_begin_call(log->builder, id);
	}
}

/* Reads an update of a call. The arguments may be logged later than the call,
 * and so is its progress; some agents repeat the whole call for that. */
static void
read_call_update(struct log *log, const struct json *update)
{
	const struct json *id = json_get(update, "toolCallId");
	const struct json *arguments = json_get(update, "rawInput");
	bool given = json_first(arguments) != NULL;

	/* The update of a call that is logged later, or never. */
	if (!builder_has_call(log->builder, id) && tool_of(update) != NULL)
		builder_call(log->builder, .id = id, .tool = tool_of(update),
		    .early = true);
	if (given || field_is(update, "status", "in_progress completed failed"))
		begin_call(log, id);
	if (given && builder_has_call(log->builder, id))
		builder_set_args(log->builder, id, arguments);
	read_result(log->builder, update);
}

static void
read_call(struct log *log, const struct json *update)
{
	const struct json *id = json_get(update, "toolCallId");
	const struct json *arguments = json_get(update, "rawInput");
	struct session *s = log->state;
	struct arena *run = builder_arena(log->builder);

	if (builder_has_call(log->builder, id) &&
	    !builder_lacks_call(log->builder, id)) {
		read_call_update(log, update);
		return;
	}
	builder_call(
	    log->builder, .id = id, .tool = tool_of(update), .args = arguments);
	/* The call waits for permission or for its arguments. */
	if (json_first(arguments) == NULL && !is_over(update) &&
	    json_raw(id).n != 0)
		*hash_put_copy(&s->waiting, json_raw(id)) =
		    arena_new(run, bool);
	read_result(log->builder, update);
}

/* Reads a call that waits for the user's permission: often the first that the log
 * has of the call, and the last if the user does not permit it. */
static void
read_permission(struct log *log, const struct json *call)
{
	const struct json *id = json_get(call, "toolCallId");
	const struct json *arguments = json_get(call, "rawInput");

	if (!builder_has_call(log->builder, id))
		builder_call(log->builder, .id = id, .tool = tool_of(call),
		    .args = arguments, .early = true);
	else
		builder_set_args(log->builder, id,
		    json_first(arguments) != NULL ? arguments : NULL);
}

/* Reads the session's total cost so far. */
static void
read_cost(struct log *log, const struct json *cost)
{
	struct usage u = { 0 };

	if (!json_str_is(json_get(cost, "currency"), "USD"))
		return;
	usage_read(&u, USAGE_COST, json_get(cost, "amount"));
	builder_total(log->builder, &u);
}

static void
read_prompt_chunk(struct log *log, const struct json *update)
{
	const struct session *s = log->state;

	builder_model(log->builder, json_path(update, "_meta.modelId"));
	if (!s->asked)
		read_prompt(log->builder, json_get(update, "content"));
}

#define UPDATE "sessionUpdate="

static const struct log_row updates[] = {
	LOG_ROW(UPDATE "agent_message_chunk", LOG_PIECE, .of = "content.text"),
	LOG_ROW(
	    UPDATE "user_message_chunk", LOG_HOOK, .read = read_prompt_chunk),
	LOG_ROW(UPDATE "tool_call", LOG_HOOK, .read = read_call),
	LOG_ROW(UPDATE "tool_call_update", LOG_HOOK, .read = read_call_update),
	LOG_ROW(
	    UPDATE "usage_update", LOG_HOOK, .of = "cost", .read = read_cost),
	LOG_ROW(UPDATE "turn_completed", LOG_HOOK, .read = read_turn_end),
	LOG_ROW(UPDATE "turn_completed", LOG_TURN_MS, .of = "elapsed_ms"),
	LOG_ROW(UPDATE "turn_completed", LOG_META, .name = "stop_reason",
	    .of = "stop_reason"),
	LOG_ROW(UPDATE "turn_completed stop_reason=cancelled|interrupted",
	    LOG_META, .name = "interrupted", .of = "stop_reason"),
	LOG_ROW(UPDATE
	    "agent_thought_chunk|plan|available_commands_update|"
	    "current_mode_update|config_option_update|session_info_update",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Makes the session with this id the current one, if there is an id. */
static void
begin(struct log *log, const struct json *id)
{
	struct connection *c = log->whole;
	struct session *s;

	if (c == NULL) {
		log->whole = c = arena_new(log->arena, struct connection);
		c->prompts.arena = c->models.arena = log->arena;
	}
	log_run(log, id);
	builder_current_run(log->builder);
	if (log->state != NULL)
		return;
	log->state = s = arena_new(builder_arena(log->builder), struct session);
	s->waiting.arena = builder_arena(log->builder);
}

static void
note_model(struct log *log, const struct json *of, const struct json *model)
{
	struct connection *c = log->whole;
	struct str *name;

	if (json_raw(model).n == 0)
		return;
	name = arena_new(log->arena, struct str);
	*name = copy_body(log->arena, model);
	*hash_put(&c->models,
	    copy_body(log->arena, json_get(of, "sessionId"))) = name;
}

/* Notes a request to load a session. The agent then sends everything that
 * happened in that session before it answers; if the session is in this log
 * already, that is a copy. */
static void
note_load(struct log *log, const struct json *id)
{
	struct connection *c = log->whole;

	if (id == NULL || builder_current_run(log->builder)->main.turns == NULL)
		return;
	c->loading = str_dup(log->arena, log->id);
	c->load = str_dup(log->arena, id->text);
}

/* Notes that the request with this id is a prompt of the current session. */
static void
note_prompt(struct log *log, const struct json *id)
{
	struct connection *c = log->whole;
	struct prompt *p;

	((struct session *)log->state)->asked = true;
	c->loading = (struct str){ 0 };
	if (id == NULL)
		return;
	p = arena_new(log->arena, struct prompt);
	p->session = str_dup(log->arena, log->id);
	*hash_put_copy(&c->prompts, id->text) = p;
}

static struct prompt *
prompt_of(struct log *log, const struct json *id)
{
	const struct connection *c = log->whole;

	return id == NULL ? NULL : hash_get(&c->prompts, id->text);
}

/* The methods that are known: prompts and updates, which are read elsewhere;
 * requests of the agent to the editor, extensions, MCP's methods. */
static const struct log_row methods[] = {
	LOG_ROW("method=session/request_permission params.toolCall", LOG_HOOK,
	    .of = "params.toolCall", .read = read_permission),
	LOG_ROW("method=session/update params.update.sessionUpdate, "
		"method=initialize|authenticate|logout|session/new|"
		"session/load|session/prompt|session/cancel|session/set_mode|"
		"session/set_model|session/set_config_option|session/list|"
		"session/resume|session/fork|session/close|session/delete|"
		"fs/*|terminal/*|elicitation/*|_*|$/*|x.ai/*|tools/*|"
		"prompts/*|resources/*|notifications/*|ping",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_request(struct log *log, const struct json *m)
{
	struct connection *c = log->whole;
	struct builder *b = log->builder;
	const struct json *params = json_get(m, "params");
	const struct json *id = json_get(m, "id");
	struct prompt *same = prompt_of(log, id);
	const struct str *model =
	    hash_get(&c->models, json_raw(json_get(params, "sessionId")));

	log_read_part(log, methods, m);
	if (field_is(m, "method", "session/load"))
		note_load(log, id);
	if (field_is(m, "method", "session/set_model"))
		note_model(log, params, json_get(params, "modelId"));
	if (!field_is(m, "method", "session/prompt")) {
		if (same != NULL)
			same->others++;
		return;
	}
	note_prompt(log, id);
	builder_set(b, RUN_AGENT, c->agent);
	if (model != NULL)
		builder_model(b, builder_str(b, *model));
	builder_prompt(b, json_get(params, "prompt"));
}

/* Returns the prompt that the message answers, or NULL. Of two requests that
 * wait under one id, the later one is answered first: the prompt waits for all
 * requests of the agent. */
static const struct prompt *
answered_by(struct log *log, const struct json *m)
{
	struct prompt *p = prompt_of(log, json_get(m, "id"));
	bool stopped = field_find(m, "result.stopReason") != NULL;

	if (p == NULL || p->answered || field_find(m, "method") != NULL)
		return NULL;
	if (!stopped && p->others != 0) {
		p->others--;
		return NULL;
	}
	p->answered = stopped || field_find(m, "error") != NULL;
	return p->answered ? p : NULL;
}

/* Reads the facts about the agent and the session from a response, and how a
 * prompt ended. */
static void
read_response(
    struct log *log, const struct json *m, const struct prompt *prompt)
{
	struct connection *c = log->whole;
	struct builder *b = log->builder;
	const struct json *result = json_get(m, "result");
	const struct json *agent = json_path(result, "agentInfo.name");
	const struct json *id = json_get(m, "id");

	if (id != NULL && str_eq(id->text, c->load))
		c->loading = (struct str){ 0 };
	if (agent != NULL)
		c->agent = copy_tree(log->arena, agent);
	note_model(log, result, json_path(result, "models.currentModelId"));
	builder_meta(b, "stop_reason", json_get(result, "stopReason"));
	builder_stop_reason(b, json_get(result, "stopReason"));
	if (prompt != NULL)
		builder_error(b, json_get(m, "error"));
}

/* Returns whether the update is another chunk of the prompt that the last
 * record had a chunk of. */
static bool
continues_prompt(struct log *log, const struct json *update)
{
	struct session *s = log->state;
	const struct json *id =
	    field_find(update, "messageId _meta.promptIndex");
	struct str of = id != NULL ? id->text : STR("");
	bool is = field_is(update, "sessionUpdate", "user_message_chunk");
	bool more = is && s->chunk && str_eq(s->of, of);

	s->chunk = is;
	if (is && !more)
		s->of = str_dup(builder_arena(log->builder), of);
	return more;
}

/* Makes the session of the message the current one: the message names the
 * session or answers one of its prompts. Returns that prompt, or NULL. */
static const struct prompt *
find_session(struct log *log, const struct json *m)
{
	const struct json *id = field_find(m, "params.sessionId sessionId");
	const struct prompt *prompt;

	begin(log, id);
	prompt = answered_by(log, m);
	if (id == NULL && prompt != NULL)
		begin(log, copy_string(log->scratch, prompt->session));
	return prompt;
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m = message_of(r), *update = update_of(m);
	const struct json *ts = field_find(m, "params._meta.agentTimestampMs");
	const struct prompt *prompt = find_session(log, m);
	const struct connection *c = log->whole;
	/* The call that started the sub-agent, as Claude Code's adapter logs it. */
	const struct json *parent =
	    json_path(update, "_meta.claudeCode.parentToolUseId");

	if (!continues_prompt(log, update))
		builder_locate(log->builder,
		    .ts =
			ts != NULL ? ts : field_find(r, "timestamp ts time t"),
		    .sidechain = json_raw(parent).n != 0,
		    .parent = json_raw(parent),
		    .replay = update != NULL && c->loading.n != 0 &&
			str_eq(c->loading, log->id));
	if (update != NULL)
		log_read_part(log, updates, update);
	else if (json_get(m, "method") != NULL)
		read_request(log, m);
	else
		read_response(log, m, prompt);
}

/* The other requests, and responses, are about the connection and the editor. */
static const struct log_row records[] = {
	LOG_ROW("jsonrpc, method, params, update, result !type, error !type, "
		"msg.jsonrpc, message.jsonrpc, payload.jsonrpc, data.jsonrpc, "
		"raw.jsonrpc, body.jsonrpc, json.jsonrpc",
	    LOG_HOOK, .read = read_record),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_EACH, .rows = records),
	LOG_ROW("else", LOG_IN, .of = "", .rows = records),
	LOG_LAST,
};

/* An answer, which MCP has as well, but none of A2A. */
#define ANSWER(in) \
	"1 " in "error|" in "result=? " in "jsonrpc !" in "result.status|" in \
	"result.task.status, "

const struct log_format log_format_acp = {
	.name = "acp",
	.what = "Agent Client Protocol: recorded messages, Grok sessions",
	.sure = "params.update.sessionUpdate, update.sessionUpdate, "
		"params.protocolVersion=#, "
		"method=session/*|authenticate|fs/*|terminal/*, "
		"result.protocolVersion=#, result.agentCapabilities, "
		"result.sessionId=\" jsonrpc, "
		"result.stopReason=\" jsonrpc !result.role",
	.hint = ANSWER("") ANSWER("msg.") ANSWER("message.") ANSWER("payload.")
	    ANSWER("data.") ANSWER("raw.")
		ANSWER("body.") "1 json.error|json.result=? json.jsonrpc",
	.nested = MESSAGES " *",
	.rows = rows,
	.knows_blocks = true,
};
