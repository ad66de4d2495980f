/* What is asked of a log's values, whose members have several names, or one in
 * each version of a program. */
#pragma once

#include "json/json.h"

/* The value at the first of the paths (see json_path; blanks between them) that
 * has one; null counts as none. */
const struct json *field_find(const struct json *, const char *paths);

/* json_pick of n names, of which the first `pairs` have another spelling each:
 * the next ones. found has under the former what is there in either; null counts
 * as none. */
void field_pick(const struct json *, const struct str *names, size_t n,
    size_t pairs, const struct json **found);

/* Whether the string at that key is one of the words (blanks between them). */
bool field_is(const struct json *, const char *key, const char *words);
/* The same of its "type". */
bool field_is_type(const struct json *, const char *words);

/* The JSON that a string holds, in the arena; NULL if it holds none. */
const struct json *field_decode(struct arena *, const struct json *string);
