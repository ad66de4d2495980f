/*
 * OpenAI's Agents SDK: the state of a run, which a program saves to continue
 * later (RunState): {"$schemaVersion", "current_agent", "original_input",
 * "generated_items": [{"type", "raw_item"}], "context": {"usage"}}. The raw
 * items are those of OpenAI's Responses API.
 */
#include "extract/api/openai_item.h"
#include "extract/format/log_rows.h"

static const struct json *
items_of(const struct json *r)
{
	const struct json *generated =
	    field_find(r, "generated_items generatedItems");
	const struct json *session =
	    field_find(r, "session_items sessionItems");

	return json_count(session) > json_count(generated) ? session
							   : generated;
}

static void
read_raw(struct log *log, const struct json *item)
{
	builder_message_by_order(log->builder);
	openai_item_read(log->builder, item);
}

static const struct log_row input[] = {
	LOG_ROW("", LOG_LOCATE, .of = "created_at"),
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("role=assistant !type", LOG_MESSAGE),
	LOG_ROW("role=assistant !type", LOG_BLOCKS, .of = "content"),
	LOG_ROW("role=assistant type", LOG_HOOK, .read = read_raw),
	LOG_ROW("role=system|developer", LOG_SYSTEM, .of = "content"),
	LOG_ROW("type !role", LOG_HOOK, .read = read_raw),
	LOG_LAST,
};

#define RAW .of = "raw_item rawItem"

static const struct log_row items[] = {
	LOG_ROW(
	    "", LOG_LOCATE, .of = "created_at", .id = "raw_item.id rawItem.id"),
	LOG_ROW("", LOG_AGENT,
	    .of = "agent.name agent_name source_agent.name sourceAgent.name"),
	LOG_ROW("type=message_output_item|tool_call_item|"
		"tool_call_output_item|handoff_call_item|handoff_output_item",
	    LOG_HOOK, RAW, .read = read_raw),
	/* A call that waits for approval is there again as an item. */
	LOG_ROW("type=tool_approval_item|reasoning_item|mcp_list_tools_item|"
		"mcp_approval_request_item|mcp_approval_response_item|"
		"compaction_item",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Reads the details of the counts, which are one object, or a list with an
 * object for each request. */
static void
read_details(struct usage *u, const struct json *details)
{
	struct usage one = { 0 };

	usage_read(&one, USAGE_CACHE_READ,
	    field_find(details, "cached_tokens cachedTokens"));
	usage_read(&one, USAGE_CACHE_WRITE,
	    field_find(details, "cache_write_tokens cacheWriteTokens"));
	usage_read(&one, USAGE_REASONING,
	    field_find(details, "reasoning_tokens reasoningTokens"));
	usage_add(u, &one);
	for (json_each(request, json_is(details, JSON_ARRAY) ? details : NULL))
		read_details(u, request);
}

static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = { 0 };

	read_details(
	    &u, field_find(counts, "input_tokens_details inputTokensDetails"));
	read_details(&u,
	    field_find(counts, "output_tokens_details outputTokensDetails"));
	field_usage(&u, counts, .input_and_cache = "input_tokens inputTokens",
	    .output = "output_tokens outputTokens", .llm_calls = "requests");
	if (u.n[USAGE_LLM_CALLS] > 0)
		builder_total(log->builder, &u);
}

static void
read_items(struct log *log, const struct json *r)
{
	for (json_each(item, items_of(r)))
		log_read_part(log, items, item);
}

#define STATE "$schemaVersion generated_items, $schemaVersion generatedItems"
#define INPUT "original_input originalInput"

static const struct log_row rows[] = {
	LOG_ROW(STATE, LOG_BEGIN, .of = "trace.id trace.trace_id"),
	LOG_ROW(STATE, LOG_SET,
	    .of = "current_agent.name currentAgent.name last_agent.name",
	    .member = RUN_AGENT),
	LOG_ROW("original_input=\", originalInput=\"", LOG_PROMPT, .of = INPUT),
	LOG_ROW("original_input=[, originalInput=[", LOG_EACH, .of = INPUT,
	    .rows = input),
	LOG_ROW(STATE, LOG_HOOK, .read = read_items),
	LOG_ROW(STATE, LOG_HOOK, .of = "context.usage", .read = read_usage),
	LOG_ROW(STATE, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_openai_agents = {
	.name = "openai-agents",
	.what = "OpenAI Agents SDK: saved states of runs",
	.sure = "$schemaVersion generated_items|generatedItems",
	.rows = rows,
	.knows_blocks = true,
};
