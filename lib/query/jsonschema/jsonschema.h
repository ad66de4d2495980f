/*
 * JSON Schema, drafts 4, 6 and 7, as gojsonschema (which PromptKit uses) has
 * them: by $schema, or all three at once without it. Nothing is fetched: a
 * reference must lead into the schema itself or to a draft's own schema.
 */
#pragma once

#include <stdbool.h>

#include "json/json.h"

struct jsonschema_error {
	const struct json *at; /* compile: the schema's value that is wrong */
	struct str path;       /* check: where in the instance: "/items/0" */
	struct str why;
	bool limit; /* check: a pattern found no end, so there is no verdict */
};

struct jsonschema;

/* Compiles a schema, whose values outlive it, in the arena. NULL if it is no
 * schema, and *error says where and why. */
struct jsonschema *jsonschema_compile(
    struct arena *, const struct json *schema, struct jsonschema_error *error);

/* Frees what the arena does not hold; NULL is nothing. */
void jsonschema_free(const struct jsonschema *);

/* Whether the instance is valid; if not, *error holds the first reason, or
 * says that nobody can tell. */
bool jsonschema_valid(const struct jsonschema *, const struct json *instance,
    struct arena *, struct jsonschema_error *error);
