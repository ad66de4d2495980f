/* MCPLab's trace.jsonl, version 3: a line for each run. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/run/put_member.h"

static void
put_content(struct out *o, const struct json *result)
{
	out_key(o, "content");
	if (export_is_blocks(result)) {
		out_json_raw(o, result->text);
		return;
	}
	out_begin(o, '[');
	export_text_block(o, result);
	out_end(o, ']');
}

static void
put_result(struct out *o, const struct export_item *call)
{
	const struct json *result = json_get(call->step, "result");

	if (result == NULL && json_get(call->step, "is_error") == NULL)
		return;
	export_begin_message(o, "tool", NULL);
	out_begin(o, '{');
	out_member_str(o, "type", STR("tool_result"));
	put_body(o, "tool_use_id", call->id);
	put_json(o, "name", json_get(call->step, "tool"));
	put_json(o, "server", json_get(call->step, "server"));
	put_json(o, "is_error", json_get(call->step, "is_error"));
	put_json(o, "duration_ms", json_get(call->step, "duration_ms"));
	if (result != NULL)
		put_content(o, result);
	out_end(o, '}');
	export_end_message(o);
}

/* Repeats the answer if a call came after it: MCPLab takes the last message's
 * text for the answer. */
static void
put_answer(struct out *o, const struct export_run *run)
{
	const struct json *answer = run->trace.member[TRACE_FINAL_TEXT];

	if (run->n == 0 || run->items[run->n - 1].step == NULL ||
	    json_raw(answer).n == 0)
		return;
	export_begin_message(o, "assistant", NULL);
	export_text_block(o, answer);
	export_end_message(o);
}

static void
write_run(struct out *o, const struct export_run *run)
{
	static const struct export_blocks blocks = {
		.result = put_result, .times = true, .servers = true
	};
	static const char *const members[] = { "run_index", "scenario_id",
		"agent", "provider", "model", "ts_start", "ts_end", "error",
		NULL };

	out_member_str(o, "type", STR("scenario_run"));
	out_member_int(o, "trace_version", 3);
	put_json(o, "request_id", json_get(run->trace.record, "id"));
	export_members(o, run, members);
	out_member_begin(o, "messages", '[');
	export_messages(o, &blocks, run);
	put_answer(o, run);
	out_end(o, ']');
}

const struct export export_mcplab = { .name = "mcplab", .write = write_run };
