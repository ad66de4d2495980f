/*
 * opencode: the output of run --format json, and sessions as export writes them
 * or its server returns them. All consist of the parts of messages.
 */
#include "extract/format/opencode.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* Reads a part with a call and, once the call is over, its result and both
 * times. */
static void
read_tool(struct builder *b, const struct json *part)
{
	const struct json *state = json_get(part, "state");
	const struct json *status = json_get(state, "status");
	const struct json *start = json_path(state, "time.start");
	bool failed = json_str_is(status, "error");

	builder_call(b, .id = json_get(part, "callID"),
	    .tool = json_get(part, "tool"), .args = json_get(state, "input"),
	    .task = json_path(state, "input.prompt"));
	if (!failed && !json_str_is(status, "completed"))
		return;
	builder_result(b, .last = true,
	    .value = field_find(state, failed ? "error output" : "output"),
	    .is_error = builder_bool(failed), .ts_start = start,
	    .agent = json_path(state, "metadata.sessionId"));
	builder_call_duration(
	    b, json_double(json_path(state, "time.end")) - json_double(start));
}

/* Reads the counts of a part. The output count excludes reasoning. */
static void
read_usage(struct builder *b, const struct json *part)
{
	struct usage u = { 0 };

	field_usage(&u, part, .input = "tokens.input",
	    .output = "tokens.output", .reasoning = "tokens.reasoning",
	    .cache_read = "tokens.cache.read",
	    .cache_write = "tokens.cache.write", .cost = "cost");
	u.n[USAGE_OUTPUT] += u.n[USAGE_REASONING];
	builder_usage(b, json_raw(json_get(part, "id")), &u, false);
}

/* Reads the counts of a message; those of its steps are better, if they are there. */
static void
read_message_usage(struct builder *b, const struct json *message)
{
	const struct json *info = json_get(message, "info");

	for (json_each(part, json_get(message, "parts")))
		if (json_is(json_get(part, "tokens"), JSON_OBJECT))
			return;
	if (json_double(json_path(info, "tokens.input")) > 0 ||
	    json_double(json_path(info, "tokens.output")) > 0)
		read_usage(b, info);
}

/* Returns whether the program added the part, for the model alone or for the
 * user alone. */
static bool
is_added(const struct json *part)
{
	return json_is(json_get(part, "synthetic"), JSON_TRUE) ||
	    json_is(json_get(part, "ignored"), JSON_TRUE);
}

static void
read_part(struct builder *b, const struct json *part, bool by_user)
{
	if (field_is_type(part, "text") && !by_user) {
		builder_text(b, json_get(part, "text"));
	} else if (field_is_type(part, "text")) {
		if (!is_added(part))
			builder_prompt(b, json_get(part, "text"));
	} else if (field_is_type(part, "subtask")) {
		/* A command that a sub-agent shall perform. */
		builder_prompt(b, json_get(part, "prompt"));
	} else if (field_is_type(part, "tool")) {
		read_tool(b, part);
	} else if (field_is_type(part, "step-finish")) {
		read_usage(b, part);
		builder_stop_reason(b, json_get(part, "reason"));
	} else if (!field_is_type(part, "patch snapshot agent retry")) {
		builder_unread_block(b, json_raw(json_get(part, "type")));
	}
}

/* ---- sessions ---- */

static bool
is_by_user(const struct json *message)
{
	return json_str_is(json_path(message, "info.role"), "user");
}

/* Returns whether the message holds a command that the user ran. Such a command
 * is a call of an assistant's message, after a user's message that says so. */
static bool
is_users_call(const struct json *message, const struct json *before)
{
	const struct json *part = json_at(json_get(before, "parts"), 0);

	return before != NULL && is_by_user(before) && !is_by_user(message) &&
	    is_added(part) &&
	    json_str_is(json_get(part, "text"),
		"The following tool was executed by the user");
}

const struct json *
opencode_error(const struct json *r)
{
	return field_find(
	    r, "error.data.message error.message error.name error");
}

void
opencode_message_read(struct builder *b, const struct json *message,
    const struct json *before, const struct json *until)
{
	const struct json *info = json_get(message, "info");
	bool by_user = is_by_user(message);
	const struct json *agent = json_get(message, "subagent");
	bool sums_up =
	    !by_user && json_is(json_get(info, "summary"), JSON_TRUE);

	if (is_users_call(message, before))
		return;
	builder_locate(b, .ts = json_path(info, "time.created"),
	    .message = json_get(info, "id"),
	    .sidechain = json_is(agent, JSON_STRING), .agent = agent,
	    .name = field_find(info, "agent mode"));
	if (!by_user) {
		builder_message(b);
		builder_model(b, json_get(info, "modelID"));
		builder_set(b, RUN_PROVIDER, json_get(info, "providerID"));
		builder_error(b, opencode_error(info));
	}
	for (json_each(part, json_get(message, "parts"))) {
		/* The user went back to before this part. */
		if (until != NULL && json_equal(until, json_get(part, "id")))
			break;
		read_part(b, part, by_user);
		/* A summary that the model writes for itself is no answer. */
		if (sums_up && field_is_type(part, "text"))
			builder_text_is_interim(b);
	}
	if (!by_user && until == NULL)
		read_message_usage(b, message);
	if (json_path(info, "time.completed") == NULL)
		return;
	builder_locate(b, .ts = json_path(info, "time.completed"),
	    .message = json_get(info, "id"),
	    .sidechain = json_is(agent, JSON_STRING), .agent = agent);
	builder_current_turn(b);
}

