/*
 * What a server says when it does not do what it was asked, in any of the
 * forms in which servers say it, and what follows from that.
 */
#ifndef FAILURE_H
#define FAILURE_H

#include "judge/http/exchange.h"
#include "judge/provider/provider.h"
#include "json/json.h"

struct failure {
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
bool failure_read(struct failure *, const struct exchange *,
    const struct json *body, const struct json *inner);

/* Whether it is this parameter of the request that was wrong. */
bool failure_blames(const struct failure *, const char *parameter);

/* ANSWER_RETRY, ANSWER_NONE or ANSWER_NEVER. */
enum answer_kind failure_kind(const struct failure *);

/* "HTTP 429: Slow down." */
struct str failure_told(const struct failure *, struct arena *);

/* No more of a server's text than is fit to be told. */
struct str failure_clip(struct str);

#endif
