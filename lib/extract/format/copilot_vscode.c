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

/* A session. A kept session has a version; what Export Chat writes has none. */
#define SESSION \
	"requests=[ responderUsername|initialLocation, " \
	"requests=[ requests.0.requestId=? version=?|requests.0.response=?"

/* ---- sessions ---- */

/* Counts a part of an unknown kind. */
static void
read_other(struct log *log, const struct json *kind)
{
	builder_unread_block(log->builder, json_raw(kind));
}

static const struct log_row rounds[] = {
	LOG_ROW("", LOG_LOCATE, .id = "id"),
	LOG_ROW("", LOG_MESSAGE),
	LOG_ROW("", LOG_TEXT, .of = "response"),
	LOG_ROW("", LOG_REQUEST),
	LOG_ROW("", LOG_CALL, .each = "toolCalls", .id = "id", .tool = "name",
	    .args = "arguments", .decode = true, .ended = true),
	LOG_LAST,
};

static void
read_results(struct log *log, const struct json *results)
{
	for (json_members(id, results))
		builder_result(log->builder, .id = id,
		    .value = json_get(json_value(id), "content"));
}

/* Reads what the user saw, which has only the names of calls. */
static const struct log_row shown[] = {
	LOG_ROW("kind=toolInvocationSerialized", LOG_CALL, .id = "toolCallId",
	    .tool = "toolId", .ended = true),
	LOG_ROW("kind=toolInvocationSerialized", LOG_LOCATE),
	LOG_ROW("!kind=?, kind=markdownContent", LOG_PIECE,
	    .of = "value content.value"),
	LOG_ROW("kind=inlineReference|textEditGroup|notebookEditGroup|"
		"codeblockUri|undoStop|progressMessage|progressTask|"
		"progressTaskSerialized|prepareToolInvocation|"
		"mcpServersStarting|confirmation|elicitation|"
		"elicitationSerialized|warning|command|references|"
		"codeCitation|multiDiffData|treeData|"
		"clearToPreviousToolInvocation|extensions|pullRequest|hook|"
		"questionCarousel",
	    LOG_NOTHING),
	LOG_ROW("kind else", LOG_HOOK, .of = "kind", .read = read_other),
	LOG_LAST,
};

/* A request is cancelled as versions before modelState and those since log it. */
static void
read_state(struct log *log, const struct json *request)
{
	enum { CANCELLED = 2 };
	struct builder *b = log->builder;

	if (json_is(json_get(request, "isCanceled"), JSON_TRUE) ||
	    json_double(json_path(request, "modelState.value")) == CANCELLED)
		builder_meta(
		    b, "interrupted", builder_str(b, STR("cancelled")));
}

#define ROUNDS "result.metadata.toolCallRounds"

static const struct log_row request[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("", LOG_PROMPT, .of = "message.text message"),
	LOG_ROW("", LOG_MODEL, .of = "modelId"),
	LOG_ROW("", LOG_LOCATE),
	LOG_ROW(ROUNDS ".0=?", LOG_EACH, .of = ROUNDS, .rows = rounds),
	LOG_ROW(ROUNDS ".0=?", LOG_HOOK,
	    .of = "result.metadata.toolCallResults", .read = read_results),
	LOG_ROW("!" ROUNDS ".0=?", LOG_EACH, .of = "response", .rows = shown),
	LOG_ROW("", LOG_TURN_MS, .of = "result.timings.totalElapsed"),
	LOG_ROW("", LOG_ERROR, .of = "result.errorDetails"),
	LOG_ROW("", LOG_HOOK, .read = read_state),
	LOG_LAST,
};

/* The user may have gone back to before the request. */
static const struct log_row requests[] = {
	LOG_ROW("isHidden=true, "
		"shouldBeRemovedOnSend !shouldBeRemovedOnSend.afterUndoStop",
	    LOG_NOTHING),
	LOG_ROW("else", LOG_IN, .of = "", .rows = request),
	LOG_LAST,
};

/* Reads the session in its final state. */
static void
emit_changed(struct log *log)
{
	const struct changing *c = log->state;
	const struct json *session;

	if (c == NULL)
		return;
	session = json_patch_value(c->session);
	if (!log_rows_holds(SESSION, session))
		return;
	builder_source(log->builder, log->path, c->line);
	log_read_by_rows(log, session);
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

/* The logged time of a call is that of its end. */
static const struct log_row logged[] = {
	LOG_ROW("kind=request", LOG_LOCATE,
	    .of = "metadata.endTime metadata.startTime", .id = "id"),
	LOG_ROW("kind=request", LOG_MESSAGE),
	LOG_ROW("kind=request", LOG_MODEL, .of = "metadata.model"),
	LOG_ROW("kind=request", LOG_TEXT, .each = "response.message"),
	LOG_ROW("kind=request", LOG_USAGE, .of = "metadata.usage", .id = "id",
	    .count = openai_usage_read),
	LOG_ROW("kind=toolCall", LOG_LOCATE, .of = "time"),
	LOG_ROW("kind=toolCall", LOG_CALL, .id = "id", .tool = "tool",
	    .args = "args", .result = "response", .decode = true,
	    .ended = true),
	LOG_ROW("kind=element", LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .of = "kind", .read = read_other),
	LOG_LAST,
};

/* Reads the entries of an export. An entry with the same prompt as the one before
 * continues its turn. */
static void
read_entries(struct log *log, const struct json *list)
{
	const struct log_rows *rows = log_rows_of(log->scratch, logged);
	struct builder *b = log->builder;
	const struct json *last = NULL;

	for (json_each(entry, list)) {
		const struct json *prompt = json_get(entry, "prompt");

		builder_locate(b, 0);
		if (last == NULL || !json_equal(last, prompt))
			builder_prompt(b, prompt);
		last = prompt;
		for (json_each(one, json_get(entry, "logs")))
			log_rows_read(log, rows, one);
	}
}

static const struct log_row rows[] = {
	LOG_ROW("requests=[", LOG_BEGIN, .of = "sessionId"),
	LOG_ROW("requests=[", LOG_META, .name = "title", .of = "customTitle"),
	LOG_ROW("requests=[", LOG_EACH, .of = "requests", .rows = requests),
	LOG_ROW("!requests=[ prompts=[", LOG_BEGIN),
	LOG_ROW("!requests=[ prompts=[", LOG_HOOK, .of = "prompts",
	    .read = read_entries),
	LOG_ROW("requests=[, prompts=[", LOG_END),
	LOG_ROW("kind else", LOG_HOOK, .read = read_change),
	LOG_LAST,
};

const struct log_format log_format_copilot_vscode = {
	.name = "copilot-vscode",
	.what = "Copilot in VS Code: chat sessions, exported chat replays",
	.sure =
	    SESSION ", prompts=[ totalLogEntries|prompts.0.logs, k=[ kind=#",
	.nested = "v",
	.rows = rows,
	.knows_blocks = true,
	.end = emit_changed,
};
