/*
 * What went between an editor and an agent by the Agent Client Protocol, and
 * the sessions that Grok keeps in its words (updates.jsonl). A tool has its
 * title for a name. Of a call what it is given may be told after its begin.
 */
#include "../hash.h"
#include "../logfmt.h"
#include "marked.h"

struct held {
	struct held *next;
	const struct json *update; /* of a call that waits; NULL: told */
};

struct session {
	struct hash_table ids; /* calls that were held back */
	struct held *first, *last;
	bool asked;               /* prompts are told as requests */
	struct str prompt;        /* the id of the last one, as it is logged */
	const struct json *agent; /* what it calls itself; NULL: not known */
	struct hash_table models; /* of the sessions, by their ids */
	bool chunk;               /* the last record was one of a prompt, */
	struct str of;            /* and of which, if it says so */
};

/* The message in a recorder's record. */
static const struct json *
message_of(const struct json *r)
{
	const struct json *m = log_find(r, "msg message payload data");

	return json_get(m, STR("jsonrpc")) != NULL ? m : r;
}

static const struct json *
update_of(const struct json *r)
{
	const struct json *update = log_find(r, "params.update update");

	return json_get(update, STR("sessionUpdate")) != NULL ? update : NULL;
}

static int
score(const struct json *r)
{
	r = message_of(r);
	return update_of(r) != NULL ||
		log_is(r, "method", "session/new session/prompt") ||
		(log_is(r, "method", "initialize") &&
		    json_is(
			json_path(r, "params.protocolVersion"), JSON_NUMBER))
	    ? LOGFMT_SURE
	    : 0;
}

static void
read_prompt(struct builder *b, const struct json *content)
{
	struct str text = json_raw(json_get(content, STR("text")));

	if (text.s != NULL)
		builder_prompt_body(
		    b, marked(text, STR("<user_query>"), STR("</user_query>")));
}

static void
tell_call(
    struct builder *b, const struct json *update, const struct json *arguments)
{
	const struct json *grok =
	    json_get(json_get(update, STR("_meta")), STR("x.ai/tool"));
	const struct json *name = json_get(grok, STR("name"));

	builder_call(b,
	    &(struct builder_call){
		.id = json_get(update, STR("toolCallId")),
		.tool = name != NULL ? name
				     : log_find(update,
					   "_meta.claudeCode.toolName "
					   "_meta.toolName title kind"),
		.args = arguments,
	    });
}

static bool
is_over(const struct json *update)
{
	return log_is(update, "status", "completed failed");
}

static void
read_result(struct builder *b, const struct json *update)
{
	const struct json *content = json_get(update, STR("content"));

	if (!is_over(update))
		return;
	if (json_first(content) == NULL)
		content = json_get(update, STR("rawOutput"));
	builder_result(b,
	    &(struct builder_result){
		.id = json_get(update, STR("toolCallId")),
		.value = content,
		.is_error = builder_bool(log_is(update, "status", "failed")),
	    });
}

static void
hold(struct log *log, const struct json *update)
{
	struct session *s = log->state;
	struct arena *run = &log->builder->run_arena; /* a file may have many */
	struct held *h = arena_new(run, struct held);

	h->update = keep_tree(run, update);
	*hash_put(&s->ids, json_raw(json_get(h->update, STR("toolCallId")))) =
	    h;
	if (s->last == NULL)
		s->first = h;
	else
		s->last->next = h;
	s->last = h;
}

/* The call that was held back and waits; NULL if there is none. */
static struct held *
held_of(struct log *log, const struct json *update)
{
	struct session *s = log->state;
	struct held *h =
	    hash_get(&s->ids, json_raw(json_get(update, STR("toolCallId"))));

	return h != NULL && h->update != NULL ? h : NULL;
}

/* A call that says what it is given, or goes on without. */
static void
release(struct log *log, const struct json *update)
{
	const struct json *arguments = json_get(update, STR("rawInput"));
	struct held *h = held_of(log, update);

	if (h == NULL ||
	    (json_first(arguments) == NULL &&
		!log_is(update, "status", "in_progress completed failed")))
		return;
	if (json_first(arguments) == NULL)
		arguments = json_get(h->update, STR("rawInput"));
	tell_call(log->builder, h->update, arguments);
	h->update = NULL;
}

