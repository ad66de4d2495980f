#include "judge/provider/rest.h"

#include "base/ascii.h"
#include "base/diag.h"
#include "judge/http/headers.h"
#include "judge/provider/endpoint.h"
#include "judge/provider/error.h"
#include "judge/provider/params.h"

enum { HEADERS_MAX = 4 }; /* that mcpl-judge adds */

enum {
	CHECK_TOKENS = 256,  /* enough for a verdict and its reason */
	LIMIT_LEAST = 16384, /* an answer with the thoughts before it */
};

/* ---- out ---- */

void
rest_header(struct exchange *x, const char *header)
{
	const char **h = x->headers;

	while (*h != NULL && !headers_same_name(*h, header))
		h++;
	if (*h == NULL)
		*h = header;
}

/* Returns a list of the user's headers with room for more. A header of the
 * user's replaces ours of the same name. */
static const char **
headers_of(const struct endpoint *endpoint, struct arena *a)
{
	const char **all;
	size_t n = 0;

	while (endpoint->headers != NULL && endpoint->headers[n] != NULL)
		n++;
	all = arena_new_n(a, const char *, n + HEADERS_MAX + 1);
	for (size_t i = 0; i < n; i++)
		all[i] = endpoint->headers[i];
	return all;
}

void
rest_get(const struct endpoint *endpoint, struct exchange *x, struct str path)
{
	struct arena *a = x->arena;

	x->to = str_c(a, str_cat(a, str_of(endpoint->to), path));
	x->headers = headers_of(endpoint, a);
	if (endpoint->key != NULL)
		rest_header(x,
		    str_c(a,
			str_cat(a, str_of(endpoint->header),
			    str_of(endpoint->key))));
}

void
rest_send(const struct endpoint *endpoint, struct exchange *x, struct str path,
    const char *type, struct str body)
{
	struct arena *a = x->arena;

	rest_get(endpoint, x, path);
	rest_header(
	    x, str_c(a, str_cat(a, STR("Content-Type: "), str_of(type))));
	x->body = body;
}

void
rest_post(const struct endpoint *endpoint, struct exchange *x, struct str path,
    const char *header, struct str body)
{
	rest_send(endpoint, x, path, "application/json", body);
	if (header != NULL)
		rest_header(x, header);
	x->sent = endpoint->refused;
}

/* Returns whether a default limit is sent. */
static bool
has_default_limit(const struct endpoint *endpoint)
{
	return endpoint->max_tokens == 0 &&
	    endpoint->provider != &provider_openrouter &&
	    endpoint->provider != &provider_azure;
}

struct str
rest_body(const struct endpoint *endpoint, struct out *body, struct arena *a)
{
	out_end(body, '}');
	return params_merge(a, out_keep(body, a), endpoint->params);
}

size_t
rest_limit(const struct endpoint *endpoint, const struct prompt *p)
{
	size_t enough = CHECK_TOKENS * p->n;

	if (endpoint->refused & REST_NO_LIMIT)
		return 0;
	if (!has_default_limit(endpoint))
		return endpoint->max_tokens;
	if (enough < LIMIT_LEAST)
		enough = LIMIT_LEAST;
	if (endpoint->doubled)
		enough *= 2;
	return endpoint->most_tokens != 0 && endpoint->most_tokens < enough
	    ? endpoint->most_tokens
	    : enough;
}

/* ---- a refusal ---- */

/* Returns whether the error is about the default limit, under any name, or
 * about a context that the limit does not fit in. */
static bool
blames_default_limit(const struct rest *p, const struct endpoint *e,
    const struct provider_error *f)
{
	return has_default_limit(e) &&
	    (provider_error_blames(f, p->limit) ||
		(p->old_limit != NULL &&
		    provider_error_blames(f, p->old_limit)) ||
		str_contains(f->message, "maximum context length"));
}

static bool
lacks_provider(const struct rest *p, const struct provider_error *f)
{
	return f->status == 404 && p->no_provider != NULL &&
	    str_contains(f->message, str_of(p->no_provider));
}

/* Returns whether the message has the word, in any case of ASCII letters. */
static bool
says(struct str message, const char *word)
{
	struct str want = str_of(word);

	for (size_t i = 0; i + want.n <= message.n; i++)
		if (str_eq_ascii_nocase(
			str_slice(message, i, i + want.n), want))
			return true;
	return false;
}

/* Returns whether the error is about the form of the answer. The words occur
 * in messages of llama.cpp ("Failed to initialize samplers"), Anthropic ("too
 * complex for compilation"), Gemini ("too many states for serving"), vLLM. */
