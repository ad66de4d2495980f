/* OpenAI's Batch API: a file is uploaded, and a batch made of it. Azure's has
 * other addresses, and its uploads take time; its times are texts and its
 * words in other cases, its counts may be null. */
#include "judge/provider/openai_batch.h"

#include "io/out.h"
#include "judge/provider/rest.h"

enum { REQUESTS_MAX = 50000, BYTES_MAX = 200 * 1000 * 1000 };

/* ---- out ---- */

static void
openai_put(struct out *o, const struct endpoint *endpoint, struct str body)
{
	out_text(o, ",\"method\":\"POST\",\"url\":\"");
	out_text(o, endpoint->provider->batch_url);
	out_text(o, "\",\"body\":");
	out_str(o, body);
	out_char(o, '}');
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

/* The upload's name, by which it is found again. */
static struct str
file_name(const struct batch_job *job, struct arena *a)
{
	return str_printf(a, "mcpl-%.*s.jsonl", STR_FMT(job->label));
}

/* No line of the file can be the boundary, which nobody knew before. */
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

/* ---- back ---- */

static bool
is_one_of(struct str word, const char *const *words)
{
	while (*words != NULL && !str_eq_ascii_nocase(word, str_of(*words)))
		words++;
	return *words != NULL;
}

/* "line 3: MESSAGE; line 7: MESSAGE" of the first few. */
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

/* What is null or empty is not there. */
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
			x->trouble = STR("the batch gives no reply");
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
