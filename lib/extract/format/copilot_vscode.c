/*
 * GitHub Copilot in VS Code: files of chat sessions, either one object, or a
 * first state and the changes to it, one a line; and exports of its debug view
 * (chatreplay).
 */
#include "extract/api/openai_message.h"
#include "extract/format/json_patch.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* The kinds of a line of changes. */
enum { CHANGE_FIRST, CHANGE_SET, CHANGE_PUSH, CHANGE_REMOVE };

struct changing {
	struct json_patch *session;
	const struct json *id; /* of the session; NULL: it has none */
	size_t line;           /* line of its first state */
};

/* Returns whether r is a session. A kept session has a version; what Export
 * Chat writes has none. */
static bool
is_session(const struct json *r)
{
	const struct json *requests = json_get(r, "requests");
	const struct json *first = json_at(requests, 0);

	return json_is(requests, JSON_ARRAY) &&
	    (field_find(r, "responderUsername initialLocation") != NULL ||
		(json_get(first, "requestId") != NULL &&
		    (json_get(r, "version") != NULL ||
			json_get(first, "response") != NULL)));
}

/* ---- sessions ---- */

static void
read_calls(struct builder *b, const struct json *metadata)
{
	const struct json *results = json_get(metadata, "toolCallResults");

	for (json_each(round, json_get(metadata, "toolCallRounds"))) {
		builder_locate(b, .message = json_get(round, "id"));
		builder_text(b, json_get(round, "response"));
		builder_llm_call(b, (struct str){ 0 });
		for (json_each(call, json_get(round, "toolCalls")))
			builder_call(b, .id = json_get(call, "id"),
			    .tool = json_get(call, "name"),
			    .args = json_get(call, "arguments"), .decode = true,
			    .ended = true);
	}
	for (json_members(id, results))
		builder_result(
		    b, .id = id, .value = json_get(json_value(id), "content"));
}

/* Parts that carry nothing. */
#define NOT_READ \
	"inlineReference textEditGroup notebookEditGroup codeblockUri " \
	"undoStop " \
	"progressMessage progressTask progressTaskSerialized " \
	"prepareToolInvocation mcpServersStarting confirmation elicitation " \
	"elicitationSerialized warning command references codeCitation " \
	"multiDiffData treeData clearToPreviousToolInvocation extensions " \
	"pullRequest hook questionCarousel"

/* Reads what the user saw: of calls, the names only. */
static void
read_shown(struct builder *b, const struct json *response)
{
	for (json_each(part, response)) {
		if (field_is(part, "kind", "toolInvocationSerialized")) {
			builder_call(b, .id = json_get(part, "toolCallId"),
			    .tool = json_get(part, "toolId"), .ended = true);
			builder_locate(b, 0);
		} else if (json_get(part, "kind") == NULL ||
		    field_is(part, "kind", "markdownContent"))
			builder_append_text(
			    b, field_find(part, "value content.value"));
		else if (!field_is(part, "kind", NOT_READ))
			builder_unread_block(
			    b, json_raw(json_get(part, "kind")));
	}
}

/* Returns whether the user went back to before the request. */
static bool
is_taken_back(const struct json *request)
{
	const struct json *how = field_find(request, "shouldBeRemovedOnSend");

	return json_is(json_get(request, "isHidden"), JSON_TRUE) ||
	    (how != NULL && field_find(how, "afterUndoStop") == NULL);
}

/* Returns whether the request was cancelled, as versions before modelState and
 * those since log it. */
static bool
is_cancelled(const struct json *request)
{
	enum { CANCELLED = 2 };
	int64_t state;

	return json_is(json_get(request, "isCanceled"), JSON_TRUE) ||
	    (json_int(json_path(request, "modelState.value"), &state) &&
		state == CANCELLED);
}

static void
read_request(struct builder *b, const struct json *request)
{
	const struct json *metadata = json_path(request, "result.metadata");

	if (is_taken_back(request))
		return;
	builder_locate(b, .ts = json_get(request, "timestamp"));
	builder_prompt(b, field_find(request, "message.text message"));
	builder_model(b, json_get(request, "modelId"));
	builder_locate(b, 0);
	if (json_first(json_get(metadata, "toolCallRounds")) != NULL)
		read_calls(b, metadata);
	else
		read_shown(b, json_get(request, "response"));
	builder_turn_duration(
	    b, json_path(request, "result.timings.totalElapsed"));
	builder_error(b, json_path(request, "result.errorDetails"));
	if (is_cancelled(request))
		builder_meta(
		    b, "interrupted", builder_str(b, STR("cancelled")));
}

