#include "extract/format/acp_turn.h"

#include "extract/value/fields.h"

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
	double cost = json_double(json_get(of, "costUsdTicks")) / 1e10;

	usage_read_named(&u, of, words);
	usage_input_with_cache(&u, json_get(of, "inputTokens"));
	if (cost >= 0)
		usage_set(&u, USAGE_COST, cost);
	return u;
}

void
acp_turn_end(struct builder *b, const struct json *update)
{
	const struct json *counts = json_get(update, "usage");
	const struct json *models = json_get(counts, "modelUsage");
	const struct json *why = json_get(update, "stop_reason");
	struct usage all = { 0 };

	for (json_members(model, models)) {
		struct usage u = grok_counts(json_value(model));

		usage_add(&all, &u);
		builder_model(b, builder_str(b, json_raw(model)));
	}
	if (json_count(models) == 0)
		all = grok_counts(counts);
	if (usage_any(&all))
		builder_usage(
		    b, json_raw(json_get(update, "prompt_id")), &all, false);
	builder_turn_duration(b, json_get(update, "elapsed_ms"));
	builder_meta(b, "stop_reason", why);
	if (json_str_is(why, "cancelled") || json_str_is(why, "interrupted"))
		builder_meta(b, "interrupted", why);
	builder_error(b,
	    json_str_is(why, "error")
		? field_find(update, "agent_result stop_reason")
		: NULL);
}