/* How a call went on; some agents tell all of it again for that. */
static void
read_call_update(struct log *log, const struct json *update)
{
	release(log, update);
	read_result(log->builder, update);
}

static void
read_call(struct log *log, const struct json *update)
{
	const struct json *arguments = json_get(update, STR("rawInput"));
	const struct json *id = json_get(update, STR("toolCallId"));

	if (builder_has_call(log->builder, id) ||
	    held_of(log, update) != NULL) {
		read_call_update(log, update);
		return;
	}
	if (json_first(arguments) == NULL && !is_over(update)) {
		hold(log, update);
		return;
	}
	tell_call(log->builder, update, arguments);
	read_result(log->builder, update);
}

/* What the session has cost so far. */
static void
read_cost(struct builder *b, const struct json *cost)
{
	struct usage u = { 0 };

	if (!json_str_is(json_get(cost, STR("currency")), STR("USD")))
		return;
	usage_read(&u, USAGE_COST, json_get(cost, STR("amount")));
	builder_total(b, &u);
}

/* Its input is with what was cached; 10^10 ticks are a dollar. */
static struct usage
grok_counts(const struct json *of)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_OUTPUT] = "outputTokens",
		[USAGE_REASONING] = "reasoningTokens",
		[USAGE_CACHE_READ] = "cachedReadTokens",
		[USAGE_CACHE_WRITE] = "cacheCreationTokens",
		[USAGE_LLM_CALLS] = "modelCalls",
	};
	struct usage u = { 0 };
	double input = json_double(json_get(of, STR("inputTokens")));
	double cost = json_double(json_get(of, STR("costUsdTicks"))) / 1e10;
	double read = json_double(json_get(of, STR("cachedReadTokens")));
	double written = json_double(json_get(of, STR("cacheCreationTokens")));

	usage_read_named(&u, of, words);
	if (read > 0)
		input -= read;
	if (written > 0)
		input -= written;
	if (input >= 0)
		usage_set(&u, USAGE_INPUT, input);
	if (cost >= 0)
		usage_set(&u, USAGE_COST, cost);
	return u;
}

/* Grok tells how a turn ended, and what each model used in it. */
static void
read_turn_end(struct builder *b, const struct json *update)
{
	const struct json *counts = json_get(update, STR("usage"));
	const struct json *models = json_get(counts, STR("modelUsage"));
	const struct json *why = json_get(update, STR("stop_reason"));
	struct usage all = { 0 };

	for (json_members(model, models)) {
		struct usage u = grok_counts(json_value(model));

		usage_add(&all, &u);
		builder_model(b, builder_str(b, json_raw(model)));
	}
	if (json_count(models) == 0)
		all = grok_counts(counts);
	if (usage_any(&all))
		builder_usage(b, json_raw(json_get(update, STR("prompt_id"))),
		    &all, false);
	builder_turn_duration(b, json_get(update, STR("elapsed_ms")));
	builder_meta(b, "stop_reason", why);
	if (json_str_is(why, STR("cancelled")) ||
	    json_str_is(why, STR("interrupted")))
		builder_meta(b, "interrupted", why);
	builder_error(b,
	    json_str_is(why, STR("error"))
		? log_find(update, "agent_result stop_reason")
		: NULL);
}

static void
read_update(struct log *log, const struct json *update)
{
	struct session *s = log->state;
	const struct json *content = json_get(update, STR("content"));

	if (log_is(update, "sessionUpdate", "agent_message_chunk")) {
		builder_text_more(log->builder, json_get(content, STR("text")));
	} else if (log_is(update, "sessionUpdate", "user_message_chunk")) {
		builder_model(log->builder, json_path(update, "_meta.modelId"));
		if (!s->asked)
			read_prompt(log->builder, content);
	} else if (log_is(update, "sessionUpdate", "tool_call")) {
		read_call(log, update);
	} else if (log_is(update, "sessionUpdate", "tool_call_update")) {
		read_call_update(log, update);
	} else if (log_is(update, "sessionUpdate", "usage_update")) {
		read_cost(log->builder, json_get(update, STR("cost")));
	} else if (log_is(update, "sessionUpdate", "turn_completed")) {
		read_turn_end(log->builder, update);
	}
}

