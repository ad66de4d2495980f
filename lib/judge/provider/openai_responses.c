/* OpenAI's Responses API. Requests set "store" to false. */
#include "io/out.h"
#include "judge/http/http.h"
#include "judge/provider/content.h"
#include "judge/provider/openai.h"

static void
put_format(
    struct out *o, struct arena *a, const struct prompt *p, unsigned refused)
{
	out_key(o, "text");
	if (refused & REST_NO_SCHEMA) {
		out_json_raw(o, STR("{\"format\":{\"type\":\"json_object\"}}"));
		return;
	}
	out_text(o,
	    "{\"format\":{\"type\":\"json_schema\",\"name\":\"verdicts\","
	    "\"strict\":true,\"schema\":");
	out_json_raw(o, prompt_schema(a, p));
	out_text(o, "}}");
}

static void
put_input(struct out *o, const struct endpoint *endpoint,
    const struct prompt *p, struct str user)
{
	static const struct content_form form = {
		.text = "{\"type\":\"input_text\",\"text\":",
		.text_end = "}",
		.type = "{\"type\":\"input_image\",\"detail\":\"auto\","
			"\"image_url\":\"data:",
		.data = ";base64,",
		.image_end = "\"}",
	};

	if (!content_has_images(endpoint, p)) {
		out_member_str(o, "input", user);
		return;
	}
	out_member_begin(o, "input", '[');
	out_begin(o, '{');
	out_member_str(o, "role", STR("user"));
	content_put_member(o, &form, endpoint, p, user);
	out_end(o, '}');
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
	out_member_str(&o, "instructions", chat.system);
	put_input(&o, endpoint, p, chat.user);
	out_member_bool(&o, "store", false);
	if (!(endpoint->refused & REST_NO_JSON))
		put_format(&o, a, p, endpoint->refused);
	if (endpoint->temperature >= 0 &&
	    !(endpoint->refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	if (limit != 0)
		out_member_size(&o, "max_output_tokens", limit);
	return rest_body(endpoint, &o, a);
}

static void
responses_post(
    const struct endpoint *endpoint, struct exchange *x, struct str body)
{
	rest_post(endpoint, x, STR("/responses"), NULL, body);
}

static void
responses_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	responses_post(endpoint, x, body_of(endpoint, p, x->arena));
}

/* Reads the messages of the output, which may contain reasoning, too. */
static void
read_output(const struct json *output, struct arena *a, struct answer *answer)
{
	struct str *texts = NULL;
	size_t n = 0;

	for (json_each(item, output)) {
		const struct json *content = json_get(item, "content");
		struct str text = rest_parts(content, "output_text", a);

		if (!json_str_is(json_get(item, "type"), "message"))
			continue;
		for (json_each(part, content)) {
			struct str no = json_text(json_get(part, "refusal"), a);

			if (no.s != NULL) {
				answer->text = rest_refused(a, no);
				return;
			}
		}
		if (text.s != NULL)
			*arena_push(a, texts, n) = text;
	}
	if (n == 0)
		return;
	answer->kind = ANSWER_TEXT;
	answer->text = str_join(a, texts, n, STR(""));
}

static void
read_response(const struct json *body, struct arena *a, struct answer *answer)
{
	const struct json *status = json_get(body, "status");
	const struct json *why = json_path(body, "incomplete_details.reason");

	answer->model = str_dup(a, json_text(json_get(body, "model"), a));
	answer->usage = openai_chat_usage(
	    json_get(body, "usage"), "input_tokens", "output_tokens");
	if (json_str_is(why, "content_filter"))
		answer->text = rest_filtered();
	else if (json_str_is(status, "incomplete"))
		rest_cut_off(answer);
	else if (rest_ended(
		     status, (const char *[]){ "completed", NULL }, a, answer))
		read_output(json_get(body, "output"), a, answer);
}

static void
responses_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	static const struct rest responses = {
		.format = { "text.format", "json_schema", "json_object",
		    "response_format" },
		.less = "for any JSON",
		.least = "for text",
		.limit = "max_output_tokens",
		.read = read_response,
	};

	rest_read(&responses, endpoint, x, answer);
}

const struct provider provider_openai_responses = {
	.name = "openai-responses",
	.what = "OpenAI Responses",
	.takes_images = true,
	.carrier = &http,
	.url = "https://api.openai.com/v1",
	.url_variable = "OPENAI_BASE_URL",
	.keys = { { "OPENAI_API_KEY", "Authorization: Bearer " } },
	.write = responses_write,
	.post = responses_post,
	.read = responses_read,
	.about = openai_about,
	.batch_api = &batch_openai,
	.batch_url = "/v1/responses",
};
