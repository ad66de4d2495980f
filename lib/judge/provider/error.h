/*
 * What a server says when it does not do what it was asked, in any of the
 * forms in which servers say it, and what follows from that.
 */
#pragma once

#include "judge/http/exchange.h"
#include "judge/provider/provider.h"
#include "json/json.h"

struct provider_error {
	const struct exchange *exchange;
	int64_t status;         /* HTTP's, or the one that the error names; 0:
	                         * no reply came */
	struct str message;     /* never absent */
	struct str param, code; /* absent if not told */
	double wait;            /* seconds that it wants us to wait; 0: none */
};

/*
 * True if the exchange failed: there is no reply, its status is no 2xx, or its
 * body (NULL: not JSON) or `inner` (NULL: nothing) is an error all the same.
 */
bool provider_error_read(struct provider_error *, const struct exchange *,
    const struct json *body, const struct json *inner);

/* Whether it is this parameter of the request that was wrong. */
bool provider_error_blames(
    const struct provider_error *, const char *parameter);

/* ANSWER_RETRY, ANSWER_NONE or ANSWER_NEVER. */
enum answer_kind provider_error_kind(const struct provider_error *);

/* "HTTP 429: Slow down." */
struct str provider_error_text(const struct provider_error *, struct arena *);

/* No more of a server's text than is fit to be told. */
struct str provider_error_clip(struct str);