static void
read_session(struct log *log, const struct json *session)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(session, "sessionId"));
	builder_meta(b, "title", json_get(session, "customTitle"));
	for (json_each(request, json_get(session, "requests")))
		read_request(b, request);
	builder_end_run(b);
}

/* Reads the session in its final state. */
static void
emit_changed(struct log *log)
{
	const struct changing *c = log->state;
	const struct json *session;

	if (c == NULL)
		return;
	session = json_patch_value(c->session);
	if (!is_session(session))
		return;
	builder_source(log->builder, log->path, c->line);
	read_session(log, session);
}

/* Takes a whole state, which replaces the one before if it is of the same
 * session. */
static void
begin_changing(struct log *log, const struct json *session)
{
	const struct json *id = json_get(session, "sessionId");
	struct changing *c = log->state;

	if (c != NULL && !json_equal(c->id, id))
		emit_changed(log);
	log->state = c = arena_new(log->arena, struct changing);
	c->session = json_patch_new(log->arena, session);
	c->id = copy_tree(log->arena, id);
	c->line = log->at.line;
}

static void
read_change(struct log *log, const struct json *r)
{
	const struct json *path = json_get(r, "k");
	const struct json *value = json_get(r, "v");
	const struct changing *c = log->state;
	int64_t kind = -1;

	(void)json_int(json_get(r, "kind"), &kind);
	if (kind != CHANGE_FIRST && c == NULL)
		kind = -1; /* nothing is there to be changed */
	if (kind == CHANGE_FIRST) {
		begin_changing(log, value);
	} else if (kind == CHANGE_SET) {
		json_patch_set(c->session, path, value);
	} else if (kind == CHANGE_PUSH) {
		json_patch_push(c->session, path, value, json_get(r, "i"));
	} else if (kind == CHANGE_REMOVE) {
		json_patch_remove(c->session, path);
	} else {
		log_unread(log, r);
	}
}

/* ---- what the debug view exports ---- */

static void
read_model(struct builder *b, const struct json *entry)
{
	const struct json *about = json_get(entry, "metadata");
	struct usage u = { 0 };

	builder_locate(b, .ts = field_find(about, "endTime startTime"),
	    .message = json_get(entry, "id"));
	builder_model(b, json_get(about, "model"));
	for (json_each(text, json_path(entry, "response.message")))
		builder_text(b, text);
	openai_usage_read(&u, json_get(about, "usage"));
	builder_usage(b, json_raw(json_get(entry, "id")), &u, false);
}

/* Reads a call. The logged time is that of its end. */
static void
read_tool(struct builder *b, const struct json *entry)
{
	builder_locate(b, .ts = json_get(entry, "time"));
	builder_call(b, .id = json_get(entry, "id"),
	    .tool = json_get(entry, "tool"), .args = json_get(entry, "args"),
	    .decode = true, .ended = true);
	builder_result(b, .last = true, .value = json_get(entry, "response"));
}

/* Reads an export. An entry with the same prompt as the one before continues
 * its turn. */
static void
read_replay(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *last = NULL;

	builder_begin_run(b);
	for (json_each(entry, json_get(r, "prompts"))) {
		const struct json *prompt = json_get(entry, "prompt");

		builder_locate(b, 0);
		if (last == NULL || !json_equal(last, prompt))
			builder_prompt(b, prompt);
		last = prompt;
		for (json_each(one, json_get(entry, "logs"))) {
			if (field_is(one, "kind", "request"))
				read_model(b, one);
			else if (field_is(one, "kind", "toolCall"))
				read_tool(b, one);
			else if (!field_is(one, "kind", "element"))
				builder_unread_block(
				    b, json_raw(json_get(one, "kind")));
		}
	}
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("requests=[", LOG_HOOK, .read = read_session),
	LOG_ROW("prompts=[ else", LOG_HOOK, .read = read_replay),
	LOG_ROW("kind else", LOG_HOOK, .read = read_change),
	LOG_LAST,
};

const struct log_format log_format_copilot_vscode = {
	.name = "copilot-vscode",
	.what = "Copilot in VS Code: chat sessions, exported chat replays",
	.sure = "requests=[ responderUsername|initialLocation, "
		"requests=[ requests.0.requestId "
		"version|requests.0.response, "
		"prompts=[ totalLogEntries|prompts.0.logs, k=[ kind=#",
	.nested = "v",
	.rows = rows,
	.knows_blocks = true,
	.end = emit_changed,
};
