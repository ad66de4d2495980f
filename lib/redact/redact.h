/*
 * Redacts JSON, so that the result is JSON again. The parts that are not
 * redacted stay the same, byte for byte. Strings, keys and numbers are searched
 * by their decoded text. A string that is itself a JSON object or list is
 * redacted as such. A redacted number becomes a string.
 */
#pragma once

#include "redact/text.h"
#include "json/json.h"

/* Returns JSON text: the value's own text, or a copy if anything was
 * redacted. */
struct str redact_json(struct redaction *, const struct json *);

/* Like redact_json, for the context that a judge sees (judge/context.h): the
 * names of its parts stay. */
struct str redact_context(struct redaction *, const struct json *);

/* Like redact_json, for a record (mcpl-trace(5)) or the partial of a report:
 * the names of its parts stay, and so do ids, states and times. */
struct str redact_record(struct redaction *, const struct json *);

/* Returns the redacted record as a value, which lives until the arena is reset
 * or the reader is used again. Returns the record itself if `rules` is NULL. */
const struct json *redact_reread(struct redact *rules, struct arena *,
    struct json_reader *, const struct json *);
