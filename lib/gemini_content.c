#include "gemini_content.h"

#include "log.h"

bool
gemini_content_is(const struct json *content)
{
	return json_is(json_get(content, STR("parts")), JSON_ARRAY);
}

static void
read_response(struct builder *b, const struct json *response)
{
	const struct json *value = json_get(response, STR("response"));
	const struct json *error = log_find(value, "error");
	const struct json *output = log_find(value, "output result");

	builder_result(b,
	    &(struct builder_result){
		.id = json_get(response, STR("id")),
		.tool = json_get(response, STR("name")),
		.value = error != NULL ? error
		    : output != NULL   ? output
				       : value,
		.is_error = error != NULL ? builder_bool(true) : NULL,
	    });
}

/* What the model had run beside it: a call of a tool that the API has. */
static void
read_code(struct builder *b, const struct json *code, const struct json *result)
{
	const struct json *outcome = json_get(result, STR("outcome"));
	const struct json *tool = builder_str(b, STR("code_execution"));

	if (code != NULL)
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(code, STR("id")),
			.tool = tool,
			.args = code,
		    });
	else
		builder_result(b,
		    &(struct builder_result){
			.id = json_get(result, STR("id")),
			.tool = tool,
			.value = json_get(result, STR("output")),
			.is_error = builder_bool(
			    !json_str_is(outcome, STR("OUTCOME_OK"))),
		    });
}

/* A tool that the API has and runs itself: its kind is its name. */
static void
read_own_tool(
    struct builder *b, const struct json *call, const struct json *response)
{
	const struct json *of = call != NULL ? call : response;
	const struct json *tool = log_find(of, "toolType tool_type");

	if (call != NULL)
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(of, STR("id")),
			.tool = tool,
			.args = json_get(of, STR("args")),
		    });
	else
		builder_result(b,
		    &(struct builder_result){
			.id = json_get(of, STR("id")),
			.tool = tool,
			.value = json_get(of, STR("response")),
		    });
}

/* A tool of an MCP server is SERVER__TOOL or mcp_SERVER_TOOL, where no server
 * has a _ in its name; mcp__SERVER__TOOL is known to the builder. */
void
gemini_call(struct builder *b, const struct json *id, const struct json *name,
    const struct json *args)
{
	struct str tool = json_raw(name);
	bool led = str_starts(tool, STR("mcp_"));
	struct str rest = led ? str_from(tool, 4) : tool;
	struct str sign = led ? STR("_") : STR("__");
	size_t end = str_find(rest, sign);
	bool mcp = end != 0 && end + sign.n < rest.n;

	builder_call(b,
	    &(struct builder_call){
		.id = id,
		.tool = name,
		.server = mcp ? builder_str(b, str_slice(rest, 0, end)) : NULL,
		.name =
		    mcp ? builder_str(b, str_from(rest, end + sign.n)) : NULL,
		.args = args,
	    });
}

void
gemini_part_read(
    struct builder *b, const struct json *part, bool by_model, bool more)
{
	const struct json *call = log_find(part, "functionCall function_call");
	const struct json *response =
	    log_find(part, "functionResponse function_response");
	const struct json *code =
	    log_find(part, "executableCode executable_code");
	const struct json *ran =
	    log_find(part, "codeExecutionResult code_execution_result");
	const struct json *tool = log_find(part, "toolCall tool_call");
	const struct json *came = log_find(part, "toolResponse tool_response");
	const struct json *text = json_get(part, STR("text"));

	/* Without a name it goes on with the one before (partialArgs). */
	if (json_is(call, JSON_OBJECT) &&
	    json_raw(json_get(call, STR("name"))).n == 0)
		return;
	if (json_is(call, JSON_OBJECT))
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(call, STR("id")),
			.tool = json_get(call, STR("name")),
			.args = json_get(call, STR("args")),
			.task = json_path(call, "args.prompt"),
		    });
	else if (json_is(response, JSON_OBJECT))
		read_response(b, response);
	else if (json_is(code, JSON_OBJECT) || json_is(ran, JSON_OBJECT))
		read_code(b, json_is(code, JSON_OBJECT) ? code : NULL, ran);
	else if (json_is(tool, JSON_OBJECT) || json_is(came, JSON_OBJECT))
		read_own_tool(
		    b, json_is(tool, JSON_OBJECT) ? tool : NULL, came);
	else if (json_is(json_get(part, STR("thought")), JSON_TRUE))
		return;
	else if (by_model && more)
		builder_text_more(b, text);
	else if (by_model)
		builder_text(b, text);
	else if (json_is(text, JSON_STRING))
		builder_prompt(b, text);
}

void
gemini_content_read(struct builder *b, const struct json *content, bool more)
{
	const struct json *role = json_get(content, STR("role"));
	bool by_model = json_str_is(role, STR("model")) ||
	    json_str_is(role, STR("gemini")) ||
	    json_str_is(role, STR("assistant"));

	for (json_each(part, json_get(content, STR("parts"))))
		gemini_part_read(b, part, by_model, more);
}

/* What the API's own tools gave the model to read is counted beside the prompt,
 * and what was thought beside the candidates, but where a total says that they
 * hold it (Qwen's of another's API). */
void
gemini_usage_read(struct usage *u, const struct json *counts)
{
	double total =
	    json_double(log_find(counts, "totalTokenCount total_token_count"));
	double in = json_double(
	    log_find(counts, "promptTokenCount prompt_token_count"));
	double tools = json_double(log_find(
	    counts, "toolUsePromptTokenCount tool_use_prompt_token_count"));

	usage_read(u, USAGE_CACHE_READ,
	    log_find(
		counts, "cachedContentTokenCount cached_content_token_count"));
	usage_input_with_cache(
	    u, log_find(counts, "promptTokenCount prompt_token_count"));
	if (tools > 0)
		usage_set(u, USAGE_INPUT, u->n[USAGE_INPUT] + tools);
	usage_read(u, USAGE_OUTPUT,
	    log_find(counts, "candidatesTokenCount candidates_token_count"));
	usage_read(u, USAGE_REASONING,
	    log_find(counts, "thoughtsTokenCount thoughts_token_count"));
	if (u->known & 1U << USAGE_REASONING &&
	    total != in + u->n[USAGE_OUTPUT])
		usage_set(u, USAGE_OUTPUT,
		    u->n[USAGE_OUTPUT] + u->n[USAGE_REASONING]);
}
