#include "extract/api/openai_message.h"

#include "extract/api/anthropic_message.h"
#include "extract/api/chat_emit.h"
#include "extract/value/fields.h"

enum { LOOKED_AT = 50 }; /* messages to examine */

static bool
has_foreign_blocks(const struct json *content)
{
	for (json_each(block, content)) {
		struct str type = json_raw(json_get(block, "type"));

		if (str_starts(type, "tool_") ||
		    (type.n == 0 &&
			field_find(block, "toolUse toolResult") != NULL))
			return true;
	}
	return false;
}

static bool
may_be_message(const struct json *m)
{
	return field_is(m, "role",
		   "system developer user assistant tool function") &&
	    !has_foreign_blocks(json_get(m, "content"));
}

bool
openai_message_is(const struct json *m)
{
	return may_be_message(m) && json_get(m, "type") == NULL &&
	    (json_get(m, "content") != NULL ||
		json_get(m, "tool_calls") != NULL ||
		json_get(json_at(json_get(m, "parts"), 0), "type") != NULL);
}

bool
openai_message_is_foreign(const struct json *m)
{
	return json_get(m, "type") == NULL &&
	    has_foreign_blocks(json_get(m, "content"));
}

bool
openai_messages_are(const struct json *list)
{
	size_t n = 0;

	for (json_each(m, list)) {
		if (!may_be_message(m))
			return false;
		if (++n == LOOKED_AT)
			break;
	}
	return n != 0;
}

/* Reads a call of the tool with which an agent calls the tools of MCP servers that it
 * has found (LiveMCPBench's execute-tool): the call is that of the server's tool.
 * Returns false if the arguments name none. */
static bool
read_routed(
    struct builder *b, const struct json *id, const struct json *arguments)
{
	const struct json *args, *tool, *server;

	builder_current_run(b);
	args = field_decode(builder_arena(b), arguments);
	tool = json_get(args, "tool_name");
	server = json_get(args, "server_name");
	if (json_raw(tool).n == 0 || json_raw(server).n == 0)
		return false;
	builder_call(b, .id = id, .tool = tool, .server = server, .name = tool,
	    .args = json_get(args, "params"));
	return true;
}

void
openai_call_read(struct builder *b, const struct json *call)
{
	enum { ID, TYPE, FUNCTION, CUSTOM, PARTS };
	enum { NAME, ARGUMENTS, INPUT, NAMES };
	static const struct str parts[PARTS] = { STR_CONST("id"),
		STR_CONST("type"), STR_CONST("function"), STR_CONST("custom") };
	static const struct str names[NAMES] = { STR_CONST("name"),
		STR_CONST("arguments"), STR_CONST("input") };
	const struct json *part[PARTS], *of[NAMES];

	json_pick(call, parts, PARTS, part);
	json_pick(part[FUNCTION] != NULL ? part[FUNCTION]
		: part[CUSTOM] != NULL   ? part[CUSTOM]
					 : call,
	    names, NAMES, of);
	if (json_str_is(of[NAME], "execute-tool") &&
	    read_routed(b, part[ID], of[ARGUMENTS]))
		return;
	builder_call(b, .id = part[ID], .tool = of[NAME],
	    .args = of[ARGUMENTS] != NULL ? of[ARGUMENTS] : of[INPUT],
	    .decode = part[CUSTOM] == NULL);
}

