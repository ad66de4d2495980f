/*
 * Reads a tool's result as mcp-eval does: its text, and the value at a
 * field_path, in which dots separate names and indices are in brackets:
 * content[0].text, rows[-1]id.
 */
#pragma once

#include "base/str.h"
#include "json/json.h"

/*
 * Returns the text of a tool's result: a text itself; of an object its `text`,
 * else the text of its `content`, else of its `output`, else of all its
 * members; of a list the texts of its items, each on a line. Absent if there is
 * none: numbers, true, false and null have no text.
 */
struct str tool_result_text(const struct json *, struct arena *);

struct field_path_step;

struct field_path {
	struct str written; /* absent: none; the whole result is meant */
	struct field_path_step *steps;
	size_t n;
};

/* Reads a path. Returns false and sets *why if it is malformed. */
bool field_path_read(
    struct field_path *, struct arena *, struct str path, struct str *why);

/* Returns the value at the path, or NULL. A name of digits is an index where
 * the value is a list. */
const struct json *field_path_get(
    const struct field_path *, const struct json *, struct arena *);
