/*
 * The shape of the values of a log: a tree of all members that were seen, in
 * which the elements of a list are one shape. A list of lists whose first list
 * holds names is a table; its columns are members with these names.
 */
#pragma once

#include "json/json.h"

enum {
	SHAPE_VALUES = 48, /* distinct short strings that are kept */
	SHAPE_TYPES = JSON_OBJECT + 1,
};

struct shape {
	struct str name;            /* decoded; of a column: the title */
	struct shape *parent;       /* NULL: the whole record */
	struct shape *next;         /* the next member of the parent */
	struct shape *first, *last; /* members */
	struct shape *items;        /* the elements of lists */
	bool element;               /* this is the items of the parent */
	bool table;                 /* the items are rows below a title row */
	bool column;
	size_t index; /* of a column */

	size_t n;                  /* values that were seen */
	size_t types[SHAPE_TYPES]; /* values of each type of JSON */
	size_t empty;              /* strings without text */
	size_t spaced;             /* strings with blanks, or long */
	unsigned failures;         /* bits of texts that report an error */
	size_t joined;             /* strings such as get_order or crm.find */
	struct str values[SHAPE_VALUES];
	size_t n_values;
	bool more; /* there were other strings */

	/* For the caller. */
	bool used;
	bool only_last; /* of elements: the path leads to the last one alone */
};

/* Adds a value, whose text must live as long as the arena. */
void shape_add(struct arena *, struct shape *, const struct json *);

/* Returns whether the shape lies in the other shape, or is that shape. */
bool shape_within(const struct shape *, const struct shape *of);

/* Returns the innermost element of a list that holds the shape, itself
 * included; the root if there is none. */
struct shape *shape_element(struct shape *);

/* Sets `used` and `only_last` to false, also of all shapes in the shape. */
void shape_reset(struct shape *);

/* Returns the JSONPath from the shape `from`, which is `$`. */
struct str shape_path(
    struct arena *, const struct shape *, const struct shape *from);

/* Returns the path of the record's member, or of that of its first element if the record is
 * a list, that holds the shape; absent if some record lacks the member. NULL is allowed. */
struct str shape_top(
    struct arena *, const struct shape *, const struct shape *record);

/* Returns the regular expression of texts that report an error; some do. */
const char *shape_failure_of(const struct shape *);

/* Returns the text as a string of JSONPath. */
struct str shape_quoted(struct arena *, struct str);

struct shape_values {
	const struct json **list;
	size_t n;
};

/* Returns the values at the shape within `record`, whose shape is the root, in the
 * arena. */
struct shape_values shape_values(
    struct arena *, const struct shape *, const struct json *record);
