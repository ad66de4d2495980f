#include "extract/api/anthropic_message.h"

#include "extract/value/fields.h"

static bool
is_kind(const struct json *block, const char *end)
{
	struct str type = json_raw(json_get(block, "type"));

	/* For example server_tool_use, mcp_tool_result,
	 * web_search_tool_result. */
	return str_ends(type, str_of(end));
}

bool
anthropic_block_is_result(const struct json *block)
{
	return is_kind(block, "tool_result");
}

static const struct json *
either(const struct json *a, const struct json *b)
{
	return a != NULL ? a : b;
}

/* Members of a block. */
enum { CALL, CONTENT, IS_ERROR, RESULT_MEMBERS };
enum { TYPE, TEXT, ID, NAME, INPUT, SERVER, BLOCK_MEMBERS };

static const struct str result_members[RESULT_MEMBERS] = {
	[CALL] = STR_CONST("tool_use_id"),
	[CONTENT] = STR_CONST("content"),
	[IS_ERROR] = STR_CONST("is_error"),
};

static const struct str block_members[BLOCK_MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[TEXT] = STR_CONST("text"),
	[ID] = STR_CONST("id"),
	[NAME] = STR_CONST("name"),
	[INPUT] = STR_CONST("input"),
	[SERVER] = STR_CONST("server_name"),
};

void
anthropic_result_read(
    struct builder *b, const struct json *block, const struct json *more)
{
	const struct json *m[RESULT_MEMBERS], *is_error;

	json_pick(block, result_members, RESULT_MEMBERS, m);
	is_error = either(m[IS_ERROR], json_get(more, "is_error"));
	/* The type of the content says whether a tool that the API ran
	 * failed. */
	if (is_kind(m[CONTENT], "_error"))
		is_error = builder_bool(true);
	builder_result(b, .id = m[CALL], .value = m[CONTENT],
	    .is_error = is_error,
	    .duration = either(json_get(more, "totalDurationMs"),
		json_get(more, "durationMs")),
	    .agent = json_get(more, "agentId"));
	/* The whole result is in a file of its own. */
	if (str_starts(json_raw(m[CONTENT]), "<persisted-output>"))
		builder_mark_cut(b);
}

void
anthropic_block_read(struct builder *b, const struct json *block)
{
	const struct json *m[BLOCK_MEMBERS];
	struct str type;

	json_pick(block, block_members, BLOCK_MEMBERS, m);
	type = json_raw(m[TYPE]);
	if (json_str_is(m[TYPE], "text"))
		builder_text(b, m[TEXT]);
	else if (str_ends(type, "tool_use"))
		builder_call(b, .id = m[ID], .tool = m[NAME],
		    .server = m[SERVER], .args = m[INPUT], .once = true,
		    .task = json_get(m[INPUT], "prompt"));
	else if (str_ends(type, "tool_result"))
		anthropic_result_read(b, block, NULL);
	else
		builder_unread_part(b, block);
}

bool
anthropic_messages_are(const struct json *list)
{
	bool own = false;

	for (json_each(m, list)) {
		const struct json *role = json_get(m, "role");

		if (!json_str_is(role, "user") &&
		    !json_str_is(role, "assistant") &&
		    !json_str_is(role, "system"))
			return false;
		for (json_each(block, json_get(m, "content")))
			own = own || is_kind(block, "tool_use") ||
			    is_kind(block, "tool_result");
	}
	return own;
}

static bool
is_shown(const struct json *block)
{
	const struct json *type = json_get(block, "type");

	return json_str_is(type, "image") || json_str_is(type, "document");
}

/* Reads a user's message. Texts next to results are the user's, except texts in
 * tags, which programs insert. */
static void
read_user(struct builder *b, const struct json *content)
{
	bool results = false;

	builder_prompt(b, json_is(content, JSON_STRING) ? content : NULL);
	for (json_each(block, content)) {
		const struct json *text = json_get(block, "text");

		if (anthropic_block_is_result(block)) {
			anthropic_result_read(b, block, NULL);
			results = true;
		} else if (!results && is_shown(block)) {
			builder_prompt_body(b, STR("")); /* the image may be the
							  * whole prompt */
		} else if (json_is(text, JSON_STRING) &&
		    !(results && str_starts(json_raw(text), "<"))) {
			builder_prompt(b, text);
		} else if (text == NULL) {
			builder_unread_part(b, block);
		}
	}
}

void
anthropic_content_read(
    struct builder *b, const struct json *role, const struct json *content)
{
	if (json_str_is(role, "user")) {
		read_user(b, content);
		return;
	}
	if (json_str_is(role, "system")) {
		builder_system_message(b, content);
		return;
	}
	if (role != NULL && !json_str_is(role, "assistant") &&
	    !json_str_is(role, "model")) {
		builder_unread_block(b, json_raw(role));
		for (json_each(block, content))
			if (json_get(block, "text") == NULL)
				builder_unread_part(b, block);
		return;
	}
	builder_message(b);
	builder_text(b, content);
	for (json_each(block, content))
		anthropic_block_read(b, block);
}

void
anthropic_message_read(struct builder *b, const struct json *m)
{
	anthropic_content_read(b, json_get(m, "role"), json_get(m, "content"));
}

/* Reads the counts of a message, or of one iteration. Sets *iterations to the
 * list of iterations in which the message was made, or NULL. */
static struct usage
usage_in(const struct json *counts, const struct json **iterations)
{
	static const struct str names[] = {
		STR_CONST("input_tokens"),
		STR_CONST("cache_creation_input_tokens"),
		STR_CONST("cache_read_input_tokens"),
		STR_CONST("output_tokens"),
		STR_CONST("iterations"),
		STR_CONST("cache_creation"),
	};
	const struct json *n[6];
	struct usage u = { 0 };

	json_pick(counts, names, 6, n);
	usage_read(&u, USAGE_INPUT, n[0]);
	usage_read(&u, USAGE_CACHE_WRITE, n[1]);
	usage_read(&u, USAGE_CACHE_READ, n[2]);
	usage_read(&u, USAGE_OUTPUT, n[3]);
	usage_read(&u, USAGE_CACHE_WRITE_1H,
	    json_get(n[5], "ephemeral_1h_input_tokens"));
	*iterations = n[4];
	return u;
}

/* A compaction's usage is logged next to the message's own counts. */
void
anthropic_usage_read(struct usage *u, const struct json *counts)
{
	const struct json *iterations, *inner;
	struct usage own = usage_in(counts, &iterations);

	usage_add(u, &own);
	for (json_each(one, iterations)) {
		struct usage more = usage_in(one, &inner);

		if (json_str_is(json_get(one, "type"), "compaction"))
			usage_add(u, &more);
	}
}

struct usage
anthropic_usage_of_program(const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input = "inputTokens",
	    .output = "outputTokens", .cache_read = "cacheReadInputTokens",
	    .cache_write = "cacheCreationInputTokens");
	return u;
}

struct usage
anthropic_usage_by_model(const struct json *models)
{
	struct usage all = { 0 };

	for (json_members(name, models)) {
		struct usage u = anthropic_usage_of_program(json_value(name));

		usage_add(&all, &u);
	}
	return all;
}
