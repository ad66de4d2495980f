/* Anthropic's Messages format: an object with the messages of a run. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/run/put_member.h"

static void
put_result(struct out *o, const struct export_item *call)
{
	const struct json *result = json_get(call->step, "result");
	const struct json *is_error = json_get(call->step, "is_error");

	if (result == NULL && is_error == NULL)
		return;
	export_begin_message(o, "user", NULL);
	out_begin(o, '{');
	out_member_str(o, "type", STR("tool_result"));
	put_body(o, "tool_use_id", call->id);
	if (result != NULL) {
		out_key(o, "content");
		export_result(o, result);
	}
	put_json(o, "is_error", is_error);
	out_end(o, '}');
	export_end_message(o);
}

static void
write_run(struct out *o, const struct export_run *run)
{
	static const struct export_blocks blocks = { .result = put_result };
	static const char *const members[] = { "id", "model", "error", "system",
		NULL };

	export_members(o, run, members);
	out_member_begin(o, "messages", '[');
	export_messages(o, &blocks, run);
	out_end(o, ']');
}

const struct export export_anthropic = { .name = "anthropic",
	.write = write_run };
