/* Parts that messages, steps and streams of the Vercel AI SDK share. */
#pragma once

#include "extract/format/log_format.h"

/* Reads a call, or a result, of a tool (NULL: not named) from a part of a
 * message or a chunk of a stream. own: the result is that of the call that was
 * read last. */
void vercel_call(
    struct builder *, const struct json *part, const struct json *tool);
void vercel_result(struct builder *, const struct json *part,
    const struct json *tool, bool own);

/* Returns the arguments in such a part, or NULL. */
const struct json *vercel_args(const struct json *part);

/* Reads the SDK's counts into usage. */
void vercel_usage_read(struct usage *, const struct json *counts);

/* Reads the end of a run's step: model, usage, and why the step ended. */
void vercel_step_end_read(struct log *, const struct json *step);
