/* Searches log values whose members have several names, or another name in each
 * version of a program. */
#pragma once

#include "json/json.h"

/* Returns the value at the first of the paths (see json_path; separated by
 * blanks) that has one; null counts as none. */
const struct json *field_find(const struct json *, const char *paths);

/* Calls json_pick for n names, of which the first `pairs` names have another
 * spelling each: the next `pairs` names. found[i] is the value under either
 * spelling; null counts as none. */
void field_pick(const struct json *, const struct str *names, size_t n,
    size_t pairs, const struct json **found);

/* Returns whether the string at the key is one of the words (separated by
 * blanks). */
bool field_is(const struct json *, const char *key, const char *words);
/* Like field_is, for the key "type". */
bool field_is_type(const struct json *, const char *words);

/* Returns the JSON that a string holds, in the arena; NULL if the string holds
 * no JSON. */
const struct json *field_decode(struct arena *, const struct json *string);