/* Members of a message. */
enum {
	ROLE,
	TOOL_CALL_ID,
	NAME,
	TOOL_NAME, /* Ollama's */
	CONTENT,
	TOOL_CALLS,
	IS_ERROR,
	INJECTED, /* Vibe's */
	REFUSAL,
	AUDIO,
	FUNCTION_CALL,
	EXECUTED_TOOLS, /* Groq's */
	TIMESTAMP,
	TS,
	CREATED_AT,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[ROLE] = STR_CONST("role"),
	[TOOL_CALL_ID] = STR_CONST("tool_call_id"),
	[NAME] = STR_CONST("name"),
	[TOOL_NAME] = STR_CONST("tool_name"),
	[CONTENT] = STR_CONST("content"),
	[TOOL_CALLS] = STR_CONST("tool_calls"),
	[IS_ERROR] = STR_CONST("is_error"),
	[INJECTED] = STR_CONST("injected"),
	[REFUSAL] = STR_CONST("refusal"),
	[AUDIO] = STR_CONST("audio"),
	[FUNCTION_CALL] = STR_CONST("function_call"),
	[EXECUTED_TOOLS] = STR_CONST("executed_tools"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[TS] = STR_CONST("ts"),
	[CREATED_AT] = STR_CONST("created_at"),
};

void
openai_executed_read(struct builder *b, const struct json *call)
{
	const struct json *output = field_find(call, "output");

	builder_call(b, .tool = field_find(call, "name type"),
	    .args = json_get(call, "arguments"), .decode = true);
	if (output != NULL)
		builder_result(b, .last = true, .value = output);
}

static void
read_assistant(struct builder *b, const struct json *const *m)
{
	for (json_each(call, m[EXECUTED_TOOLS]))
		openai_executed_read(b, call);
	builder_text(b, m[CONTENT]);
	for (json_each(part, m[CONTENT])) {
		builder_text(b, json_get(part, "text"));
		builder_text(b, json_get(part, "refusal"));
		if (json_get(part, "text") == NULL &&
		    json_get(part, "refusal") == NULL)
			builder_unread_part(b, part);
	}
	builder_text(b, m[REFUSAL]);
	builder_text(b, json_get(m[AUDIO], "transcript"));
	for (json_each(call, m[TOOL_CALLS]))
		openai_call_read(b, call);
	/* Some servers send a function_call without a name beside tool_calls. */
	if (m[FUNCTION_CALL] != NULL &&
	    json_raw(json_get(m[FUNCTION_CALL], "name")).n != 0)
		openai_call_read(b, m[FUNCTION_CALL]);
	if (json_raw(m[REFUSAL]).n != 0)
		builder_refused(b);
}

static bool
is_null(const struct json *v)
{
	return v == NULL || v->type == JSON_NULL;
}

/* Returns whether the message has blocks of Bedrock's API, or, as OpenTelemetry
 * has, parts in place of a content. */
static bool
has_parts(const struct json *message, const struct json *content)
{
	for (json_each(block, content)) {
		struct str type = json_raw(json_get(block, "type"));

		if (str_is(type, "toolUse") || str_is(type, "toolResult") ||
		    (type.n == 0 &&
			field_find(block, "toolUse toolResult") != NULL))
			return true;
	}
	return content == NULL && json_get(message, "parts") != NULL;
}

/* Reads a message of any API that names the kinds of a message's parts. */
static void
read_parts(struct builder *b, const struct json *message)
{
	struct chat chat;

	builder_current_run(b);
	chat = chat_read(builder_arena(b), message, CHAT_OTHER);
	chat_emit(b, &chat);
}

/* Returns the flag in the text of a result that is how Python prints a result of MCP,
 * such as `meta=None content=[...] isError=True`; NULL if there is none. */
static const struct json *
printed_flag(const struct json *content)
{
	struct str text = json_raw(content);

	if (!str_starts(text, "meta=") || !str_contains(text, " content=["))
		return NULL;
	if (str_ends(text, " isError=True"))
		return builder_bool(true);
	return str_ends(text, " isError=False") ? builder_bool(false) : NULL;
}

/* Returns the message's flag of a failed call: the member, or, in the messages of
 * Mistral Vibe, which have a member `injected`, whether the text is in the mark of
 * errors. A call that the user did not allow or stopped has another mark: NULL. */
static const struct json *
flag_of(const struct json *const *m)
{
	struct str text = json_raw(m[CONTENT]);

	if (!is_null(m[IS_ERROR]))
		return m[IS_ERROR];
	if (m[INJECTED] == NULL)
		return printed_flag(m[CONTENT]);
	return str_starts(text, "<user_cancellation>")
	    ? NULL
	    : builder_bool(str_starts(text, "<tool_error>"));
}

static void
read_own(struct builder *b, const struct json *const *m)
{
	struct str role = json_raw(m[ROLE]);

	if (str_is(role, "user")) {
		/* Vibe marks what it wrote in the user's place. */
		if (!json_is(m[INJECTED], JSON_TRUE))
			builder_prompt(b, m[CONTENT]);
	} else if (str_is(role, "assistant"))
		read_assistant(b, m);
	else if (str_is(role, "tool") || str_is(role, "function"))
		builder_result(b, .id = m[TOOL_CALL_ID],
		    .tool = m[NAME] != NULL ? m[NAME] : m[TOOL_NAME],
		    .value = m[CONTENT], .is_error = flag_of(m));
	else if (str_is(role, "system") || str_is(role, "developer"))
		builder_system_message(b, m[CONTENT]);
	else if (!str_is(role, "session_meta")) /* Hermes' */
		builder_unread(b, role,
		    str_contains(role, STR("tool")) ||
			    json_count(m[TOOL_CALLS]) != 0
			? RUN_LOST_CALL
			: 0);
}

void
openai_message_read(struct builder *b, const struct json *message,
    const struct json *ts, bool counted)
{
	const struct json *m[MEMBERS];
	bool by_model;

	json_pick(message, members, MEMBERS, m);
	by_model = json_str_is(m[ROLE], "assistant");
	for (int i = TIMESTAMP; is_null(ts) && i <= CREATED_AT; i++)
		ts = m[i];
	builder_locate(b, .ts = ts);
	/* Proxies for several APIs log messages of others among OpenAI's. */
	if (by_model) {
		builder_message(b);
		builder_unread_members(b, message);
	}
	if (has_parts(message, m[CONTENT]))
		read_parts(b, message);
	else if (has_foreign_blocks(m[CONTENT]))
		anthropic_message_read(b, message);
	else
		read_own(b, m);
	if (!counted && by_model)
		builder_llm_call(b, (struct str){ 0 });
}

/* Members of counts. */
enum {
	PROMPT,
	COMPLETION,
	TOTAL,
	PROMPT_DETAILS,
	COMPLETION_DETAILS,
	CACHE_HIT,
	CACHED,
	CACHE_CREATION,
	COST,
	TICKS,
	COUNTS
};

static const struct str count_members[COUNTS] = {
	[PROMPT] = STR_CONST("prompt_tokens"),
	[COMPLETION] = STR_CONST("completion_tokens"),
	[TOTAL] = STR_CONST("total_tokens"),
	[PROMPT_DETAILS] = STR_CONST("prompt_tokens_details"),
	[COMPLETION_DETAILS] = STR_CONST("completion_tokens_details"),
	[CACHE_HIT] = STR_CONST("prompt_cache_hit_tokens"),
	[CACHED] = STR_CONST("cached_tokens"),
	[CACHE_CREATION] = STR_CONST("cache_creation_input_tokens"),
	[COST] = STR_CONST("cost"),
	[TICKS] = STR_CONST("cost_in_usd_ticks"),
};

/* Some servers count reasoning apart from the completion; then the total is the
 * sum of all three counts. */
static void
add_reasoning(struct usage *u, const struct json *const *m)
{
	double out = u->n[USAGE_OUTPUT] + u->n[USAGE_REASONING];

	if (u->n[USAGE_REASONING] > 0 &&
	    json_double(m[TOTAL]) == json_double(m[PROMPT]) + out)
		usage_set(u, USAGE_OUTPUT, out);
}

/* OpenRouter's cost is a number, Perplexity's is an object with a sum, and
 * xAI's is in ticks, of which a dollar has 10^10. */
static void
read_cost(struct usage *u, const struct json *cost, const struct json *ticks)
{
	usage_read(u, USAGE_COST, json_get(cost, "total_cost"));
	usage_read(u, USAGE_COST, cost);
	if (json_is(ticks, JSON_NUMBER))
		usage_set(u, USAGE_COST, json_double(ticks) / 1e10);
}

void
openai_cost_read(struct usage *u, const struct json *counts)
{
	read_cost(
	    u, json_get(counts, "cost"), json_get(counts, "cost_in_usd_ticks"));
}

/* DeepSeek and Moonshot have their own names for tokens read from a cache, and
 * OpenRouter and LiteLLM for tokens written to it. If several names are
 * present, the first counts, which is therefore read last. */
void
openai_usage_read(struct usage *u, const struct json *counts)
{
	const struct json *m[COUNTS], *details;

	if (!json_is(counts, JSON_OBJECT))
		return;
	json_pick(counts, count_members, COUNTS, m);
	details = m[PROMPT_DETAILS];
	usage_read(u, USAGE_CACHE_READ, m[CACHED]);
	usage_read(u, USAGE_CACHE_READ, m[CACHE_HIT]);
	usage_read(u, USAGE_CACHE_READ, json_get(details, "cached_tokens"));
	usage_read(
	    u, USAGE_CACHE_WRITE, json_get(details, "cache_creation_tokens"));
	usage_read(
	    u, USAGE_CACHE_WRITE, json_get(details, "cache_write_tokens"));
	/* OpenRouter's cached tokens include those that are written now. */
	if (json_get(details, "cache_write_tokens") != NULL &&
	    u->n[USAGE_CACHE_READ] >= u->n[USAGE_CACHE_WRITE])
		u->n[USAGE_CACHE_READ] -= u->n[USAGE_CACHE_WRITE];
	usage_read(u, USAGE_CACHE_WRITE, m[CACHE_CREATION]);
	usage_read(u, USAGE_CACHE_WRITE_1H,
	    json_path(details,
		"cache_creation_token_details.ephemeral_1h_input_tokens"));
	usage_input_with_cache(u, m[PROMPT]);
	usage_read(u, USAGE_OUTPUT, m[COMPLETION]);
	usage_read(u, USAGE_REASONING,
	    json_get(m[COMPLETION_DETAILS], "reasoning_tokens"));
	add_reasoning(u, m);
	read_cost(u, m[COST], m[TICKS]);
}
