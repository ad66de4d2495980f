/* OpenAI's Chat Completions format: an object with the messages of a run. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/run/put_member.h"

static void
put_call(struct out *o, const struct export_item *call)
{
	const struct json *args = json_get(call->step, "args");

	out_member_begin(o, "tool_calls", '[');
	out_begin(o, '{');
	put_body(o, "id", call->id);
	out_member_str(o, "type", STR("function"));
	out_member_begin(o, "function", '{');
	put_json(o, "name", json_get(call->step, "tool"));
	out_key(o, "arguments");
	if (args == NULL)
		out_json_str(o, STR("{}"));
	else if (args->type == JSON_STRING)
		export_text_args(o, args);
	else
		out_json_str(o, args->text);
	out_end(o, '}');
	out_end(o, '}');
	out_end(o, ']');
}

static void
put_result(struct out *o, const struct export_item *call)
{
	const struct json *result = json_get(call->step, "result");

	if (result == NULL)
		return;
	out_begin(o, '{');
	out_member_str(o, "role", STR("tool"));
	put_body(o, "tool_call_id", call->id);
	out_key(o, "content");
	export_result(o, result);
	out_end(o, '}');
}

static void
put_plain(struct out *o, const char *role, const struct json *text)
{
	out_begin(o, '{');
	out_member_str(o, "role", str_of(role));
	export_member(o, "content", text);
	out_end(o, '}');
}

static void
put_message(struct out *o, const struct export_item *it)
{
	out_begin(o, '{');
	out_member_str(o, "role", it->prompt ? STR("user") : STR("assistant"));
	out_key(o, "content");
	if (it->text == NULL)
		out_json_null(o);
	else
		export_string(o, it->text);
	if (it->step != NULL)
		put_call(o, it);
	out_end(o, '}');
	if (it->step != NULL)
		put_result(o, it);
}

static void
write_run(struct out *o, const struct export_run *run)
{
	static const char *const members[] = { "id", "scenario_id", "run_index",
		"agent", "model", "duration_ms", "error", NULL };

	export_members(o, run, members);
	out_member_begin(o, "messages", '[');
	if (run->trace.member[TRACE_SYSTEM] != NULL)
		put_plain(o, "system", run->trace.member[TRACE_SYSTEM]);
	for (size_t i = 0; i < run->n; i++)
		put_message(o, &run->items[i]);
	out_end(o, ']');
}

const struct export export_openai = { .name = "openai", .write = write_run };
