/* OpenAI's Chat Completions, and the many servers that speak it. Their ways
 * differ: an error may be an object or a string or stand in a reply with
 * status 200; content may be null or a list of parts; usage may be lacking. */
#include "../diag.h"
#include "../failure.h"
#include "../http.h"
#include "../provider.h"

enum {                 /* what a server does not take */
	NO_SCHEMA = 1, /* answers by a schema; any JSON, maybe */
	NO_JSON = 2,   /* nor that */
	NO_TEMPERATURE = 4,
	OLD_MAX_TOKENS = 8, /* calls max_completion_tokens max_tokens */
	NO_MAX_TOKENS = 16, /* nor that */
};

/* ---- the request ---- */

static void
put_message(struct out *o, const char *role, struct str content)
{
	out_begin(o, '{');
	out_key(o, "role");
	out_json_str(o, str_of(role));
	out_key(o, "content");
	out_json_str(o, content);
	out_end(o, '}');
}

static void
put_format(
    struct out *o, struct arena *a, const struct prompt *p, unsigned refused)
{
	out_key(o, "response_format");
	out_begin(o, '{');
	out_key(o, "type");
	if (refused & NO_SCHEMA) {
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

static struct str
body_of(const struct peer *peer, const struct prompt *p, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "model");
	out_json_str(&o, str_of(peer->model));
	out_key(&o, "messages");
	out_begin(&o, '[');
	put_message(&o, "system", prompt_system(a, p));
	put_message(&o, "user", prompt_user(a, p));
	out_end(&o, ']');
	if (!(peer->refused & NO_JSON))
		put_format(&o, a, p, peer->refused);
	if (peer->temperature >= 0 && !(peer->refused & NO_TEMPERATURE)) {
		out_key(&o, "temperature");
		out_json_double(&o, peer->temperature);
	}
	if (peer->max_tokens != 0 && !(peer->refused & NO_MAX_TOKENS)) {
		out_key(&o,
		    peer->refused & OLD_MAX_TOKENS ? "max_tokens"
						   : "max_completion_tokens");
		out_json_int(&o, (int64_t)peer->max_tokens);
	}
	out_end(&o, '}');
	return out_keep(&o, a);
}

static void
openai_write(
    const struct peer *peer, const struct prompt *p, struct exchange *x)
{
	struct arena *a = x->arena;
	size_t n = 0;

	x->to = str_c(a, str_printf(a, "%s/chat/completions", peer->to));
	x->headers = arena_new_n(a, const char *, 3);
	x->headers[n++] = "Content-Type: application/json";
	if (peer->key != NULL)
		x->headers[n++] = str_c(
		    a, str_printf(a, "Authorization: Bearer %s", peer->key));
	x->body = body_of(peer, p, a);
	x->sent = peer->refused;
}

/* ---- a refusal ---- */

/* What of the request, as it was sent, the server does not take; 0: it
 * complains of something else. */
static unsigned
refusal(const struct peer *peer, unsigned sent, const struct failure *f)
{
	if (f->status != 400 && f->status != 422)
		return 0;
	if (!(sent & NO_JSON) &&
	    (failure_blames(f, "response_format") ||
		failure_blames(f, "json_schema") ||
		failure_blames(f, "json_object")))
		return sent & NO_SCHEMA ? NO_JSON : NO_SCHEMA;
	if (peer->temperature >= 0 && !(sent & NO_TEMPERATURE) &&
	    failure_blames(f, "temperature"))
		return NO_TEMPERATURE;
	if (peer->max_tokens == 0 || (sent & NO_MAX_TOKENS))
		return 0;
	if (sent & OLD_MAX_TOKENS)
		return failure_blames(f, "max_tokens") ? NO_MAX_TOKENS : 0;
	return failure_blames(f, "max_completion_tokens") ? OLD_MAX_TOKENS : 0;
}

static void
tell_refusal(const struct peer *peer, unsigned refused)
{
	static const struct {
		unsigned bit;
		const char *what, *instead;
	} words[] = {
		{ NO_SCHEMA, "no answer by a schema", "for any JSON" },
		{ NO_JSON, "no JSON mode", "for text" },
		{ NO_TEMPERATURE, "no temperature", "without" },
		{ OLD_MAX_TOKENS, "no max_completion_tokens",
		    "with max_tokens" },
		{ NO_MAX_TOKENS, "no limit of tokens", "without" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].bit == refused)
			diag_warn((struct place){ 0 },
			    "%s: %s takes %s; asking %s", peer->to, peer->model,
			    words[i].what, words[i].instead);
}

static void
read_failure(struct peer *peer, const struct exchange *x,
    const struct failure *f, struct answer *answer)
{
	unsigned refused = refusal(peer, x->sent, f);

	answer->kind = failure_kind(f);
	if (refused != 0) {
		answer->kind = ANSWER_REWRITE;
		if (!(peer->refused & refused))
			tell_refusal(peer, refused);
		peer->refused |= refused;
	}
	answer->text = failure_told(f, x->arena);
}

/* ---- an answer ---- */

/* prompt_tokens count what was read from a cache as well. */
static struct usage
openai_usage(const struct json *usage)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_CACHE_READ,
	    json_path(usage, "prompt_tokens_details.cached_tokens"));
	usage_input_with_cache(&u, json_get(usage, STR("prompt_tokens")));
	usage_read(&u, USAGE_OUTPUT, json_get(usage, STR("completion_tokens")));
	usage_read(&u, USAGE_REASONING,
	    json_path(usage, "completion_tokens_details.reasoning_tokens"));
	usage_read(&u, USAGE_COST, json_get(usage, STR("cost")));
	return u;
}

