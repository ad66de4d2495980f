/*
 * The parts of json_read: json/grammar.c walks from value to value, and calls
 * json/token.c for what takes longer.
 *
 * The functions take the place where something begins, and return the place
 * where it ends, or NULL after json_fail().
 */
#pragma once

#include "json/json.h"
#include "json/strings.h"

struct json_parser {
	struct json_reader *reader;
	const char *text, *end;
	struct json_error error;
	struct json_strings strings;
};

/* Records an error at p. Returns NULL. */
static inline const char *
json_fail(struct json_parser *r, const char *p, const char *why)
{
	r->error =
	    (struct json_error){ (size_t)(p - r->text), why, p == r->end };
	return NULL;
}

static inline const char *
json_skip_space(const char *p, const char *end)
{
	while (p < end && json_is_space(*p))
		p++;
	return p;
}

/* Continues the text that the reader has begun, up to the end of its value. */
const char *json_grammar(struct json_parser *, const char *);

/* Reads a number, true, false or null. */
const char *json_scalar(struct json_parser *, const char *, struct json *);

/* Checks a string that may be invalid, character by character. */
const char *json_check_string(struct json_parser *, const char *);
