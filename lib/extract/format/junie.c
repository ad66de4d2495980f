/*
 * Sessions of JetBrains' Junie: events.jsonl, one event a line, {"kind", "timestampMs",
 * ...}. What the agent does is a block with a stepId, {"kind": "SessionA2uxEvent",
 * "event": {"agentEvent": {"kind": "TerminalBlockUpdatedEvent", "stepId", "status",
 * ...}}, "taskId"}, which is written again whenever it changes, and once more after the
 * task's end.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"

/* A block as it was written last. */
struct block {
	const struct json *event, *begin, *end;
	bool reported;
};

struct prompt {
	const struct json *text, *ts;
};

struct session {
	struct str task;
	struct block **blocks;
	size_t n;
	struct hash_table ids;  /* the blocks, by stepId */
	struct prompt *prompts; /* that no task has taken so far */
	size_t n_prompts;
};

/* ---- blocks ---- */

/* Returns whether the block ended, successfully or not. */
static bool
is_over(const struct json *event)
{
	return field_is(event, "status", "COMPLETED FAILED CANCELLED");
}

/* Returns what the block's kind says of the call: the member that tells the call
 * apart. */
static struct str
argument_of(const struct json *event)
{
	static const struct str names[] = { STR_CONST("command"),
		STR_CONST("changes"), STR_CONST("files"), STR_CONST("text") };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_get(event, names[i]) != NULL)
			return names[i];
	return (struct str){ 0 };
}

static void
report_call(struct log *log, const struct block *block)
{
	struct builder *b = log->builder;
	const struct json *e = block->event, *args = NULL;
	struct str kind = json_raw(json_get(e, "kind")), name = argument_of(e);

	if (name.n != 0)
		args = copy_parsed(log->arena,
		    str_printf(log->arena, "{\"%.*s\":%.*s}", STR_FMT(name),
			STR_FMT(json_get(e, name)->text)));
	builder_call(b, .id = json_get(e, "stepId"),
	    .tool = builder_str(b, str_slice(kind, 0, str_find(kind, "Block"))),
	    .args = args);
	if (!is_over(e))
		return;
	builder_locate(b, .ts = block->end);
	builder_result(b, .id = json_get(e, "stepId"),
	    .value = field_find(e, "output details"),
	    .is_error = builder_bool(!field_is(e, "status", "COMPLETED")));
}

/* Reports the blocks so far, each at the place where it was written first. */
static void
report(struct log *log)
{
	struct session *s = log->state;

	for (size_t i = 0; s != NULL && i < s->n; i++) {
		struct block *block = s->blocks[i];

		if (block->reported)
			continue;
		block->reported = true;
		builder_locate(log->builder, .ts = block->begin);
		if (field_is(block->event, "kind",
			"ResultBlockUpdatedEvent MarkdownBlockUpdatedEvent"))
			builder_text(log->builder,
			    field_find(block->event, "result text markdown"));
		else
			report_call(log, block);
	}
}

static struct block *
block_of(struct log *log, struct str id)
{
	struct session *s = log->state;
	struct block *block = id.n == 0 ? NULL : hash_get(&s->ids, id);

	if (block == NULL) {
		block = arena_new(log->arena, struct block);
		if (id.n != 0)
			*hash_put_copy(&s->ids, id) = block;
		*arena_push(log->arena, s->blocks, s->n) = block;
	}
	return block;
}

static void
keep_block(struct log *log, const struct json *record)
{
	const struct json *event = json_path(record, "event.agentEvent"),
			  *ts = json_get(record, "timestampMs");
	struct block *block =
	    block_of(log, json_raw(json_get(event, "stepId")));
	bool over = block->event != NULL && is_over(block->event);

	if (block->begin == NULL)
		block->begin = copy_tree(log->arena, ts);
	if (!over)
		block->end = copy_tree(log->arena, ts);
	block->event = copy_tree(log->arena, event);
	log->builder->reported |= BUILDER_CALL;
}

static void
keep_result(struct log *log, const struct json *record)
{
	const struct json *code =
	    json_path(record, "event.agentEvent.errorCode");

	keep_block(log, record);
	builder_set_broken(log->builder, false);
	if (json_is(code, JSON_STRING) && !json_str_is(code, "Submit"))
		builder_error(log->builder, code);
	builder_set_times(log->builder,
	    json_path(record, "completion.startedAtMs"),
	    json_path(record, "completion.endedAtMs"));
}

/* ---- tasks ---- */

