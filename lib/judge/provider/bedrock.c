/*
 * Amazon Bedrock's Converse, by the types of npm's @aws-sdk/client-bedrock-runtime
 * 3.1164.0. The request asks for an answer by a schema; if the model does not support
 * a schema, for the input of a tool; otherwise for text.
 */
#include <stdlib.h>
#include <time.h>

#include "base/uri.h"
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/http/sigv4.h"
#include "judge/provider/rest.h"

#define SIGNED "Authorization: AWS4-HMAC-SHA256 "

/* Returns the region that the environment names; absent: none. */
static struct str
region_given(void)
{
	static const char *const variables[] = { "AWS_REGION",
		"AWS_DEFAULT_REGION" };

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		struct str region = str_of(getenv(variables[i]));

		if (region.n != 0)
			return region;
	}
	return (struct str){ 0 };
}

static struct str
bedrock_place(struct arena *a)
{
	struct str region = region_given();

	if (region.s == NULL)
		return region;
	return str_printf(
	    a, "https://bedrock-runtime.%.*s.amazonaws.com", STR_FMT(region));
}

/* Returns the region of the signature: that of the environment, or the second part
 * of the host's name. */
static struct str
region_of(const struct endpoint *endpoint)
{
	struct str host = str_of(endpoint->to), region = region_given();

	if (region.s != NULL)
		return region;
	str_cut(&host, '.');
	return host.s == NULL ? STR("us-east-1") : str_cut(&host, '.');
}

/* ---- the request ---- */

static void
put_text(struct out *o, struct str text)
{
	out_text(o, "[{\"text\":");
	out_quoted(o, text);
	out_text(o, "}]");
	o->comma = true;
}

static void
put_schema(
    struct out *o, struct arena *a, const struct prompt *p, unsigned refused)
{
	struct str schema = prompt_schema(a, p);

	if (refused & REST_NO_SCHEMA) {
		out_key(o, "toolConfig");
		out_text(o,
		    "{\"tools\":[{\"toolSpec\":{\"name\":\"verdicts\","
		    "\"description\":\"Takes the answer.\",\"inputSchema\":"
		    "{\"json\":");
		out_json_raw(o, schema);
		out_text(o,
		    "}}}],\"toolChoice\":{\"tool\":{\"name\":\"verdicts\"}}}");
		return;
	}
	out_key(o, "outputConfig");
	out_text(o,
	    "{\"textFormat\":{\"type\":\"json_schema\",\"structure\":"
	    "{\"jsonSchema\":{\"name\":\"verdicts\",\"schema\":");
	out_quoted(o, schema);
	out_text(o, "}}}}");
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
	out_key(&o, "system");
	put_text(&o, chat.system);
	out_key(&o, "messages");
	out_text(&o, "[{\"role\":\"user\",\"content\":");
	put_text(&o, chat.user);
	out_text(&o, "}]");
	out_member_begin(&o, "inferenceConfig", '{');
	if (limit != 0)
		out_member_size(&o, "maxTokens", limit);
	if (endpoint->temperature >= 0 &&
	    !(endpoint->refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	out_end(&o, '}');
	if (!(endpoint->refused & REST_NO_JSON))
		put_schema(&o, a, p, endpoint->refused);
	return rest_body(endpoint, &o, a);
}

/* Replaces the header with the id of the access key by the signature, unless the
 * user's headers have one. */
static void
sign(const struct endpoint *endpoint, struct exchange *x)
{
	struct arena *a = x->arena;
	char date[] = "20260101T000000Z";
	time_t now = time(NULL);
	struct tm utc;
	struct sigv4 s = { .id = endpoint->key,
		.secret = endpoint->more[0],
		.token = endpoint->more[1],
		.region = region_of(endpoint),
		.service = STR("bedrock"),
		.date = { date, sizeof date - 1 } };

	strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
	for (const char **h = x->headers; *h != NULL; h++)
		if (str_starts(str_of(*h), SIGNED))
			*h = str_c(a,
			    str_cat(a, STR("Authorization: "),
				sigv4_post(a, &s, str_of(x->to), x->body)));
	rest_header(x, str_c(a, str_printf(a, "X-Amz-Date: %s", date)));
	if (s.token != NULL)
		rest_header(x,
		    str_c(
			a, str_printf(a, "X-Amz-Security-Token: %s", s.token)));
}

static void
bedrock_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	struct arena *a = x->arena;

	rest_post(endpoint, x,
	    str_printf(a, "/model/%.*s/converse",
		STR_FMT(uri_encode(a, str_of(endpoint->model)))),
	    NULL, body_of(endpoint, p, a));
	if (endpoint->more[0] != NULL)
		sign(endpoint, x);
}

/* ---- the reply ---- */

/* Returns the input of the tool, or else the joined texts. Two inputs are joined,
 * and are not JSON then. */
static struct str
content_of(const struct json *content, struct arena *a)
{
	struct str all = { 0 };

	for (json_each(block, content)) {
		const struct json *input = json_path(block, "toolUse.input");

		if (input != NULL)
			all = str_cat(a, all, input->text);
	}
	return all.s != NULL ? all : rest_parts(content, NULL, a);
}

static void
read_message(const struct json *body, struct arena *a, struct answer *answer)
{
	static const char *const ends[] = { "end_turn", "tool_use",
		"stop_sequence", NULL };
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "inputTokens",
		[USAGE_CACHE_READ] = "cacheReadInputTokens",
		[USAGE_CACHE_WRITE] = "cacheWriteInputTokens",
		[USAGE_OUTPUT] = "outputTokens",
	};
	const struct json *end = json_get(body, "stopReason");
	struct str content =
	    content_of(json_path(body, "output.message.content"), a);

	usage_read_named(&answer->usage, json_get(body, "usage"), words);
	if (json_str_is(end, "max_tokens") ||
	    json_str_is(end, "model_context_window_exceeded")) {
		rest_cut_off(answer);
	} else if (json_str_is(end, "content_filtered") ||
	    json_str_is(end, "guardrail_intervened")) {
		answer->text = rest_filtered();
	} else if (content.s != NULL && rest_ended(end, ends, a, answer)) {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

static void
bedrock_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest converse = {
		.format = { "outputConfig", "textFormat", "toolConfig",
		    "toolChoice", "tool use" },
		.less = "for the input of a tool",
		.least = "for text",
		.limit = "maxTokens",
		.old_limit = "maximum tokens",
		.read = read_message,
	};

	rest_read(&converse, endpoint, x, answer);
}

const struct provider provider_bedrock = {
	.name = "bedrock",
	.what = "Amazon Bedrock: Converse",
	.carrier = &http,
	.url = "",
	.url_variable = "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
	.place = bedrock_place,
	.place_variable = "AWS_REGION",
	.own = ".amazonaws.com",
	.keys = { { "AWS_BEARER_TOKEN_BEDROCK", "Authorization: Bearer " },
	    { "AWS_ACCESS_KEY_ID", SIGNED } },
	.more = { "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN" },
	.hosts = true,
	.preset = true,
	.write = bedrock_write,
	.read = bedrock_read,
};
