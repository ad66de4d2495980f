/*
 * Conversations of LibreChat, as it exports them as JSON: {"conversationId",
 * "exportAt", "messages": [...]}, or with "messagesTree", in which each message
 * has its "children"; and lists of messages, as its API and its database give
 * them. The format is C because the messages of a conversation are a tree. The
 * names are those of useExportConversation.ts, data-provider/src/types and
 * data-schemas/src/schema/message.ts.
 */
#include "extract/format/branches.h"
#include "extract/format/log_rows.h"

/* Returns the messages of a record: of an export, of a list, or a message
 * alone. */
static const struct json *
messages_of(const struct json *r)
{
	const struct json *tree = json_get(r, "messagesTree");

	return json_is(r, JSON_ARRAY) ? r
	    : tree != NULL            ? tree
				      : json_get(r, "messages");
}

/* ---- messages ---- */

/* Reads a call. A tool of an MCP server has the name TOOL_mcp_SERVER. A call of
 * OpenAI's Assistants has its details in the member with its type's name. */
static void
read_call(struct log *log, const struct json *call)
{
	struct builder *b = log->builder;
	const struct str mark = STR("_mcp_");
	const struct json *id = json_get(call, "id");
	const struct json *type = json_get(call, "type");
	const struct json *own = json_get(call, json_raw(type));
	const struct json *of = json_is(own, JSON_OBJECT) ? own : call;
	const struct json *name = field_find(of, "name");
	const struct json *value = field_find(of, "output outputs");
	struct str tool = json_raw(name);
	size_t at = str_find(tool, mark);
	bool served = at != tool.n;

	builder_call(b, .id = id, .tool = name != NULL ? name : type,
	    .server =
		served ? builder_str(b, str_from(tool, at + mark.n)) : NULL,
	    .name = served ? builder_str(b, str_slice(tool, 0, at)) : NULL,
	    .args = field_find(of, "args arguments input"), .decode = true);
	if (value != NULL)
		builder_result(b, .last = true, .value = value);
}

static const struct log_row parts[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text.value text"),
	/* A text may name calls (tool_call_ids). */
	LOG_ROW("type=text", LOG_NOTHING),
	LOG_ROW(
	    "type=tool_call", LOG_HOOK, .of = "tool_call", .read = read_call),
	LOG_ROW("type=error", LOG_ERROR, .of = "text.value error text"),
	LOG_ROW("type=think|agent_update|image_file|image_url|video_url|"
		"input_audio|summary",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Reads an answer. The model of an agent's message is the agent's id. */
static void
read_answer(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *content = json_get(m, "content");
	struct usage u = { 0 };

	if (field_is(m, "endpoint", "agents"))
		builder_set(b, RUN_AGENT, json_get(m, "sender"));
	else
		builder_model(b, json_get(m, "model"));
	for (json_each(part, content)) {
		builder_locate(b, .ts = json_get(m, "createdAt"));
		log_read_part(log, parts, part);
	}
	if (json_is(json_get(m, "error"), JSON_TRUE))
		builder_error(b, json_get(m, "text"));
	else if (json_count(content) == 0)
		builder_text(b, json_get(m, "text"));
	usage_read(&u, USAGE_OUTPUT, json_get(m, "tokenCount"));
	builder_usage_uncounted(b, &u);
	builder_stop_reason(b, json_get(m, "finish_reason"));
	if (json_is(json_get(m, "unfinished"), JSON_TRUE))
		builder_meta(
		    b, "interrupted", builder_str(b, STR("unfinished")));
}

static bool
is_prompt(const struct json *m)
{
	return json_is(json_get(m, "isCreatedByUser"), JSON_TRUE);
}

/* Returns the text of a user's message, or its parts if it has no text. */
static const struct json *
text_of(const struct json *m)
{
	const struct json *text = json_get(m, "text");

	return json_raw(text).n != 0 ? text : field_find(m, "content text");
}

static void
read_message(struct log *log, const struct json *m)
{
	builder_locate(log->builder, .ts = json_get(m, "createdAt"));
	if (is_prompt(m))
		builder_prompt(log->builder, text_of(m));
	else
		read_answer(log, m);
}

/* ---- conversations ---- */

/* Adds the message, and the messages below it, to the tree. The messages are no
 * deeper than JSON may be. */
static void
add_message(struct branches *tree, const struct json *m)
{
	branches_add(tree,
	    &(struct branches_message){
		.message = m,
		.id = json_raw(json_get(m, "messageId")),
		.after = json_raw(json_get(m, "parentMessageId")),
		.prompt = is_prompt(m) && text_of(m) != NULL,
	    });
	for (json_each(child, json_get(m, "children")))
		add_message(tree, child);
}

/* Begins a run, and reads the messages from `m` on that belong to the same
 * conversation. Returns the message after them, or NULL. */
static const struct json *
read_conversation(
    struct log *log, const struct json *list, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(m, "conversationId");
	struct branches tree = { .arena = log->scratch };

	builder_begin_run(b);
	builder_set(b, RUN_ID, id);
	for (; m != NULL &&
	     str_eq(json_raw(json_get(m, "conversationId")), json_raw(id));
	     m = json_next(list, m))
		add_message(&tree, m);
	branches_read(&tree, log, (struct str){ 0 }, read_message);
	return m;
}

static void
read_list(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *list = messages_of(r), *m = json_first(list);

	while (m != NULL) {
		m = read_conversation(log, list, m);
		builder_meta(b, "title", field_find(r, "title"));
		builder_meta(b, "endpoint", field_find(r, "endpoint"));
		builder_end_run(b);
	}
}

#define MESSAGE "messageId=\" parentMessageId, messageId=\" isCreatedByUser"

static const struct log_row rows[] = {
	LOG_ROW(MESSAGE, LOG_RUN, .of = "conversationId"),
	LOG_ROW(MESSAGE, LOG_HOOK, .read = read_message),
	LOG_ROW("messagesTree !messageId, messages !messageId, =[", LOG_HOOK,
	    .read = read_list),
	LOG_LAST,
};

const struct log_format log_format_librechat = {
	.name = "librechat",
	.what = "LibreChat: exported conversations",
	.sure = "isCreatedByUser messageId=\" parentMessageId, "
		"exportAt conversationId messagesTree=[ !messagesTree.0, "
		"exportAt conversationId messages=[ !messages.0 "
		"!messagesTree",
	.nested = "0 messagesTree.0 messages.0",
	.rows = rows,
	.knows_blocks = true,
};
