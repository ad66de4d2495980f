/*
 * A flavour's parser: the pattern, which is valid UTF-8, as a tree, or NULL
 * and *error. It accepts exactly what the flavour does.
 */
#pragma once

#include "regex/tree/tree.h"
#include "regex/tree/types.h"

typedef struct pattern *regex_parse(struct arena *, struct str pattern,
    unsigned flags, struct regex_error *error);

regex_parse regex_parse_js, regex_parse_re2, regex_parse_python;
