/*
 * I-Regexp (RFC 9485), the regular expressions of RFC 9535's match and search.
 * A pattern is checked, and then runs as Go's regexp runs it: by characters and
 * in linear time.
 */
#pragma once

#include <stdbool.h>

#include "emulate/regex/regex.h"

/* Compiles a pattern; with `whole` it matches only the whole text. Returns NULL
 * if the pattern is no I-Regexp, and *error has the reason. */
struct regex *iregexp_compile(
    struct arena *, struct str pattern, bool whole, struct regex_error *error);
