/*
 * Reads the keys of one object that an author wrote. The first thing wrong is
 * kept and empty values are given from then on, so that callers write straight
 * lines and ask once, at the end. A key that nobody asked for is a mistake:
 * it is told with the nearest one that somebody did.
 */
#pragma once

#include "yaml/document.h"

struct fields {
	struct arena *arena;
	const struct document *doc;
	const struct json *object;
	struct str where;    /* what messages call it */
	bool any_key;        /* no key is a mistake */
	bool times;          /* Go's instants are no text, as in yaml.v3 */
	const void *context; /* of the dialect: what the object is part of */

	/* private */
	struct str *asked;
	size_t nasked;
	struct place place; /* of the first thing wrong */
	struct str wrong;   /* absent: nothing was */
	struct str missing; /* the key, where it is that one is not there */
};

/* Begins on the object; anything else is told, and read as an empty one. */
struct fields fields_open(struct arena *, const struct document *,
    const struct json *, struct str where);

/* The key's value; NULL if it is not there or null. Counts as asked for. */
const struct json *fields_get(struct fields *, const char *key);

/* The same of a key that must be there, where null is a value too. */
const struct json *fields_need(struct fields *, const char *key);

/* Text. fields_str's key must be there; fields_str_if gives absent text. */
struct str fields_str(struct fields *, const char *key);
struct str fields_str_if(struct fields *, const char *key);
/* The same of names that may be written as numbers: the source then. */
struct str fields_name(struct fields *, const char *key);
struct str fields_name_if(struct fields *, const char *key);

/* False if it is not there. */
bool fields_bool_if(struct fields *, const char *key);

/* A number that is not there is 0. fields_int_if's is written without fraction
 * and exponent. */
double fields_number_if(struct fields *, const char *key);
int64_t fields_int_if(struct fields *, const char *key);

/* A list or object. fields_list's key must be there but may be null; the others
 * give NULL if it is not. */
const struct json *fields_list(struct fields *, const char *key);
const struct json *fields_list_if(struct fields *, const char *key);
const struct json *fields_object_if(struct fields *, const char *key);

/* The texts in a list (NULL: none), which messages call `where`. What is no
 * text is absent. */
struct str_list fields_strs(
    struct fields *, const struct json *list, const char *where);

/* Keys (a NULL-terminated list) that may be there and do nothing here. */
void fields_ignore(struct fields *, const char *const keys[]);

/* Something is wrong with this value (NULL: with the object). */
void fields_wrong(struct fields *, const struct json *at, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Whether nothing was wrong so far. */
bool fields_good(const struct fields *);

/* Tells all mistakes. True if there were none; else *why, which may be NULL,
 * is the text of the first. */
bool fields_close(struct fields *, struct str *why);
