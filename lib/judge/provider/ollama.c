/* Ollama's own protocol. With OpenAI's protocol, Ollama silently removes the
 * beginning of a request that exceeds a model's default context, and the
 * rubrics are at the beginning. */
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/content.h"
#include "judge/provider/rest.h"

enum {
	CONTEXT_LEAST = 4096, /* tokens */
	CONTEXT_MOST = 1 << 20,
	TOKEN_BYTES = 3,      /* a lower bound that nearly always holds */
	LONG_TOKEN_BYTES = 5, /* an upper bound that mostly holds */
};

/* ---- the request ---- */

/* Returns the size of the context in tokens: a power of two, since each different
 * size makes the server load the model again, or all that the model takes. */
static size_t
context_for(
    const struct endpoint *endpoint, size_t bytes, size_t images, size_t answer)
{
	size_t need =
	    bytes / TOKEN_BYTES + images * EXCHANGE_IMAGE_TOKENS + answer;
	size_t context = CONTEXT_LEAST, most = endpoint->context_tokens;

	while (context < need && context < CONTEXT_MOST)
		context *= 2;
	return most != 0 && most < context ? most : context;
}

/* Writes the images as a member of the message. Their labels are in the text. */
static void
put_images(
    struct out *o, const struct endpoint *endpoint, const struct prompt *p)
{
	if (!content_has_images(endpoint, p))
		return;
	out_member_begin(o, "images", '[');
	for (size_t i = 0; i < p->n_images; i++)
		out_json_str(o, p->images[i].data);
	out_end(o, ']');
}

static struct str
body_of(
    const struct endpoint *endpoint, const struct prompt *p, struct arena *a)
{
	struct prompt_chat chat = prompt_chat(a, p);
	size_t limit = rest_limit(endpoint, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "model", str_of(endpoint->model));
	out_text(&o, ",\"messages\":[{\"role\":\"system\",\"content\":");
	out_quoted(&o, chat.system);
	out_text(&o, "},{\"role\":\"user\",\"content\":");
	out_quoted(&o, chat.user);
	put_images(&o, endpoint, p);
	/* Without these, the server cuts a request that is too long. */
	out_text(&o, "}],\"stream\":false,\"truncate\":false,\"shift\":false");
	if (!(endpoint->refused & REST_NO_JSON)) {
		out_key(&o, "format");
		out_json_raw(&o,
		    endpoint->refused & REST_NO_SCHEMA ? STR("\"json\"")
						       : prompt_schema(a, p));
	}
	out_member_begin(&o, "options", '{');
	out_member_size(&o, "num_ctx",
	    context_for(
		endpoint, chat.system.n + chat.user.n, p->n_images, limit));
	if (endpoint->temperature >= 0)
		out_member_double(&o, "temperature", endpoint->temperature);
	out_member_size(&o, "num_predict", limit);
	out_end(&o, '}');
	return rest_body(endpoint, &o, a);
}

static void
ollama_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	rest_post(endpoint, x, STR("/api/chat"), NULL,
	    body_of(endpoint, p, x->arena));
}

/* ---- the reply ---- */

static void
read_chat(const struct json *body, struct arena *a, struct answer *answer)
{
	const struct json *content = json_path(body, "message.content");
	const struct json *end = json_get(body, "done_reason");
	struct usage *u = &answer->usage;

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	usage_read(u, USAGE_INPUT, json_get(body, "prompt_eval_count"));
	usage_read(u, USAGE_OUTPUT, json_get(body, "eval_count"));
	if (json_str_is(end, "length")) {
		rest_cut_off(answer);
	} else if (json_is(content, JSON_STRING) &&
	    !json_is(json_get(body, "done"), JSON_FALSE) &&
	    rest_ended(end, (const char *[]){ "stop", NULL }, a, answer)) {
		answer->kind = ANSWER_TEXT;
		answer->text = str_dup(a, json_text(content, a));
	}
}

/* Returns whether the number is a power of two, or is by one less. */
static bool
is_power(double n)
{
	uint64_t i = (uint64_t)n;

	return (i & (i - 1)) == 0 || (i & (i + 1)) == 0;
}

/* Returns whether the prompt filled the whole context: then a part of the
 * prompt is lost. Servers that do not know "truncate" make the context no larger
 * than the model's own, which mostly is a power of two. */
static bool
is_overfull(const struct exchange *x, const struct usage *u)
{
	double n = u->n[USAGE_INPUT];
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *sent = json_read(&reader, x->body, NULL, &error);
	double most = json_double(json_path(sent, "options.num_ctx"));

	json_reader_free(&reader);
	return n >= most - 1 ||
	    (n >= CONTEXT_LEAST - 1 && is_power(n) &&
		n * LONG_TOKEN_BYTES < (double)exchange_text_bytes(x));
}

static void
ollama_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest chat = {
		.format = { "format", "grammar" },
		.less = "for any JSON",
		.least = "for text",
		.read = read_chat,
	};

	rest_read(&chat, endpoint, x, answer);
	if (answer->kind == ANSWER_TEXT && is_overfull(x, &answer->usage)) {
		answer->kind = ANSWER_NONE;
		answer->text =
		    STR("the request is longer than the model's context");
	}
}

/* Completes the URL: OLLAMA_HOST may lack the scheme, the host or the port. */
static struct str
base(struct arena *a, struct str url)
{
	struct str scheme = STR("http://"), host = url;
	size_t slash;

	if (str_ends(host, "/v1"))
		host = str_slice(host, 0, host.n - 3);
	if (str_starts(host, "http://") || str_starts(host, "https://"))
		return host;
	if (str_starts(host, ":"))
		host = str_cat(a, STR("localhost"), host);
	slash = str_find_char(host, '/');
	if (str_find_char(host, ':') == host.n)
		host = str_printf(a, "%.*s:11434%.*s",
		    STR_FMT(str_slice(host, 0, slash)),
		    STR_FMT(str_from(host, slash)));
	return str_cat(a, scheme, host);
}

static bool
ollama_about(const struct endpoint *p, struct exchange *x, struct str last)
{
	struct arena *a = x->arena;

	rest_post(p, x, STR("/api/show"), NULL,
	    str_printf(a, "{\"model\":%.*s}",
		STR_FMT(out_quote(a, str_of(p->model)))));
	return last.s == NULL;
}

const struct provider provider_ollama = {
	.name = "ollama",
	.what = "Ollama",
	.takes_images = true,
	.carrier = &http,
	.url = "http://localhost:11434",
	.url_variable = "OLLAMA_HOST",
	.base = base,
	.keys = { { "OLLAMA_API_KEY", "Authorization: Bearer " } },
	.write = ollama_write,
	.read = ollama_read,
	.about = ollama_about,
};