/* A string, or the texts of a list of parts; absent if there is none. */
static struct str
content_of(const struct json *content, struct arena *a)
{
	struct str text = { 0 };

	if (json_is(content, JSON_STRING))
		return str_dup(a, json_text(content, a));
	for (json_each(part, content)) {
		struct str more = json_text(json_get(part, STR("text")), a);

		if (more.s != NULL)
			text = str_cat(a, text, more);
	}
	return text;
}

/* The judge's words; or why there are none that count. */
static void
read_choice(const struct json *choice, struct arena *a, struct answer *answer)
{
	const struct json *message = json_get(choice, STR("message"));
	const struct json *end = json_get(choice, STR("finish_reason"));
	struct str refusal = json_text(json_get(message, STR("refusal")), a);
	struct str content = content_of(json_get(message, STR("content")), a);

	answer->kind = ANSWER_NONE;
	if (refusal.n != 0) {
		answer->text = str_printf(a, "the judge refused: %.*s",
		    STR_FMT(failure_clip(refusal)));
	} else if (json_str_is(end, STR("length"))) {
		answer->text = STR("the answer was cut off at a token limit");
	} else if (json_str_is(end, STR("content_filter"))) {
		answer->text = STR("a content filter held the answer back");
	} else if (content.s == NULL) {
		answer->text = STR("the reply holds no answer");
	} else {
		answer->kind = ANSWER_TEXT;
		answer->text = content;
	}
}

static void
read_body(struct peer *peer, const struct exchange *x, const struct json *body,
    struct answer *answer)
{
	const struct json *choice = json_at(json_get(body, STR("choices")), 0);
	struct failure f;

	if (failure_read(&f, x, body, json_get(choice, STR("error")))) {
		read_failure(peer, x, &f, answer);
	} else if (body == NULL) { /* half a reply, or some proxy's page */
		answer->kind = ANSWER_RETRY;
		answer->text = STR("the reply is not JSON");
	} else {
		answer->model = str_dup(x->arena,
		    json_text(json_get(body, STR("model")), x->arena));
		answer->usage = openai_usage(json_get(body, STR("usage")));
		read_choice(choice, x->arena, answer);
	}
}

static void
openai_read(struct peer *peer, const struct exchange *x, struct answer *answer)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	read_body(peer, x, json_read(&reader, x->reply, NULL, &error), answer);
	json_reader_free(&reader);
}

const struct provider provider_openai = {
	.name = "openai",
	.about = "OpenAI Chat Completions, and the servers that speak it",
	.carrier = &http,
	.url = "https://api.openai.com/v1",
	.url_variable = "OPENAI_BASE_URL",
	.key_variable = "OPENAI_API_KEY",
	.write = openai_write,
	.read = openai_read,
};
