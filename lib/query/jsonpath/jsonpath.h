/*
 * JSONPath: RFC 9535 in full, and the spellings of jsonpath-plus that users
 * of MCPLab write. Where the two contradict each other on what a path plainly
 * says, the RFC holds (deviation L3).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json/json.h"

enum jsonpath_flavour {
	JSONPATH_RFC9535, /* nothing else is accepted */
	JSONPATH_PLUS,    /* also jsonpath-plus's spellings */
};

struct jsonpath_error {
	size_t offset;  /* in bytes from the start of the path */
	struct str why; /* in the arena */
};

struct jsonpath_list {
	const struct json **values;
	size_t n;
	bool cut; /* the path is too much work: no verdict hangs on the list */
};

struct jsonpath;

/* NULL if the path is not well-formed or not valid, and *error says why. */
struct jsonpath *jsonpath_compile(struct arena *, struct str path,
    enum jsonpath_flavour, struct jsonpath_error *error);

/* Frees what does not lie in the arena (compiled regular expressions). */
void jsonpath_free(struct jsonpath *);

/*
 * The values that the path selects, in order, duplicates kept. They point
 * into the document, or into the arena where the path makes values (names
 * by `~`, `.length`). The work is bounded, whatever the path.
 */
struct jsonpath_list jsonpath_select(
    const struct jsonpath *, const struct json *root, struct arena *);