static void
take_prompts(struct log *log)
{
	struct session *s = log->state;

	report(log);
	for (size_t i = 0; i < s->n_prompts; i++) {
		builder_locate(log->builder, .ts = s->prompts[i].ts);
		builder_prompt(log->builder, s->prompts[i].text);
	}
	s->n_prompts = 0;
}

/* Makes the task with this id, a string, the current one. */
static void
enter_task(struct log *log, const struct json *id)
{
	struct session *s = log->state;

	if (!str_eq(json_raw(id), s->task)) {
		builder_begin_run(log->builder);
		builder_set(log->builder, RUN_ID, id);
		builder_set_broken(log->builder, true);
		s->task = copy_body(log->arena, id);
		s->n = 0;
		s->ids = (struct hash_table){ .arena = log->arena };
	}
	if (s->n_prompts != 0)
		take_prompts(log);
}

static struct session *
session_new(struct arena *a)
{
	struct session *s = arena_new(a, struct session);

	s->ids.arena = a;
	return s;
}

static void
before(struct log *log, const struct json *record)
{
	const struct json *id = json_get(record, "taskId");

	if (log->state == NULL)
		log->state = session_new(log->arena);
	if (json_raw(id).n != 0)
		enter_task(log, id);
	builder_locate(log->builder, .ts = json_get(record, "timestampMs"));
}

static void
keep_prompt(struct log *log, const struct json *record)
{
	struct session *s = log->state;

	*arena_push(log->arena, s->prompts, s->n_prompts) =
	    (struct prompt){ copy_tree(log->arena, json_get(record, "prompt")),
		    copy_tree(log->arena, json_get(record, "timestampMs")) };
	log->builder->reported |= BUILDER_SAID;
}

static void
end(struct log *log)
{
	struct session *s = log->state;

	if (s == NULL || s->n_prompts == 0)
		return;
	builder_begin_run(log->builder);
	builder_set_broken(log->builder, true);
	s->n = 0;
	take_prompts(log);
}

static const struct log_row usage[] = {
	LOG_ROW("", LOG_MODEL, .of = "model"),
	LOG_ROW("", LOG_USAGE, .of = "",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "inputTokens",
		[USAGE_OUTPUT] = "outputTokens",
		[USAGE_CACHE_READ] = "cacheInputTokens",
		[USAGE_CACHE_WRITE] = "cacheCreateTokens",
		[USAGE_COST] = "cost")),
	LOG_LAST,
};

#define AGENT "kind=SessionA2uxEvent event.agentEvent.kind="

static const struct log_row rows[] = {
	LOG_ROW("kind=UserPromptEvent", LOG_HOOK, .read = keep_prompt),
	LOG_ROW(AGENT "TerminalBlockUpdatedEvent|ToolBlockUpdatedEvent|"
		      "ViewFilesBlockUpdatedEvent|"
		      "FileChangesBlockUpdatedEvent|MarkdownBlockUpdatedEvent",
	    LOG_HOOK, .read = keep_block),
	LOG_ROW(AGENT "ResultBlockUpdatedEvent", LOG_HOOK, .read = keep_result),
	LOG_ROW(AGENT "AgentFailureEvent", LOG_ERROR, .of = "event.agentEvent"),
	LOG_ROW(AGENT "LlmResponseMetadataEvent", LOG_EACH,
	    .of = "event.agentEvent.modelUsage", .rows = usage),
	LOG_ROW(AGENT "AgentTaskNameUpdatedEvent", LOG_META, .name = "title",
	    .of = "event.agentEvent.name"),
	LOG_ROW(AGENT "CurrentDirectoryUpdatedEvent", LOG_META, .name = "cwd",
	    .of = "event.agentEvent.currentDirectory"),
	LOG_ROW(AGENT
	    "AgentCurrentStatusUpdatedEvent|AgentStateUpdatedEvent|"
	    "EnvironmentVariablesUpdatedEvent|ContextWindowReportEvent|"
	    "AgentThoughtBlockUpdatedEvent|AgentPlanUpdatedEvent|"
	    "TipSuggestionCreatedEvent|ShowPlanProgressEvent|"
	    "NextPromptSuggestionEvent|AskAsyncRequestUpdatedEvent|"
	    "ContextCompactionBlockUpdatedEvent",
	    LOG_NOTHING),
	LOG_ROW("kind=TaskStartedEvent|UserMessagesCommittedToHistory|"
		"TaskState",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_junie = {
	.name = "junie",
	.what = "Junie: events of sessions",
	.sure = "kind=SessionA2uxEvent event={, kind=TaskStartedEvent taskId "
		"timestampMs, kind=UserPromptEvent prompt timestampMs",
	.before = before,
	.rows = rows,
	.end = end,
	.end_run = report,
};
