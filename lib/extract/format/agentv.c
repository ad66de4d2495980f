/*
 * Results of AgentV: rows of .internal/index.jsonl, each of which names the
 * transcript.json of its run; older rows (NAME.results.jsonl), which hold the
 * messages; such a transcript alone; and transcripts with a message a line. The
 * names are those of AgentV's documentation of result artifacts and its source.
 */
#include <unistd.h>

#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"

/* A row whose transcript is in a file. */
struct row {
	const struct json *json;
	const char *path; /* of the transcript */
	struct place at;
	bool read;
};

struct results {
	const struct log_rows *message;
	struct row *rows;
	size_t n;
	/* The test and target of the transcript that is read a line at a
	 * time. */
	struct str test, target;
};

#define TRANSCRIPT "transcript_summary turns=["
#define MESSAGE "message_index role test_id"
#define ROW "score target=\" test_id=\", score target=\" testId=\" !test_id"

/* ---- messages ---- */

static const char *const counts[USAGE_COUNT] = {
	[USAGE_INPUT] = "input",
	[USAGE_OUTPUT] = "output",
	[USAGE_CACHE_READ] = "cached",
	[USAGE_REASONING] = "reasoning",
};

/* Reads the totals of a run, which count only where the messages have none. */
static void
read_total(struct builder *b, const struct json *total, const struct json *cost)
{
	struct usage u = { 0 };

	usage_read_named(&u, total, counts);
	usage_read(&u, USAGE_COST, cost);
	if (u.known != 0)
		builder_total(b, &u);
}

/* Returns whether the status says that the call failed; NULL if it says
 * nothing. */
static const struct json *
failed(const struct json *of)
{
	if (field_is(of, "status", "ok success"))
		return builder_bool(false);
	return field_is(of, "status", "error cancelled") ? builder_bool(true)
							 : NULL;
}

static void
read_call(struct log *log, const struct json *call)
{
	struct builder *b = log->builder;
	const struct json *output = json_get(call, "output");

	builder_call(b, .id = json_get(call, "id"),
	    .tool = json_get(call, "tool"), .args = json_get(call, "input"),
	    .duration = field_find(call, "duration_ms durationMs"));
	if (output != NULL || failed(call) != NULL)
		builder_result(
		    b, .last = true, .value = output, .is_error = failed(call));
}

/* A message of a row or of a line. */
static const struct log_row message[] = {
	LOG_ROW("", LOG_LOCATE, .of = "start_time startTime"),
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("role=assistant", LOG_BLOCKS, .of = "content"),
	LOG_ROW("role=assistant", LOG_HOOK, .each = "tool_calls toolCalls",
	    .read = read_call),
	LOG_ROW("role=assistant", LOG_USAGE, .of = "token_usage tokenUsage",
	    .counts = counts),
	LOG_ROW("role=tool|function", LOG_RESULT,
	    .id = "tool_call_id toolCallId metadata.tool_call_id",
	    .tool = "name", .result = "content"),
	LOG_ROW("role=system|developer", LOG_SYSTEM, .of = "content"),
	LOG_LAST,
};

/* ---- a transcript in one document ---- */

static void
read_block(struct builder *b, const struct json *block, bool by_user)
{
	const struct json *result = json_get(block, "result");

	if (field_is_type(block, "text") && by_user) {
		builder_prompt(b, json_get(block, "text"));
	} else if (field_is_type(block, "text")) {
		builder_text(b, json_get(block, "text"));
	} else if (field_is_type(block, "tool_use")) {
		builder_call(b, .id = json_get(block, "id"),
		    .tool = json_get(block, "name"),
		    .args = json_get(block, "input"));
		if (result != NULL)
			builder_result(b, .last = true,
			    .value = json_get(result, "output"),
			    .is_error = failed(result),
			    .duration = json_get(result, "duration_ms"));
	} else if (!field_is_type(block, "thinking image")) {
		builder_unread_block(b, json_raw(json_get(block, "type")));
	}
}

