/*
 * Reads the keys of one object that an author wrote. The first mistake is kept,
 * and later getters continue with empty values, so that a caller needs no
 * checks but fields_close() at the end.
 *
 * A key that no getter has asked for is unknown. An unknown key is a misspelling,
 * and a mistake, if it is one edit away from a known key that the object lacks,
 * or similar to the required key whose absence is the first mistake; or if the
 * file's dialect has checks under the key at another level. Any other
 * unknown key is reported as the document's policy says; without a policy as a
 * mistake.
 */
#pragma once

#include "yaml/document.h"

struct fields {
	struct arena *arena;
	const struct document *doc;
	const struct json *object;
	struct str where; /* the object's name in messages */
	bool any_key;     /* unknown keys are allowed */
	/* The object is an assertion, or its parameters: an unknown key that
	 * would turn or bound the verdict spoils it, and so does a missing key
	 * unless `strict`. */
	bool is_assertion;
	bool strict;
	bool times;          /* an instant is not text, as in yaml.v3 */
	const void *context; /* for the dialect: what the object is part of */

	/* private */
	struct str *asked;
	size_t nasked;
	struct place place; /* place of the first mistake */
	struct str wrong;   /* the first mistake; absent: none */
	enum mistake kind;  /* of the first mistake */
	struct str missing; /* the key, if the mistake is a missing key */
};

/* The values that a getter takes. */
enum fields_kind {
	FIELDS_ANY,
	FIELDS_TEXT,
	FIELDS_NAME,   /* text or a number */
	FIELDS_LOOSE,  /* text, a number or a truth value */
	FIELDS_SCALAR, /* a number or a truth value */
	FIELDS_BOOL,
	FIELDS_NUMBER,
	FIELDS_INT,
	FIELDS_LIST,
	FIELDS_OBJECT,
	/* In place of a value of another kind: a text with a template in it or
	 * with the name of a file; and {"$ref": PATH} or "file://PATH". */
	FIELDS_TEMPLATE,
	FIELDS_REFERENCE,
};

/* Writes a bit of a set of kinds: IS(TEXT) | IS(LIST). */
#define IS(what) (1U << FIELDS_##what)

/* Watches what is asked of the objects of a document, so that a schema can say
 * what the reader would accept. */
struct fields_watcher {
	void (*open)(void *arg, const struct json *object);
	/* A key was asked for; `needed` says that the key is required. With key
	 * NULL: a value in place of the object. */
	void (*ask)(void *arg, const struct json *object, const char *key,
	    enum fields_kind, bool needed);
	/* The elements of a list must be text. */
	void (*texts)(void *arg, const struct json *list);
	/* An object is read by the form (struct forms of the dialects) of its
	 * type; with `named` its only key is the type. */
	void (*forms)(void *arg, const struct json *object, const void *forms,
	    bool named);
	/* A value is read in the same way as all others of this name. */
	void (*alike)(void *arg, const struct json *value, const char *name);
	void *arg;
};

/* Lets the document's watcher know that a reader takes a value of one of the kinds
 * (IS) under each of these keys of the object, between which are blanks, although no
 * getter is asked for the keys. With keys NULL, the value may be in place of the whole
 * object. */
void fields_note(const struct document *, const struct json *object,
    const char *keys, unsigned kinds);

/* Like fields_note, for a key that is required. */
void fields_note_needed(const struct document *, const struct json *object,
    const char *key, unsigned kinds);

/* Lets the document's watcher know that a reader reads all values of this name in
 * one way, in all places. It is called before anything is asked of the
 * value. */
void fields_note_alike(
    const struct document *, const struct json *value, const char *name);

/* Starts on the object. Any other value is reported, and read as an empty
 * object. */
struct fields fields_open(struct arena *, const struct document *,
    const struct json *, struct str where);

/* Returns the key's value, or NULL if it is missing or null. Marks the key as
 * known, as all getters do. */
const struct json *fields_get(struct fields *, const char *key);

/* Like fields_get, but the key is required, and null is returned as a value. */
const struct json *fields_need(struct fields *, const char *key);

/* Return text. fields_str requires the key; fields_str_if returns absent text
 * if the key is missing. */
struct str fields_str(struct fields *, const char *key);
struct str fields_str_if(struct fields *, const char *key);
/* Like fields_str and fields_str_if, for names that may be written as numbers:
 * the result is then the number's source. */
struct str fields_name(struct fields *, const char *key);
struct str fields_name_if(struct fields *, const char *key);

/* Returns false if the key is missing. */
bool fields_bool_if(struct fields *, const char *key);

/* Return a number, or 0 if the key is missing. fields_int_if requires a number
 * without fraction and exponent. */
double fields_number_if(struct fields *, const char *key);
int64_t fields_int_if(struct fields *, const char *key);

/* Returns a number in the arena, or NULL if the key is missing. */
const double *fields_number_given(struct fields *, const char *key);

/* Return a list or an object. fields_list requires the key, whose value may be
 * null; the others return NULL if the key is missing. */
const struct json *fields_list(struct fields *, const char *key);
const struct json *fields_list_if(struct fields *, const char *key);
const struct json *fields_object_if(struct fields *, const char *key);

/* Returns the texts in a list (NULL: none), which messages call `where`. An
 * element that is not text is reported, and is absent in the result. */
struct str_list fields_strs(
    struct fields *, const struct json *list, const char *where);

/* Returns the first value that is there under one of the keys, between which are blanks,
 * of a value within the object; NULL: none, or null. Each of them must be of one of the
 * kinds (IS): text, list, object, truth value. */
const struct json *fields_within(
    struct fields *, const struct json *, const char *keys, unsigned kinds);

/* Like fields_within, for a list of objects. */
const struct json *fields_objects(
    struct fields *, const struct json *, const char *keys);

/* Marks keys (separated by blanks) as known that are allowed but have no
 * effect. */
void fields_ignore(struct fields *, const char *keys);

/* Spoils the assertion if the value within it has a key that would turn or bound
 * the verdict, and that is none of these (separated by blanks; NULL: no such
 * key is known). */
void fields_check_within(
    struct fields *, const struct json *, const char *known);

/* Records a mistake in this value (NULL: in the object), for which the file is
 * refused. */
void fields_mistake(struct fields *, const struct json *at, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Like fields_mistake, but only the assertion is spoilt, and all others are
 * checked. */
void fields_spoil(struct fields *, const struct json *at, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Reports something in this value (NULL: in the object) that is no mistake. */
void fields_remark(struct fields *, const struct json *at, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Returns whether there was no mistake so far. */
bool fields_ok(const struct fields *);

/* Reports the first mistake and all unknown keys, and returns whether there
 * were none. Unless `why` is NULL, *why becomes the text of the first mistake,
 * or absent. */
bool fields_close(struct fields *, struct str *why);
