/*
 * Google's Gemini: generateContent.
 *
 * Gemini's batchGenerateContent: a file is uploaded, and an operation
 * processes it, which at its end names a file of results.
 */
#include "judge/provider/gemini.h"

#include "base/uri.h"
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/batch_api.h"
#include "judge/provider/content.h"
#include "judge/provider/rest.h"

/* Returns the path of a method of the model (":METHOD"), or of the model. "gemini-x" is short for
 * "models/gemini-x". */
static struct str
gemini_path(
    const struct endpoint *endpoint, struct arena *a, const char *method)
{
	struct str model = str_of(endpoint->model), folder;

	folder = str_cut(&model, '/');
	if (model.s == NULL) {
		model = folder;
		folder = STR("models");
	}
	return str_printf(a, "/%.*s/%.*s%s", STR_FMT(uri_encode(a, folder)),
	    STR_FMT(uri_encode(a, model)), method);
}

/* ---- the request ---- */

static void
put_settings(struct out *o, struct arena *a, const struct endpoint *endpoint,
    const struct prompt *p)
{
	unsigned refused = endpoint->refused;
	size_t limit = rest_limit(endpoint, p);

	out_member_begin(o, "generationConfig", '{');
	if (!(refused & REST_NO_JSON))
		out_member_str(o, "responseMimeType", STR("application/json"));
	if (!(refused & (REST_NO_JSON | REST_NO_SCHEMA))) {
		out_key(o, "responseJsonSchema");
		out_json_raw(o, prompt_schema(a, p));
	}
	if (endpoint->temperature >= 0 && !(refused & REST_NO_TEMPERATURE))
		out_member_double(o, "temperature", endpoint->temperature);
	if (limit != 0)
		out_member_size(o, "maxOutputTokens", limit);
	out_end(o, '}');
}

static struct str
body_of(
    const struct endpoint *endpoint, const struct prompt *p, struct arena *a)
{
	static const struct content_form form = {
		.text = "{\"text\":",
		.text_end = "}",
		.type = "{\"inlineData\":{\"mimeType\":\"",
		.data = "\",\"data\":\"",
		.image_end = "\"}}",
	};
	struct prompt_chat chat = prompt_chat(a, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_begin(&o, "systemInstruction", '{');
	out_key(&o, "parts");
	out_text(&o, "[{\"text\":");
	out_quoted(&o, chat.system);
	out_text(&o, "}]}");
	out_text(&o, ",\"contents\":[{\"role\":\"user\",\"parts\":");
	o.comma = false;
	content_put(&o, &form, endpoint, p, chat.user);
	out_text(&o, "}]");
	put_settings(&o, a, endpoint, p);
	return rest_body(endpoint, &o, a);
}

static void
gemini_post(
    const struct endpoint *endpoint, struct exchange *x, struct str body)
{
	rest_post(endpoint, x,
	    gemini_path(endpoint, x->arena, ":generateContent"), NULL, body);
}

void
gemini_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	gemini_post(endpoint, x, body_of(endpoint, p, x->arena));
}

/* ---- the reply ---- */

/* Reads the usage. The prompt count includes tokens that were read from a
 * cache; thoughts are output. */
static struct usage
usage_of_reply(const struct json *usage)
{
	const struct json *said = json_get(usage, "candidatesTokenCount");
	const struct json *thought = json_get(usage, "thoughtsTokenCount");
	struct usage u = { 0 };

	usage_read(
	    &u, USAGE_CACHE_READ, json_get(usage, "cachedContentTokenCount"));
	usage_input_with_cache(&u, json_get(usage, "promptTokenCount"));
	usage_read(&u, USAGE_REASONING, thought);
	usage_read(&u, USAGE_OUTPUT, said);
	if (said == NULL && u.known & 1U << USAGE_REASONING)
		usage_set(&u, USAGE_OUTPUT, 0);
	u.n[USAGE_OUTPUT] += u.n[USAGE_REASONING];
	return u;
}

