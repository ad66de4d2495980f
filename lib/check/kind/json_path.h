/* Kind jsonpath: whether a path selects anything in the view's JSON, or any
 * value that equals a given one. A text that is no JSON: cannot tell. */
#pragma once

#include "check/check.h"
#include "query/jsonpath/jsonpath.h"

/* Takes the path over. `written` is its text, for --lint; equals NULL: any
 * value does. An object or list equals nothing, as with JavaScript's ===. */
struct check path_check(struct arena *, struct jsonpath *, struct str written,
    const struct json *equals);
