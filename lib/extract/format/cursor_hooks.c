/*
 * The input that Cursor gives to hooks, as a hook that keeps its input writes it: one
 * event a line, {"conversation_id", "generation_id", "hook_event_name", ...},
 * perhaps within a record of the hook's own. The names are those of Cursor's
 * documentation of hooks.
 *
 * A tool has hooks of two kinds: those of every tool (postToolUse), and those of
 * a kind of tool (afterShellExecution), which come before. If both are recorded,
 * the former count: the latter wait for the next event of another kind.
 */
#include "extract/format/log_rows.h"

/* An event of a kind of tool that waits, with the event after the call. */
struct waiting {
	struct waiting *next;
	const struct json *event, *after, *ts;
};

/* The state of a conversation. */
struct conversation {
	struct waiting *first, **last;
};

struct hooks {
	bool every_tool;       /* hooks of every tool are recorded */
	const struct json *ts; /* of the record that is read */
};

static bool
is_event(const struct json *e, const char *names)
{
	return field_is(e, "hook_event_name", names);
}

/* ---- hooks of a kind of tool ---- */

/* Returns an object with the members of the event that have these names. */
static const struct json *
object_of(struct arena *a, const struct json *e, const char *names)
{
	struct str object = STR("{"), rest = str_of(names);

	while (rest.s != NULL) {
		struct str name = str_cut(&rest, ' ');
		const struct json *v = json_get(e, name);

		if (v != NULL)
			object = str_printf(a, "%.*s%s\"%.*s\":%.*s",
			    STR_FMT(object), object.n > 1 ? "," : "",
			    STR_FMT(name), STR_FMT(v->text));
	}
	return copy_parsed(a, str_cat(a, object, STR("}")));
}

/* Reads a call from the event before it or, if that was not recorded, after it;
 * `after` is NULL if the call's end was not recorded. Both have the same
 * arguments. */
static void
read_kind(struct log *log, const struct json *e, const struct json *after)
{
	struct builder *b = log->builder;
	bool mcp = is_event(e, "beforeMCPExecution afterMCPExecution");
	bool shell = is_event(e, "beforeShellExecution afterShellExecution");
	bool read = is_event(e, "beforeReadFile");

	builder_call(b, .ended = e == after, .decode = mcp,
	    .tool = mcp ? json_get(e, "tool_name")
			: builder_str(b,
			      shell      ? STR("Shell")
				  : read ? STR("Read")
					 : STR("Write")),
	    .args = mcp ? json_get(e, "tool_input")
			: object_of(log->scratch, e,
			      shell      ? "command"
				  : read ? "file_path"
					 : "file_path edits"));
	if (after != NULL)
		builder_result(b, .last = true,
		    .value = field_find(after, "output result_json"),
		    .duration = json_get(after, "duration"));
}

/* Reads the events of the conversation that wait. */
static void
flush(struct log *log)
{
	struct conversation *c = log->state;
	struct waiting *w = c == NULL ? NULL : c->first;

	log->state = NULL;
	for (; w != NULL; w = w->next) {
		builder_locate(log->builder, .ts = w->ts);
		builder_model(log->builder, json_get(w->event, "model"));
		read_kind(log, w->event, w->after);
	}
}

static bool
is_same(const struct json *a, const struct json *b, const char *name)
{
	return str_eq(json_raw(json_get(a, str_of(name))),
	    json_raw(json_get(b, str_of(name))));
}

/* Returns whether both events are of the same call. */
static bool
is_same_call(const struct json *before, const struct json *after)
{
	return is_event(after, "afterShellExecution")
	    ? is_event(before, "beforeShellExecution") &&
		is_same(before, after, "command")
	    : is_event(before, "beforeMCPExecution") &&
		is_same(before, after, "tool_name") &&
		is_same(before, after, "tool_input");
}

static void
await_call(struct log *log, const struct json *e)
{
	bool after = is_event(e, "afterShellExecution afterMCPExecution");
	const struct hooks *h = log->whole;
	struct conversation *c = log->state;
	struct waiting *w;

	if (h->every_tool)
		return;
	if (c == NULL) {
		log->state = c = arena_new(log->arena, struct conversation);
		c->last = &c->first;
	}
	w = after ? c->first : NULL;
	while (w != NULL && (w->after != NULL || !is_same_call(w->event, e)))
		w = w->next;
	if (w != NULL) {
		w->after = copy_tree(log->arena, e);
		return;
	}
	w = arena_new(log->arena, struct waiting);
	w->event = copy_tree(log->arena, e);
	w->after = after ? w->event : NULL;
	w->ts = copy_tree(log->arena, h->ts);
	*c->last = w;
	c->last = &w->next;
}