static void
read_transcript(struct builder *b, const struct json *r)
{
	builder_set_first(b, RUN_AGENT, json_get(r, "target"));
	builder_set_first(b, RUN_PROVIDER, json_get(r, "provider_id"));
	for (json_each(turn, json_get(r, "turns"))) {
		struct usage u = { 0 };

		if (field_is_type(turn, "system"))
			continue;
		builder_locate(b, .ts = json_get(turn, "ts"));
		for (json_each(block, json_get(turn, "content")))
			read_block(b, block, field_is_type(turn, "user"));
		if (!field_is_type(turn, "assistant"))
			continue;
		builder_model(b, json_get(turn, "model"));
		field_usage(&u, turn, .input = "input_tokens",
		    .output = "output_tokens");
		builder_usage(b, (struct str){ 0 }, &u, false);
	}
}

/* ---- rows ---- */

/* Reads what a row says about its run. */
static void
read_about(struct builder *b, const struct json *r)
{
	const struct json *error = field_find(r, "error execution_error");

	builder_set(b, RUN_ID, json_path(r, "projection_identity.id"));
	builder_set(b, RUN_SCENARIO, field_find(r, "test_id testId"));
	builder_set(b, RUN_AGENT, json_get(r, "target"));
	builder_set(b, RUN_DURATION,
	    field_find(r, "duration_ms durationMs trace.duration_ms"));
	builder_meta(b, "score", json_get(r, "score"));
	builder_meta(b, "suite", json_get(r, "suite"));
	builder_meta(b, "experiment", json_get(r, "experiment"));
	if (error == NULL && field_is(r, "execution_status", "execution_error"))
		error = json_get(r, "execution_status");
	/* A grader that fails says nothing of the agent's run. */
	if (!field_is(r, "failure_stage", "evaluator"))
		builder_error(b, error);
	read_total(b, field_find(r, "token_usage tokenUsage trace.token_usage"),
	    field_find(r, "cost_usd costUsd trace.cost_usd"));
}

static struct results *
results_of(struct log *log)
{
	struct results *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct results);
		s->message = log_rows_of(log->arena, message);
	}
	return s;
}

/* Reads a row with its messages. A row with a score alone is no run. */
static void
read_row(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *input = json_get(r, "input");
	const struct json *output = json_get(r, "output");

	if (input == NULL && output == NULL &&
	    field_find(r, "error execution_error") == NULL &&
	    !field_is(r, "execution_status", "execution_error"))
		return;
	builder_begin_run(b);
	builder_prompt(b, json_is(input, JSON_STRING) ? input : NULL);
	for (json_each(m, input))
		log_rows_read(log, results_of(log)->message, m);
	for (json_each(m, output))
		log_rows_read(log, results_of(log)->message, m);
	if (!json_is(output, JSON_ARRAY)) {
		builder_no_calls(b);
		builder_text(b, output);
	}
	read_about(b, r);
	builder_number_run(b);
	builder_end_run(b);
}

/* ---- files ---- */

/* Returns the folder of the results whose index this path is, with its slash. */
static struct str
results_folder(const char *path)
{
	const struct str internal = STR(".internal/");
	struct str folder = subagent_files_folder(path);

	if (str_ends(folder, internal))
		folder.n -= internal.n;
	return folder;
}

/* Keeps the row until its transcript is read. */
static void
await(struct log *log, const struct json *r)
{
	struct results *s = results_of(log);
	struct str path = json_text(
	    field_find(r, "transcript_path transcriptPath"), log->scratch);

	*arena_push(log->arena, s->rows, s->n) = (struct row){
		.json = copy_tree(log->arena, r),
		.at = log->at,
		.path = str_c(log->arena,
		    str_cat(log->arena, results_folder(log->path), path)),
	};
}

