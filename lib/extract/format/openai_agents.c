/*
 * OpenAI's Agents SDK: the state of a run, which a program saves to continue
 * later (RunState): {"$schemaVersion", "current_agent", "original_input",
 * "generated_items": [{"type", "raw_item"}], "context": {"usage"}}. The raw
 * items are those of OpenAI's Responses API.
 */
#include "extract/api/openai_item.h"
#include "extract/format/log_format.h"

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

static int
score(const struct json *r)
{
	return json_get(r, "$schemaVersion") != NULL &&
		field_find(r, "generated_items generatedItems") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_input(struct builder *b, const struct json *input)
{
	builder_prompt(b, json_is(input, JSON_STRING) ? input : NULL);
	for (json_each(item, input)) {
		builder_locate(b, 0);
		if (field_is(item, "role", "user"))
			builder_prompt(b, json_get(item, "content"));
		else if (field_is(item, "role", "assistant") &&
		    json_get(item, "type") == NULL)
			builder_text(b, json_get(item, "content"));
		else
			openai_item_read(b, item);
	}
}

/* Reads an item. A call that waits for approval is there again as an item of
 * another type, which is skipped. */
static void
read_item(struct builder *b, const struct json *item)
{
	const struct json *raw = field_find(item, "raw_item rawItem");

	builder_locate(b, .message = json_get(raw, "id"));
	if (field_is_type(item,
		"message_output_item tool_call_item tool_call_output_item "
		"handoff_call_item handoff_output_item"))
		openai_item_read(b, raw);
}

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
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	read_details(
	    &u, field_find(counts, "input_tokens_details inputTokensDetails"));
	read_details(&u,
	    field_find(counts, "output_tokens_details outputTokensDetails"));
	usage_input_with_cache(
	    &u, field_find(counts, "input_tokens inputTokens"));
	usage_read(
	    &u, USAGE_OUTPUT, field_find(counts, "output_tokens outputTokens"));
	usage_read(&u, USAGE_LLM_CALLS, json_get(counts, "requests"));
	if (u.n[USAGE_LLM_CALLS] > 0)
		builder_total(b, &u);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (score(r) == 0)
		return;
	builder_begin_run(b);
	builder_set(b, RUN_AGENT,
	    field_find(
		r, "current_agent.name currentAgent.name last_agent.name"));
	builder_set(b, RUN_ID, field_find(r, "trace.id trace.trace_id"));
	read_input(b, field_find(r, "original_input originalInput"));
	for (json_each(item, items_of(r)))
		read_item(b, item);
	read_usage(b, field_find(r, "context.usage"));
	builder_end_run(b);
}

const struct log_format log_format_openai_agents = {
	.name = "openai-agents",
	.what = "OpenAI Agents SDK: saved states of runs",
	.score = score,
	.signs = "$schemaVersion",
	.read = read_record,
};
