/* What Python makes of values, where mcp-eval's verdicts hang on it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

/* Python's == of what its json module reads: 1, 1.0 and true are equal, also
 * inside lists and objects; integers are exact, also against floats. Needs
 * memory. */
bool py_equal(const struct json *, const struct json *, struct arena *);

/*
 * The value as pydantic reads it into a field of that type when it is not
 * strict: numbers, true and false, and text that names one. False if it does
 * not take it. An integer that no int64_t holds is the nearest that one does; a
 * float that none holds is no integer.
 */
bool py_int(const struct json *, int64_t *value, struct arena *);
bool py_float(const struct json *, double *value, struct arena *);
bool py_bool(const struct json *, bool *value, struct arena *);

/* What int(text) and float(text) give, of digits and blanks of any script; an
 * integer is held to int64_t as above. */
bool py_int_text(struct str, int64_t *value, struct arena *);
bool py_float_text(struct str, double *value, struct arena *);

bool py_isalpha(uint32_t character);

/* Whether PyYAML takes an unquoted scalar of this text for a date or a time. */
bool py_is_instant(struct str text);

/* What repr(text) gives, of text that is valid UTF-8; in the arena. */
struct str py_repr(struct arena *, struct str);
