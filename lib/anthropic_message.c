#include "anthropic_message.h"

static bool
is_kind(const struct json *block, const char *end)
{
	struct str type = json_raw(json_get(block, STR("type")));

	/* server_tool_use, mcp_tool_result, web_search_tool_result, ... */
	return str_ends(type, str_of(end));
}

bool
anthropic_is_result(const struct json *block)
{
	return is_kind(block, "tool_result");
}

static const struct json *
either(const struct json *a, const struct json *b)
{
	return a != NULL ? a : b;
}

void
anthropic_result_read(
    struct builder *b, const struct json *block, const struct json *more)
{
	const struct json *content = json_get(block, STR("content"));
	const struct json *is_error = either(
	    json_get(block, STR("is_error")), json_get(more, STR("is_error")));

	/* A tool that the API runs says so by the kind of its result. */
	if (str_ends(json_raw(json_get(content, STR("type"))), STR("_error")))
		is_error = builder_bool(true);
	builder_result(b,
	    &(struct builder_result){
		.id = json_get(block, STR("tool_use_id")),
		.value = content,
		.is_error = is_error,
		.duration = either(json_get(more, STR("totalDurationMs")),
		    json_get(more, STR("durationMs"))),
		.agent = json_get(more, STR("agentId")),
	    });
	/* The whole of it lies in a file of its own. */
	if (str_starts(json_raw(content), STR("<persisted-output>")))
		builder_cut(b);
}

void
anthropic_block_read(struct builder *b, const struct json *block)
{
	if (json_str_is(json_get(block, STR("type")), STR("text")))
		builder_text(b, json_get(block, STR("text")));
	else if (is_kind(block, "tool_use"))
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(block, STR("id")),
			.tool = json_get(block, STR("name")),
			.server = json_get(block, STR("server_name")),
			.args = json_get(block, STR("input")),
			.task = json_path(block, "input.prompt"),
		    });
	else if (anthropic_is_result(block))
		anthropic_result_read(b, block, NULL);
}

bool
anthropic_messages_are(const struct json *list)
{
	bool own = false;

	for (json_each(m, list)) {
		const struct json *role = json_get(m, STR("role"));

		if (!json_str_is(role, STR("user")) &&
		    !json_str_is(role, STR("assistant")))
			return false;
		for (json_each(block, json_get(m, STR("content"))))
			own = own || is_kind(block, "tool_use") ||
			    is_kind(block, "tool_result");
	}
	return own;
}

/* Texts beside results are a user's, but for what programs put there. */
static void
read_user(struct builder *b, const struct json *content)
{
	bool results = false;

	builder_prompt(b, json_is(content, JSON_STRING) ? content : NULL);
	for (json_each(block, content)) {
		const struct json *text = json_get(block, STR("text"));

		if (anthropic_is_result(block)) {
			anthropic_result_read(b, block, NULL);
			results = true;
		} else if (json_is(text, JSON_STRING) &&
		    !(results && str_starts(json_raw(text), STR("<")))) {
			builder_prompt(b, text);
		}
	}
}

void
anthropic_content_read(
    struct builder *b, const struct json *role, const struct json *content)
{
	if (json_str_is(role, STR("user"))) {
		read_user(b, content);
		return;
	}
	builder_text(b, content);
	for (json_each(block, content))
		anthropic_block_read(b, block);
}

void
anthropic_message_read(struct builder *b, const struct json *m)
{
	anthropic_content_read(
	    b, json_get(m, STR("role")), json_get(m, STR("content")));
}

static struct usage
usage_in(const struct json *counts)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_INPUT, json_get(counts, STR("input_tokens")));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, STR("output_tokens")));
	usage_read(&u, USAGE_CACHE_READ,
	    json_get(counts, STR("cache_read_input_tokens")));
	usage_read(&u, USAGE_CACHE_WRITE,
	    json_get(counts, STR("cache_creation_input_tokens")));
	return u;
}

/* What a compaction used is told beside the message's own counts. */
void
anthropic_usage_read(struct usage *u, const struct json *counts)
{
	struct usage own = usage_in(counts);

	usage_add(u, &own);
	for (json_each(one, json_get(counts, STR("iterations")))) {
		struct usage more = usage_in(one);

		if (json_str_is(json_get(one, STR("type")), STR("compaction")))
			usage_add(u, &more);
	}
}