static char **
files_beside(struct log *log)
{
	const struct results *s = results_of(log);
	char **files = arena_new_n(log->arena, char *, s->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (access(s->rows[i].path, R_OK) == 0)
			files[n++] = str_c(log->arena, str_of(s->rows[i].path));
	return files;
}

/* Implements the member `owner` of struct log_format: the index in a folder
 * above a transcript. */
static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str folder = subagent_files_folder(log->path);

	for (int up = 0;
	     up < 4 && log_rows_holds(TRANSCRIPT, record) && folder.n > 1;
	     up++) {
		char *index = str_c(log->arena,
		    str_cat(log->arena, folder, STR(".internal/index.jsonl")));

		if (access(index, R_OK) == 0)
			return index;
		folder.n--;
		while (folder.n != 0 && folder.s[folder.n - 1] != '/')
			folder.n--;
	}
	return NULL;
}

/* Reads the row of the log's transcript, if there is one, once. Returns whether there
 * is. */
static bool
read_row_of(struct log *log)
{
	const struct results *s = results_of(log);

	for (size_t i = 0; i < s->n; i++) {
		struct row *row = &s->rows[i];

		if (row->read || strcmp(row->path, log->path) != 0)
			continue;
		row->read = true;
		read_about(log->builder, row->json);
		return true;
	}
	return false;
}

/* Reads a transcript, which may be that of a row. */
static void
read_whole(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	read_transcript(b, r);
	if (read_row_of(log))
		builder_number_run(b);
	builder_end_run(b);
}

/* Reads a line of a transcript. */
static void
read_line(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct results *s = results_of(log);
	const struct json *test = json_get(r, "test_id");
	const struct json *target = json_get(r, "target");

	if (json_double(json_get(r, "message_index")) == 0 ||
	    !str_eq(s->test, json_raw(test)) ||
	    !str_eq(s->target, json_raw(target))) {
		builder_begin_run(b);
		s->test = copy_body(log->arena, test);
		s->target = copy_body(log->arena, target);
		builder_set(b, RUN_SCENARIO, test);
		builder_set(b, RUN_AGENT, target);
		builder_set(b, RUN_PROVIDER, json_path(r, "source.provider"));
		builder_set(
		    b, RUN_DURATION, json_get(r, "transcript_duration_ms"));
		builder_meta(b, "session", json_path(r, "source.session_id"));
		builder_model(b, json_path(r, "source.model"));
		(void)read_row_of(log);
		builder_number_run(b);
	}
	log_rows_read(log, s->message, r);
	read_total(b, json_get(r, "transcript_token_usage"),
	    json_get(r, "transcript_cost_usd"));
}

static const struct log_row rows[] = {
	LOG_ROW(TRANSCRIPT, LOG_HOOK, .read = read_whole),
	LOG_ROW(MESSAGE " else", LOG_HOOK, .read = read_line),
	LOG_ROW("score transcript_path else, score transcriptPath else",
	    LOG_HOOK, .read = await),
	LOG_ROW("score else", LOG_HOOK, .read = read_row),
	LOG_LAST,
};

/* Reads the rows whose transcripts were not there. */
static void
end(struct log *log)
{
	const struct results *s = results_of(log);

	for (size_t i = 0; i < s->n; i++) {
		const struct row *row = &s->rows[i];

		if (row->read)
			continue;
		builder_source(log->builder, row->at.file, row->at.line);
		read_row(log, row->json);
	}
}

const struct log_format log_format_agentv = {
	.name = "agentv",
	.what = "AgentV: index.jsonl, transcripts, NAME.results.jsonl",
	.sure = TRANSCRIPT ", " MESSAGE ", score=# target=\" test_id=\", "
			   "score=# target=\" testId=\" !test_id",
	.rows = rows,
	.knows_blocks = true, /* what a test expects is no call */
	.end = end,
	.beside = files_beside,
	.owner = file_owner,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
