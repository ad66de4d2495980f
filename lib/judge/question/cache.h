/*
 * Replies kept in a folder under the content of the request that they answer:
 * DIR/SHA256.json holds {"v":1,"request":...,"reply":...}, three lines. A
 * file appears whole or not at all (rename), so processes may share a folder,
 * and one killed at any moment leaves it in order.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Makes the folder (not its parents) if need be. False, with errno, if it
 * cannot be written to; `only_read`: it must merely exist. */
bool cache_open(const char *dir, bool only_read);

/* A request (JSON text), and the digest that its file is named by. */
struct cache_key {
	struct str request, digest;
};

struct cache_key cache_key(struct arena *, struct str request);

/* The file that is, or will be, the reply to the request. */
const char *cache_path(struct arena *, const char *dir, struct cache_key);

/* The reply that the folder has to the request (JSON text, too), or an absent
 * text. A file that is not what cache_put wrote is told and passed over. */
struct str cache_get(struct arena *, const char *dir, struct cache_key);

/* False after a message if it cannot be written to its end. Where its file
 * cannot be made the program ends. */
bool cache_put(
    struct arena *, const char *dir, struct cache_key, struct str reply);
