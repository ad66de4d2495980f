/* The methods of scripts that look for patterns: see struct method. */
#pragma once

#include "query/jsonpath/script_value.h"

struct value jsonpath_pattern_match(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_search(struct path_run *,
    const struct value *self, const struct value *args, size_t n);
struct value jsonpath_pattern_exec(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_test(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
