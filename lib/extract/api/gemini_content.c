#include "extract/api/gemini_content.h"

#include "extract/value/fields.h"

bool
gemini_content_is(const struct json *content)
{
	return json_is(json_get(content, "parts"), JSON_ARRAY);
}

static void
read_response(struct builder *b, const struct json *response)
{
	const struct json *value = json_get(response, "response");
	const struct json *error = field_find(value, "error");
	const struct json *output = field_find(value, "output result");

	builder_result(b, .id = json_get(response, "id"),
	    .tool = json_get(response, "name"),
	    .value = error != NULL ? error
		: output != NULL   ? output
				   : value,
	    .is_error = error != NULL ? builder_bool(true)
				      : json_get(value, "isError")); /* MCP's */
}

/* Reports code that the model ran in the API: a call of the API's own tool. */
static void
read_code(struct builder *b, const struct json *code, const struct json *result)
{
	const struct json *apply = json_get(result, "outcome");
	const struct json *tool = builder_str(b, STR("code_execution"));

	if (code != NULL)
		builder_call(
		    b, .id = json_get(code, "id"), .tool = tool, .args = code);
	else
		builder_result(b, .id = json_get(result, "id"), .tool = tool,
		    .last = json_get(result, "id") == NULL,
		    .value = json_get(result, "output"),
		    .is_error =
			builder_bool(!json_str_is(apply, "OUTCOME_OK")));
}

/* Reports a tool that the API has and runs itself; the tool's kind is its
 * name. */
static void
read_own_tool(
    struct builder *b, const struct json *call, const struct json *response)
{
	const struct json *of = call != NULL ? call : response;
	const struct json *tool = field_find(of, "toolType tool_type");

	if (call != NULL)
		builder_call(b, .id = json_get(of, "id"), .tool = tool,
		    .args = json_get(of, "args"));
	else
		builder_result(b, .id = json_get(of, "id"), .tool = tool,
		    .value = json_get(of, "response"));
}

/* A tool of an MCP server is named SERVER__TOOL or mcp_SERVER_TOOL; no server's
 * name contains a _ there. The builder itself handles mcp__SERVER__TOOL. */
void
gemini_call(struct builder *b, const struct json *id, const struct json *name,
    const struct json *args)
{
	struct str tool = json_raw(name);
	bool led = str_starts(tool, "mcp_");
	struct str rest = led ? str_from(tool, 4) : tool;
	struct str sign = led ? STR("_") : STR("__");
	size_t end = str_find(rest, sign);
	bool mcp = end != 0 && end + sign.n < rest.n;

	builder_call(b, .id = id, .tool = name,
	    .server = mcp ? builder_str(b, str_slice(rest, 0, end)) : NULL,
	    .name = mcp ? builder_str(b, str_from(rest, end + sign.n)) : NULL,
	    .args = args);
}

/* Members of a part. */
enum { CALL, RESPONSE, CODE, RAN, TOOL, CAME, KINDS };
enum { TEXT = 2 * KINDS, THOUGHT, PART_MEMBERS };
enum { TOTAL, PROMPT, TOOLS, CACHED, CANDIDATES, THOUGHTS, COUNTS };
enum { COUNT_MEMBERS = 2 * COUNTS };

static const struct str part_members[PART_MEMBERS] = {
	[CALL] = STR_CONST("functionCall"),
	[RESPONSE] = STR_CONST("functionResponse"),
	[CODE] = STR_CONST("executableCode"),
	[RAN] = STR_CONST("codeExecutionResult"),
	[TOOL] = STR_CONST("toolCall"),
	[CAME] = STR_CONST("toolResponse"),
	[KINDS + CALL] = STR_CONST("function_call"),
	[KINDS + RESPONSE] = STR_CONST("function_response"),
	[KINDS + CODE] = STR_CONST("executable_code"),
	[KINDS + RAN] = STR_CONST("code_execution_result"),
	[KINDS + TOOL] = STR_CONST("tool_call"),
	[KINDS + CAME] = STR_CONST("tool_response"),
	[TEXT] = STR_CONST("text"),
	[THOUGHT] = STR_CONST("thought"),
};

