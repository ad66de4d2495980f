/*
 * A JSON value that is changed by patches: the value at a path is set or
 * removed, or a list gets more elements. A path is a list of keys and indices,
 * in the form that the log of VS Code's Copilot has; a patch that does not fit
 * is ignored.
 */
#pragma once

#include "json/json.h"

struct json_patch;

/* Returns a new value; all parts that it keeps are copied into the arena. */
struct json_patch *json_patch_new(struct arena *, const struct json *root);
void json_patch_set(
    struct json_patch *, const struct json *path, const struct json *value);
void json_patch_remove(struct json_patch *, const struct json *path);
/* Appends the items to the list; from (a number, or NULL) is the number of
 * elements of the list to keep before them. */
void json_patch_push(struct json_patch *, const struct json *path,
    const struct json *items, const struct json *from);

/* Returns the current value; it is in the arena. */
const struct json *json_patch_value(struct json_patch *);
