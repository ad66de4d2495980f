/*
 * OpenAI Chat Completions: a list of messages, bare or under a name, with or
 * without the response to it. Fine-tuning files, request logs, batch files and
 * data sets of conversations all have this form.
 */
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_chunk.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

/* The paths at which a record may have its messages, the better copy first. */
#define MESSAGES \
	"raw_messages proxy_server_request.messages messages " \
	"request.messages request.body.messages body.messages " \
	"params.messages input.messages sample.input trace"
#define RESPONSES "response.body response completion output"
/* Lists of what a model wrote, for tuning or to be graded. */
#define WRITTEN "preferred_output sample.output"
#define MODELS \
	"response.model response.body.model model request.model body.model " \
	"request.body.model params.model sample.model"
#define ERRORS "error response.error response.body.error error_str sample.error"

/* The parts of a record; NULL for a part that it lacks. */
struct request {
	const struct json *messages, *response;
	const struct json *choices, *chunks; /* of the response */
	const struct json *answer; /* the answer, if there are no choices */
	const struct json *error;
};

static const struct json *
messages_of(const struct json *r)
{
	if (json_is(r, JSON_ARRAY))
		return json_get(json_at(r, 0), "role") != NULL ? r : NULL;
	return field_find(r, MESSAGES);
}

static const struct json *
choices_in(const struct json *r, const struct json *response)
{
	const struct json *choices = json_get(response, "choices");

	return choices != NULL ? choices : json_get(r, "choices");
}

static const struct json *
choices_of(const struct json *r)
{
	return choices_in(r, field_find(r, RESPONSES));
}

static bool
by_model(const struct json *m)
{
	return json_str_is(json_get(m, "role"), "assistant");
}

/* Returns the text of the first answer. DSPy has the answers' texts beside the
 * response, which is the Python form of an object in DSPy's JSON history. */
static const struct json *
output_of(const struct json *r)
{
	const struct json *first = json_at(json_get(r, "outputs"), 0);

	return json_is(first, JSON_OBJECT) ? json_get(first, "text") : first;
}

/* Returns whether v is what a model's call gave, in a record {input, output}
 * that a program made of it. */
static bool
is_output(const struct json *v)
{
	return json_get(v, "content") != NULL &&
	    json_get(v, "finish_reasons") != NULL;
}

/* Returns the prompt of such a record if it is a text, else NULL. */
static const struct json *
prompt_of(const struct json *r)
{
	const struct json *prompt = json_path(r, "input.prompt");

	return json_is(prompt, JSON_STRING) && is_output(json_get(r, "output"))
	    ? prompt
	    : NULL;
}

/* Returns the answer to the messages where it is no list of choices, but a text
 * or a message; NULL if there is none, or if the messages end with it. */
static const struct json *
answer_of(
    const struct json *r, const struct json *found, const struct json *messages)
{
	const struct json *message = json_get(found, "message");

	if (json_is(found, JSON_STRING) && json_is(output_of(r), JSON_STRING))
		found = output_of(r);
	if (prompt_of(r) == NULL &&
	    (json_count(messages) == 0 || by_model(json_last(messages))))
		return NULL;
	if (json_is(found, JSON_STRING) || by_model(found) || is_output(found))
		return found;
	return by_model(message) ? message : NULL;
}

static struct request
request_of(const struct json *r)
{
	const struct json *messages = messages_of(r);
	const struct json *response = field_find(r, RESPONSES);

	return (struct request){
		.messages = messages,
		.response = response,
		.choices = choices_in(r, response),
		.chunks = openai_chunks_are(response) ? response : NULL,
		.answer = answer_of(r, response, messages),
		.error = field_find(r, ERRORS),
	};
}

static bool
is_answered(const struct request *q)
{
	return q->choices != NULL || q->chunks != NULL || q->answer != NULL;
}

/* Returns whether r is a request of a batch file that was not answered. */
static bool
is_failed(const struct json *r)
{
	return json_is(json_get(r, "custom_id"), JSON_STRING) &&
	    choices_of(r) == NULL && field_find(r, ERRORS) != NULL;
}

