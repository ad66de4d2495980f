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

/* The redaction of texts that a record will quote, such as the reasons of its
 * results. The marks are those that the texts have in the redacted record. */
struct redact_quotes {
	struct redaction redaction; /* its marks are uncounted */
	const struct json *record;  /* the record before it is redacted */
	bool any;                   /* a text was redacted */
};

struct redact_quotes redact_quotes_of(
    struct redact *, struct arena *, const struct json *record);

/* Returns the redaction with which to redact the record, after `written`, which
 * has quotes of the record, is added to it. Counts the marks in `written`. */
struct redaction redact_after(const struct redact_quotes *, struct str written);

/* Returns the text without secrets. Part of the result may be quoted, while part
 * of the text could hold part of a secret, which no rule recognizes. */
struct str redact_quote(struct redact_quotes *, struct str text);

/* Returns the redacted record as a value, which lives until the arena is reset
 * or the reader is used again. Returns the record itself if `rules` is NULL. */
const struct json *redact_reread(struct redact *rules, struct arena *,
    struct json_reader *, const struct json *);
