/*
 * The parser of JavaScript's patterns: js.c (terms and groups) uses js_class.c
 * (sets, case, escapes of one unit), and both use js_cursor.c.
 *
 * After the first error the cursor is at the end of the pattern, so that every
 * loop ends; values that are returned then do not matter.
 */
#pragma once

#include "base/hash.h"
#include "emulate/regex/flavour/parse.h"
#include "emulate/regex/tree/text.h"

enum {
	JS_END = 0x110000, /* no unit: the end of the pattern */
};

/* A group that encloses the cursor. */
struct js_group {
	size_t number;
	struct js_group *around;
};

struct js {
	struct arena *arena;
	struct text pattern;
	size_t at;
	unsigned flags;
	size_t groups;  /* of the whole pattern, counted in a first pass */
	bool has_names; /* some group of the whole pattern has a name */
	size_t opened;  /* groups opened so far */
	struct js_group *open;
	unsigned depth, behind; /* groups and lookbehinds around the cursor */
	struct str *names;      /* by group */
	struct hash_table by_name; /* to the element of names */
	struct js_reference *forward;
	size_t nforward;
	struct regex_error *error;
	bool failed;
};

uint32_t js_peek(const struct js *);      /* the unit at the cursor */
uint32_t js_peek_next(const struct js *); /* the unit after that */
void js_advance(struct js *);
bool js_skip(struct js *, uint32_t unit); /* skips the unit, if it is there */
void js_fail(struct js *, size_t at, const char *why);

/* js_class.c */
struct tree *js_literal(struct js *, uint32_t unit);
struct tree *js_class(struct js *);
/* Returns the set of \d, \s, \w or their complements, by their letter. */
const struct set *js_shorthand(struct js *, uint32_t letter);
const struct set *js_dot(struct js *);
const struct set *js_line_ends(struct js *);

/* Returns the unit that the escape at the cursor denotes. */
uint32_t js_escaped_unit(struct js *, bool in_class);
/* Reads what follows \u: four digits or, in names, also {digits} and pairs. */
bool js_unicode_escape(struct js *, bool in_name, uint32_t *value);
