/* The methods of scripts that look for patterns: see struct method. */
#ifndef JSONPATH_PATTERN_H
#define JSONPATH_PATTERN_H

#include "query/jsonpath/script_value.h"

struct value jsonpath_pattern_match(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_search(struct path_run *,
    const struct value *self, const struct value *args, size_t n);
struct value jsonpath_pattern_exec(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_test(struct path_run *, const struct value *self,
    const struct value *args, size_t n);

#endif
