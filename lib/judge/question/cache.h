/*
 * Keeps replies in a folder, each under a digest of its request:
 * DIR/SHA256.json holds {"v":1,"request":...,"reply":...} in three lines. A
 * file appears whole or not at all (rename), so processes may share a folder,
 * and a process that is killed at any moment leaves the folder in order.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Makes the folder (not its parents) if it does not exist. Returns false, with
 * errno, if it cannot be written to. `only_read`: the folder is not made, and
 * must be readable. */
bool cache_open(const char *dir, bool only_read);

/* A request (JSON text), and its digest, which is the file's name. */
struct cache_key {
	struct str request, digest;
};

struct cache_key cache_key(struct arena *, struct str request);

/* Returns the path of the file for the request, in the arena. */
const char *cache_path(struct arena *, const char *dir, struct cache_key);

/* Returns the stored reply to the request (JSON text, in the arena), or an
 * absent text. Warns of a file that cache_put did not write, and ignores
 * it. */
struct str cache_get(struct arena *, const char *dir, struct cache_key);

/* Stores a reply. Returns false after a message if the file cannot be
 * completed. Ends the program if the file cannot be created. */
bool cache_put(
    struct arena *, const char *dir, struct cache_key, struct str reply);
