/*
 * The parts of json_read: json_grammar.c goes from value to value, and has
 * json_scalar.c and json_check.c look at what takes longer.
 *
 * Functions take where something begins and return where it ends, or NULL
 * after json_fail().
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

/* Returns NULL. */
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

/* Goes on with what the reader has begun. */
const char *json_grammar(struct json_parser *, const char *);

/* A number or a word. */
const char *json_scalar(struct json_parser *, const char *, struct json *);

/* Looks at a string that may be wrong, character by character. */
const char *json_check_string(struct json_parser *, const char *);
