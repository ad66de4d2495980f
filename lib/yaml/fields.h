/*
 * Reads the keys of one object that an author wrote. The first thing wrong is
 * kept and empty values are given from then on, so that callers write straight
 * lines and ask once, at the end. A key that nobody asked for is a mistake:
 * it is told with the nearest one that somebody did.
 */
#ifndef ENTRY_H
#define ENTRY_H

#include "yaml/document.h"

struct entry {
	struct arena *arena;
	const struct doc *doc;
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
struct entry entry_open(
    struct arena *, const struct doc *, const struct json *, struct str where);

/* The key's value; NULL if it is not there or null. Counts as asked for. */
const struct json *entry_get(struct entry *, const char *key);

/* The same of a key that must be there, where null is a value too. */
const struct json *entry_need(struct entry *, const char *key);

/* Text. entry_str's key must be there; entry_str_if gives absent text. */
struct str entry_str(struct entry *, const char *key);
struct str entry_str_if(struct entry *, const char *key);
/* The same of names that may be written as numbers: the source then. */
struct str entry_name(struct entry *, const char *key);
struct str entry_name_if(struct entry *, const char *key);

/* False if it is not there. */
bool entry_bool_if(struct entry *, const char *key);

/* A number that is not there is 0. entry_int_if's is written without fraction
 * and exponent. */
double entry_number_if(struct entry *, const char *key);
int64_t entry_int_if(struct entry *, const char *key);

/* A list or object. entry_list's key must be there but may be null; the others
 * give NULL if it is not. */
const struct json *entry_list(struct entry *, const char *key);
const struct json *entry_list_if(struct entry *, const char *key);
const struct json *entry_object_if(struct entry *, const char *key);

/* The texts in a list (NULL: none), which messages call `where`. What is no
 * text is absent. */
struct str_list entry_strs(
    struct entry *, const struct json *list, const char *where);

/* Keys (a NULL-terminated list) that may be there and do nothing here. */
void entry_ignore(struct entry *, const char *const keys[]);

/* Something is wrong with this value (NULL: with the object). */
void entry_wrong(struct entry *, const struct json *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether nothing was wrong so far. */
bool entry_good(const struct entry *);

/* Tells all mistakes. True if there were none; else *why, which may be NULL,
 * is the text of the first. */
bool entry_close(struct entry *, struct str *why);

#endif
