/*
 * Anthropic's Messages API. The request asks for an answer by a schema; if the
 * model does not support a schema, for the input of a tool; otherwise for
 * text.
 *
 * Anthropic's Message Batches: the file is the body of the request that
 * creates the batch. A batch has no name of ours: if its creation was
 * interrupted, the batch is found again by its creation time and its number of
 * requests.
 */
#include "base/diag.h"
#include "base/timestamp.h"
#include "base/uri.h"
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/batch_api.h"
#include "judge/provider/content.h"
#include "judge/provider/rest.h"

/* This header goes with every request. */
#define ANTHROPIC_VERSION "anthropic-version: 2023-06-01"

static void
put_schema(
    struct out *o, struct arena *a, const struct prompt *p, unsigned refused)
{
	struct str schema = prompt_schema(a, p);

	if (refused & REST_NO_SCHEMA) {
		out_key(o, "tools");
		out_text(o,
		    "[{\"name\":\"verdicts\",\"description\":\"Takes the "
		    "answer.\",\"input_schema\":");
		out_json_raw(o, schema);
		out_text(o, "}]");
		out_key(o, "tool_choice");
		out_json_raw(o,
		    STR("{\"type\":\"tool\",\"name\":\"verdicts\","
			"\"disable_parallel_tool_use\":true}"));
		return;
	}
	out_key(o, "output_config");
	out_text(o, "{\"format\":{\"type\":\"json_schema\",\"schema\":");
	out_json_raw(o, schema);
	out_text(o, "}}");
}

static struct str
body_of(
    const struct endpoint *endpoint, const struct prompt *p, struct arena *a)
{
	static const struct content_form form = {
		.text = "{\"type\":\"text\",\"text\":",
		.text_end = "}",
		.type = "{\"type\":\"image\",\"source\":{\"type\":\"base64\","
			"\"media_type\":\"",
		.data = "\",\"data\":\"",
		.image_end = "\"}}",
	};
	struct prompt_chat chat = prompt_chat(a, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "model", str_of(endpoint->model));
	out_member_size(
	    &o, "max_tokens", rest_limit(endpoint, p)); /* is required */
	out_text(&o, ",\"system\":[{\"type\":\"text\",\"text\":");
	out_quoted(&o, chat.system);
	out_text(&o, ",\"cache_control\":{\"type\":\"ephemeral\"}}]");
	out_key(&o, "messages");
	out_begin(&o, '[');
	out_begin(&o, '{');
	out_member_str(&o, "role", STR("user"));
	content_put_member(&o, &form, endpoint, p, chat.user);
	out_end(&o, '}');
	out_end(&o, ']');
	if (!(endpoint->refused & REST_NO_JSON))
		put_schema(&o, a, p, endpoint->refused);
	if (endpoint->temperature >= 0 &&
	    !(endpoint->refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	return rest_body(endpoint, &o, a);
}

static void
anthropic_post(
    const struct endpoint *endpoint, struct exchange *x, struct str body)
{
	rest_post(endpoint, x, STR("/messages"), ANTHROPIC_VERSION, body);
}

static void
anthropic_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	anthropic_post(endpoint, x, body_of(endpoint, p, x->arena));
}

/* Returns whether the model is one of those that are known to accept a
 * temperature. All later models refuse any temperature. */
static bool
takes_temperature(const char *model)
{
	static const char *const names[] = { "claude-instant", "claude-2",
		"claude-3", "claude-opus-4-0", "claude-opus-4-1",
		"claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-20250514",
		"claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4-6",
		"claude-sonnet-4-20250514", "claude-haiku-4-5" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct str name = str_of(names[i]), all = str_of(model);
		size_t at = str_find(all, name);
		struct str rest = str_from(all, at + name.n);

		if (at < all.n &&
		    (rest.n == 0 || rest.s[0] < '0' || rest.s[0] > '9'))
			return true;
	}
	return false;
}

static void
anthropic_prepare(struct endpoint *endpoint)
{
	if (endpoint->temperature < 0 || takes_temperature(endpoint->model))
		return;
	endpoint->refused |= REST_NO_TEMPERATURE;
	diag_warn((struct place){ 0 },
	    "%s is not known to accept a temperature; asking without",
	    endpoint->model);
}

/* Reads the usage. The input count excludes tokens that were read from or
 * written to a cache. */
static struct usage
usage_of_message(const struct json *usage)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "input_tokens",
		[USAGE_CACHE_READ] = "cache_read_input_tokens",
		[USAGE_CACHE_WRITE] = "cache_creation_input_tokens",
		[USAGE_OUTPUT] = "output_tokens",
	};
	struct usage u = { 0 };

	usage_read_named(&u, usage, words);
	return u;
}