static const struct str count_members[COUNT_MEMBERS] = {
	[TOTAL] = STR_CONST("totalTokenCount"),
	[PROMPT] = STR_CONST("promptTokenCount"),
	[TOOLS] = STR_CONST("toolUsePromptTokenCount"),
	[CACHED] = STR_CONST("cachedContentTokenCount"),
	[CANDIDATES] = STR_CONST("candidatesTokenCount"),
	[THOUGHTS] = STR_CONST("thoughtsTokenCount"),
	[COUNTS + TOTAL] = STR_CONST("total_token_count"),
	[COUNTS + PROMPT] = STR_CONST("prompt_token_count"),
	[COUNTS + TOOLS] = STR_CONST("tool_use_prompt_token_count"),
	[COUNTS + CACHED] = STR_CONST("cached_content_token_count"),
	[COUNTS + CANDIDATES] = STR_CONST("candidates_token_count"),
	[COUNTS + THOUGHTS] = STR_CONST("thoughts_token_count"),
};

/* Reads a part that is neither a text nor a call. */
static void
read_other(struct builder *b, const struct json *part)
{
	if (field_find(part,
		"inlineData inline_data fileData file_data "
		"thoughtSignature thought_signature videoMetadata "
		"video_metadata") == NULL)
		builder_unread_part(b, part);
}

void
gemini_part_read(
    struct builder *b, const struct json *part, bool by_model, bool more)
{
	const struct json *m[PART_MEMBERS], *call;

	field_pick(part, part_members, PART_MEMBERS, KINDS, m);
	call = json_is(m[CALL], JSON_OBJECT) ? m[CALL] : NULL;
	/* A call without a name continues the previous call (partialArgs). */
	if (call != NULL && json_raw(json_get(call, "name")).n == 0)
		return;
	if (call != NULL)
		builder_call(b, .id = json_get(call, "id"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "args"),
		    .task = json_path(call, "args.prompt"));
	else if (json_is(m[RESPONSE], JSON_OBJECT))
		read_response(b, m[RESPONSE]);
	else if (json_is(m[CODE], JSON_OBJECT) || json_is(m[RAN], JSON_OBJECT))
		read_code(
		    b, json_is(m[CODE], JSON_OBJECT) ? m[CODE] : NULL, m[RAN]);
	else if (json_is(m[TOOL], JSON_OBJECT) || json_is(m[CAME], JSON_OBJECT))
		read_own_tool(
		    b, json_is(m[TOOL], JSON_OBJECT) ? m[TOOL] : NULL, m[CAME]);
	else if (json_is(m[THOUGHT], JSON_TRUE))
		return;
	else if (m[TEXT] == NULL)
		read_other(b, part);
	else if (by_model && more)
		builder_append_text(b, m[TEXT]);
	else if (by_model)
		builder_text(b, m[TEXT]);
	else if (json_is(m[TEXT], JSON_STRING))
		builder_prompt(b, m[TEXT]);
}

/* Returns whether all parts are images or other files: an input without
 * words. */
static bool
shows_only(const struct json *content)
{
	const struct json *parts = json_get(content, "parts");

	for (json_each(part, parts))
		if (field_find(part,
			"inlineData inline_data fileData file_data") == NULL)
			return false;
	return json_first(parts) != NULL;
}

void
gemini_content_read(struct builder *b, const struct json *content, bool more)
{
	const struct json *role = json_get(content, "role");
	bool by_model = json_str_is(role, "model") ||
	    json_str_is(role, "gemini") || json_str_is(role, "assistant");

	if (!by_model && shows_only(content))
		builder_prompt_body(b, STR(""));
	if (by_model && !more)
		builder_message(b);
	for (json_each(part, json_get(content, "parts")))
		gemini_part_read(b, part, by_model, more);
}

/* Tokens that the API's own tools gave the model are counted apart from the
 * prompt, and thoughts apart from the candidates, unless the total shows that
 * they are included (as Qwen counts for another API). */
void
gemini_usage_read(struct usage *u, const struct json *counts)
{
	const struct json *m[COUNT_MEMBERS];
	double total, in, tools;

	field_pick(counts, count_members, COUNT_MEMBERS, COUNTS, m);
	total = json_double(m[TOTAL]);
	in = json_double(m[PROMPT]);
	tools = json_double(m[TOOLS]);
	usage_read(u, USAGE_CACHE_READ, m[CACHED]);
	usage_input_with_cache(u, m[PROMPT]);
	if (tools > 0)
		usage_set(u, USAGE_INPUT, u->n[USAGE_INPUT] + tools);
	usage_read(u, USAGE_OUTPUT, m[CANDIDATES]);
	usage_read(u, USAGE_REASONING, m[THOUGHTS]);
	if (u->known & 1U << USAGE_REASONING &&
	    total != in + u->n[USAGE_OUTPUT])
		usage_set(u, USAGE_OUTPUT,
		    u->n[USAGE_OUTPUT] + u->n[USAGE_REASONING]);
}