/* ---- hooks of every tool, and others ---- */

static void
read_call(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(e, "tool_use_id");
	const struct json *tool = json_get(e, "tool_name");
	const struct str mcp = STR("MCP:");

	if (builder_has_call(b, id))
		return;
	builder_call(b, .id = id, .tool = tool,
	    .name = str_starts(json_raw(tool), mcp)
		? builder_str(b, str_from(json_raw(tool), mcp.n))
		: NULL,
	    .args = json_get(e, "tool_input"), .decode = true,
	    .ended = !is_event(e, "preToolUse"));
}

/* Reads the end of a call. The result is JSON in a string. */
static void
read_end(struct log *log, const struct json *e)
{
	const struct json *output = json_get(e, "tool_output");
	const struct json *value = field_decode(log->scratch, output);
	const struct json *code = json_get(value, "exitCode");
	bool failed = is_event(e, "postToolUseFailure") ||
	    (json_is(code, JSON_NUMBER) && json_double(code) != 0);

	read_call(log, e);
	builder_result(log->builder, .id = json_get(e, "tool_use_id"),
	    .tool = json_get(e, "tool_name"),
	    .value = value != NULL ? value
		: output != NULL   ? output
				   : json_get(e, "error_message"),
	    .is_error = builder_bool(failed),
	    .duration = json_get(e, "duration"));
}

/* Begins an event other than those that wait, which do not count if there are hooks
 * of every tool. */
static void
begin_event(struct log *log, const struct json *e)
{
	struct hooks *h = log->whole;

	if (is_event(e, "preToolUse postToolUse postToolUseFailure")) {
		h->every_tool = true;
		log->state = NULL;
	}
	flush(log);
	builder_locate(log->builder, .ts = h->ts);
	builder_model(log->builder, json_get(e, "model"));
	builder_meta(
	    log->builder, "cursor_version", json_get(e, "cursor_version"));
}

static void
before(struct log *log, const struct json *r)
{
	struct hooks *h = log->whole;

	if (h == NULL)
		log->whole = h = arena_new(log->arena, struct hooks);
	h->ts = field_find(r, "timestamp ts time logged_at recorded_at");
}

#define NAME "hook_event_name="

static const struct log_row events[] = {
	LOG_ROW(NAME "beforeShellExecution|afterShellExecution|"
		     "beforeMCPExecution|afterMCPExecution|beforeReadFile|"
		     "afterFileEdit",
	    LOG_HOOK, .read = await_call),
	LOG_ROW(NAME "preToolUse|postToolUse|postToolUseFailure|"
		     "beforeSubmitPrompt|afterAgentResponse|stop|sessionEnd",
	    LOG_HOOK, .read = begin_event),
	LOG_ROW(NAME "beforeSubmitPrompt", LOG_PROMPT, .of = "prompt"),
	LOG_ROW(NAME "beforeSubmitPrompt", LOG_NO_ERROR),
	LOG_ROW(NAME "afterAgentResponse", LOG_TEXT, .of = "text"),
	LOG_ROW(NAME "preToolUse", LOG_HOOK, .read = read_call),
	LOG_ROW(
	    NAME "postToolUse|postToolUseFailure", LOG_HOOK, .read = read_end),
	LOG_ROW(NAME "stop|sessionEnd status|final_status=error", LOG_ERROR,
	    .of = "error_message status final_status"),
	LOG_ROW(NAME "stop|sessionEnd status|final_status=aborted", LOG_META,
	    .name = "interrupted", .of = "status final_status"),
	LOG_ROW(NAME "sessionStart|afterAgentThought|subagentStart|"
		     "subagentStop|preCompact|beforeTabFileRead|"
		     "afterTabFileEdit|workspaceOpen",
	    LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("hook_event_name", LOG_IN, .rows = events),
	LOG_ROW("payload.hook_event_name else", LOG_IN, .of = "payload",
	    .rows = events),
	LOG_ROW("input.hook_event_name else", LOG_IN, .of = "input",
	    .rows = events),
	LOG_ROW("event.hook_event_name else", LOG_IN, .of = "event",
	    .rows = events),
	LOG_ROW(
	    "data.hook_event_name else", LOG_IN, .of = "data", .rows = events),
	LOG_LAST,
};

const struct log_format log_format_cursor_hooks = {
	.name = "cursor-hooks",
	.what = "Cursor: the input of hooks",
	.sure = "hook_event_name=\" conversation_id=\"",
	.nested = "payload input event data",
	.session = "conversation_id payload.conversation_id "
		   "input.conversation_id event.conversation_id "
		   "data.conversation_id",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
	.end_run = flush,
};
