/* JavaScript's values, as far as scripts have them, and their conversions
 * (ECMA-262, section 7). */
#pragma once

#include "emulate/jsonpath/run.h"
#include "emulate/regex/regex.h"

enum value_type {
	VALUE_UNDEFINED,
	VALUE_NULL,
	VALUE_BOOLEAN,
	VALUE_NUMBER,
	VALUE_TEXT,
	VALUE_JSON,  /* a list or an object of the document */
	VALUE_LIST,  /* a list that the script made */
	VALUE_REGEX, /* `text` is its source */
};

/* Units of work (see query/jsonpath/run.h) for each value of a new list, and
 * for converting a fraction to text. */
enum { VALUE_WORK = 10, VALUE_FRACTION_WORK = 500 };

struct value {
	enum value_type type;
	bool boolean;
	double number;
	struct str text;
	const struct json *json;
	const struct value *items;
	size_t n;
	const struct regex *regex;
	bool global; /* the regex has the flag g */
};

struct value script_value_undefined(void);
struct value script_value_boolean(bool);
struct value script_value_number(double);
struct value script_value_text(struct str);
struct value script_value_json(struct path_run *, const struct json *);

bool script_value_is_true(const struct value *);
double script_value_to_number(struct path_run *, const struct value *);
int32_t script_value_to_int32(struct path_run *, const struct value *);
struct str script_value_to_text(struct path_run *, const struct value *);
const char *script_value_typeof(const struct value *);
bool script_value_is_list(const struct value *);
/* Returns the i-th of n arguments as a text. */
struct str script_value_arg(
    struct path_run *, const struct value *args, size_t n, size_t i);

bool script_value_same(const struct value *, const struct value *); /* === */
bool script_value_equal(
    struct path_run *, const struct value *, const struct value *); /* == */
/* Returns whether a < b, or a <= b; false if they have no order. */
bool script_value_less(struct path_run *, const struct value *a,
    const struct value *b, bool or_equal);

/* Returns the property, or undefined: members, elements, length. */
struct value script_value_member(
    struct path_run *, const struct value *, struct str name);

/* Returns the elements of a list of either type; *n is their number. */
const struct value *script_value_items(
    struct path_run *, const struct value *, size_t *n);
