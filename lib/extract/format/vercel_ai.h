/*
 * What messages, steps and streams of the Vercel AI SDK have in common.
 */
#pragma once

#include "extract/run/builder.h"

/* Tells the builder of the call, or the result, that a part or a chunk is, of
 * that tool (NULL: not named). */
void vercel_call(
    struct builder *, const struct json *part, const struct json *tool);
void vercel_result(
    struct builder *, const struct json *part, const struct json *tool);

/* Reads its counts into ours. */
void vercel_usage_read(struct usage *, const struct json *counts);

/* Tells the builder what a step of a run told at its end: model, time and
 * usage. NULL: nothing. */
void vercel_step_ends(struct builder *, const struct json *step);
