/* Values as Go sees them: their text (%v), and PromptKit's comparison of an
 * argument that an author expects with one that a model gave. */
#pragma once

#include <stdbool.h>

#include "yaml/document.h"

/*
 * What fmt's %v makes of the value, in the arena: strings without quotes,
 * [a b], map[k:v] by sorted keys, <nil>. Numbers of JSON are floats, so that
 * 1000000 is 1e+06; of an assertion file (written; else NULL) those without a
 * point or an exponent keep their digits, and instants are printed as such.
 */
struct str go_text(
    struct arena *, const struct json *, const struct document *written);

/* strings.TrimSpace: the text without Unicode's white space at both ends. */
struct str go_trim(struct str);

/* The text as encoding/json writes it, with its quotes: <, >, & and U+2028 and
 * U+2029 are escaped, too. */
struct str go_json_str(struct arena *, struct str text);

/*
 * Whether the actual value is the expected one, which stands in doc. Numbers
 * compare as numbers, lists and objects by structure. Of other pairs equal
 * texts will do (1 and "1", true and "true"); a number or instant that is
 * unquoted in YAML (01234, 2024-01-15) is also equal to its source.
 */
bool go_equal(struct arena *, const struct document *,
    const struct json *expected, const struct json *actual);
