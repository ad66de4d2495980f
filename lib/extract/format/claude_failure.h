/*
 * Why a run that Claude Code printed failed: what its result says of it; or its
 * account has used all that it may, of which events tell (rate_limit_event),
 * and a banner in place of an answer, with which the run counts as done.
 */
#pragma once

#include "json/json.h"

/* The state that the last event told. Zeroed: none did. */
struct claude_limit {
	bool rejected;
	struct str type; /* body: "five_hour"; absent: not told */
	double resets;   /* seconds since 1970; 0: not told */
};

/* The rate_limit_info of an event; its text is kept in the arena. */
void claude_limit_read(
    struct claude_limit *, struct arena *, const struct json *info);

/* The body of the reason, in the arena; absent if the run did not fail.
 * `silent`: the model said nothing. */
struct str claude_failure(const struct claude_limit *, struct arena *,
    const struct json *result, bool silent);

/* Whether the result's text is an answer, and not what went wrong. */
bool claude_answered(const struct json *result);
