/*
 * The type of a flavour's parser. A parser takes a pattern, which is valid
 * UTF-8, and returns its tree, or NULL and *error. It accepts exactly the
 * patterns that the flavour accepts.
 */
#pragma once

#include "emulate/regex/tree/tree.h"
#include "emulate/regex/tree/types.h"

typedef struct pattern *regex_parse(struct arena *, struct str pattern,
    unsigned flags, struct regex_error *error);

regex_parse regex_parse_js, regex_parse_re2, regex_parse_python;
