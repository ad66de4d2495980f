/* Kind file: whether something is in the folder that the run left behind; kind
 * content: whether a check of texts finds what it wants in a file there. */
#pragma once

#include "check/check.h"

/* CANNOT if the path leads out of the folder; `why` says so. */
struct check file_check(struct arena *, struct str path);

/* `inner` is asked of the file's text and must live as long as this check.
 * CANNOT if there is no such file, or the path leads out; `why` says which.
 * Bytes that are no UTF-8 are U+FFFD. */
struct check content_check(
    struct arena *, struct str path, const struct check *inner);
