/*
 * OpenAI's Chat Completions API, and the many servers that speak it.
 *
 * Servers differ: an error may be an object or a string, or be part of a reply
 * with status 200; content may be null or a list of parts; usage may be
 * missing.
 *
 * OpenAI's Batch API: a file is uploaded, and a batch is created from it.
 * Azure's has other addresses, and its uploads take time to process; its
 * timestamps are texts, its words differ in case, and its counts may be null.
 */
#include "judge/provider/openai.h"

#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/content.h"
#include "judge/provider/rest.h"

static void
put_message(struct out *o, const char *role, struct str content)
{
	out_begin(o, '{');
	out_member_str(o, "role", str_of(role));
	out_key(o, "content");
	out_json_str(o, content);
	out_end(o, '}');
}

static void
put_format(
    struct out *o, struct arena *a, const struct prompt *p, unsigned refused)
{
	out_member_begin(o, "response_format", '{');
	out_key(o, "type");
	if (refused & REST_NO_SCHEMA) {
		out_json_str(o, STR("json_object"));
	} else {
		out_json_str(o, STR("json_schema"));
		out_key(o, "json_schema");
		out_text(o,
		    "{\"name\":\"verdicts\",\"strict\":true,"
		    "\"schema\":");
		out_json_raw(o, prompt_schema(a, p));
		out_end(o, '}');
	}
	out_end(o, '}');
}