/* Calls that never went on were asked for nevertheless. */
static void
release_all(struct log *log)
{
	struct session *s = log->state;

	for (struct held *h = s->first; h != NULL; h = h->next)
		if (h->update != NULL)
			tell_call(log->builder, h->update,
			    json_get(h->update, STR("rawInput")));
	s->first = s->last = NULL;
	s->ids = (struct hash_table){ .arena = &log->builder->run_arena };
}

static void
begin(struct log *log, const struct json *id)
{
	if (log->state == NULL) {
		struct session *s = arena_new(log->arena, struct session);

		s->models.arena = log->arena;
		log->state = s;
		release_all(log);
	}
	if (json_raw(id).n != 0 && !str_eq(json_raw(id), log->id))
		release_all(log);
	log_run(log, id);
}

static void
note_model(struct log *log, const struct json *of, const struct json *model)
{
	struct session *s = log->state;
	struct str *name;

	if (json_raw(model).n == 0)
		return;
	name = arena_new(log->arena, struct str);
	*name = keep_body(log->arena, model);
	*hash_put(&s->models,
	    keep_body(log->arena, json_get(of, STR("sessionId")))) = name;
}

static void
read_request(struct log *log, const struct json *m)
{
	struct session *s = log->state;
	struct builder *b = log->builder;
	const struct json *params = json_get(m, STR("params"));
	const struct json *id = json_get(m, STR("id"));
	const struct str *model =
	    hash_get(&s->models, json_raw(json_get(params, STR("sessionId"))));

	if (log_is(m, "method", "session/set_model"))
		note_model(log, params, json_get(params, STR("modelId")));
	if (!log_is(m, "method", "session/prompt"))
		return;
	s->asked = true;
	s->prompt = (struct str){ 0 };
	if (id != NULL)
		s->prompt = str_dup(log->arena, id->text);
	builder_set(b, RUN_AGENT, s->agent);
	if (model != NULL)
		builder_model(b, builder_str(b, *model));
	builder_prompt(b, json_get(params, STR("prompt")));
}

/* What the agent says of itself and of a session, and how a prompt ended. */
static void
read_response(struct log *log, const struct json *m)
{
	struct session *s = log->state;
	struct builder *b = log->builder;
	const struct json *id = json_get(m, STR("id"));
	const struct json *result = json_get(m, STR("result"));
	const struct json *agent = json_path(result, "agentInfo.name");

	if (agent != NULL)
		s->agent = keep_tree(log->arena, agent);
	note_model(log, result, json_path(result, "models.currentModelId"));
	builder_meta(b, "stop_reason", json_get(result, STR("stopReason")));
	if (id != NULL && str_eq(id->text, s->prompt))
		builder_error(b, json_get(m, STR("error")));
}

/* Whether it is a chunk of the prompt that the last record had one of. */
static bool
goes_on(struct log *log, const struct json *update)
{
	struct session *s = log->state;
	const struct json *id = log_find(update, "messageId _meta.promptIndex");
	struct str of = id != NULL ? id->text : STR("");
	bool is = log_is(update, "sessionUpdate", "user_message_chunk");
	bool more = is && s->chunk && str_eq(s->of, of);

	s->chunk = is;
	if (is && !more)
		s->of = str_dup(log->arena, of);
	return more;
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m = message_of(r), *update = update_of(m);
	const struct json *ts = log_find(m, "params._meta.agentTimestampMs");

	begin(log, log_find(m, "params.sessionId sessionId"));
	if (!goes_on(log, update))
		builder_at(log->builder,
		    &(struct builder_at){
			.ts = ts != NULL ? ts
					 : log_find(r, "timestamp ts time t"),
		    });
	if (update != NULL) {
		read_update(log, update);
	} else if (json_get(m, STR("method")) != NULL) {
		read_request(log, m);
	} else {
		read_response(log, m);
	}
}

static void
end(struct log *log)
{
	if (log->state != NULL)
		release_all(log);
}

const struct logfmt logfmt_acp = {
	.name = "acp",
	.what = "Agent Client Protocol, and the sessions of Grok",
	.score = score,
	.read = read_record,
	.end = end,
};
