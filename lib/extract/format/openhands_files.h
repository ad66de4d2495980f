/*
 * Names of files in which OpenHands keeps a conversation, with a file for each
 * event: FOLDER/events/NUMBER.json, or, of its SDK,
 * FOLDER/events/event-NUMBER-ID.json and the state in FOLDER/base_state.json.
 */
#pragma once

#include "base/arena.h"

/* Returns the path of the conversation's first event, in the arena; NULL if
 * `path` is that path, or is not the name of such a file. */
const char *openhands_files_owner(struct arena *, const char *path);

/* If `path` is the first event's, returns the paths of the other events, in
 * order, and of the state; else no paths. NULL-terminated, in the arena. */
char **openhands_files_beside(struct arena *, const char *path);
