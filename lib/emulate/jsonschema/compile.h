/* The state of the compiler of schemas, and the functions that its files share:
 * ids.c (ids, base URIs, references), shape.c (checks of keywords' values),
 * compile.c. */
#pragma once

#include "base/hash.h"
#include "emulate/jsonschema/tree.h"

struct compiler {
	struct arena *arena;
	const struct json *root;
	int draft;               /* DRAFT4, ... or DRAFT_ALL */
	struct schema **schemas; /* by the index of their value in the root */
	struct str *bases; /* by the same index: the base URI of references */
	struct hash_table ids; /* URI to value */
	struct jsonschema *made;
	struct jsonschema_error *error;
	bool failed;
};

/* Records the first error. */
void jsonschema_fail(struct compiler *, const struct json *at, struct str why);

/* Returns the index of the value in the root, which is its index in `schemas`
 * and `bases`. */
size_t jsonschema_index(const struct compiler *, const struct json *);

struct str jsonschema_text_member(
    struct compiler *, const struct json *object, struct str name);

/* Returns the draft whose meta-schema has this URI; 0 if there is none. */
int jsonschema_draft_of(struct str uri);

/* Returns NULL if the draft has no such keyword. */
const struct keyword *jsonschema_keyword_of(
    const struct compiler *, const struct json *key);

/* Returns whether the schema has a $ref, which replaces all keywords beside
 * it. */
bool jsonschema_is_reference(const struct json *schema);

/* Records that the URI names the value. */
void jsonschema_set_id(struct compiler *, struct str uri, const struct json *);

/* Records the base URI of every schema in this one, and the value that each id
 * names. */
void jsonschema_collect(
    struct compiler *, const struct json *schema, struct str base);

/* Returns the error in the value of the schema's keyword, or NULL. */
const char *jsonschema_shape_error(struct compiler *, const struct json *schema,
    const struct keyword *, const struct json *value);
bool jsonschema_all_strings(const struct json *);
bool jsonschema_is_bool(const struct json *);

/* Returns the value that a reference leads to, or NULL. */
const struct json *jsonschema_resolve(
    struct compiler *, struct str base, struct str reference);
