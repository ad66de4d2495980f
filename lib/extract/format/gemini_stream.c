/*
 * Output of Google's Gemini CLI with --output-format: stream-json, one event a
 * line (init, message, tool_use, tool_result, error, result), or json, one
 * object {"response", "stats"} or {"error"} at the end.
 */
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"

static struct usage
usage_of_stats(const struct json *stats)
{
	double total = json_double(json_get(stats, "total_tokens"));
	double in = json_double(json_get(stats, "input_tokens"));
	struct usage u = { 0 };

	field_usage(&u, stats, .input_and_cache = "input_tokens",
	    .output = "output_tokens", .cache_read = "cached");
	/* The rest of the total is reasoning. */
	if (total - in > u.n[USAGE_OUTPUT]) {
		usage_set(&u, USAGE_REASONING, total - in - u.n[USAGE_OUTPUT]);
		usage_set(&u, USAGE_OUTPUT, total - in);
	}
	for (json_members(name, json_get(stats, "models"))) {
		struct usage m = { 0 };

		field_usage(&m, json_value(name),
		    .input_and_cache = "tokens.prompt",
		    .output = "tokens.candidates",
		    .cache_read = "tokens.cached",
		    .reasoning = "tokens.thoughts",
		    .llm_calls = "api.totalRequests");
		m.n[USAGE_OUTPUT] += m.n[USAGE_REASONING];
		usage_add(&u, &m);
	}
	return u;
}

static void
read_end(struct builder *b, const struct json *r)
{
	const struct json *stats = json_get(r, "stats");
	const struct json *status = json_get(r, "status");
	const struct json *error = field_find(r, "error");
	struct usage u = usage_of_stats(stats);

	builder_total(b, &u);
	builder_set(b, RUN_DURATION, json_get(stats, "duration_ms"));
	if (error == NULL && json_str_is(status, "error"))
		error = status;
	/* Without an error here, an error that was printed before stays: the
	 * program stopped for that reason. */
	if (error != NULL)
		builder_error(b, error);
	builder_set_broken(b, false);
}

/* Reads a result. The program ends with it, so what follows is another run. */
static void
read_result(struct log *log, const struct json *r)
{
	read_end(log->builder, r);
	builder_end_run(log->builder);
	log->id = (struct str){ 0 };
}

static void
before(struct log *log, const struct json *r)
{
	if (json_get(r, "type") != NULL && !field_is_type(r, "init"))
		builder_locate(
		    log->builder, .ts = field_find(r, "timestamp ts"));
}

/* Reads a prompt. The program is given one prompt and answers it, so another
 * prompt begins another run, though this run has no end. */
static void
read_prompt(struct log *log, const struct json *r)
{
	const struct turn *turn = builder_current_run(log->builder)->main.last;

	if (turn != NULL && turn->steps != NULL) {
		builder_begin_run(log->builder);
		log->id = (struct str){ 0 };
		before(log, r);
	}
	builder_prompt(log->builder, json_get(r, "content"));
}

static void
read_call(struct log *log, const struct json *r)
{
	gemini_call(log->builder, json_get(r, "tool_id"),
	    json_get(r, "tool_name"), json_get(r, "parameters"));
}

/* Begins a run. A user's message may precede the record that begins its run, in
 * files of programs that write the message there themselves. */
static void
begin(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (log->id.s != NULL)
		builder_begin_run(b);
	log->id = copy_body(log->arena, json_get(r, "session_id"));
	builder_set(b, RUN_ID, json_get(r, "session_id"));
	builder_model(b, json_get(r, "model"));
	builder_set_broken(b, true); /* until its result is read */
}

/* Returns the model that answered. Other models may have been asked which model
 * should answer. */
static const struct json *
model_of(const struct json *models)
{
	const struct json *found = NULL;

	for (json_members(name, models))
		if (found == NULL ||
		    json_path(json_value(name), "roles.main") != NULL)
			found = name;
	return found;
}

/* Reads the lone object of json, which has no calls. */
static void
read_json(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "session_id"));
	builder_model(b, model_of(json_path(r, "stats.models")));
	builder_text(b, json_get(r, "response"));
	read_end(b, r);
	builder_no_calls(b);
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("type=init", LOG_HOOK, .read = begin),
	LOG_ROW("type=message role=user", LOG_HOOK, .read = read_prompt),
	LOG_ROW("type=message role=assistant|model|gemini", LOG_NO_ERROR),
	LOG_ROW("type=message role=assistant|model|gemini, type=tool_use",
	    LOG_MESSAGE_BY_ORDER),
	LOG_ROW("type=message role=assistant|model|gemini", LOG_PIECE,
	    .of = "content"),
	LOG_ROW("type=error severity=error", LOG_ERROR, .of = "message"),
	LOG_ROW("type=error !severity=error", LOG_META, .name = "warning",
	    .of = "message"),
	LOG_ROW("type=tool_use", LOG_HOOK, .read = read_call),
	LOG_ROW("type=tool_result", LOG_RESULT, .id = "tool_id",
	    .result = "output error", .failed = "status=error"),
	LOG_ROW("type=result", LOG_HOOK, .read = read_result),
	LOG_ROW("!type stats.models, !type session_id error.type error.message",
	    LOG_HOOK, .read = read_json),
	LOG_LAST,
};

const struct log_format log_format_gemini_stream = {
	.name = "gemini-stream",
	.what = "Gemini CLI: output as stream-json or json",
	.sure = "type=init session_id model !subtype, "
		"type=tool_use|tool_result tool_id, stats.models !type, "
		"stats.models type=result, "
		"error.type error.message session_id !type",
	.hint = "1 type=message content=\" role",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
