/*
 * HTTP traffic between a program and the APIs whose formats are in this folder:
 * HAR, as browsers and proxies write it, and the similar records of other
 * recorders. Each exchange is passed to the API's format as a request with its
 * response.
 */
#include "base/base64.h"
#include "base/timestamp.h"
#include "extract/format/format.h"
#include "extract/format/http_body.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/value/copy.h"

#define REQUESTS \
	"request.postData.text request.body.string request.body request_body " \
	"request.parsed_body"
#define RESPONSES \
	"response.content.text response.body.string response.body " \
	"response_body response.parsed_body"
#define URLS "request.url request.uri request.path"

/* The formats of APIs; the first one that is sure of an exchange reads it. */
static const struct api {
	const char *format;
	bool later; /* a response may be asked for by its id until it is done */
} apis[] = {
	{ "openai-responses", true },
	{ "anthropic", false },
	{ "gemini-api", false },
	{ "gemini-interactions", true },
	{ "bedrock", false },
	{ "cohere", false },
	{ "ollama", false },
	{ "openai-chat", false },
};

enum {
	APIS = sizeof apis / sizeof apis[0],
	A_DAY = 86400000, /* in milliseconds: longer than any exchange */
};

struct har {
	struct format_index formats; /* of the APIs */
	void *states[APIS];          /* the formats' states */
};

/* ---- bodies ---- */

/* Returns the events of a stream, after "data:", or its lines, as a JSON
 * list. */
