#include "extract/format/openhands_sdk.h"

#include "extract/format/format.h"

bool
openhands_sdk_is(const struct json *e)
{
	return field_is(e, "kind",
	    "MessageEvent ActionEvent ObservationEvent SystemPromptEvent "
	    "AgentErrorEvent UserRejectObservation ConversationErrorEvent "
	    "ConversationStateUpdateEvent");
}

static void
read_action(struct builder *b, const struct json *e)
{
	const struct json *args =
	    field_find(e, "tool_call.arguments tool_call.function.arguments");

	builder_text_blocks(b, json_get(e, "thought"));
	builder_call(b, .id = json_get(e, "tool_call_id"),
	    .tool = json_get(e, "tool_name"),
	    .args = args != NULL ? args : json_get(e, "action"),
	    .decode = true);
	builder_llm_call(b, json_raw(json_get(e, "llm_response_id")));
	if (field_is(e, "tool_name", "finish"))
		builder_text(b, json_path(e, "action.message"));
}

void
openhands_sdk_read(struct builder *b, const struct json *e)
{
	const struct json *content = json_path(e, "llm_message.content");
	bool failed =
	    field_is(e, "kind", "AgentErrorEvent UserRejectObservation");

	if (field_is(e, "kind", "ActionEvent"))
		read_action(b, e);
	else if (field_is(e, "kind", "ConversationErrorEvent"))
		builder_error(b, field_find(e, "detail code"));
	else if (field_is(e, "kind", "MessageEvent") &&
	    field_is(e, "source", "agent"))
		builder_text_blocks(b, content);
	else if (field_is(e, "kind", "MessageEvent"))
		builder_prompt(b, content);
	else if (failed || field_is(e, "kind", "ObservationEvent"))
		builder_result(b, .id = json_get(e, "tool_call_id"),
		    .value = field_find(e,
			"observation.content observation error "
			"rejection_reason"),
		    .is_error = failed
			? builder_bool(true)
			: field_find(
			      e, "observation.is_error observation.error"));
}
