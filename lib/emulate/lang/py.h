/* Values as Python sees them, where mcp-eval's verdicts depend on it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

/* Returns whether values that Python's json module has read are equal (==): 1,
 * 1.0 and true are equal, also inside lists and objects; integers are exact,
 * also against floats. The arena is for scratch memory. */
bool py_equal(const struct json *, const struct json *, struct arena *);

/*
 * Read the value as pydantic reads it, in lax mode, into a field of that type:
 * numbers, true and false, and text that spells one of these. They return false
 * if pydantic refuses the value. An integer that int64_t cannot hold becomes
 * the nearest one that it can hold; a float that int64_t cannot hold is refused
 * as an integer.
 */
bool py_int(const struct json *, int64_t *value, struct arena *);
bool py_float(const struct json *, double *value, struct arena *);
bool py_bool(const struct json *, bool *value, struct arena *);

/* Read what int(text) and float(text) return: digits and blanks of any script
 * are accepted. An integer is limited to int64_t as above. */
bool py_int_text(struct str, int64_t *value, struct arena *);
bool py_float_text(struct str, double *value, struct arena *);

bool py_isalpha(uint32_t character);

/* Returns whether PyYAML reads an unquoted scalar with this text as a date or a
 * time. The rule is the regular expression of PyYAML's resolver. */
bool py_is_instant(struct str text);

/* Returns what repr(text) returns, in the arena. The text is valid UTF-8. */
struct str py_repr(struct arena *, struct str);
