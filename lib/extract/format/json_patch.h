/*
 * A JSON value that changes by patches: what stands at a path is set, removed,
 * or gets more elements. A path is a list of keys and indices, as the log has
 * it; what does not fit is passed over.
 */
#pragma once

#include "json/json.h"

struct json_patch;

/* All that is kept is in the arena, and copied into it. */
struct json_patch *json_patch_new(struct arena *, const struct json *root);
void json_patch_set(
    struct json_patch *, const struct json *path, const struct json *value);
void json_patch_remove(struct json_patch *, const struct json *path);
/* Adds the items to the list; from (a number, or NULL) is how many elements of
 * it are kept before. */
void json_patch_push(struct json_patch *, const struct json *path,
    const struct json *items, const struct json *from);

/* What it has become; in the arena. */
const struct json *json_patch_value(struct json_patch *);