static bool
blames_format(const struct rest *p, const struct provider_error *f)
{
	static const char *const words[] = { "schema", "grammar", "sampler",
		"structured output", "structured_output", "too many states",
		"states for serving", "too complex", "complexity" };

	if (lacks_provider(p, f))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (says(f->message, words[i]))
			return true;
	for (const char *const *word = p->format; *word != NULL; word++)
		if (provider_error_blames(f, *word))
			return true;
	return false;
}

/* Returns whether the error is about images. The words are those of llama.cpp
 * ("image input is not supported", with status 500), Ollama ("missing data required
 * for image input"), OpenRouter ("No endpoints found that support image input", with
 * status 404), DeepSeek ("unknown variant `image_url`") and Groq ("content must be a
 * string"). */
static bool
blames_images(const struct provider_error *f)
{
	static const char *const words[] = { "image", "vision", "multimodal",
		"must be a string" };

	if (f->status < 400 || f->status > 500)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (says(f->message, words[i]))
			return true;
	return false;
}

/* Returns the feature that the server rejects, given the features that were
 * already left out (`sent`); 0: the error has another cause. */
static unsigned
refusal(const struct rest *p, const struct endpoint *endpoint, unsigned sent,
    const struct provider_error *f)
{
	bool bare =
	    sent & REST_NO_JSON || (sent & REST_NO_SCHEMA && p->least == NULL);

	if (f->exchange->images && !(sent & REST_NO_IMAGES) && blames_images(f))
		return REST_NO_IMAGES;
	if (f->status != 400 && f->status != 422 && !lacks_provider(p, f))
		return 0;
	if (!bare && blames_format(p, f))
		return sent & REST_NO_SCHEMA ? REST_NO_JSON : REST_NO_SCHEMA;
	if (endpoint->temperature >= 0 && !(sent & REST_NO_TEMPERATURE) &&
	    provider_error_blames(f, "temperature"))
		return REST_NO_TEMPERATURE;
	if (p->limit == NULL || p->limit_required || sent & REST_NO_LIMIT)
		return 0;
	if (endpoint->max_tokens == 0)
		return blames_default_limit(p, endpoint, f) ? REST_NO_LIMIT : 0;
	if (p->old_limit == NULL || sent & REST_OLD_LIMIT)
		return provider_error_blames(
			   f, p->old_limit == NULL ? p->limit : p->old_limit)
		    ? REST_NO_LIMIT
		    : 0;
	return provider_error_blames(f, p->limit) ? REST_OLD_LIMIT : 0;
}

/* Leaves the features out of all later requests, and reports each of them
 * once. */
static void
give_up(const struct rest *p, struct endpoint *endpoint, unsigned refused)
{
	const struct {
		unsigned bit;
		const char *what, *how, *instead;
	} words[] = {
		{ REST_NO_SCHEMA, "a JSON schema", "", p->less },
		{ REST_NO_JSON, "JSON mode", "", p->least },
		{ REST_NO_TEMPERATURE, "a temperature", "", "without" },
		{ REST_OLD_LIMIT, p->limit, "with ", p->old_limit },
		{ REST_NO_LIMIT, "a token limit", "", "without" },
		{ REST_NO_IMAGES, "images", "", "without" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].bit & refused & ~endpoint->refused)
			diag_warn((struct place){ 0 },
			    "%s: %s does not accept %s; asking %s%s",
			    endpoint->to, endpoint->model, words[i].what,
			    words[i].how, words[i].instead);
	endpoint->refused |= refused;
}

/* Returns the whole number at the beginning of the text, and removes it. */
static size_t
take_number(struct str *text)
{
	size_t n = 0;

	while (text->n != 0 && ascii_is_digit(*text->s)) {
		n = n > SIZE_MAX / 100 ? n : n * 10 + (size_t)(*text->s - '0');
		*text = str_from(*text, 1);
	}
	return n;
}

/* Returns the limit that was sent; 0: none. No string of the body can contain the
 * name in quotes and a colon, because its quotes are escaped. */
static size_t
limit_sent(const struct rest *p, const struct exchange *x)
{
	const char *const names[] = { p->limit, p->old_limit };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct str name = names[i] == NULL
		    ? STR("")
		    : str_printf(x->arena, "\"%s\":", names[i]);
		struct str rest = str_from(x->body, str_find(x->body, name));

		if (name.n != 0 && rest.n != 0) {
			rest = str_from(rest, name.n);
			return take_number(&rest);
		}
	}
	return 0;
}

/*
 * Returns the largest limit that the server accepts, if the error is about the
 * default limit and names a smaller one; 0: it does not. The words are those of
 * Anthropic ("max_tokens: 16384 > 8192, which is the maximum"), OpenAI ("supports at
 * most 4096 completion tokens"), Groq ("less than or equal to `8192`"), DeepSeek
 * ("the valid range of max_tokens is [1, 8192]") and Gemini ("from 1 (inclusive) to
 * 8193 (exclusive)"): the largest number below the limit. An error about the whole
 * context names no limit.
 */
