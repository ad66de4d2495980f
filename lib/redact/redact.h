/*
 * JSON of which nothing is to leave that must not, and which stays JSON. What
 * is left is as it was, byte for byte. Strings, keys and numbers are looked at
 * as what they mean, without escapes; a string that is itself an object or a
 * list in JSON is treated as such. A number becomes a string.
 */
#pragma once

#include "redact/text.h"
#include "json/json.h"

/* JSON text: the value's own, or, if anything of it is redacted, a copy. */
struct str redact_json(struct redaction *, const struct json *);

/* The same of what a judge is shown (evidence.h): the names of its parts
 * stay. */
struct str redact_evidence(struct redaction *, const struct json *);

/* The same of a record (mcpl-trace(5)) or a report's partial: the names of its
 * parts stay, and so do the ids, states and times that make it up. */
struct str redact_record(struct redaction *, const struct json *);

/* The record, so redacted, as a value that lives until the arena is reset or
 * the reader used; the value itself where rules are NULL. */
const struct json *redact_reread(struct redact *rules, struct arena *,
    struct json_reader *, const struct json *);