struct str
openai_chat_body(const struct endpoint *endpoint, const struct prompt *p,
    struct arena *a, const char *more)
{
	static const struct content_form form = {
		.text = "{\"type\":\"text\",\"text\":",
		.text_end = "}",
		.type =
		    "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:",
		.data = ";base64,",
		.image_end = "\"}}",
	};
	struct prompt_chat chat = prompt_chat(a, p);
	unsigned refused = endpoint->refused;
	size_t limit = rest_limit(endpoint, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "model", str_of(endpoint->model));
	out_member_begin(&o, "messages", '[');
	put_message(&o, "system", chat.system);
	out_begin(&o, '{');
	out_member_str(&o, "role", STR("user"));
	content_put_member(&o, &form, endpoint, p, chat.user);
	out_end(&o, '}');
	out_end(&o, ']');
	if (!(refused & REST_NO_JSON))
		put_format(&o, a, p, refused);
	if (endpoint->temperature >= 0 && !(refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	if (limit != 0) {
		out_key(&o,
		    refused & REST_OLD_LIMIT ? "max_tokens"
					     : "max_completion_tokens");
		out_json_int(&o, (int64_t)limit);
	}
	out_text(&o, more);
	return rest_body(endpoint, &o, a);
}

/* Reads the usage. The input count includes tokens that were read from a
 * cache. */
struct usage
openai_chat_usage(
    const struct json *usage, const char *input, const char *output)
{
	const struct json *in = json_get(usage, str_of(input));
	const struct json *out = json_get(usage, str_of(output));
	struct usage u = { 0 };

	usage_read(&u, USAGE_CACHE_READ,
	    json_path(usage, "prompt_tokens_details.cached_tokens"));
	usage_read(&u, USAGE_CACHE_READ,
	    json_path(usage, "input_tokens_details.cached_tokens"));
	usage_input_with_cache(&u, in);
	usage_read(&u, USAGE_OUTPUT, out);
	usage_read(&u, USAGE_REASONING,
	    json_path(usage, "completion_tokens_details.reasoning_tokens"));
	usage_read(&u, USAGE_REASONING,
	    json_path(usage, "output_tokens_details.reasoning_tokens"));
	usage_read(&u, USAGE_COST, json_get(usage, "cost"));
	return u;
}

/* Returns the content: a string, or the joined texts of a list of parts;
 * absent if there is none. */
static struct str
content_of(const struct json *content, struct arena *a)
{
	if (json_is(content, JSON_STRING))
		return str_dup(a, json_text(content, a));
	return rest_parts(content, NULL, a);
}

static const struct json *
choice_of(const struct json *body)
{
	return json_at(json_get(body, "choices"), 0);
}

static const struct json *
inner_error(const struct json *body)
{
	return json_get(choice_of(body), "error");
}

static void
read_chat(const struct json *body, struct arena *a, struct answer *answer)
{
	static const char *const ends[] = { "stop", "eos_token", "eos", NULL };
	const struct json *choice = choice_of(body);
	const struct json *message = json_get(choice, "message");
	const struct json *end = json_get(choice, "finish_reason");
	struct str refusal = json_text(json_get(message, "refusal"), a);
	struct str content = content_of(json_get(message, "content"), a);

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	answer->usage = openai_chat_usage(
	    json_get(body, "usage"), "prompt_tokens", "completion_tokens");
	if (refusal.n != 0) {
		answer->text = rest_refused(a, refusal);
	} else if (json_str_is(end, "length") ||
	    json_str_is(end, "model_length")) {
		rest_cut_off(answer);
	} else if (json_str_is(end, "content_filter")) {
		answer->text = rest_filtered();
	} else if (content.s != NULL && rest_ended(end, ends, a, answer)) {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

void
openai_chat_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest chat = {
		.format = { "response_format", "json_schema", "json_object" },
		.less = "for any JSON",
		.least = "for text",
		.no_provider = "requested parameters", /* OpenRouter */
		.limit = "max_completion_tokens",
		.old_limit = "max_tokens",
		.inner = inner_error,
		.read = read_chat,
	};

	rest_read(&chat, endpoint, x, answer);
}

enum { REQUESTS_MAX = 50000, BYTES_MAX = 200 * 1000 * 1000 };

/* ---- batches: out ---- */

static void
openai_put(struct out *o, const struct endpoint *endpoint, struct str body)
{
	out_text(o, ",\"method\":\"POST\",\"url\":\"");
	out_text(o, endpoint->provider->batch_url);
	out_text(o, "\",\"body\":");
	out_str(o, body);
	out_char(o, '}');
}

static void
openai_put_refusal(struct out *o, int status, const struct json *reply)
{
	out_printf(o, ",\"response\":{\"status_code\":%d,\"body\":", status);
	out_str(o, reply->text);
	out_text(o, "},\"error\":null}");
}

static struct str
path_at(const struct endpoint *endpoint, struct arena *a, struct str path)
{
	const struct provider *p = endpoint->provider;

	return p->batch_path == NULL ? path : p->batch_path(endpoint, a, path);
}

static void
get(const struct endpoint *endpoint, struct exchange *x, struct str path)
{
	rest_get(endpoint, x, path_at(endpoint, x->arena, path));
}

/* Returns the name of the upload, by which it is found again. */
static struct str
file_name(const struct batch_job *job, struct arena *a)
{
	return str_printf(a, "mcpl-%.*s.jsonl", STR_FMT(job->label));
}

/* Uploads the file as a multipart form. No line of the file can be the
 * boundary, because the label is random and newer than the file. */
static void
openai_upload(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	struct arena *a = x->arena;
	struct str boundary = str_cat(a, STR("mcpl-judge-"), job->label);
	struct str type =
	    str_cat(a, STR("multipart/form-data; boundary="), boundary);
	struct str begin = str_printf(a,
	    "--%.*s\r\n"
	    "Content-Disposition: form-data; name=\"purpose\"\r\n"
	    "\r\n"
	    "batch\r\n"
	    "--%.*s\r\n"
	    "Content-Disposition: form-data; name=\"file\"; "
	    "filename=\"%.*s\"\r\n"
	    "Content-Type: application/jsonl\r\n"
	    "\r\n",
	    STR_FMT(boundary), STR_FMT(boundary), STR_FMT(file_name(job, a)));

	rest_send(endpoint, x, path_at(endpoint, a, STR("/files")),
	    str_c(a, type), begin);
	x->file = job->requests;
	x->tail = str_printf(a, "\r\n--%.*s--\r\n", STR_FMT(boundary));
}

static void
openai_await(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	get(endpoint, x, str_cat(x->arena, STR("/files/"), job->upload));
}

static void
openai_create(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "input_file_id", job->upload);
	out_member_str(&o, "endpoint", str_of(endpoint->provider->batch_url));
	out_member_str(&o, "completion_window", STR("24h"));
	out_member_begin(&o, "metadata", '{');
	out_member_str(&o, "mcpl_judge", job->label);
	out_end(&o, '}');
	out_end(&o, '}');
	rest_post(endpoint, x, path_at(endpoint, x->arena, STR("/batches")),
	    NULL, out_keep(&o, x->arena));
}

static void
openai_look(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	get(endpoint, x, str_cat(x->arena, STR("/batches/"), job->batch));
}

static void
openai_list(const struct endpoint *endpoint, enum batch_kind kind,
    struct str after, struct exchange *x)
{
	struct str path = kind == BATCH_UPLOADS ? STR("/files?purpose=batch")
						: STR("/batches?limit=100");

	if (after.s != NULL)
		path = str_printf(
		    x->arena, "%.*s&after=%.*s", STR_FMT(path), STR_FMT(after));
	get(endpoint, x, path);
}

static void
openai_fetch(const struct endpoint *endpoint, const struct batch_job *job,
    struct str results, struct exchange *x)
{
	(void)job;
	get(endpoint, x,
	    str_printf(x->arena, "/files/%.*s/content", STR_FMT(results)));
}

/* ---- batches: back ---- */

static bool
is_one_of(struct str word, const char *const *words)
{
	while (*words != NULL && !str_eq_ascii_nocase(word, str_of(*words)))
		words++;
	return *words != NULL;
}

/* Returns the messages of the first few errors: "line 3: MESSAGE; line 7:
 * MESSAGE". */
static struct str
trouble_of(const struct json *errors, struct arena *a)
{
	enum { MANY = 3 };
	const struct json *list = json_get(errors, "data");
	struct str all = { 0 };
	size_t n = 0;

	for (json_each(error, list)) {
		struct str message = json_text(json_get(error, "message"), a);
		int64_t line;

		if (message.s == NULL)
			message = error->text;
		if (json_int(json_get(error, "line"), &line))
			message = str_printf(a, "line %lld: %.*s",
			    (long long)line, STR_FMT(message));
		if (n++ != 0)
			all = str_cat(a, all, STR("; "));
		all = str_cat(a, all, message);
		if (n == MANY && json_count(list) > MANY)
			return str_printf(a, "%.*s; and %zu more", STR_FMT(all),
			    json_count(list) - MANY);
	}
	return all;
}

/* Returns the id of a file; absent if it is null or empty. */
static struct str
file_of(const struct json *v, struct arena *a)
{
	struct str id = json_text(v, a);

	if (id.n == 0)
		return (struct str){ 0 };
	return id;
}

static void
read_upload(struct batch_status *news)
{
	static const char *const ends[] = { "processed", "uploaded", NULL };
	static const char *const bad[] = { "error", "failed", "deleted", NULL };

	news->ended = news->status.s == NULL || is_one_of(news->status, ends);
	if (is_one_of(news->status, bad))
		news->trouble = STR("the server could not process the upload");
}

static void
read_batch(const struct json *reply, struct arena *a, struct batch_status *news)
{
	static const char *const ends[] = { "completed", "expired", "cancelled",
		"failed", NULL };
	const struct json *counts = json_get(reply, "request_counts");
	double total = json_double(json_get(counts, "total"));

	news->ended = is_one_of(news->status, ends);
	news->results[0] = file_of(json_get(reply, "output_file_id"), a);
	news->results[1] = file_of(json_get(reply, "error_file_id"), a);
	news->trouble = trouble_of(json_get(reply, "errors"), a);
	if (total > 0) {
		news->n = total;
		news->done = json_double(json_get(counts, "completed")) +
		    json_double(json_get(counts, "failed"));
	}
}

static void
openai_news(
    const struct json *reply, struct arena *a, struct batch_status *news)
{
	news->name = file_of(json_get(reply, "id"), a);
	news->status = json_text(json_get(reply, "status"), a);
	if (json_get(reply, "purpose") != NULL)
		read_upload(news);
	else
		read_batch(reply, a, news);
}

static struct str
openai_next(const struct json *page, struct arena *a)
{
	const struct json *list = json_get(page, "data");
	size_t n = json_count(list);
	struct str last = json_text(json_get(page, "last_id"), a);

	if (!json_is(json_get(page, "has_more"), JSON_TRUE) || n == 0)
		return (struct str){ 0 };
	if (last.s == NULL)
		last = json_text(json_get(json_at(list, n - 1), "id"), a);
	return last;
}

static bool
openai_is_job(const struct json *element, const struct batch_job *job)
{
	struct arena a = { 0 };
	bool is = json_str_is(
		      json_path(element, "metadata.mcpl_judge"), job->label) ||
	    json_str_is(json_get(element, "filename"), file_name(job, &a));

	arena_free(&a);
	return is;
}

static void
openai_take(const struct json *line, struct exchange *x)
{
	const struct json *response = json_get(line, "response");
	const struct json *error = json_get(line, "error");
	const struct json *body = json_get(response, "body");
	struct str code = json_text(json_get(error, "code"), x->arena);
	struct str why = json_text(json_get(error, "message"), x->arena);
	int64_t status;

	if (json_int(json_get(response, "status_code"), &status) &&
	    status >= 100 && status <= 599 && body != NULL) {
		x->status = (int)status;
		x->reply = body->text;
	} else {
		x->trouble = str_printf(x->arena, "%.*s%s%.*s", STR_FMT(code),
		    code.n == 0 || why.n == 0 ? "" : ": ", STR_FMT(why));
		if (x->trouble.n == 0)
			x->trouble = STR("the batch has no reply");
	}
}

const struct batch_api batch_openai = {
	.requests = REQUESTS_MAX,
	.bytes = BYTES_MAX,
	.suffix = "jsonl",
	.begin = "",
	.between = "\n",
	.end = "\n",
	.open = "{\"custom_id\":",
	.put = openai_put,
	.name = "custom_id",
	.body = "body",
	.put_refusal = openai_put_refusal,
	.take = openai_take,
	.upload = openai_upload,
	.await = openai_await,
	.create = openai_create,
	.look = openai_look,
	.list = openai_list,
	.lists_uploads = true,
	.fetch = openai_fetch,
	.news = openai_news,
	.elements = "data",
	.next = openai_next,
	.is_job = openai_is_job,
};

/* ---- the provider ---- */

/* A server of llama.cpp lists what its model was trained with, and says under
 * another address what it was started with. */
bool
openai_about(const struct endpoint *p, struct exchange *x, struct str last)
{
	struct str to = str_of(p->to);

	if (last.s != NULL && !str_contains(last, "\"n_ctx_train\""))
		return false;
	rest_get(p, x, STR("/models"));
	if (last.s != NULL)
		x->to = str_c(x->arena,
		    str_cat(x->arena,
			str_slice(to, 0, to.n - (str_ends(to, "/v1") ? 3 : 0)),
			STR("/props")));
	return true;
}

void
openai_post(
    const struct endpoint *endpoint, struct exchange *x, struct str body)
{
	rest_post(endpoint, x, STR("/chat/completions"), NULL, body);
}

void
openai_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	openai_post(endpoint, x, openai_chat_body(endpoint, p, x->arena, ""));
}

const struct provider provider_openai = {
	.name = "openai",
	.what = "OpenAI Chat Completions, and the servers that speak it",
	.takes_images = true,
	.carrier = &http,
	.url = "https://api.openai.com/v1",
	.url_variable = "OPENAI_BASE_URL",
	.keys = { { "OPENAI_API_KEY", "Authorization: Bearer " } },
	.write = openai_write,
	.post = openai_post,
	.read = openai_chat_read,
	.about = openai_about,
	.batch_api = &batch_openai,
	.batch_url = "/v1/chat/completions",
};
