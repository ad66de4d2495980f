/* OpenAI's Chat Completions: an object with the messages of a run. */
#include "../export.h"
#include "../put.h"

static void
put_call(struct out *o, const struct export_item *call)
{
	const struct json *args = json_get(call->step, STR("args"));

	out_key(o, "tool_calls");
	out_begin(o, '[');
	out_begin(o, '{');
	put_body(o, "id", call->id);
	out_member_str(o, "type", STR("function"));
	out_key(o, "function");
	out_begin(o, '{');
	out_key(o, "name");
	out_json_raw(o, json_get(call->step, STR("tool"))->text);
	out_key(o, "arguments");
	if (args == NULL)
		out_json_str(o, STR("{}"));
	else
		export_string(o, args);
	out_end(o, '}');
	out_end(o, '}');
	out_end(o, ']');
}

static void
put_result(struct out *o, const struct export_item *call)
{
	const struct json *result = json_get(call->step, STR("result"));

	if (result == NULL)
		return;
	out_begin(o, '{');
	out_member_str(o, "role", STR("tool"));
	put_body(o, "tool_call_id", call->id);
	out_key(o, "content");
	export_result(o, result);
	out_end(o, '}');
}

/* `said` and `call` may be NULL, but not both. */
static void
put_assistant(struct out *o, const struct export_item *said,
    const struct export_item *call)
{
	out_begin(o, '{');
	out_member_str(o, "role", STR("assistant"));
	out_key(o, "content");
	if (said == NULL)
		out_json_null(o);
	else
		export_string(o, said->text);
	if (call != NULL)
		put_call(o, call);
	out_end(o, '}');
	if (call != NULL)
		put_result(o, call);
}

static void
put_messages(struct out *o, const struct export_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		const struct export_item *it = &run->items[i];

		if (it->kind == EXPORT_PROMPT) {
			out_begin(o, '{');
			out_member_str(o, "role", STR("user"));
			out_key(o, "content");
			export_string(o, it->text);
			out_end(o, '}');
		} else if (it->kind == EXPORT_CALL) {
			put_assistant(o, NULL, it);
		} else if (export_joins(run, i)) {
			put_assistant(o, it, it + 1);
			i++;
		} else {
			put_assistant(o, it, NULL);
		}
	}
}

static void
write_run(struct out *o, const struct export_run *run)
{
	static const char *const members[] = { "id", "scenario_id", "run_index",
		"agent", "model", "duration_ms", "error", NULL };

	export_members(o, run, members);
	out_key(o, "messages");
	out_begin(o, '[');
	put_messages(o, run);
	out_end(o, ']');
}

const struct export export_openai = { "openai", write_run };
