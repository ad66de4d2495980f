/*
 * Replies kept in a folder under the content of the request that they answer:
 * DIR/SHA256.json holds {"v":1,"request":...,"reply":...}, three lines. A
 * file appears whole or not at all (rename), so processes may share a folder,
 * and one killed at any moment leaves it in order.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>

#include "str.h"

/* Makes the folder (not its parents) if need be. False, with errno, if it
 * cannot be written to; `only_read`: it must merely exist. */
bool cache_open(const char *dir, bool only_read);

/* The file that is, or will be, the reply to the request. */
const char *cache_path(struct arena *, const char *dir, struct str request);

/* The reply that the folder has to the request (both JSON text), or an absent
 * text. A file that is not what cache_put wrote is told and passed over. */
struct str cache_get(struct arena *, const char *dir, struct str request);

/* False after a message if it cannot be written to its end. Where its file
 * cannot be made the program ends. */
bool cache_put(
    struct arena *, const char *dir, struct str request, struct str reply);

#endif
