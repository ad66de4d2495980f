#include "judge/provider/error.h"

#include <math.h>
#include <stdlib.h>

#include "text/layout.h"

enum { CLIP_MAX = 500, BEGINNING_MAX = 160 }; /* bytes */

static bool
is_given(const struct json *v)
{
	return v != NULL && v->type != JSON_NULL;
}

/* Returns "MESSAGE: body.NAME" of [{"msg":MESSAGE,"loc":["body",NAME],"input":...}],
 * which servers in Python send, as Mistral's does; absent if it is no such list.
 * `input` is the text of the request. */
static struct str
detail_of(const struct json *list, struct arena *a)
{
	const struct json *first = json_at(list, 0);
	struct str text = json_text(json_get(first, "msg"), a);
	const char *between = ": ";

	for (json_each(step, json_get(first, "loc"))) {
		if (text.s != NULL && json_is(step, JSON_STRING)) {
			text = str_printf(a, "%.*s%s%.*s", STR_FMT(text),
			    between, STR_FMT(json_text(step, a)));
			between = ".";
		}
	}
	return text;
}

/* Returns the message in {"error":{"message":TEXT}}, {"error":TEXT},
 * {"message":TEXT}, {"Message":TEXT} or {"detail":TEXT}, or in a list of details;
 * else the error or the whole reply. */
static struct str
message_of(
    const struct exchange *x, const struct json *body, const struct json *error)
{
	const struct json *places[] = { json_get(error, "message"), error,
		json_get(body, "message"), json_get(body, "Message"),
		json_get(body, "detail"), json_path(body, "message.detail") };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		struct str text = json_is(places[i], JSON_STRING)
		    ? json_text(places[i], x->arena)
		    : detail_of(places[i], x->arena);

		if (text.s != NULL)
			return text;
	}
	return is_given(error) ? error->text : str_trim(x->reply);
}

/* Returns the HTTP status. An error's code may be a word, an HTTP status as a
 * number or as a text, or a number of the server's own. */
static int64_t
status_of(const struct exchange *x, const struct json *code)
{
	struct str digits =
	    json_is(code, JSON_NUMBER) ? code->text : json_raw(code);
	int64_t status = 0;

	if (x->status >= 300 || digits.n != 3)
		return x->status;
	for (size_t i = 0; i < digits.n; i++) {
		if (digits.s[i] < '0' || digits.s[i] > '9')
			return x->status;
		status = status * 10 + digits.s[i] - '0';
	}
	return status;
}

/* Reads Google's details: {"reason":"API_KEY_INVALID"}, {"retryDelay":"27s"},
 * {"violations":[{"quotaId":"...PerDay..."}]}. A quota of a day is used up whatever
 * the delay is. */
static void
read_details(struct provider_error *f, const struct json *details)
{
	struct arena *a = f->exchange->arena;

	for (json_each(detail, details)) {
		struct str delay = json_text(json_get(detail, "retryDelay"), a);
		struct str reason = json_text(json_get(detail, "reason"), a);

		if (delay.s != NULL)
			f->wait = fmax(0, strtod(str_c(a, delay), NULL));
		if (reason.s != NULL)
			f->code = reason;
		for (json_each(violation, json_get(detail, "violations")))
			if (str_contains(
				json_text(json_get(violation, "quotaId"), a),
				"PerDay"))
				f->code = STR("insufficient_quota");
	}
}

bool
provider_error_read(struct provider_error *f, const struct exchange *x,
    const struct json *body, const struct json *inner)
{
	const struct json *error = json_get(body, "error");
	const struct json *code;

	*f = (struct provider_error){ .exchange = x, .message = x->trouble };
	if (x->status == 0)
		return true;
	if (!is_given(error))
		error = inner;
	if (x->status >= 200 && x->status < 300 && !is_given(error))
		return false;
	code = json_get(error, "code");
	f->status = status_of(x, code);
	f->message = message_of(x, body, error);
	f->param = json_text(json_get(error, "param"), x->arena);
	f->code = json_text(code, x->arena);
	if (f->code.s == NULL)
		f->code = json_text(json_get(error, "type"), x->arena);
	read_details(f, json_get(error, "details"));
	return true;
}

