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

/* Returns the message in {"error":{"message":TEXT}}, {"error":TEXT},
 * {"message":TEXT} or {"detail":TEXT}; else the error or the whole reply. */
static struct str
message_of(
    const struct exchange *x, const struct json *body, const struct json *error)
{
	const struct json *places[] = { json_get(error, "message"), error,
		json_get(body, "message"), json_get(body, "detail") };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (json_is(places[i], JSON_STRING))
			return json_text(places[i], x->arena);
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

/* Reads Google's details: {"reason":"API_KEY_INVALID"},
 * {"retryDelay":"27s"}. */
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

/* Returns whether no other request will succeed either. */
static bool
is_permanent(const struct provider_error *f)
{
	static const char *const codes[] = { "insufficient_quota",
		"API_KEY_INVALID", NULL };

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
		return is_one_of(f->code, codes) ||
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
	case 429:
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
