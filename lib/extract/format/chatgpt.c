/*
 * Conversations of ChatGPT, as its export has them in conversations.json: {"id",
 * "title", "mapping": {ID: {"message", "parent"}}, "current_node"}. The messages
 * form a tree, whose path to the current node is the conversation. A message of
 * the assistant that has a recipient is a call. The names are those of exports
 * and of descriptions of them (chatgpt-export-parser).
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"

/* The call whose results are read. */
struct call {
	bool waits;         /* a message of a tool belongs to it */
	struct text result; /* body */
};

/* Takes the node with this id (a body) out of the table, so that a node that is
 * its own ancestor ends the path. Returns NULL if it is not there. */
static const struct json *
take(const struct hash_table *nodes, struct str id)
{
	const struct json **slot = id.n == 0 ? NULL : hash_get(nodes, id);
	const struct json *node = slot == NULL ? NULL : *slot;

	if (slot != NULL)
		*slot = NULL;
	return node;
}

/* Returns the nodes from the current one up to the root in *n. */
static const struct json **
path_of(struct arena *a, const struct json *r, size_t *n)
{
	const struct json *mapping = json_get(r, "mapping"), *node;
	const struct json **path =
	    arena_new_n(a, const struct json *, json_count(mapping) + 1);
	struct hash_table nodes = { .arena = a };

	for (json_members(key, mapping)) {
		const struct json **slot = arena_new(a, const struct json *);

		*slot = json_value(key);
		*hash_put(&nodes, json_raw(key)) = slot;
	}
	*n = 0;
	node = take(&nodes, json_raw(json_get(r, "current_node")));
	while (node != NULL) {
		path[(*n)++] = node;
		node = take(&nodes, json_raw(json_get(node, "parent")));
	}
	return path;
}

/* ---- messages ---- */

static void
read_parts(struct builder *b, const struct json *content,
    void (*read)(struct builder *, const struct json *))
{
	read(b, json_get(content, "text"));
	for (json_each(part, json_get(content, "parts")))
		read(b,
		    json_is(part, JSON_OBJECT) ? json_get(part, "text") : part);
}

static void
read_call(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	struct call *call = log->state;
	const struct json *content = json_get(m, "content");
	const struct json *args = json_get(content, "text");

	if (args == NULL)
		args = json_first(json_get(content, "parts"));
	builder_call(
	    b, .tool = json_get(m, "recipient"), .args = args, .decode = true);
	*call = (struct call){ .waits = true };
}

/* Adds a message of a tool to the result of the call before it. */
static void
read_result(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	struct call *call = log->state;
	const struct json *content = json_get(m, "content");
	const struct json *text =
	    field_find(content, "text result output domain");
	bool failed = field_is(content, "content_type", "system_error");

	if (!call->waits)
		*call = (struct call){ 0 };
	if (json_raw(text).n != 0)
		text_append_line(
		    builder_arena(b), &call->result, json_raw(text));
	for (json_each(part, json_get(content, "parts")))
		if (json_raw(part).n != 0)
			text_append_line(
			    builder_arena(b), &call->result, json_raw(part));
	builder_result(b, .last = call->waits,
	    .tool = json_path(m, "author.name"),
	    .value =
		builder_str(b, (struct str){ call->result.s, call->result.n }),
	    .is_error = failed ? builder_bool(true) : NULL);
	call->waits = true;
}

static void
read_assistant(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *content = json_get(m, "content");
	const struct json *recipient = json_get(m, "recipient");

	if (json_raw(recipient).n != 0 && !json_str_is(recipient, "all"))
		read_call(log, m);
	else
		read_parts(b, content, builder_text);
}

static void
read_user(struct log *log, const struct json *content)
{
	read_parts(log->builder, content, builder_prompt);
}

#define SHOWN \
	"!content.content_type=user_editable_context " \
	"!metadata.is_visually_hidden_from_conversation=true"
#define THOUGHTS "thoughts|reasoning_recap|model_editable_context"

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "create_time", .id = "id"),
	LOG_ROW("author.role=assistant", LOG_MESSAGE),
	LOG_ROW("author.role=tool", LOG_HOOK, .read = read_result),
	LOG_ROW(
	    "author.role=assistant", LOG_MODEL, .of = "metadata.model_slug"),
	LOG_ROW("author.role=assistant !content.content_type=" THOUGHTS,
	    LOG_HOOK, .read = read_assistant),
	LOG_ROW("author.role=assistant content.content_type=" THOUGHTS,
	    LOG_NOTHING),
	LOG_ROW("author.role=user " SHOWN, LOG_HOOK, .of = "content",
	    .read = read_user),
	LOG_ROW("author.role=user else", LOG_NOTHING), /* hidden */
	LOG_ROW("author.role=system", LOG_NOTHING),
	LOG_LAST,
};

static void
read_messages(struct log *log, const struct json *r)
{
	struct call *call = arena_new(log->scratch, struct call);
	const struct json **path;
	size_t n;

	log->state = call;
	path = path_of(log->scratch, r, &n);
	while (n > 0) {
		const struct json *m = json_get(path[--n], "message");

		if (!json_is(m, JSON_OBJECT))
			continue;
		if (!json_str_is(json_path(m, "author.role"), "tool"))
			call->waits = false;
		log_read_part(log, messages, m);
	}
	log->state = NULL;
}

#define CHAT "mapping={ current_node"

static const struct log_row rows[] = {
	LOG_ROW(CHAT, LOG_BEGIN, .of = "conversation_id id"),
	LOG_ROW(CHAT, LOG_META, .of = "title", .name = "title"),
	LOG_ROW(CHAT, LOG_HOOK, .read = read_messages),
	LOG_ROW(CHAT, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_chatgpt = {
	.name = "chatgpt",
	.what = "ChatGPT: conversations.json of an export",
	.sure = "mapping={ current_node",
	.rows = rows,
	.knows_blocks = true,
};
