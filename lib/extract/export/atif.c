/* ATIF, the interchange format of agent trajectories, version 1.6. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/run/put_member.h"
#include "trace/usage.h"

/* Writes the agent. ATIF requires a name and a version. */
static void
put_agent(struct out *o, const struct export_run *run)
{
	const struct json *agent = run->trace.member[TRACE_AGENT];
	const struct json *model = json_get(run->trace.record, "model");

	out_member_begin(o, "agent", '{');
	out_key(o, "name");
	if (agent == NULL)
		out_json_str(o, STR("unknown"));
	else
		export_string(o, agent);
	out_member_str(o, "version", STR("unknown"));
	put_json(o, "model_name", model);
	out_end(o, '}');
}

static void
put_call(struct out *o, const struct export_item *call)
{
	const struct json *result = json_get(call->step, "result");
	const struct json *args = json_get(call->step, "args");

	out_member_begin(o, "tool_calls", '[');
	out_begin(o, '{');
	put_body(o, "tool_call_id", call->id);
	put_json(o, "function_name", json_get(call->step, "tool"));
	out_key(o, "arguments");
	if (json_is(args, JSON_STRING))
		export_text_args(o, args);
	else
		out_json_raw(o, export_args(call->step));
	out_end(o, '}');
	out_end(o, ']');
	if (result == NULL)
		return;
	out_member_begin(o, "observation", '{');
	out_member_begin(o, "results", '[');
	out_begin(o, '{');
	put_body(o, "source_call_id", call->id);
	out_key(o, "content");
	export_result(o, result);
	out_end(o, '}');
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_steps(struct out *o, const struct export_run *run)
{
	const struct json *system = run->trace.member[TRACE_SYSTEM];
	int64_t number = 0;

	if (system != NULL) {
		out_begin(o, '{');
		out_member_int(o, "step_id", ++number);
		out_member_str(o, "source", STR("system"));
		export_member(o, "message", system);
		out_end(o, '}');
	}
	for (size_t i = 0; i < run->n; i++) {
		const struct export_item *it = &run->items[i];

		out_begin(o, '{');
		out_member_int(o, "step_id", ++number);
		put_json(o, "timestamp", it->ts);
		out_member_str(
		    o, "source", it->prompt ? STR("user") : STR("agent"));
		export_member(o, "message", it->text);
		if (it->step != NULL)
			put_call(o, it);
		out_end(o, '}');
	}
}

static void
put_count(struct out *o, const char *key, const struct usage *u, unsigned kinds)
{
	double sum = 0;

	if ((u->known & kinds) == 0)
		return;
	for (int i = 0; i < USAGE_COUNT; i++)
		if (u->known & kinds & 1U << i)
			sum += u->n[i];
	out_member_double(o, key, sum);
}

/* Writes the usage. ATIF's prompt tokens include cached tokens. */
static void
put_metrics(struct out *o, const struct export_run *run)
{
	struct usage u = usage_of(json_get(run->trace.record, "usage"));

	if (u.known == 0)
		return;
	out_member_begin(o, "final_metrics", '{');
	put_count(o, "total_prompt_tokens", &u,
	    1U << USAGE_INPUT | 1U << USAGE_CACHE_READ |
		1U << USAGE_CACHE_WRITE);
	put_count(o, "total_completion_tokens", &u, 1U << USAGE_OUTPUT);
	put_count(o, "total_cached_tokens", &u, 1U << USAGE_CACHE_READ);
	put_count(o, "total_cost_usd", &u, 1U << USAGE_COST);
	out_end(o, '}');
}

static void
write_run(struct out *o, const struct export_run *run)
{
	const struct json *id = run->trace.member[TRACE_ID];

	out_member_str(o, "schema_version", STR("ATIF-v1.6"));
	export_member(o, "session_id", id);
	put_agent(o, run);
	out_member_begin(o, "steps", '[');
	put_steps(o, run);
	out_end(o, ']');
	put_metrics(o, run);
}

const struct export export_atif = { .name = "atif", .write = write_run };
