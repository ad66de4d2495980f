/*
 * I-Regexp (RFC 9485), the regular expressions of RFC 9535's match and search:
 * checked, and run as Go's regexp runs them, by characters and in linear time.
 */
#pragma once

#include <stdbool.h>

#include "regex/regex.h"

/* Compiles a pattern; `whole` lets it match nothing but the whole text. NULL
 * if it is no I-Regexp, and *error says why. */
struct regex *iregexp_compile(
    struct arena *, struct str pattern, bool whole, struct regex_error *error);
