/*
 * Results of the Berkeley Function Calling Leaderboard, a line for each test: {"id",
 * "result", "input_token_count", "output_token_count", "latency"}. A result is what a
 * model wrote: a text, perhaps of calls in Python's syntax, or a list of {FUNCTION:
 * ARGUMENTS}; of tests with several turns, lists of these. Such tests have a log of
 * their turns and steps, with prompts and results, too. The prompts of other tests are
 * in the files of questions.
 */
#include "extract/format/log_rows.h"
#include "extract/value/python_call.h"

#define TESTS \
	"simple_*|multiple_*|parallel_*|live_*|multi_turn_*|irrelevance_*|" \
	"exec_*|java_*|javascript_*|rest_*|sql_*|relevance_*|memory_*|" \
	"web_search_*|format_sensitivity_*"

static void
read_call(struct log *log, const struct json *tool, const struct json *args)
{
	builder_call(log->builder, .tool = tool, .args = args, .decode = true);
}

/* Reads the calls that a text in Python's syntax holds; returns whether the text is
 * nothing else. */
static bool
read_calls(struct log *log, const struct json *text)
{
	const struct json *calls =
	    python_calls(log->scratch, json_text(text, log->scratch));

	for (json_each(call, calls))
		read_call(log, json_get(call, "name"), json_get(call, "args"));
	return calls != NULL;
}

/* Reads what the model wrote: a text, calls, or a list of these. */
static void
read_response(struct log *log, const struct json *response)
{
	if (json_is(response, JSON_STRING) && !read_calls(log, response) &&
	    json_raw(response).n != 0)
		builder_text(log->builder, response);
	for (json_members(tool, response))
		read_call(log, tool, json_value(tool));
	for (json_each(one, response))
		read_response(log, one);
}

static bool
is_failure(struct arena *a, const struct json *content)
{
	return str_starts(json_text(content, a), "{\"error\":");
}

/* Reads a step of the log: what the model wrote, which the harness may have decoded to
 * calls in Python's syntax, and the results. */
static void
read_step(struct log *log, const struct json *step)
{
	const struct json *said = NULL, *decoded = NULL;

	for (json_each(m, step)) {
		if (field_is(m, "role", "assistant"))
			said = json_get(m, "content");
		if (json_count(json_get(m, "model_response_decoded")) != 0)
			decoded = json_get(m, "model_response_decoded");
		if (json_get(m, "model_response_decoded") == NULL &&
		    str_contains(
			json_raw(json_get(m, "content")), "forced to quit"))
			builder_error(log->builder, json_get(m, "content"));
	}
	builder_message(log->builder);
	if (!json_is(said, JSON_STRING) || decoded == NULL) {
		read_response(log, said);
	} else {
		if (python_calls(log->scratch, json_text(said, log->scratch)) ==
		    NULL)
			builder_text(log->builder, said);
		read_response(log, decoded);
	}
	for (json_each(m, step)) {
		const struct json *content = json_get(m, "content");

		if (field_is(m, "role", "tool"))
			builder_result(log->builder, .value = content,
			    .is_error = builder_bool(
				is_failure(log->scratch, content)));
	}
}

static void
read_turn(struct log *log, const struct json *turn)
{
	for (json_members(key, turn)) {
		const struct json *value = json_value(key);

		if (str_is(json_raw(key), "begin_of_turn_query"))
			for (json_each(m, value))
				if (field_is(m, "role", "user"))
					builder_prompt(log->builder,
					    json_get(m, "content"));
		if (str_starts(json_raw(key), "step_"))
			read_step(log, value);
	}
}

/* Reads a result without a log; of the turns of a test, each is a turn. */
static void
read_result(struct log *log, const struct json *r)
{
	const struct json *result = json_get(r, "result");
	bool turns = str_starts(json_raw(json_get(r, "id")), "multi_turn") ||
	    json_is(json_at(result, 0), JSON_ARRAY);

	if (str_starts(json_raw(result), "Error during inference")) {
		builder_set(log->builder, RUN_ID, json_get(r, "id"));
		builder_error(log->builder, result);
		return;
	}
	if (!turns || !json_is(result, JSON_ARRAY)) {
		read_response(log, result);
		return;
	}
	for (json_each(turn, result)) {
		builder_turn(log->builder);
		read_response(log, turn);
	}
}

/* Returns the sum of the numbers in the value. */
static double
sum_of(const struct json *v)
{
	double sum = json_is(v, JSON_NUMBER) ? json_double(v) : 0;

	for (json_each(one, v))
		sum += sum_of(one);
	return sum;
}

static void
read_counts(struct log *log, const struct json *r)
{
	const struct json *in = json_get(r, "input_token_count");
	const struct json *out = json_get(r, "output_token_count");
	const struct json *latency = json_get(r, "latency");
	struct usage u = { 0 };

	if (in != NULL)
		usage_set(&u, USAGE_INPUT, sum_of(in));
	if (out != NULL)
		usage_set(&u, USAGE_OUTPUT, sum_of(out));
	if (u.known != 0)
		builder_usage_uncounted(log->builder, &u);
	if (latency != NULL)
		builder_duration(log->builder, sum_of(latency) * 1000);
}

static const struct log_row run[] = {
	LOG_ROW("", LOG_HOOK, .read = log_whole_run),
	LOG_ROW("", LOG_SET, .of = "id idx", .member = RUN_SCENARIO),
	/* The state of the simulated APIs is between the turns. */
	LOG_ROW("inference_log=[", LOG_HOOK, .each = "inference_log",
	    .read = read_turn),
	LOG_ROW("!inference_log=[", LOG_HOOK, .read = read_result),
	LOG_ROW("", LOG_HOOK, .read = read_counts),
	LOG_ROW("", LOG_END),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("id result=? !type, idx result=? !type", LOG_IN, .of = "",
	    .rows = run),
	LOG_LAST,
};

const struct log_format log_format_bfcl = {
	.name = "bfcl",
	.what = "BFCL: results of models",
	.sure = "inference_log result, input_token_count output_token_count "
		"result, "
		"id=" TESTS " result, idx=# result=\"",
	.rows = rows,
	.unidentified = UNIDENTIFIED_IN_ORDER,
};
