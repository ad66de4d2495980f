/*
 * Rows of the table `messages` of Crush's database, as databases.c or sqlite3 -json
 * writes them: the parts of a message are JSON, or a text that holds it. The session of a
 * sub-agent has the id MESSAGE$$CALL.
 */
#include "extract/format/log_rows.h"

static const struct log_row parts[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "data.text"),
	LOG_ROW("type=tool_call", LOG_CALL, .id = "data.id",
	    .tool = "data.name", .args = "data.input", .decode = true),
	LOG_ROW("type=tool_result", LOG_RESULT, .id = "data.tool_call_id",
	    .result = "data.content", .is_error = "data.is_error"),
	LOG_ROW("type=finish data.reason=error", LOG_ERROR,
	    .of = "data.details data.message data.reason"),
	LOG_ROW("type=finish", LOG_STOP, .of = "data.reason"),
	LOG_ROW("type=reasoning|binary|image_url", LOG_NOTHING),
	LOG_LAST,
};

/* A user's message ends with a part `finish` too. A shell command is the user's. */
static const struct log_row users_parts[] = {
	LOG_ROW("type=text", LOG_PROMPT, .of = "data.text"),
	LOG_ROW("type=finish|binary|image_url|shell_command", LOG_NOTHING),
	LOG_LAST,
};

/* Sets the run, the time and the agent of the message. */
static void
locate(struct log *log, const struct json *m)
{
	const struct json *session = json_get(m, "session_id");
	const struct json *root = field_find(m, "root session_id");
	struct str id = json_raw(session);
	size_t call = str_find(id, STR("$$"));
	bool by_agent = !json_equal(root, session);
	struct builder *b = log->builder;

	log_run(log, root);
	usage_read(log->state, USAGE_COST, json_path(m, "session.cost"));
	builder_meta(b, "title", json_path(m, "session.title"));
	builder_locate(b, .ts = json_get(m, "created_at"),
	    .message = json_get(m, "id"), .sidechain = by_agent,
	    .agent = by_agent ? session : NULL,
	    .parent = by_agent && call < id.n ? str_from(id, call + 2)
					      : (struct str){ 0 });
}

static void
read_message(struct log *log, const struct json *m)
{
	const struct json *list = json_get(m, "parts");
	bool by_user = field_is(m, "role", "user");

	locate(log, m);
	if (json_is(list, JSON_STRING))
		list = field_decode(log->scratch, list);
	if (field_is(m, "role", "assistant")) {
		builder_message(log->builder);
		builder_model(log->builder, json_get(m, "model"));
		builder_set(
		    log->builder, RUN_PROVIDER, json_get(m, "provider"));
	}
	for (json_each(part, list))
		log_read_part(log, by_user ? users_parts : parts, part);
	if (json_double(json_get(m, "is_summary_message")) == 1)
		builder_text_is_interim(log->builder);
	if (field_is(m, "role", "assistant") && list != NULL)
		builder_llm_call(log->builder, json_raw(json_get(m, "id")));
}

/* The cost of a session has that of its sub-agents in it. Its counts of tokens are those
 * of its last answer. */
static void
end_run(struct log *log)
{
	const struct usage *cost = log->state;

	if (cost->known != 0)
		builder_total(log->builder, cost);
}

#define MESSAGE(at) \
	at "session_id " at "role=user|assistant|tool|system " at "parts"

static const struct log_row message[] = {
	LOG_ROW(MESSAGE(""), LOG_HOOK, .read = read_message),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_EACH, .rows = message),
	LOG_ROW("role", LOG_IN, .of = "", .rows = message),
	LOG_LAST,
};

/* A part, and what a row has beside its parts. */
#define ROW(at, part) at "parts" part " " MESSAGE(at) " " at "created_at=#"

const struct log_format log_format_crush = {
	.name = "crush",
	.what = "Crush: crush.db, rows of its messages",
	.sure = ROW("", ".0.data.text") ", " ROW("",
	    ".0.data.tool_call_id") ", " ROW("", ".0.data.reason") ", " ROW("",
	    ".0.data.thinking=?") ", " ROW("", ".0.data.input") ", " ROW("",
	    "=[{*") ", " ROW("0.", "=[{*") ", " ROW("0.", ".0.data"),
	.lists = ".",
	.rows = rows,
	.state = sizeof(struct usage),
	.end_run = end_run,
};
