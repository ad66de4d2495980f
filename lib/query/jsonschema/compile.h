/* A schema while it is compiled: what its ids name, where references lead. */
#pragma once

#include "base/hash.h"
#include "query/jsonschema/tree.h"

struct compiler {
	struct arena *arena;
	const struct json *root;
	int draft;               /* DRAFT4, ... or DRAFT_ALL */
	struct schema **schemas; /* by the place of their value in the root */
	struct str *bases;       /* the same: what references are relative to */
	struct hash_table ids;   /* URI to value */
	struct jsonschema *made;
	struct jsonschema_error *error;
	bool failed;
};

/* The first mistake is kept. */
void jsonschema_fail(struct compiler *, const struct json *at, struct str why);

/* Where the value is in the root: the index of what is known of it. */
size_t jsonschema_index(const struct compiler *, const struct json *);

struct str jsonschema_text_member(
    struct compiler *, const struct json *object, struct str name);

/* The draft whose own schema has this URI; 0: none. */
int jsonschema_draft_of(struct str uri);

/* NULL if the draft has no such keyword. */
const struct keyword *jsonschema_keyword_of(
    const struct compiler *, const struct json *key);

/* Whether the schema is a $ref, which takes the place of all beside it. */
bool jsonschema_is_reference(const struct json *schema);

/* Notes that the URI names the value. */
void jsonschema_set_id(struct compiler *, struct str uri, const struct json *);

/* Notes the base of every schema in this one, and which value each id names. */
void jsonschema_collect(
    struct compiler *, const struct json *schema, struct str base);

/* What is wrong with the value of the schema's keyword, or NULL. */
const char *jsonschema_shape_error(struct compiler *, const struct json *schema,
    const struct keyword *, const struct json *value);
bool jsonschema_all_strings(const struct json *);
bool jsonschema_is_bool(const struct json *);

/* The value that a reference leads to, or NULL. */
const struct json *jsonschema_resolve(
    struct compiler *, struct str base, struct str reference);