/* Returns whether r is the response to a request that failed, logged alone. */
static bool
is_error(const struct json *r)
{
	const struct json *error = json_get(r, "error");

	return json_get(r, "type") == NULL &&
	    json_is(json_get(error, "message"), JSON_STRING) &&
	    field_find(error, "type code") != NULL;
}

/* Returns the elements of a list as the API returns it, with a cursor. */
static const struct json *
listed(const struct json *r)
{
	const struct json *list = json_get(r, "data");

	return field_is(r, "object", "list") ? list : r;
}

static int
score(const struct json *r)
{
	if (field_is(r, "object", "list"))
		r = json_at(listed(r), 0);
	if (is_failed(r))
		return LOG_FORMAT_SURE / 2;
	if (openai_messages_are(messages_of(r)) || prompt_of(r) != NULL ||
	    json_get(json_at(choices_of(r), 0), "message") != NULL)
		return LOG_FORMAT_SURE;
	if (is_error(r))
		return LOG_FORMAT_SURE / 5;
	return openai_message_is(r) ? LOG_FORMAT_SURE / 2 : 0;
}

static const struct json *
time_of(const struct json *v)
{
	static const struct str names[] = { STR_CONST("timestamp"),
		STR_CONST("ts"), STR_CONST("created_at") };
	const struct json *found[3];

	json_pick(v, names, 3, found);
	for (size_t i = 0; i < 3; i++)
		if (found[i] != NULL && found[i]->type != JSON_NULL)
			return found[i];
	return NULL;
}

static const struct json *
scalar(const struct json *v)
{
	return json_is(v, JSON_STRING) || json_is(v, JSON_NUMBER) ? v : NULL;
}

