/* Values as Go sees them: their text (%v), and PromptKit's comparison of an
 * expected argument with the argument that a model gave. */
#pragma once

#include <stdbool.h>

#include "yaml/document.h"

/*
 * Returns what fmt's %v prints for the value, in the arena: strings without
 * quotes, [a b], map[k:v] sorted by key, <nil>. Numbers of JSON are floats:
 * 1000000 becomes 1e+06. For a value of the assertion file `written` (else
 * NULL), numbers without a point and an exponent keep their digits, and
 * instants are printed as Go prints a time.
 */
struct str go_text(
    struct arena *, const struct json *, const struct document *written);

/* Like strings.TrimSpace: returns the text without Unicode white space at both
 * ends. */
struct str go_trim(struct str);

/* Returns the text up to its first Unicode white space. */
struct str go_word(struct str);

/* Returns the text as encoding/json writes it, with quotes: <, >, &, U+2028 and
 * U+2029 are escaped, too. */
struct str go_json_str(struct arena *, struct str text);

/*
 * Returns whether the actual value equals the expected one, which is part of
 * the document. Numbers compare as numbers, lists and objects by structure.
 * Other pairs are equal if their texts are (1 and "1", true and "true"). An
 * unquoted number or instant in YAML (01234, 2024-01-15) also equals its
 * source.
 */
bool go_equal(struct arena *, const struct document *,
    const struct json *expected, const struct json *actual);
