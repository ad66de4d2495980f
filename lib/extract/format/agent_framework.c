/*
 * Microsoft's Agent Framework: messages {"role", "contents": [{"type": "function_call",
 * ...}]} of its Python, and {"role", "contents": [{"$type": "functionCall", ...}]} of
 * its .NET; one a line, in a list, in a response, in a thread or session as serialized,
 * or in the result of a run. The role of earlier versions is an object.
 */
#include "extract/format/log_rows.h"

#define ID .id = "call_id callId"

static const struct field_usage counts = {
	.input_and_cache = "input_token_count inputTokenCount",
	.output = "output_token_count outputTokenCount",
	.cache_read = "cache_read_input_token_count cachedInputTokenCount "
		      "cached_input_token_count",
	.reasoning = "reasoning_output_token_count reasoningTokenCount "
		     "reasoning_token_count",
};

#define RESULTS \
	LOG_ROW("type|$type=function_result|functionResult", LOG_RESULT, ID, \
	    .result = "result exception", .failed = "exception"), \
	    LOG_ROW("type|$type=mcp_server_tool_result|mcpServerToolResult", \
		LOG_RESULT, ID, .result = "output result outputs")

/* Contents that are neither words nor calls; the answer to a request for approval
 * repeats the call. */
#define OTHERS \
	LOG_ROW("type|$type=text_reasoning|reasoning|data|uri|hosted_file|" \
		"hostedFile|hosted_vector_store|hostedVectorStore|usage|" \
		"function_approval_response|functionApprovalResponse|" \
		"toolApprovalResponse", \
	    LOG_NOTHING)

static const struct log_row asked[] = {
	LOG_ROW("type|$type=text", LOG_PROMPT, .of = "text"),
	RESULTS,
	OTHERS,
	LOG_LAST,
};

static const struct log_row answered[] = {
	LOG_ROW("type|$type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type|$type=function_call|functionCall", LOG_CALL, ID,
	    .tool = "name", .args = "arguments", .decode = true),
	LOG_ROW("type|$type=mcp_server_tool_call|mcpServerToolCall", LOG_CALL,
	    ID, .tool = "tool_name toolName name",
	    .server = "server_name serverName", .args = "arguments",
	    .decode = true),
	/* The call follows once it is approved. */
	LOG_ROW("type|$type=function_approval_request|functionApprovalRequest|"
		"toolApprovalRequest",
	    LOG_CALL,
	    .id = "function_call.call_id functionCall.callId toolCall.callId",
	    .tool = "function_call.name functionCall.name toolCall.name",
	    .args = "function_call.arguments functionCall.arguments "
		    "toolCall.arguments",
	    .decode = true, .early = true),
	RESULTS,
	LOG_ROW("type|$type=usage", LOG_USAGE, .of = "usage_details details",
	    .usage = &counts),
	LOG_ROW("type|$type=error", LOG_ERROR, .of = "message"),
	OTHERS,
	LOG_LAST,
};

static const struct log_row message[] = {
	LOG_ROW("", LOG_LOCATE, .of = "created_at createdAt",
	    .id = "message_id messageId"),
	LOG_ROW(
	    "role|role.value=system|developer", LOG_SYSTEM, .of = "contents"),
	LOG_ROW(
	    "role|role.value=user", LOG_EACH, .of = "contents", .rows = asked),
	LOG_ROW(
	    "role|role.value=tool", LOG_EACH, .of = "contents", .rows = asked),
	LOG_ROW("role|role.value=assistant !author_name=UnnamedAgent",
	    LOG_AGENT, .of = "author_name authorName"),
	LOG_ROW("role|role.value=assistant", LOG_MESSAGE),
	LOG_ROW("role|role.value=assistant", LOG_EACH, .of = "contents",
	    .rows = answered),
	LOG_LAST,
};

/* ---- records ---- */

static bool
is_list(const struct json *list)
{
	return json_is(json_get(json_first(list), "contents"), JSON_ARRAY);
}

/* Returns the messages of a session, under the name of what keeps them. */
static const struct json *
kept_in(const struct json *state)
{
	for (json_members(key, state)) {
		const struct json *list = json_get(json_value(key), "messages");

		if (is_list(list))
			return list;
	}
	return NULL;
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list = json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(r,
		  "messages chat_message_store_state.messages "
		  "storeState.messages");

	return list != NULL ? list : kept_in(field_find(r, "state stateBag"));
}

static const struct log_row about[] = {
	LOG_ROW("", LOG_SET, .of = "session_id sessionId id", .member = RUN_ID),
	LOG_ROW("evaluation", LOG_SET, .of = "id", .member = RUN_SCENARIO),
	LOG_ROW("", LOG_SET, .of = "agent_id agentId", .member = RUN_AGENT),
	LOG_ROW("", LOG_MODEL, .of = "config.assistant.model model model_id"),
	LOG_ROW("", LOG_META, .name = "reward", .of = "evaluation.reward"),
	LOG_ROW(
	    "", LOG_META, .name = "termination", .of = "termination_reason"),
	LOG_ROW("", LOG_USAGE, .of = "usage_details usage", .usage = &counts),
	LOG_ROW("evaluation", LOG_ERROR, .of = "error"),
	LOG_LAST,
};

/* Reads the messages of a record that is a run, and has none if the run failed. */
static void
read_run(struct log *log, const struct json *r)
{
	const struct json *list = messages_of(r);

	log_whole_run(log, r);
	if (list == NULL)
		builder_no_calls(log->builder);
	for (json_each(m, list))
		log_read_part(log, message, m);
	log->builder->reported |= BUILDER_NOTHING;
}

#define RUN \
	"=[, messages=[, chat_message_store_state={, storeState={, " \
	"stateBag={, " \
	"state={ session_id, evaluation error=\""

static const struct log_row rows[] = {
	LOG_ROW(RUN, LOG_HOOK, .read = read_run),
	LOG_ROW(RUN, LOG_IN, .of = "", .rows = about),
	LOG_ROW(RUN, LOG_END),
	LOG_ROW("role contents=[", LOG_IN, .of = "", .rows = message),
	LOG_LAST,
};

/* A message, at the place that the prefix names. */
#define MESSAGE(at) at "contents.0.type|" at "contents.0.$type " at "role"
#define LISTS MESSAGE("") ", " MESSAGE("0.") ", " MESSAGE("messages.0.")
#define THREADS \
	MESSAGE("chat_message_store_state.messages.0.") \
	", " MESSAGE("storeState.messages.0.")
#define SESSIONS "state={ type=session session_id, stateBag={"
#define FAILED "evaluation config.assistant task error=\""

const struct log_format log_format_agent_framework = {
	.name = "agent-framework",
	.what = "Microsoft Agent Framework: messages, threads, sessions",
	.sure = LISTS ", " THREADS ", " SESSIONS ", " FAILED,
	.rows = rows,
	.knows_blocks = true, /* actions that a task expects are no calls */
};
