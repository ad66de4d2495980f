/* Google's Gemini: generateContent. */
#include "base/uri.h"
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/gemini_batch.h"
#include "judge/provider/rest.h"

/* ---- the request ---- */

static void
put_text(struct out *o, struct str text)
{
	out_text(o, "\"parts\":[{\"text\":");
	out_quoted(o, text);
	out_text(o, "}]}");
	o->comma = true;
}

static void
put_settings(struct out *o, struct arena *a, const struct endpoint *endpoint,
    const struct prompt *p)
{
	unsigned refused = endpoint->refused;

	out_member_begin(o, "generationConfig", '{');
	if (!(refused & REST_NO_JSON))
		out_member_str(o, "responseMimeType", STR("application/json"));
	if (!(refused & (REST_NO_JSON | REST_NO_SCHEMA))) {
		out_key(o, "responseJsonSchema");
		out_json_raw(o, prompt_schema(a, p));
	}
	if (endpoint->temperature >= 0 && !(refused & REST_NO_TEMPERATURE))
		out_member_double(o, "temperature", endpoint->temperature);
	if (endpoint->max_tokens != 0 && !(refused & REST_NO_LIMIT))
		out_member_size(o, "maxOutputTokens", endpoint->max_tokens);
	out_end(o, '}');
}

static struct str
body_of(
    const struct endpoint *endpoint, const struct prompt *p, struct arena *a)
{
	struct prompt_chat chat = prompt_chat(a, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "systemInstruction");
	out_text(&o, "{");
	put_text(&o, chat.system);
	out_key(&o, "contents");
	out_text(&o, "[{\"role\":\"user\",");
	put_text(&o, chat.user);
	out_text(&o, "]");
	put_settings(&o, a, endpoint, p);
	out_end(&o, '}');
	return out_keep(&o, a);
}

static void
gemini_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	rest_post(endpoint, x,
	    gemini_path(endpoint, x->arena, "generateContent"), NULL,
	    body_of(endpoint, p, x->arena));
}

/* ---- the reply ---- */

/* The prompt counts what was read from a cache; thoughts are output. */
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
	if (said != NULL || thought != NULL)
		usage_set(&u, USAGE_OUTPUT,
		    (json_is(said, JSON_NUMBER) ? json_double(said) : 0) +
			u.n[USAGE_REASONING]);
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
		answer->text = rest_cut_off();
	} else if (content.s != NULL &&
	    (end == NULL || json_str_is(end, "STOP"))) {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

static void
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

/* Its own variable names the server without the version. */
static struct str
base(struct arena *a, struct str url)
{
	struct str rest = url, last = { 0 };

	while (rest.s != NULL)
		last = str_cut(&rest, '/');
	return str_starts(last, "v1") ? url : str_cat(a, url, STR("/v1beta"));
}

const struct provider provider_gemini = {
	.name = "gemini",
	.what = "Google Gemini",
	.carrier = &http,
	.url = "https://generativelanguage.googleapis.com",
	.url_variable = "GOOGLE_GEMINI_BASE_URL",
	.base = base,
	.keys = { { "GOOGLE_API_KEY", "x-goog-api-key: " },
	    { "GEMINI_API_KEY", "x-goog-api-key: " } },
	.write = gemini_write,
	.read = gemini_read,
	.batch_api = &batch_gemini,
};
