/*
 * A JSON value that changes by patches: what stands at a path is set, removed,
 * or gets more elements. A path is a list of keys and indices, as the log has
 * it; what does not fit is passed over.
 */
#ifndef PATCHED_H
#define PATCHED_H

#include "json/json.h"

struct patched;

/* All that is kept is in the arena, and copied into it. */
struct patched *patched_new(struct arena *, const struct json *root);
void patched_set(
    struct patched *, const struct json *path, const struct json *value);
void patched_remove(struct patched *, const struct json *path);
/* Adds the items to the list; from (a number, or NULL) is how many elements of
 * it are kept before. */
void patched_push(struct patched *, const struct json *path,
    const struct json *items, const struct json *from);

/* What it has become; in the arena. */
const struct json *patched_value(struct patched *);

#endif