static void
read_usage(struct builder *b, const struct json *r)
{
	const struct json *counts = field_find(
	    r, "usage response.usage response.body.usage sample.usage");
	const struct json *cost =
	    field_find(r, "usage.cost response_cost cost spend");
	struct usage u = { 0 };

	openai_usage_read(&u, counts != NULL ? counts : r);
	if (json_get(counts, "input_tokens") != NULL)
		anthropic_usage_read(&u, counts);
	usage_read(&u, USAGE_COST, cost);
	if (u.known == 0)
		return;
	usage_set(&u, USAGE_LLM_CALLS, 0); /* calls are counted by message */
	usage_read(&u, USAGE_LLM_CALLS, json_get(counts, "llm_calls"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* Returns the choice with index 0, else the first. */
static const struct json *
choice_of(const struct json *choices)
{
	for (json_each(choice, choices))
		if (json_double(json_get(choice, "index")) == 0)
			return choice;
	return json_at(choices, 0);
}

static void
read_response(struct log *log, const struct json *r, const struct json *choices)
{
	const struct json *choice = choice_of(choices);
	const struct json *message = json_get(choice, "message");

	if (json_count(choices) > 1)
		diag_warn(log->at,
		    "%zu choices in the response; the first one is read",
		    json_count(choices));
	if (message != NULL)
		openai_message_read(log->builder, message,
		    field_find(
			r, "response.body.created response.created created"),
		    false);
	builder_stop_reason(log->builder, json_get(choice, "finish_reason"));
}

/* Reads what a model's call gave, with the calls of tools that a program made
 * before it got the answer. */
static void
read_output(struct builder *b, const struct json *output)
{
	const struct json *content = json_get(output, "content");

	builder_locate(b, 0);
	builder_unread_members(b, output);
	for (json_each(call, json_get(output, "tool_calls"))) {
		builder_call(b, .tool = field_find(call, "tool_name name"),
		    .args = field_find(call, "tool_input input arguments"));
		if (json_get(call, "tool_result") != NULL)
			builder_result(b, .last = true,
			    .value = json_get(call, "tool_result"));
	}
	if (json_is(content, JSON_STRING))
		builder_text(b, content);
	else
		builder_text_value(b, content);
	builder_stop_reason(b, json_at(json_get(output, "finish_reasons"), 0));
}

/* Reads the counts of such a record. */
static void
read_output_usage(struct builder *b, const struct json *r)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_INPUT, json_path(r, "input.tokens"));
	usage_read(&u, USAGE_OUTPUT, json_path(r, "output.tokens"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_answer(struct builder *b, const struct json *answer)
{
	if (is_output(answer))
		read_output(b, answer);
	else if (json_is(answer, JSON_OBJECT)) {
		openai_message_read(b, answer, NULL, false);
	} else if (answer != NULL) {
		builder_locate(b, 0);
		builder_text(b, answer);
		builder_llm_call(b, (struct str){ 0 });
	}
}

/* Returns the first of the members that is there and not null. */
static const struct json *
first_of(const struct json *const *m, size_t n)
{
	for (; n > 0; m++, n--)
		if (*m != NULL && (*m)->type != JSON_NULL)
			return *m;
	return NULL;
}

/* Reads the members with one look at the record, since most records have few. */
static void
read_about(struct builder *b, const struct json *r)
{
	enum {
		ID,
		SCENARIO = 5,
		TASK,
		AGENT,
		INDEX,
		METADATA,
		PASS,
		FAILURE,
		N
	};
	static const struct str names[N] = { STR_CONST("custom_id"),
		STR_CONST("id"), STR_CONST("request_id"),
		STR_CONST("question_id"), STR_CONST("uuid"),
		STR_CONST("scenario_id"), STR_CONST("task_id"),
		STR_CONST("agent"), STR_CONST("run_index"),
		STR_CONST("metadata"), STR_CONST("pass"),
		STR_CONST("failure") };
	static const struct str inner[] = { STR_CONST("scenario_id"),
		STR_CONST("agent"), STR_CONST("run_index") };
	const struct json *m[N], *in[3], *id;

	json_pick(r, names, N, m);
	json_pick(m[METADATA], inner, 3, in);
	id = first_of(&m[ID], SCENARIO);
	id = id != NULL ? id : field_find(r, "response.id");
	builder_set(b, RUN_ID, scalar(id));
	builder_set(b, RUN_SCENARIO,
	    scalar(first_of(
		(const struct json *[]){ m[SCENARIO], in[0], m[TASK] }, 3)));
	builder_set(b, RUN_AGENT,
	    scalar(first_of((const struct json *[]){ m[AGENT], in[1] }, 2)));
	builder_set(b, RUN_INDEX,
	    scalar(first_of((const struct json *[]){ m[INDEX], in[2] }, 2)));
	builder_meta(b, "metadata", m[METADATA]);
	builder_meta(b, "pass", m[PASS]);
	builder_meta(b, "failure", m[FAILURE]);
}

/* Returns the empty text that a run ends with if the model's last message says
 * and calls nothing, else NULL. */
static const struct json *
empty_answer(const struct json *last)
{
	const struct json *content = json_get(last, "content");

	return by_model(last) && json_str_is(content, "") &&
		json_count(json_get(last, "tool_calls")) == 0 &&
		json_count(json_get(last, "function_call")) == 0
	    ? content
	    : NULL;
}

/* Returns the message that a request with its response ends with; NULL if that
 * message is cut short or withheld. */
static const struct json *
last_message(const struct request *q)
{
	const struct json *choice = choice_of(q->choices);
	const struct json *reason = json_get(choice, "finish_reason");

	if (choice != NULL)
		return json_is(reason, JSON_STRING) &&
			!json_str_is(reason, "stop")
		    ? NULL
		    : json_get(choice, "message");
	return is_answered(q) ? NULL : json_last(q->messages);
}

/* Returns whether the response is of a form that is not read, and may hold a call
 * or a text of the agent. */
static bool
is_other(const struct request *q)
{
	return !is_answered(q) && !by_model(json_last(q->messages)) &&
	    q->error == NULL && unread_lost(q->response) != 0;
}

/* Reads the outcome of a request; history: number of its messages that were
 * read before. */
static void
read_outcome(struct log *log, const struct json *r, const struct request *q,
    size_t history)
{
	struct builder *b = log->builder;
	const struct json *duration = field_find(r, "duration_ms latency_ms");

	builder_error(b, q->error);
	if (q->chunks != NULL) /* may include an error */
		openai_chunks_read(b, q->chunks);
	else
		builder_model(b, field_find(r, MODELS));
	read_response(log, r, q->choices);
	if (q->choices == NULL)
		read_answer(b, q->answer);
	if (is_other(q))
		log_unread(log, q->response);
	builder_set(b, RUN_FINAL, empty_answer(last_message(q)));
	if (is_output(q->answer))
		read_output_usage(b, r);
	else
		read_usage(b, r);
	builder_set_times(b,
	    history == 0 ? field_find(r, "startTime start_time") : NULL,
	    field_find(r, "endTime end_time"));
	/* The durations of several requests do not give that of the run. */
	if (json_is(duration, JSON_NUMBER))
		builder_set(b, RUN_DURATION, history == 0 ? duration : NULL);
}

static void
read_run(struct log *log, const struct json *r, const struct request *q)
{
	struct builder *b = log->builder;
	bool counted = json_path(r, "usage.llm_calls") != NULL;
	bool answered = is_answered(q);
	bool failed = !answered && q->error != NULL;
	struct resent_history history =
	    resent_history_emitted(b, q->messages, by_model);
	size_t i = 0;

	if (history.n == 0) {
		log_source(log, r);
		if (answered || failed)
			builder_begin_run(b);
		else
			log_whole_run(log, r);
		read_about(b, r);
	}
	resent_history_note(b, &history, answered);
	if (failed)
		resent_history_failed(b, &history, by_model);
	/* Requests to Anthropic's API that are in lists with those of others. */
	builder_system(b, field_find(r, "system request.system body.system"));
	for (json_each(m, q->messages)) {
		if (i++ >= history.n)
			openai_message_read(b, m, NULL, counted);
	}
	if (q->messages == NULL && prompt_of(r) != NULL) {
		builder_locate(b, .ts = time_of(r));
		builder_prompt(b, prompt_of(r));
	}
	for (json_each(preferred, field_find(r, WRITTEN)))
		openai_message_read(b, preferred, NULL, counted);
	read_outcome(log, r, q, history.n);
	/* The next request may continue from the response to this one, or
	 * repeat this one. */
	if (!answered && !failed)
		builder_end_run(b);
}

/* Reads a message that is a line: the file is one run. */
static void
read_line(struct log *log, const struct json *m)
{
	builder_model(log->builder, json_get(m, "model"));
	openai_message_read(log->builder, m, NULL, false);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct request q;

	if (openai_message_is(r) || openai_message_is_foreign(r)) {
		read_line(log, r);
		return;
	}
	q = request_of(r);
	if (q.messages == NULL && json_is(listed(r), JSON_ARRAY)) {
		for (json_each(run, listed(r)))
			read_record(log, run);
	} else if (q.messages != NULL || q.choices != NULL || is_failed(r) ||
	    q.answer != NULL || is_error(r)) {
		read_run(log, r, &q);
	} else {
		log_unread(log, r);
	}
}

/* Returns whether a record like r is a run of its own: not if another request
 * may continue from the response to it. */
static bool
is_alone(const struct json *r)
{
	struct request q = request_of(r);

	return !openai_message_is(r) && !openai_message_is_foreign(r) &&
	    q.messages != NULL && !is_answered(&q) && q.error == NULL;
}

/* Says what read_record reads, which picks the members itself: this format is read
 * most. */
static const struct log_row rows[] = {
	LOG_ROW("=[, object=list", LOG_HOOK, .read = read_record),
	LOG_ROW("else role !type, else content=[ !type", LOG_HOOK,
	    .read = read_line),
	LOG_ROW("else messages, else raw_messages, else trace, "
		"else proxy_server_request.messages, else request.messages, "
		"else request.body.messages, else body.messages, "
		"else params.messages, else input.messages, "
		"else sample.input, else input.prompt",
	    LOG_HOOK, .read = read_record),
	LOG_ROW("else choices, else response, else completion, else output, "
		"else custom_id, else error",
	    LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_openai_chat = {
	.name = "openai-chat",
	.what = "OpenAI Chat Completions: messages, requests with responses",
	.score = score,
	.asked = "object=list, custom_id, role, raw_messages, "
		 "proxy_server_request, messages, request, body, params, "
		 "input, sample, trace, response, completion, output, "
		 "choices, error",
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.alone = is_alone,
	.common = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
