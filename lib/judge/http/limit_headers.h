/*
 * What a server says of its limits in the headers of a reply: how much is
 * left of each, and when it is full again (OpenAI's x-ratelimit-...,
 * Anthropic's anthropic-ratelimit-...).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum limit_kind {
	LIMIT_REQUESTS,
	LIMIT_TOKENS,
	LIMIT_INPUT_TOKENS,
	LIMIT_OUTPUT_TOKENS,
	LIMIT_COUNT,
};

/* A zeroed one knows nothing. */
struct limit_headers {
	struct {
		bool known;
		double left;  /* requests or tokens */
		double reset; /* in so many seconds */
	} kind[LIMIT_COUNT];
};

/* Takes a header, if it is one of these. `now`: milliseconds since 1970. */
void limit_headers_read(
    struct limit_headers *, struct str name, struct str value, int64_t now);

/* How many seconds the server would refuse a request of so many tokens; 0: it
 * would not. */
double limit_headers_rest(const struct limit_headers *, double tokens);

/* Seconds: a number, a Go duration (6m0s, 12ms) or an RFC 3339 time; negative
 * if it is none of them. */
double limit_headers_seconds(struct str, int64_t now);
