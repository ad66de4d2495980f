/* The servers' ways differ: an error may be an object or a string or stand in
 * a reply with status 200; content may be null or a list of parts; usage may
 * be lacking. */
#include "judge/provider/openai_chat.h"

#include "io/out.h"

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
	struct prompt_chat chat = prompt_chat(a, p);
	unsigned refused = endpoint->refused;
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "model", str_of(endpoint->model));
	out_member_begin(&o, "messages", '[');
	put_message(&o, "system", chat.system);
	put_message(&o, "user", chat.user);
	out_end(&o, ']');
	if (!(refused & REST_NO_JSON))
		put_format(&o, a, p, refused);
	if (endpoint->temperature >= 0 && !(refused & REST_NO_TEMPERATURE))
		out_member_double(&o, "temperature", endpoint->temperature);
	if (endpoint->max_tokens != 0 && !(refused & REST_NO_LIMIT)) {
		out_key(&o,
		    refused & REST_OLD_LIMIT ? "max_tokens"
					     : "max_completion_tokens");
		out_json_int(&o, (int64_t)endpoint->max_tokens);
	}
	out_text(&o, more);
	out_end(&o, '}');
	return out_keep(&o, a);
}

/* The input counts what was read from a cache as well. */
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

/* A string, or the texts of a list of parts; absent if there is none. */
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
	} else if (json_str_is(end, "length")) {
		answer->text = rest_cut_off();
	} else if (json_str_is(end, "content_filter")) {
		answer->text = rest_filtered();
	} else if (content.s != NULL) {
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
		.nobody = "requested parameters", /* OpenRouter */
		.limit = "max_completion_tokens",
		.old_limit = "max_tokens",
		.inner = inner_error,
		.read = read_chat,
	};

	rest_read(&chat, endpoint, x, answer);
}