static struct str
list_of(struct arena *a, struct str text)
{
	struct str *items = NULL;
	size_t n = 0;

	while (text.s != NULL) {
		struct str line = str_trim(str_cut(&text, '\n'));

		if (str_starts(line, "data:"))
			line = str_trim(str_from(line, 5));
		if (str_starts(line, "{") && copy_parsed(a, line) != NULL)
			*arena_push(a, items, n) = line;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_printf(
	    a, "[%.*s]", STR_FMT(str_join(a, items, n, STR(","))));
}

/* Returns a body as JSON; absent if it is not JSON. */
static struct str
body_of(struct arena *a, const struct json *v, const struct json *encoding)
{
	struct str text = { 0 };

	if (!json_is(v, JSON_STRING))
		return v == NULL ? text : v->text;
	text = json_text(v, a);
	if (json_str_is(encoding, "base64") && !base64_read(a, text, &text))
		return (struct str){ 0 };
	text = str_trim(http_body_text(a, text));
	return copy_parsed(a, text) != NULL ? text : list_of(a, text);
}

/* Returns the response of an exchange. An error without a JSON body becomes one
 * from its status. */
static struct str
response_of(struct arena *a, const struct json *r)
{
	const struct json *status = field_find(r,
	    "response.status.code response.status response.status_code "
	    "response_status");
	struct str body = body_of(a, field_find(r, RESPONSES),
	    json_path(r, "response.content.encoding"));

	if (body.n == 0 && json_double(status) >= 400)
		return str_printf(
		    a, "{\"error\":\"HTTP %g\"}", json_double(status));
	return body;
}

/* Returns whether the response is an object that breaks off. */
static bool
is_torn(struct arena *a, const struct json *r)
{
	return str_starts(json_raw(field_find(r, RESPONSES)), "{") &&
	    response_of(a, r).n == 0;
}

/* Returns whether an answer to a model's request is bytes that cannot be read. */
static bool
is_packed(struct arena *a, const struct json *r)
{
	const struct json *v = field_find(r, RESPONSES);
	const struct json *request =
	    copy_parsed(a, body_of(a, field_find(r, REQUESTS), NULL));

	return json_is(v, JSON_STRING) &&
	    field_find(request, "messages input contents prompt") != NULL &&
	    response_of(a, r).n == 0 && http_body_is_packed(a, json_text(v, a));
}

/* ---- exchanges ---- */

/* A request that only counts tokens beforehand has the same form as one to the
 * model. */
#define COUNTS \
	"request.url|request.uri|request.path=*count_tokens*|*count-tokens*|" \
	"*countTokens*|*/input_tokens*"

static const struct json *
pair_of(struct arena *a, const struct json *r)
{
	const struct json *v = field_find(r, REQUESTS);
	struct str request = body_of(a, v, NULL), response;

	if (v == NULL || json_str_is(v, ""))
		request = STR("null");
	else if (!str_starts(request, "{") || log_rows_holds(COUNTS, r))
		return NULL;
	response = response_of(a, r);
	return response.n == 0
	    ? NULL
	    : copy_parsed(a,
		  str_printf(a, "{\"request\":%.*s,\"response\":%.*s}",
		      STR_FMT(request), STR_FMT(response)));
}

/* Reads when the exchange took place: it may be the begin of the run, its end,
 * or both. */
static void
read_times(struct log *log, const struct json *r)
{
	const struct run *run = builder_current_run(log->builder);
	const struct json *start = field_find(
	    r, "startedDateTime request_created_at recorded_at timestamp");
	double took = json_double(field_find(r, "time delay_ms"));
	const struct json *end = field_find(r, "response_created_at");
	int64_t ms;

	if (end == NULL && took >= 0 && took < A_DAY &&
	    timestamp_text(json_raw(start), &ms))
		end = copy_count(
		    log->arena, str_int(log->arena, ms + (int64_t)took));
	builder_set_times(
	    log->builder, run->start.text.s == NULL ? start : NULL, end);
}

/* Returns a log for the API's format, in which the pair is the record. */
static struct log
log_for(struct log *log, int api, const struct json *pair)
{
	struct log its = *log;

	its.counted = pair == NULL ? NULL : pair->text.s;
	its.one_line = false;
	its.state = ((struct har *)log->state)->states[api];
	return its;
}

static void
delegate(
    struct log *log, const struct json *r, const struct json *pair, int api)
{
	struct har *s = log->state;
	struct log its = log_for(log, api, pair);
	const struct log_format *format = log_format_named(apis[api].format);

	log_open(&its, format);
	log_read(&its, pair);
	s->states[api] = its.state;
	read_times(log, r);
}

/* Counts an exchange that no API's format reads, unless nothing in the exchange
 * may be a call or a text of an agent. What the program itself asked an MCP server
 * is known from the model's exchanges. */
static void
count_other(struct log *log, const struct json *r, const struct json *pair)
{
	unsigned lost = unread_lost(pair);
	struct str url = json_raw(field_find(r, URLS));

	if (lost != 0 && json_path(pair, "request.jsonrpc") == NULL &&
	    json_path(pair, "response.jsonrpc") == NULL)
		builder_unread(log->builder,
		    url.n == 0 ? STR("exchange") : str_cut(&url, '?'), lost);
}

static void
read_pair(struct log *log, const struct json *r, const struct json *pair)
{
	const struct har *s = log->state;
	/* A request that asks for a response by its id sends no body; a body
	 * that is missing was not recorded. */
	bool later = json_is(json_get(pair, "request"), JSON_NULL) &&
	    !field_is(json_get(r, "request"), "method", "POST");

	for (int i = 0; pair != NULL && i < APIS; i++) {
		if (later && !apis[i].later)
			continue;
		if (format_index_score(&s->formats, (size_t)i, pair) <
		    LOG_FORMAT_SURE)
			continue;
		log_source(log, r);
		delegate(log, r, pair, i);
		return;
	}
	count_other(log, r, pair);
}

/* Reads an exchange; its decoded bodies are freed afterwards. */
static void
read_exchange(struct log *log, const struct json *r)
{
	struct arena bodies = { 0 };

	if (is_torn(&bodies, r) || is_packed(&bodies, r))
		log_unread_as(log, r, RUN_LOST_CALL | RUN_LOST_TEXT);
	else
		read_pair(log, r, pair_of(&bodies, r));
	arena_free(&bodies);
}

static void
begin(struct log *log, const struct json *r)
{
	const struct log_format **formats;
	struct har *s = log->state;

	(void)r;
	if (s != NULL)
		return;
	log->state = s = arena_new(log->arena, struct har);
	formats = arena_new_n(log->arena, const struct log_format *, APIS + 1);
	for (int i = 0; i < APIS; i++)
		formats[i] = log_format_named(apis[i].format);
	s->formats = format_index_of(log->arena, formats);
}

static const struct log_row rows[] = {
	LOG_ROW("log.entries, interactions, http_interactions", LOG_HOOK,
	    .each = "log.entries interactions http_interactions",
	    .read = read_exchange),
	LOG_ROW("else request, else response, else request_body", LOG_HOOK,
	    .read = read_exchange),
	LOG_LAST,
};

static void
read_ends(struct log *log)
{
	const struct har *s = log->state;

	for (int i = 0; s != NULL && i < APIS; i++) {
		const struct log_format *format =
		    log_format_named(apis[i].format);
		struct log its = log_for(log, i, NULL);

		if (s->states[i] != NULL && format->end != NULL)
			format->end(&its);
	}
}

const struct log_format log_format_har = {
	.name = "har",
	.what = "HTTP traffic with model APIs: HAR, cassettes and the like",
	.lists = "log.entries interactions http_interactions",
	/* An exchange is known by its bodies: these are texts, or values of a
	 * recorder that names the URL. Some have formats of their own. */
	.sure =
	    "log.entries=[, "
	    "interactions.0.response "
	    "interactions.0.request.url|interactions.0.request.uri, "
	    "http_interactions.0.response "
	    "http_interactions.0.request.url|"
	    "http_interactions.0.request.uri, "
	    "response_body=? request_body=?, "
	    "response={ request.postData=?|response.content.mimeType=?, "
	    "response={ request.body.string|request.body=\", "
	    "response={ response.body.string|response.body=\" request.body, "
	    "response={ response.body={ request.body={ "
	    "request.url|request.uri|request.path !response.choices=?",
	.rows = rows,
	.before = begin,
	.knows_blocks = true,
	.end = read_ends,
};
