/* mcp-eval's field_path: where in a tool's result a value stands. Names are
 * parted by dots, indices stand in brackets: content[0].text, rows[-1]id. */
#pragma once

#include "base/str.h"
#include "json/json.h"

struct field_step;

struct field {
	struct str written; /* absent: none was, the whole result is meant */
	struct field_step *steps;
	size_t n;
};

/* False if the path is none, and *why. */
bool field_read(
    struct field *, struct arena *, struct str path, struct str *why);

/* The value there, or NULL. A name that is digits is an index in a list. */
const struct json *field_get(
    const struct field *, const struct json *, struct arena *);