static void
read_about(struct builder *b, const struct json *session)
{
	builder_meta(b, "title", json_get(session, "title"));
	builder_meta(b, "version", json_get(session, "version"));
	builder_meta(b, "cwd", json_get(session, "directory"));
}

static void
read_session(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");
	const struct json *info = field_find(r, "info session"), *before = NULL;
	const struct json *back = field_find(info, "revert.messageID");
	const struct json *until = field_find(info, "revert.partID");

	log_source(log, r);
	builder_begin_run(b);
	builder_set(b, RUN_ID,
	    info != NULL ? json_get(info, "id")
			 : json_path(json_at(list, 0), "info.sessionID"));
	read_about(b, info);
	for (json_each(message, list)) {
		/* The user went back to before this message, or a part of
		 * it. */
		bool last = back != NULL &&
		    json_equal(back, json_path(message, "info.id"));

		if (!last || until != NULL)
			opencode_message_read(
			    b, message, before, last ? until : NULL);
		if (last)
			break;
		before = message;
	}
	builder_end_run(b);
}

/* The state of a file with a message, or a part, a record. */
struct reading {
	const struct json *before; /* the last message; NULL: not the user's */
	bool sums_up; /* of recorded parts: the answer is a summary */
};

/* Reads a message that is a record, as the server answers a prompt, or as the rows of
 * the database say (databases.c); the messages of a session are one run. */
static void
read_message(struct log *log, const struct json *r)
{
	struct reading *last;

	log_run(log, json_path(r, "info.sessionID"));
	last = log->state;
	read_about(log->builder, json_get(r, "session"));
	opencode_message_read(log->builder, r, last->before, NULL);
	last->before = is_by_user(r) ? copy_tree(log->arena, r) : NULL;
}

/* ---- what it prints ---- */

static void
read_event(struct log *log, const struct json *r)
{
	const struct json *part = json_get(r, "part");
	struct builder *b = log->builder;

	log_run(log, json_get(r, "sessionID"));
	builder_locate(b, .ts = json_get(r, "timestamp"),
	    .message = json_get(part, "messageID"));
	builder_message(b);
	if (part != NULL)
		read_part(b, part, false);
	else if (field_is_type(r, "error"))
		builder_error(b, opencode_error(r));
	else
		log_unread(log, r);
	/* The run is over when the model stops without having called a tool. */
	builder_set_broken(b,
	    !field_is_type(r, "error") &&
		!(field_is_type(part, "step-finish") &&
		    !json_str_is(json_get(part, "reason"), "tool-calls")));
}

/* ---- parts that a recorder wrote one by one ---- */

/* Reads a part to which a recorder added what it knows of the part's message. The
 * answer to a compaction is the summary that the model writes for itself. */
static void
read_recorded(struct log *log, const struct json *part)
{
	struct builder *b = log->builder;
	bool by_user = field_is(part, "_role", "user");
	const struct json *error =
	    field_find(part, "_error.data.message _error.message _error.name");
	struct reading *s = log->state;

	builder_locate(b, .ts = json_get(part, "_ts"));
	builder_meta(b, "cwd", json_get(part, "_cwd"));
	builder_model(b, json_get(part, "_model"));
	if (by_user)
		s->sums_up = field_is_type(part, "compaction");
	else
		builder_message_by_order(b);
	read_part(b, part, by_user);
	if (s->sums_up && field_is_type(part, "text"))
		builder_text_is_interim(b);
	if (error != NULL)
		builder_error(b, error);
}

#define SESSION "0.info.role 0.parts=?, messages.0.info.role messages.0.parts=?"

static const struct log_row rows[] = {
	LOG_ROW(
	    "info.role info.sessionID parts=[", LOG_HOOK, .read = read_message),
	LOG_ROW("_role _ts type", LOG_HOOK, .read = read_recorded),
	LOG_ROW("sessionID !info", LOG_HOOK, .read = read_event),
	LOG_ROW(SESSION, LOG_HOOK, .read = read_session),
	LOG_LAST,
};

const struct log_format log_format_opencode = {
	.name = "opencode",
	.what = "opencode: output of run --format json, exported sessions",
	.sure = SESSION ", info.sessionID info.role parts=[, "
			"sessionID=ses_* type part|error, "
			"_role=user|assistant _ts=# type",
	.rows = rows,
	.state = sizeof(struct reading),
	.knows_blocks = true,
};
