/*
 * Between the files that read JavaScript's patterns: js.c (terms), js_escape.c
 * (escapes), js_class.c (classes and case) and js_name.c (groups' names).
 *
 * After the first error the cursor stands at the end of the pattern, so that
 * every loop ends; what is returned then is of no account.
 */
#pragma once

#include "base/hash.h"
#include "regex/flavour/parse.h"
#include "regex/tree/text.h"

enum {
	JS_END = 0x110000, /* no unit: the end of the pattern */
};

/* A group that is open where we read. */
struct js_group {
	size_t number;
	struct js_group *around;
};

struct js {
	struct arena *arena;
	struct text pattern;
	size_t at;
	unsigned flags;
	size_t groups;  /* of the whole pattern, by a first look at it */
	bool has_names; /* some group of the whole pattern has a name */
	size_t opened;  /* groups opened so far */
	struct js_group *open;
	unsigned depth, behind;    /* groups and lookbehinds around here */
	struct str *names;         /* by group */
	struct hash_table by_name; /* to the place in names */
	struct js_reference *forward;
	size_t nforward;
	struct regex_error *error;
	bool failed;
};

uint32_t js_peek(const struct js *);      /* the unit at the cursor */
uint32_t js_peek_next(const struct js *); /* the unit after it */
void js_advance(struct js *);
bool js_skip(struct js *, uint32_t unit); /* advances over it, if there */
void js_fail(struct js *, size_t at, const char *why);

/* js_class.c */
struct tree *js_literal(struct js *, uint32_t unit);
struct tree *js_class(struct js *);
/* \d \s \w and their complements, by their letter. */
const struct set *js_shorthand(struct js *, uint32_t letter);
const struct set *js_dot(struct js *);
const struct set *js_line_ends(struct js *);

/* The unit that the escape at the cursor stands for. */
uint32_t js_escaped_unit(struct js *, bool in_class);
/* What follows \u: four digits or, in names, also {digits} and pairs. */
bool js_unicode_escape(struct js *, bool in_name, uint32_t *value);