static struct str
content_of(const struct json *candidate, struct arena *a)
{
	struct str *texts = NULL;
	size_t n = 0;

	for (json_each(part, json_path(candidate, "content.parts"))) {
		struct str text = json_text(json_get(part, "text"), a);

		if (text.s != NULL &&
		    !json_is(json_get(part, "thought"), JSON_TRUE))
			*arena_push(a, texts, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, texts, n, STR(""));
}

static bool
is_filtered(const struct json *body, const struct json *end)
{
	static const char *const words[] = { "SAFETY", "RECITATION",
		"BLOCKLIST", "PROHIBITED_CONTENT", "SPII" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (json_str_is(end, str_of(words[i])))
			return true;
	return json_is(
	    json_path(body, "promptFeedback.blockReason"), JSON_STRING);
}

static void
read_content(const struct json *body, struct arena *a, struct answer *answer)
{
	const struct json *candidate = json_at(json_get(body, "candidates"), 0);
	const struct json *end = json_get(candidate, "finishReason");
	struct str content = content_of(candidate, a);

	answer->model =
	    str_dup(a, json_text(json_get(body, "modelVersion"), a));
	answer->usage = usage_of_reply(json_get(body, "usageMetadata"));
	if (is_filtered(body, end)) {
		answer->text = rest_filtered();
	} else if (json_str_is(end, "MAX_TOKENS")) {
		rest_cut_off(answer);
	} else if (rest_ended(
		       end, (const char *[]){ "STOP", NULL }, a, answer) &&
	    content.s != NULL) {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

void
gemini_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest generate = {
		.format = { "responseJsonSchema", "response_json_schema",
		    "responseMimeType", "response_mime_type", "JSON mode" },
		.less = "for any JSON",
		.least = "for text",
		.limit = "maxOutputTokens",
		.read = read_content,
	};

	rest_read(&generate, endpoint, x, answer);
}

/* Adds the version to the URL: GOOGLE_GEMINI_BASE_URL names the server without
 * it. */
static struct str
base(struct arena *a, struct str url)
{
	struct str rest = url, last = { 0 };

	while (rest.s != NULL)
		last = str_cut(&rest, '/');
	return str_starts(last, "v1") ? url : str_cat(a, url, STR("/v1beta"));
}

#define BYTES_MAX 2000000000U

/* ---- batches: out ---- */

static void
gemini_put(struct out *o, const struct endpoint *endpoint, struct str body)
{
	(void)endpoint;
	out_text(o, ",\"request\":");
	out_str(o, body);
	out_char(o, '}');
}

static void
gemini_put_refusal(struct out *o, int status, const struct json *reply)
{
	const struct json *error = json_get(reply, "error");

	(void)status; /* the code of the error is the same */
	out_text(o, ",\"error\":");
	out_str(o, error != NULL ? error->text : reply->text);
	out_char(o, '}');
}

static struct str
label_of(const struct batch_job *job, struct arena *a)
{
	return str_printf(a, "mcpl-%.*s", STR_FMT(job->label));
}

/* Returns a URL for large transfers, which have their own prefix:
 * "https://HOST/upload/v1beta/files" beside "https://HOST/v1beta". */
static const char *
address(const struct endpoint *endpoint, struct arena *a, const char *what,
    struct str path)
{
	struct str to = str_of(endpoint->to);
	size_t slash = to.n;

	while (slash > 0 && to.s[slash - 1] != '/')
		slash--;
	return str_c(a,
	    str_printf(a, "%.*s%s/%.*s%.*s", STR_FMT(str_slice(to, 0, slash)),
		what, STR_FMT(str_from(to, slash)), STR_FMT(path)));
}

static void
gemini_upload(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	struct arena *a = x->arena;
	struct str label = label_of(job, a);
	struct str type =
	    str_cat(a, STR("multipart/related; boundary="), label);
	struct str begin = str_printf(a,
	    "--%.*s\r\n"
	    "Content-Type: application/json; charset=utf-8\r\n"
	    "\r\n"
	    "{\"file\":{\"displayName\":\"%.*s\"}}\r\n"
	    "--%.*s\r\n"
	    "Content-Type: application/jsonl\r\n"
	    "\r\n",
	    STR_FMT(label), STR_FMT(label), STR_FMT(label));

	rest_send(endpoint, x, STR("/files"), str_c(a, type), begin);
	rest_header(x, "X-Goog-Upload-Protocol: multipart");
	x->to = address(endpoint, a, "upload", STR("/files"));
	x->file = job->requests;
	x->tail = str_printf(a, "\r\n--%.*s--\r\n", STR_FMT(label));
}

/* Gets a resource by the server's name, which includes the folder: "files/x",
 * "batches/y". */
static void
get(const struct endpoint *endpoint, struct exchange *x, struct str name)
{
	rest_get(endpoint, x, str_cat(x->arena, STR("/"), name));
}

static void
gemini_await(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	get(endpoint, x, job->upload);
}

static void
gemini_create(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	struct out o;

	out_open_memory(&o);
	out_text(&o, "{\"batch\":{\"display_name\":");
	out_quoted(&o, label_of(job, x->arena));
	out_text(&o, ",\"input_config\":{\"file_name\":");
	out_quoted(&o, job->upload);
	out_text(&o, "}}}");
	rest_post(endpoint, x,
	    gemini_path(endpoint, x->arena, ":batchGenerateContent"), NULL,
	    out_keep(&o, x->arena));
}

static void
gemini_look(const struct endpoint *endpoint, const struct batch_job *job,
    struct exchange *x)
{
	get(endpoint, x, job->batch);
}

static void
gemini_list(const struct endpoint *endpoint, enum batch_kind kind,
    struct str after, struct exchange *x)
{
	struct str path = STR("batches?pageSize=100");

	(void)kind;
	if (after.s != NULL)
		path = str_printf(x->arena, "%.*s&pageToken=%.*s",
		    STR_FMT(path), STR_FMT(uri_encode(x->arena, after)));
	get(endpoint, x, path);
}

static void
gemini_fetch(const struct endpoint *endpoint, const struct batch_job *job,
    struct str results, struct exchange *x)
{
	struct str path =
	    str_printf(x->arena, "/%.*s:download?alt=media", STR_FMT(results));

	(void)job;
	rest_get(endpoint, x, path);
	x->to = address(endpoint, x->arena, "download", path);
}

/* ---- batches: back ---- */

/* Returns whether the state is final. The prefix varies: JOB_STATE_EXPIRED or
 * BATCH_STATE_EXPIRED. */
static bool
is_end(struct str state)
{
	static const char *const ends[] = { "STATE_SUCCEEDED",
		"STATE_PARTIALLY_SUCCEEDED", "STATE_FAILED", "STATE_CANCELLED",
		"STATE_EXPIRED" };

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (str_ends(state, str_of(ends[i])))
			return true;
	return false;
}

/* Returns a count, which is a text: "12". */
static double
count_of(const struct json *stats, const char *name)
{
	struct str digits = json_raw(json_get(stats, str_of(name)));
	double n = 0;

	for (size_t i = 0; i < digits.n; i++)
		if (digits.s[i] >= '0' && digits.s[i] <= '9')
			n = n * 10 + (digits.s[i] - '0');
	return n;
}

static void
read_operation(
    const struct json *reply, struct arena *a, struct batch_status *news)
{
	const struct json *batch = json_get(reply, "metadata");
	const struct json *stats = json_get(batch, "batchStats");
	const struct json *file = json_path(reply, "response.responsesFile");

	if (file == NULL)
		file = json_path(batch, "output.responsesFile");
	news->name = json_text(json_get(reply, "name"), a);
	news->status = json_text(json_get(batch, "state"), a);
	news->ended =
	    is_end(news->status) || json_is(json_get(reply, "done"), JSON_TRUE);
	news->results[0] = json_text(file, a);
	news->trouble = json_text(json_path(reply, "error.message"), a);
	news->n = count_of(stats, "requestCount");
	news->done = count_of(stats, "successfulRequestCount") +
	    count_of(stats, "failedRequestCount");
}

static void
gemini_news(
    const struct json *reply, struct arena *a, struct batch_status *news)
{
	const struct json *file = json_get(reply, "file");

	if (file == NULL && json_get(reply, "metadata") != NULL) {
		read_operation(reply, a, news);
		return;
	}
	if (file == NULL)
		file = reply;
	news->name = json_text(json_get(file, "name"), a);
	news->status = json_text(json_get(file, "state"), a);
	news->ended = !str_is(news->status, "PROCESSING");
	if (str_is(news->status, "FAILED"))
		news->trouble = STR("the server could not process the upload");
}

static struct str
gemini_next(const struct json *page, struct arena *a)
{
	struct str token = json_text(json_get(page, "nextPageToken"), a);

	if (token.n == 0)
		return (struct str){ 0 };
	return token;
}

static bool
gemini_is_job(const struct json *operation, const struct batch_job *job)
{
	struct arena a = { 0 };
	bool is = json_str_is(
	    json_path(operation, "metadata.displayName"), label_of(job, &a));

	arena_free(&a);
	return is;
}

enum { CANCELLED = 1 };

/* Returns the HTTP status of an error in a batch, which has a gRPC code. */
static int
status_of(int64_t code)
{
	static const int of[] = { 500, 499, 500, 400, 504, 404, 409, 403, 429,
		400, 409, 400, 501, 500, 503, 500, 401 };

	if (code >= 0 && code < (int64_t)(sizeof of / sizeof of[0]))
		return of[code];
	return code < 300 || code > 599 ? 500 : (int)code;
}

static void
gemini_take(const struct json *line, struct exchange *x)
{
	const struct json *response = json_get(line, "response");
	const struct json *error = json_get(line, "error");
	int64_t code = 0;

	json_int(json_get(error, "code"), &code);
	if (response != NULL) {
		x->status = 200;
		x->reply = response->text;
	} else if (error != NULL && code != CANCELLED) {
		x->status = status_of(code);
		x->reply = line->text;
	} else {
		x->trouble = json_text(json_get(error, "message"), x->arena);
		if (x->trouble.n == 0)
			x->trouble = STR("the batch has no reply");
	}
}

static const struct batch_api batch_gemini = {
	.requests = SIZE_MAX,
	.bytes = BYTES_MAX,
	.suffix = "jsonl",
	.begin = "",
	.between = "\n",
	.end = "\n",
	.open = "{\"key\":",
	.put = gemini_put,
	.name = "key",
	.body = "request",
	.put_refusal = gemini_put_refusal,
	.take = gemini_take,
	.upload = gemini_upload,
	.await = gemini_await,
	.create = gemini_create,
	.look = gemini_look,
	.list = gemini_list,
	.fetch = gemini_fetch,
	.news = gemini_news,
	.elements = "operations",
	.next = gemini_next,
	.is_job = gemini_is_job,
};

static bool
gemini_about(const struct endpoint *p, struct exchange *x, struct str last)
{
	rest_get(p, x, gemini_path(p, x->arena, ""));
	return last.s == NULL;
}

const struct provider provider_gemini = {
	.name = "gemini",
	.what = "Google Gemini",
	.takes_images = true,
	.carrier = &http,
	.url = "https://generativelanguage.googleapis.com",
	.url_variable = "GOOGLE_GEMINI_BASE_URL",
	.base = base,
	.keys = { { "GOOGLE_API_KEY", "x-goog-api-key: " },
	    { "GEMINI_API_KEY", "x-goog-api-key: " } },
	.write = gemini_write,
	.post = gemini_post,
	.read = gemini_read,
	.about = gemini_about,
	.batch_api = &batch_gemini,
};
