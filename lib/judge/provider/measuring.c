#include "judge/provider/measuring.h"

#include <string.h>

#include "judge/http/http.h"
#include "judge/provider/openai.h"

/* ---- out ---- */

static void
begin(struct out *o, const struct endpoint *endpoint)
{
	out_open_memory(o);
	out_begin(o, '{');
	out_key(o, "model");
	out_json_str(o, str_of(endpoint->model));
}

/* OpenAI's API, /v1/embeddings: {"model","input":[TEXT]}. */
static void
write_openai(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	struct out o;

	begin(&o, endpoint);
	out_key(&o, "input");
	out_json_raw(&o, p->data);
	rest_post(endpoint, x, STR("/embeddings"), NULL,
	    rest_body(endpoint, &o, x->arena));
}

/* Ollama's API, /api/embed: the same, and with "truncate":false a text that is too
 * long is an error. */
static void
write_ollama(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	struct out o;

	begin(&o, endpoint);
	out_key(&o, "input");
	out_json_raw(&o, p->data);
	out_member_bool(&o, "truncate", false);
	rest_post(endpoint, x, STR("/api/embed"), NULL,
	    rest_body(endpoint, &o, x->arena));
}

/* Gemini's API, models/M:batchEmbedContents: a request for each text. */
static void
write_gemini(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str model = str_of(endpoint->model);
	struct out o;

	if (!str_starts(model, "models/"))
		model = str_cat(x->arena, STR("models/"), model);
	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_begin(&o, "requests", '[');
	for (json_each(text, json_read(&reader, p->data, NULL, &error))) {
		out_begin(&o, '{');
		out_key(&o, "model");
		out_json_str(&o, model);
		out_member_begin(&o, "content", '{');
		out_member_begin(&o, "parts", '[');
		out_begin(&o, '{');
		out_key(&o, "text");
		out_json_raw(&o, text->text);
		out_end(&o, '}');
		out_end(&o, ']');
		out_end(&o, '}');
		out_end(&o, '}');
	}
	out_end(&o, ']');
	rest_post(endpoint, x,
	    str_printf(x->arena, "/%.*s:batchEmbedContents", STR_FMT(model)),
	    NULL, rest_body(endpoint, &o, x->arena));
	json_reader_free(&reader);
}

/* OpenAI's API, /v1/moderations: {"model","input":[{"type":"text","text"}]}, as
 * promptfoo writes the request. */
static void
write_moderation(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct out o;

	begin(&o, endpoint);
	out_member_begin(&o, "input", '[');
	for (json_each(text, json_read(&reader, p->data, NULL, &error))) {
		out_begin(&o, '{');
		out_member_str(&o, "type", STR("text"));
		out_key(&o, "text");
		out_json_raw(&o, text->text);
		out_end(&o, '}');
	}
	out_end(&o, ']');
	rest_post(endpoint, x, STR("/moderations"), NULL,
	    rest_body(endpoint, &o, x->arena));
	json_reader_free(&reader);
}

/* ---- back ---- */

/* Sets the answer to the list of the elements' members of this name; NULL: the list
 * itself. */
static void
take_list(const struct json *list, const char *name, struct arena *a,
    struct answer *answer)
{
	struct out o;

	if (!json_is(list, JSON_ARRAY))
		return;
	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(item, list)) {
		const struct json *value =
		    name == NULL ? item : json_get(item, str_of(name));

		out_json_raw(&o, value == NULL ? STR("null") : value->text);
	}
	out_end(&o, ']');
	answer->kind = ANSWER_TEXT;
	answer->text = out_keep(&o, a);
}

/* Returns whether the elements are in the order of their indices, if they have
 * any. */
static bool
is_in_order(const struct json *list)
{
	size_t n = 0;

	for (json_each(item, list)) {
		const struct json *index = json_get(item, "index");

		if (index != NULL && json_double(index) != (double)n)
			return false;
		n++;
	}
	return true;
}

/* Reads OpenAI's "data" and "results", and the "embeddings" of Ollama (lists) and of
 * Gemini (objects). */
static void
read_lists(const struct json *body, struct arena *a, struct answer *answer)
{
	const struct json *data = json_get(body, "data");
	const struct json *vectors = json_get(body, "embeddings");
	bool named = json_is(json_first(vectors), JSON_OBJECT);

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	answer->usage = openai_chat_usage(
	    json_get(body, "usage"), "prompt_tokens", "completion_tokens");
	usage_read(
	    &answer->usage, USAGE_INPUT, json_get(body, "prompt_eval_count"));
	take_list(json_get(body, "results"), NULL, a, answer);
	take_list(vectors, named ? "values" : NULL, a, answer);
	if (is_in_order(data))
		take_list(data, "embedding", a, answer);
	else
		answer->text = STR("the vectors are not in order");
}

static void
read_reply(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest form = { .read = read_lists };

	rest_read(&form, endpoint, x, answer);
}

/* ---- which ---- */

/* The way in which the requests of a service are written. */
struct service {
	const char *provider; /* name of the judges' provider; NULL: any whose
			       * chats have OpenAI's protocol */
	void (*write)(
	    const struct endpoint *, const struct prompt *, struct exchange *);
};

/* Makes the endpoint one of the first service of the list that its provider has. */
static bool
become(struct endpoint *endpoint, const struct service *s, size_t n,
    struct arena *a)
{
	const struct provider *old = endpoint->provider;
	struct provider *new = arena_new(a, struct provider);

	for (; n != 0; s++, n--)
		if (s->provider == NULL ? old->write == openai_write
					: strcmp(s->provider, old->name) == 0)
			break;
	if (n == 0)
		return false;
	*new = (struct provider){ .name = old->name,
		.what = old->what,
		.carrier = old->carrier,
		.url = old->url,
		.write = s->write,
		.read = read_reply };
	endpoint->provider = new;
	/* No form of an answer is asked for, so none is given up. */
	endpoint->refused = REST_NO_SCHEMA | REST_NO_JSON;
	endpoint->temperature = -1;
	endpoint->max_tokens = 0;
	return true;
}

bool
measuring_embeddings(struct endpoint *endpoint, struct arena *a)
{
	static const struct service services[] = {
		{ NULL, write_openai },
		{ "openai-responses", write_openai },
		{ "openrouter", write_openai },
		{ "ollama", write_ollama },
		{ "gemini", write_gemini },
	};

	return become(
	    endpoint, services, sizeof services / sizeof services[0], a);
}

bool
measuring_moderation(struct endpoint *endpoint, struct arena *a)
{
	static const struct service services[] = {
		{ NULL, write_moderation },
		{ "openai-responses", write_moderation },
	};

	return become(
	    endpoint, services, sizeof services / sizeof services[0], a);
}