/* Returns the tool's input, or else the joined texts. Thinking blocks are
 * neither. Two inputs are joined, and are not JSON then. */
static struct str
content_of(const struct json *content, struct arena *a)
{
	struct str all = { 0 };

	for (json_each(block, content)) {
		const struct json *input = json_get(block, "input");

		if (json_str_is(json_get(block, "type"), "tool_use") &&
		    input != NULL)
			all = str_cat(a, all, input->text);
	}
	return all.s != NULL ? all : rest_parts(content, "text", a);
}

static void
read_message(const struct json *body, struct arena *a, struct answer *answer)
{
	static const char *const ends[] = { "end_turn", "tool_use",
		"stop_sequence", NULL };
	const struct json *end = json_get(body, "stop_reason");
	struct str content = content_of(json_get(body, "content"), a);

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	answer->usage = usage_of_message(json_get(body, "usage"));
	if (json_str_is(end, "refusal")) {
		answer->text = rest_refused(a,
		    json_text(json_path(body, "stop_details.explanation"), a));
	} else if (json_str_is(end, "max_tokens") ||
	    json_str_is(end, "model_context_window_exceeded")) {
		rest_cut_off(answer);
	} else if (content.s != NULL && rest_ended(end, ends, a, answer)) {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

static void
anthropic_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest messages = {
		.format = { "output_config", "output format", "output_format",
		    "tool_choice", "tools" },
		.less = "for the input of a tool",
		.least = "for text",
		.limit = "max_tokens",
		.limit_required = true,
		.read = read_message,
	};

	rest_read(&messages, endpoint, x, answer);
}

/* Adds the version to the URL: ANTHROPIC_BASE_URL names the server without
 * it. */
static struct str
base(struct arena *a, struct str url)
{
	return str_ends(url, "/v1") ? url : str_cat(a, url, STR("/v1"));
}

enum {
	REQUESTS_MAX = 100000,
	BYTES_MAX = 256 * 1000 * 1000,
	CLOCKS_MS = 5 * 60 * 1000, /* allowed delay of the server's clock */
};

/* ---- batches: out ---- */

static void
anthropic_put(struct out *o, const struct endpoint *endpoint, struct str body)
{
	(void)endpoint;
	out_text(o, ",\"params\":");
	out_str(o, body);
	out_char(o, '}');
}

static void
anthropic_put_refusal(struct out *o, int status, const struct json *reply)
{
	(void)status; /* the type of the error implies it */
	out_text(o, ",\"result\":{\"type\":\"errored\",\"error\":");
	out_str(o, reply->text);
	out_text(o, "}}");
}

static void
anthropic_create(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	rest_post(
	    endpoint, x, STR("/messages/batches"), ANTHROPIC_VERSION, STR(""));
	x->file = job->requests;
}

static void
get(const struct endpoint *endpoint, struct exchange *x, struct str path)
{
	rest_get(
	    endpoint, x, str_cat(x->arena, STR("/messages/batches"), path));
	rest_header(x, ANTHROPIC_VERSION);
}

static void
anthropic_look(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	get(endpoint, x, str_cat(x->arena, STR("/"), job->batch));
}

static void
anthropic_list(const struct endpoint *endpoint, enum batch_kind kind,
    struct str after, struct exchange *x)
{
	struct str path = STR("?limit=100");

	(void)kind;
	if (after.s != NULL)
		path = str_printf(x->arena, "%.*s&after_id=%.*s", STR_FMT(path),
		    STR_FMT(after));
	get(endpoint, x, path);
}

/* Returns the scheme, host and port of a URL: "https://host:1234". */
static struct str
origin_of(struct str url)
{
	size_t host = str_find(url, "://") + 3;

	return str_slice(
	    url, 0, host + str_find_char(str_from(url, host), '/'));
}

/* Fetches from the URL of the results only if that URL is on the user's own
 * server: the key is sent to no other. */
static void
anthropic_fetch(const struct endpoint *endpoint, const struct batch_job *job,
    struct str results, struct exchange *x)
{
	get(endpoint, x,
	    str_printf(x->arena, "/%.*s/results", STR_FMT(job->batch)));
	if (str_eq(origin_of(results), origin_of(str_of(endpoint->to))))
		x->to = str_c(x->arena, results);
}

/* ---- batches: back ---- */

static const char *const counts[] = { "processing", "succeeded", "errored",
	"canceled", "expired" };

enum { COUNTS = sizeof counts / sizeof counts[0] };

static double
count_of(const struct json *batch, size_t i)
{
	const struct json *n =
	    json_get(json_get(batch, "request_counts"), str_of(counts[i]));

	return json_is(n, JSON_NUMBER) ? json_double(n) : 0;
}

static void
anthropic_news(
    const struct json *batch, struct arena *a, struct batch_status *news)
{
	struct str url = json_text(json_get(batch, "results_url"), a);

	news->name = json_text(json_get(batch, "id"), a);
	news->status = json_text(json_get(batch, "processing_status"), a);
	news->ended = str_is(news->status, "ended");
	if (url.s != NULL)
		news->results[0] = url;
	else if (news->ended)
		news->trouble = STR("the server no longer has the results");
	for (size_t i = 0; i < COUNTS; i++)
		news->n += count_of(batch, i);
	news->done = news->n - count_of(batch, 0);
}

static struct str
anthropic_next(const struct json *page, struct arena *a)
{
	if (!json_is(json_get(page, "has_more"), JSON_TRUE))
		return (struct str){ 0 };
	return json_text(json_get(page, "last_id"), a);
}

static bool
anthropic_is_job(const struct json *batch, const struct batch_job *job)
{
	struct arena a = { 0 };
	double n = 0;
	int64_t made;
	bool known =
	    timestamp_text(json_text(json_get(batch, "created_at"), &a), &made);

	arena_free(&a);
	for (size_t i = 0; i < COUNTS; i++)
		n += count_of(batch, i);
	return known && made >= job->begun - CLOCKS_MS && n == (double)job->n;
}

/* Returns the HTTP status that the same error has outside a batch. */
static int
status_of(const struct json *error)
{
	static const struct {
		const char *type;
		int status;
	} types[] = {
		{ "authentication_error", 401 },
		{ "billing_error", 402 },
		{ "permission_error", 403 },
		{ "not_found_error", 404 },
		{ "request_too_large", 413 },
		{ "rate_limit_error", 429 },
		{ "api_error", 500 },
		{ "timeout_error", 504 },
		{ "overloaded_error", 529 },
	};
	const struct json *type = json_get(error, "type");

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (json_str_is(type, str_of(types[i].type)))
			return types[i].status;
	return 400;
}

static void
anthropic_take(const struct json *line, struct exchange *x)
{
	const struct json *result = json_get(line, "result");
	const struct json *message = json_get(result, "message");
	const struct json *error = json_get(result, "error");
	struct str type = json_text(json_get(result, "type"), x->arena);

	if (str_is(type, "succeeded") && message != NULL) {
		x->status = 200;
		x->reply = message->text;
	} else if (str_is(type, "errored") && error != NULL) {
		x->status = status_of(json_get(error, "error"));
		x->reply = error->text;
	} else {
		x->trouble =
		    str_printf(x->arena, "the batch reports an error: %.*s",
			STR_FMT(type.n == 0 ? STR("nothing") : type));
	}
}

static const struct batch_api batch_anthropic = {
	.requests = REQUESTS_MAX,
	.bytes = BYTES_MAX,
	.suffix = "json",
	.begin = "{\"requests\":[\n",
	.between = ",\n",
	.end = "\n]}\n",
	.open = "{\"custom_id\":",
	.put = anthropic_put,
	.name = "custom_id",
	.body = "params",
	.put_refusal = anthropic_put_refusal,
	.take = anthropic_take,
	.create = anthropic_create,
	.look = anthropic_look,
	.list = anthropic_list,
	.fetch = anthropic_fetch,
	.news = anthropic_news,
	.elements = "data",
	.next = anthropic_next,
	.is_job = anthropic_is_job,
};

static bool
anthropic_about(const struct endpoint *p, struct exchange *x, struct str last)
{
	struct arena *a = x->arena;

	rest_get(
	    p, x, str_cat(a, STR("/models/"), uri_encode(a, str_of(p->model))));
	rest_header(x, ANTHROPIC_VERSION);
	return last.s == NULL;
}

const struct provider provider_anthropic = {
	.name = "anthropic",
	.what = "Anthropic Messages",
	.takes_images = true,
	.carrier = &http,
	.url = "https://api.anthropic.com",
	.url_variable = "ANTHROPIC_BASE_URL",
	.base = base,
	.keys = { { "ANTHROPIC_API_KEY", "x-api-key: " },
	    { "ANTHROPIC_AUTH_TOKEN", "Authorization: Bearer " } },
	.write = anthropic_write,
	.post = anthropic_post,
	.prepare = anthropic_prepare,
	.read = anthropic_read,
	.about = anthropic_about,
	.batch_api = &batch_anthropic,
};
