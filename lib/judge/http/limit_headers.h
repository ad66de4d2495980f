/*
 * Reads a server's rate limits from the headers of a reply: how much of each
 * limit is left, and when the limit is full again (OpenAI's x-ratelimit-...,
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

/* The limits that are known; zeroed: none. */
struct limit_headers {
	struct {
		bool known;
		double left;  /* requests or tokens that are left */
		double reset; /* seconds until the limit is full again */
	} kind[LIMIT_COUNT];
};

/* Stores the value of a header if the header is a limit. `now`: milliseconds
 * since 1970. */
void limit_headers_read(
    struct limit_headers *, struct str name, struct str value, int64_t now);

/* Returns the number of seconds for which the server would refuse a request of
 * `tokens` tokens; 0: the server would accept the request. */
double limit_headers_rest(const struct limit_headers *, double tokens);

/* Returns the seconds that a text stands for: a number, a Go duration (6m0s,
 * 12ms) or an RFC 3339 time after `now`; negative: neither. */
double limit_headers_seconds(struct str, int64_t now);