bool
provider_error_blames(const struct provider_error *f, const char *parameter)
{
	if (f->param.n != 0 && !str_is(f->param, "None")) /* LiteLLM's null */
		return str_starts(f->param, str_of(parameter));
	return str_contains(f->message, str_of(parameter));
}

static bool
is_one_of(struct str word, const char *const *words)
{
	while (*words != NULL && !str_is(word, *words))
		words++;
	return *words != NULL;
}

/* Returns whether the account is out of money or of its quota, in the words of
 * Anthropic (400), Fireworks (412), xAI (403, 429), Gemini, Mistral and Bedrock
 * (429). The message of a 400 may quote the request, and so has to begin with the
 * words. */
static bool
has_no_credit(const struct provider_error *f)
{
	static const struct {
		int64_t status;
		const char *words;
	} forms[] = {
		{ 412, "spending limit" },
		{ 412, "suspended" },
		{ 429, "all available credits" },
		{ 429, "spending limit" },
		{ 429, "credits are depleted" },
		{ 429, "tokens per day" },
	};

	if (f->status == 400)
		return str_starts(f->message, "Your credit balance is too low");
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (forms[i].status == f->status &&
		    str_contains(f->message, str_of(forms[i].words)))
			return true;
	return false;
}

/* Returns whether no other request will succeed either. */
static bool
is_permanent(const struct provider_error *f)
{
	static const char *const codes[] = { "insufficient_quota",
		"billing_hard_limit_reached", "billing_not_active",
		"credit_limit", "API_KEY_INVALID", NULL };

	switch (f->status) {
	case 301: /* the URL is wrong */
	case 302:
	case 303:
	case 307:
	case 308:
	case 401: /* the key is wrong */
	case 402: /* the account has no credit */
	case 404: /* the model or the URL is wrong */
	case 405:
		return true;
	case 403: /* the key may not use the model, or the text was blocked */
		return !str_contains(f->message, "flagged") &&
		    !str_contains(f->message, "moderation");
	default:
		return is_one_of(f->code, codes) || has_no_credit(f) ||
		    (f->exchange->unreachable && f->exchange->retry < 0);
	}
}

/* Returns whether the same request may succeed later. The codes are those of
 * errors within a reply with status 200. */
static bool
is_transient(const struct provider_error *f)
{
	static const char *const codes[] = { "server_error",
		"rate_limit_exceeded", "rate_limit_error", "overloaded_error",
		"api_error", "timeout_error", NULL };

	switch (f->status) {
	case 0:
	case 408:
	case 409:
	case 425:
	case 424: /* Bedrock: the model failed */
	case 429:
	case 498: /* Groq: no capacity for the tier "flex" */
		return true;
	case 501: /* the server has no such function */
	case 505:
		return false;
	default:
		return f->status >= 500 ||
		    (f->status < 300 && is_one_of(f->code, codes));
	}
}

enum answer_kind
provider_error_kind(const struct provider_error *f)
{
	if (is_permanent(f))
		return ANSWER_NEVER;
	if (f->exchange->retry != 0)
		return f->exchange->retry > 0 ? ANSWER_RETRY : ANSWER_NONE;
	return is_transient(f) ? ANSWER_RETRY : ANSWER_NONE;
}

struct str
provider_error_text(const struct provider_error *f, struct arena *a)
{
	struct str message = provider_error_clip(a, f->message);

	if (f->status == 0)
		return message;
	if (f->status < 300)
		return str_printf(
		    a, "the server reports an error: %.*s", STR_FMT(message));
	message = str_printf(a, "HTTP %lld%s%.*s", (long long)f->status,
	    message.n == 0 ? "" : ": ", STR_FMT(message));
	if (f->status != 404)
		return message;
	/* The model or the URL is wrong, and the URL is not as it was given. */
	return str_printf(
	    a, "%.*s (asked %s)", STR_FMT(message), f->exchange->to);
}

struct str
provider_error_clip(struct arena *a, struct str text)
{
	return layout_clean(a, str_truncate(text, CLIP_MAX), false);
}

struct str
provider_error_begins(struct arena *a, struct str what, struct str text)
{
	struct str start = str_squeeze(a, str_truncate(text, BEGINNING_MAX));

	return str_printf(a, "%.*s" PROVIDER_ERROR_BEGINS "%.*s%s",
	    STR_FMT(what), STR_FMT(layout_clean(a, start, false)),
	    text.n > BEGINNING_MAX ? "..." : "");
}
