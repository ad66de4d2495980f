/* Anthropic's Messages. An answer is asked for by a schema; of a model that
 * takes none as the input of a tool, which the answer has to be; else as
 * text. */
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/anthropic_batch.h"
#include "judge/provider/rest.h"

enum { LIMIT_LEAST = 4096, LIMIT_EACH = 256 }; /* tokens */

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

/* The limit has to be given. */
static size_t
limit(const struct endpoint *endpoint, const struct prompt *p)
{
	size_t enough = LIMIT_EACH * p->n;

	if (endpoint->max_tokens != 0)
		return endpoint->max_tokens;
	return enough < LIMIT_LEAST ? LIMIT_LEAST : enough;
}

static struct str
body_of(
    const struct endpoint *endpoint, const struct prompt *p, struct arena *a)
{
	struct prompt_chat chat = prompt_chat(a, p);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "model", str_of(endpoint->model));
	out_member_size(&o, "max_tokens", limit(endpoint, p));
	out_member_str(&o, "system", chat.system);
	out_key(&o, "messages");
	out_text(&o, "[{\"role\":\"user\",\"content\":");
	out_json_str(&o, chat.user);
	out_text(&o, "}]");
	if (!(endpoint->refused & REST_NO_JSON))
		put_schema(&o, a, p, endpoint->refused);
	if (endpoint->temperature >= 0 &&
	    !(endpoint->refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	out_end(&o, '}');
	return out_keep(&o, a);
}

static void
anthropic_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	rest_post(endpoint, x, STR("/messages"), ANTHROPIC_VERSION,
	    body_of(endpoint, p, x->arena));
}

/* The input is without what a cache gave or took. */
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

/* The tool's input, or else the texts; thoughts are neither. */
static struct str
content_of(const struct json *content, struct arena *a)
{
	for (json_each(block, content)) {
		const struct json *input = json_get(block, "input");

		if (json_str_is(json_get(block, "type"), "tool_use") &&
		    input != NULL)
			return str_dup(a, input->text);
	}
	return rest_parts(content, "text", a);
}

static void
read_message(const struct json *body, struct arena *a, struct answer *answer)
{
	const struct json *end = json_get(body, "stop_reason");
	struct str content = content_of(json_get(body, "content"), a);

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	answer->usage = usage_of_message(json_get(body, "usage"));
	if (json_str_is(end, "refusal")) {
		answer->text = rest_refused(a,
		    json_text(json_path(body, "stop_details.explanation"), a));
	} else if (json_str_is(end, "max_tokens") ||
	    json_str_is(end, "model_context_window_exceeded")) {
		answer->text = rest_cut_off();
	} else if (content.s != NULL) {
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
		.read = read_message,
	};

	rest_read(&messages, endpoint, x, answer);
}

/* Its own variable names the server without the version. */
static struct str
base(struct arena *a, struct str url)
{
	return str_ends(url, "/v1") ? url : str_cat(a, url, STR("/v1"));
}

const struct provider provider_anthropic = {
	.name = "anthropic",
	.what = "Anthropic Messages",
	.carrier = &http,
	.url = "https://api.anthropic.com",
	.url_variable = "ANTHROPIC_BASE_URL",
	.base = base,
	.keys = { { "ANTHROPIC_API_KEY", "x-api-key: " },
	    { "ANTHROPIC_AUTH_TOKEN", "Authorization: Bearer " } },
	.write = anthropic_write,
	.read = anthropic_read,
	.batch_api = &batch_anthropic,
};