static size_t
most_named(const struct rest *p, const struct endpoint *e,
    const struct provider_error *f)
{
	enum { LEAST = 256 }; /* smaller numbers are of names and versions */
	struct str text = f->message;
	size_t sent, n, most = 0;
	char before = ' ';

	if ((f->status != 400 && f->status != 422) || p->limit == NULL ||
	    e->hasty || str_contains(text, "context length") ||
	    !blames_default_limit(p, e, f))
		return 0;
	sent = limit_sent(p, f->exchange);
	while (text.n != 0) {
		bool alone = !ascii_is_alnum((uint8_t)before) &&
		    before != '-' && before != '.';

		before = *text.s;
		if (!ascii_is_digit(*text.s)) {
			text = str_from(text, 1);
			continue;
		}
		n = take_number(&text);
		n -= str_starts(text, " (exclusive)");
		if (alone && n < sent && n >= LEAST && n > most)
			most = n;
	}
	return most;
}

static void
read_failure(const struct rest *p, struct endpoint *endpoint,
    const struct provider_error *f, struct answer *answer)
{
	size_t most = most_named(p, endpoint, f);
	unsigned refused =
	    most != 0 ? 0 : refusal(p, endpoint, f->exchange->sent, f);

	answer->kind = provider_error_kind(f);
	if (most != 0) {
		answer->kind = ANSWER_REWRITE;
		answer->most_tokens = most;
	}
	if (refused != 0) {
		answer->kind = ANSWER_REWRITE;
		answer->refused = refused;
		if (endpoint->hasty)
			give_up(p, endpoint, refused);
	}
	answer->text = provider_error_text(f, f->exchange->arena);
	answer->wait = f->wait;
}

/* ---- back ---- */

static void
read_body(const struct rest *p, struct endpoint *endpoint,
    const struct exchange *x, const struct json *body, struct answer *answer)
{
	const struct json *inner =
	    p->inner == NULL || body == NULL ? NULL : p->inner(body);
	struct provider_error f;

	if (provider_error_read(&f, x, body, inner)) {
		read_failure(p, endpoint, &f, answer);
	} else if (body == NULL) { /* an incomplete reply, or a proxy's page */
		answer->kind = ANSWER_RETRY;
		answer->text = STR("the reply is not JSON");
		if (x->reply.n != 0)
			answer->text = provider_error_begins(
			    x->arena, answer->text, x->reply);
	} else {
		answer->kind = ANSWER_NONE;
		answer->text = STR("the reply has no answer");
		p->read(body, x->arena, answer);
		give_up(p, endpoint, x->sent);
	}
}

void
rest_read(const struct rest *p, struct endpoint *endpoint,
    const struct exchange *x, struct answer *answer)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct exchange safe = *x;

	safe.reply = endpoint_hide_secrets(endpoint, x->arena, x->reply);
	safe.trouble = endpoint_hide_secrets(endpoint, x->arena, x->trouble);
	read_body(p, endpoint, &safe,
	    json_read(&reader, safe.reply, NULL, &error), answer);
	json_reader_free(&reader);
}

/* ---- words ---- */

struct str
rest_refused(struct arena *a, struct str words)
{
	if (words.n == 0)
		return STR("the judge refused");
	return str_printf(a, "the judge refused: %.*s",
	    STR_FMT(provider_error_clip(a, words)));
}

void
rest_cut_off(struct answer *answer)
{
	answer->text = STR("the answer was cut off at a token limit");
	answer->cut_off = true;
}

struct str
rest_filtered(void)
{
	return STR("a content filter blocked the answer");
}

bool
rest_ended(const struct json *end, const char *const *words, struct arena *a,
    struct answer *answer)
{
	if (end == NULL || end->type == JSON_NULL)
		return true;
	while (*words != NULL && !json_str_is(end, str_of(*words)))
		words++;
	if (*words == NULL)
		answer->text =
		    str_printf(a, "the answer did not end normally: %.*s",
			STR_FMT(provider_error_clip(a, end->text)));
	return *words != NULL;
}

struct str
rest_parts(const struct json *list, const char *type, struct arena *a)
{
	struct str *texts = NULL;
	size_t n = 0;

	for (json_each(part, list)) {
		struct str text = json_text(json_get(part, "text"), a);

		if (text.s != NULL &&
		    (type == NULL ||
			json_str_is(json_get(part, "type"), str_of(type))))
			*arena_push(a, texts, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, texts, n, STR(""));
}
