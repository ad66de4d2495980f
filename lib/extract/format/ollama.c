/*
 * Ollama's own API: chat and generate, whole or as the lines of a stream, alone
 * or with the request. A response without its request is a run of its own.
 */
#include <math.h>

#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

struct ollama {
	bool open;                  /* more of the response follows */
	bool more;                  /* the response is not the run's first */
	const struct json *message; /* key of the response's message */
};

static bool
is_response(const struct json *r)
{
	return json_get(r, "done") != NULL &&
	    json_get(r, "created_at") != NULL &&
	    (json_path(r, "message.role") != NULL ||
		json_is(json_get(r, "response"), JSON_STRING));
}

/* Returns the response, which, in a pair with its request, is one object or the
 * list of the lines; NULL if there is none. */
static const struct json *
response_of(const struct json *r)
{
	const struct json *in = json_get(r, "response");

	if (is_response(r))
		return r;
	return is_response(in) || is_response(json_at(in, 0)) ? in : NULL;
}

static bool
by_model(const struct json *m)
{
	return field_is(m, "role", "assistant");
}

/* Reads calls. Their arguments are objects, and often neither call nor result
 * has an id. */
static void
read_calls(struct builder *b, const struct json *calls)
{
	for (json_each(call, calls))
		builder_call(b, .id = json_get(call, "id"),
		    .tool = json_path(call, "function.name"),
		    .args = json_path(call, "function.arguments"));
}

/* Reads the last line, which has the counts, and the total duration in
 * nanoseconds. */
static void
read_end(struct ollama *s, struct builder *b, const struct json *r)
{
	const struct json *time = json_get(r, "total_duration");
	struct usage u = { 0 };

	s->open = false;
	usage_read(&u, USAGE_INPUT, json_get(r, "prompt_eval_count"));
	usage_read(&u, USAGE_OUTPUT, json_get(r, "eval_count"));
	builder_usage(b, (struct str){ 0 }, &u, false);
	builder_stop_reason(b, json_get(r, "done_reason"));
	builder_set_broken(b, false);
	/* The durations of several requests do not give that of the run. */
	if (json_is(time, JSON_NUMBER))
		builder_duration(b, s->more ? NAN : json_double(time) / 1e6);
}

static void
read_line(struct log *log, const struct json *r)
{
	struct ollama *s = log->state;
	struct builder *b = log->builder;

	if (json_get(r, "done") == NULL && json_get(r, "error") == NULL) {
		log_unread(log, r);
		return;
	}
	builder_locate(b, .ts = json_get(r, "created_at"));
	if (!s->open)
		s->message = builder_str(b, builder_usage_key(b));
	builder_message_named(b, s->message);
	s->open = true;
	builder_set_broken(b, true);
	builder_model(b, json_get(r, "model"));
	builder_append_text(b, field_find(r, "message.content response"));
	read_calls(b, json_path(r, "message.tool_calls"));
	builder_unread_members(b, json_get(r, "message"));
	builder_error(b, json_get(r, "error"));
	if (json_is(json_get(r, "done"), JSON_TRUE))
		read_end(s, b, r);
}

static void
read_request(struct log *log, const struct json *r)
{
	const struct json *messages =
	    field_find(r, "request.messages messages");
	struct ollama *s = log->state;
	struct builder *b = log->builder;
	struct resent_history history =
	    resent_history_emitted(b, messages, by_model);

	s->more = history.n != 0;
	if (history.n == 0)
		builder_begin_run(b);
	resent_history_note(b, &history, true);
	builder_prompt(b, json_path(r, "request.prompt"));
	for (json_each(m, messages)) {
		if (history.n != 0)
			history.n--;
		else
			openai_message_read(b, m, NULL, true);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *response = response_of(r);
	const struct ollama *s = log->state;

	if (response != NULL && response != r)
		read_request(log, r);
	else if (!s->open)
		builder_begin_run(log->builder);
	if (json_is(response, JSON_ARRAY))
		for (json_each(line, response))
			read_line(log, line);
	else if (response != NULL)
		read_line(log, response);
	else
		builder_error(log->builder, json_get(r, "error"));
}

static const struct log_row rows[] = {
	LOG_ROW("done, response, error", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_ollama = {
	.name = "ollama",
	.what = "Ollama chat and generate: responses, complete or streamed",
	.sure = "done created_at message.role, done created_at response=\"",
	.nested = "response response.0",
	.rows = rows,
	.state = sizeof(struct ollama),
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
