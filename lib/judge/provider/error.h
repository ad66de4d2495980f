/*
 * Reads a server's error in any of the forms that servers use, and decides
 * whether to try again.
 */
#pragma once

#include "judge/http/exchange.h"
#include "judge/provider/provider.h"
#include "json/json.h"

struct provider_error {
	const struct exchange *exchange;
	int64_t status;         /* HTTP status, or the status that the error
				 * names; 0: no reply came */
	struct str message;     /* never absent */
	struct str param, code; /* absent: not given */
	double wait;            /* seconds that the server asks the client to
				 * wait; 0: none */
};

/*
 * Returns true and fills the error if the exchange failed: there is no reply,
 * the status is not 2xx, or the body (NULL: not JSON) has an error, or `inner`
 * (NULL: none) is an error. The exchange must outlive the error.
 */
bool provider_error_read(struct provider_error *, const struct exchange *,
    const struct json *body, const struct json *inner);

/* Returns whether the error is about this parameter of the request. */
bool provider_error_blames(
    const struct provider_error *, const char *parameter);

/* Returns ANSWER_RETRY, ANSWER_NONE or ANSWER_NEVER. */
enum answer_kind provider_error_kind(const struct provider_error *);

/* Returns the error for a message: "HTTP 429: Slow down." */
struct str provider_error_text(const struct provider_error *, struct arena *);

/* Returns `what`, the words PROVIDER_ERROR_BEGINS, and the beginning of a text that
 * is not what was expected, on one line and as provider_error_clip returns it. */
#define PROVIDER_ERROR_BEGINS "; it begins: "
struct str provider_error_begins(
    struct arena *, struct str what, struct str text);

/* Returns the beginning of a server's text, short enough for a message, with
 * hidden characters as mcpl-report writes them: \x1b, \u{202e}. */
struct str provider_error_clip(struct arena *, struct str);
