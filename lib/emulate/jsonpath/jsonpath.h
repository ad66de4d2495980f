/*
 * JSONPath: RFC 9535 in full, and the spellings of jsonpath-plus that users of
 * MCPLab write. Where the two disagree on a path whose meaning is plain, the
 * RFC's meaning holds (a deviation; see mcpl-spec(5)).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json/json.h"

enum jsonpath_flavour {
	JSONPATH_RFC9535, /* no other spelling is accepted */
	JSONPATH_PLUS,    /* also jsonpath-plus's spellings */
};

struct jsonpath_error {
	size_t offset;  /* in bytes from the start of the path */
	struct str why; /* lives in the arena */
};

struct jsonpath_list {
	const struct json **values;
	size_t n;
	/* the work limit was reached: no verdict may depend on the list */
	bool cut;
};

struct jsonpath;

/* Compiles a path. Returns NULL if the path is not well-formed or not valid,
 * and *error has the reason. */
struct jsonpath *jsonpath_compile(struct arena *, struct str path,
    enum jsonpath_flavour, struct jsonpath_error *error);

/* Compiles a condition on a value, such as $.type == 'call': an expression as in
 * the filters of RFC 9535, where both `$` and `@` are the value. Returns NULL and
 * sets *error, like jsonpath_compile, if the text is no condition. */
struct jsonpath *jsonpath_condition(
    struct arena *, struct str text, struct jsonpath_error *error);

/* Returns whether the condition holds for the value; false if that takes too much
 * work. */
bool jsonpath_holds(
    const struct jsonpath *, const struct json *value, struct arena *);

/* Returns whether the path has only names, at most `max`, and stores them and their
 * number *n. */
bool jsonpath_names(
    const struct jsonpath *, struct str *names, size_t max, size_t *n);

/* Frees the compiled regular expressions, which are not in the arena. */
void jsonpath_free(struct jsonpath *);

/*
 * Returns the values that the path selects, in order, with duplicates. They
 * point into the document, or into the arena where the path creates values
 * (names by `~`, `.length`). The work is bounded, whatever the path.
 */
struct jsonpath_list jsonpath_select(
    const struct jsonpath *, const struct json *root, struct arena *);

/* Returns whether a bracket of the path is not closed; *offset is the bracket's
 * place. jsonpath-plus accepts such a path. */
bool jsonpath_is_open(struct str path, size_t *offset);

/* Returns whether jsonpath-plus looks for another name than RFC 9535 at a place of
 * the path, such as one with the blanks around it, or with the quotes of a text in
 * brackets. *name is then jsonpath-plus's name, in the arena. */
bool jsonpath_misread(struct arena *, struct str path, struct str *name);
