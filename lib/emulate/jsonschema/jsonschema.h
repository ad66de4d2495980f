/*
 * JSON Schema, drafts 4, 6 and 7, as gojsonschema (which PromptKit uses)
 * implements them: the draft of $schema, or all three at once without it.
 * Nothing is fetched: a reference must lead into the schema itself or to a
 * draft's meta-schema.
 */
#pragma once

#include <stdbool.h>

#include "json/json.h"

struct jsonschema_error {
	const struct json *at; /* compile: the schema's value that is wrong */
	struct str path; /* check: the location in the instance: "/items/0" */
	struct str why;
	/* check: a pattern reached its limit, so there is no verdict */
	bool limit;
};

struct jsonschema;

/* Compiles a schema in the arena; the schema's JSON must outlive the result.
 * Returns NULL if it is not a schema, and *error has the location and
 * reason. */
struct jsonschema *jsonschema_compile(
    struct arena *, const struct json *schema, struct jsonschema_error *error);

/* Frees the memory that is not in the arena. The schema may be NULL. */
void jsonschema_free(const struct jsonschema *);

/* Returns whether the instance is valid. If not, *error has the first reason,
 * or its `limit` is set because no verdict was reached. */
bool jsonschema_valid(const struct jsonschema *, const struct json *instance,
    struct arena *, struct jsonschema_error *error);
