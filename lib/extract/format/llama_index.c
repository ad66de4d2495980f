/*
 * LlamaIndex: messages of a chat ({"role", "blocks"}), in a list, in a chat
 * store, or one a line.
 */
#include "extract/api/chat_emit.h"
#include "extract/format/log_rows.h"

/* Returns whether m is a message. A message consists of blocks; in older
 * versions it has a content, with everything else beside that. */
static bool
is_message(const struct json *m)
{
	const struct json *block = json_first(json_get(m, "blocks"));

	return json_is(json_get(m, "role"), JSON_STRING) &&
	    json_is(json_get(m, "additional_kwargs"), JSON_OBJECT) &&
	    (json_get(block, "block_type") != NULL ||
		json_is(json_get(m, "blocks"), JSON_ARRAY) ||
		json_get(m, "content") != NULL);
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");

	return is_message(json_at(list, 0)) ? list : NULL;
}

/* Finds an object of named lists of messages, alone or in a memory that was
 * saved. */
static int
score(const struct json *r)
{
	for (json_members(name, field_find(r, "store chat_store.store")))
		if (messages_of(json_value(name)) != NULL)
			return LOG_FORMAT_SURE;
	return 0;
}

static void
read_message(struct log *log, const struct json *m)
{
	struct chat d = chat_read(log->arena, m, CHAT_OTHER);

	builder_locate(log->builder, 0);
	chat_emit(log->builder, &d);
	if (d.n != 0 && d.list[0].role == CHAT_MODEL)
		builder_llm_call(log->builder, (struct str){ 0 });
}

static const struct log_row message[] = {
	LOG_ROW(
	    "role=system|developer|user|assistant|model|chatbot|tool|function",
	    LOG_HOOK, .read = read_message),
	LOG_LAST,
};

static void
read_list(struct log *log, const struct json *list, const struct json *id)
{
	log_source(log, list);
	builder_begin_run(log->builder);
	builder_set(log->builder, RUN_ID, id);
	for (json_each(m, list))
		log_read_part(log, message, m);
	builder_end_run(log->builder);
}

static void
read_messages(struct log *log, const struct json *list)
{
	read_list(log, list, NULL);
}

static void
read_store(struct log *log, const struct json *store)
{
	for (json_members(name, store))
		if (messages_of(json_value(name)) != NULL)
			read_list(log, json_value(name), name);
}

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_HOOK, .read = read_messages),
	LOG_ROW(
	    "messages=[", LOG_HOOK, .of = "messages", .read = read_messages),
	LOG_ROW("store={, chat_store.store={", LOG_HOOK,
	    .of = "store chat_store.store", .read = read_store),
	LOG_ROW("role", LOG_IN, .of = "", .rows = message),
	LOG_LAST,
};

const struct log_format log_format_llama_index = {
	.name = "llama-index",
	.what = "LlamaIndex: chat messages, chat stores",
	.sure = "additional_kwargs={ role=\" content|blocks=[",
	.nested = "0 messages.0",
	.score = score,
	.asked = "store, chat_store",
	.rows = rows,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
