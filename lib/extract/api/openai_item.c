#include "extract/api/openai_item.h"

#include "extract/api/openai_message.h"
#include "extract/value/fields.h"

static struct str
type_of(const struct json *item)
{
	return json_raw(json_get(item, "type"));
}

/* Returns whether the type is a call's: NAME_call, or `program` for a program
 * that makes calls. */
static bool
is_call(struct str type)
{
	return str_ends(type, "_call") || str_is(type, "program");
}

bool
openai_item_is(const struct json *item)
{
	struct str type = type_of(item);

	return is_call(type) || str_is(type, "program_output") ||
	    str_ends(type, "_call_output") || str_ends(type, "_call_result") ||
	    str_is(type, "reasoning") || str_is(type, "mcp_list_tools") ||
	    (str_is(type, "message") && json_get(item, "role") != NULL &&
		json_get(item, "content") != NULL);
}

static void
read_message(struct builder *b, const struct json *item)
{
	const struct json *content = json_get(item, "content");

	if (!json_str_is(json_get(item, "role"), "assistant"))
		return;
	builder_text(b, content);
	for (json_each(part, content)) {
		builder_text(b, json_get(part, "text"));
		builder_text(b, json_get(part, "refusal"));
		builder_text(b, json_get(part, "transcript"));
		if (json_get(part, "text") == NULL &&
		    field_find(part, "refusal transcript") == NULL)
			builder_unread_part(b, part);
	}
}

/* Returns the server of a call. The namespace mcp__SERVER__ marks the tools of
 * a server. */
static const struct json *
server_of(struct builder *b, const struct json *item)
{
	const struct json *label = json_get(item, "server_label");
	struct str space = json_raw(json_get(item, "namespace"));

	if (label != NULL || !str_starts(space, "mcp__"))
		return label;
	space = str_from(space, 5);
	if (str_ends(space, "__"))
		space.n -= 2;
	return builder_str(b, space);
}

/* Reports the output of a tool that the API itself ran, which is logged in the
 * call. */
static void
read_own_output(struct builder *b, const struct json *item)
{
	const struct json *error = field_find(item, "error");
	const struct json *value =
	    field_find(item, "output outputs results result");
	bool failed = field_is(item, "status", "failed") || error != NULL;

	if (value == NULL && !failed)
		return;
	builder_result(b, .last = true, .value = value != NULL ? value : error,
	    .is_error = builder_bool(failed));
}

static void
read_call(struct builder *b, const struct json *item)
{
	const struct json *name = json_get(item, "name");
	const struct json *id = field_find(item, "call_id callId id");
	struct str type = type_of(item);

	if (str_ends(type, "_call"))
		type.n -= 5;
	if (json_raw(name).n == 0)
		name = builder_str(b, type);
	builder_call(b, .id = id, .tool = name, .server = server_of(b, item),
	    .args = field_find(item,
		"arguments input action actions operation code queries "
		"query"),
	    .decode = true);
	/* Some programs give the item's id back as the call's. */
	if (str_starts(json_raw(json_get(item, "id")), "fc_") &&
	    json_get(item, "call_id") != NULL)
		builder_call_also(b, json_get(item, "id"));
	read_own_output(b, item);
}

/* Reports an output: a string, a list, a block of text, or an older object that
 * holds one of these. */
static void
read_output(struct builder *b, const struct json *item)
{
	const struct json *value =
	    field_find(item, "output result tools content");
	const struct json *content = json_get(
	    value, field_is_type(value, "text") ? STR("text") : STR("content"));

	builder_result(b, .id = field_find(item, "call_id callId"),
	    .value = content != NULL ? content : value, .seen = true,
	    .ok = json_get(value, "success"),
	    .is_error = json_str_is(json_get(item, "status"), "failed")
		? builder_bool(true)
		: NULL);
}

void
openai_item_read(struct builder *b, const struct json *item)
{
	struct str type = type_of(item);

	if (is_call(type))
		read_call(b, item);
	else if (str_ends(type, "_output") || str_ends(type, "_call_result"))
		read_output(b, item);
	else if (field_is(item, "role", "system developer"))
		builder_system_message(b, json_get(item, "content"));
	else if (str_is(type, "message"))
		read_message(b, item);
	else if (!field_is_type(item,
		     "mcp_list_tools mcp_approval_request "
		     "mcp_approval_response item_reference"))
		builder_unread_part(b, item);
}

/* The Realtime API writes input_token_details. */
void
openai_item_usage(struct usage *u, const struct json *counts)
{
	field_usage(u, counts, .input_and_cache = "input_tokens",
	    .output = "output_tokens",
	    .cache_read = "input_tokens_details.cached_tokens "
			  "input_token_details.cached_tokens",
	    .cache_write = "input_tokens_details.cache_write_tokens",
	    .reasoning = "output_tokens_details.reasoning_tokens");
	openai_cost_read(u, counts);
}
