/* The folder beside an MCPLab configuration that holds the scenarios which the
 * configuration names by ref. */
#pragma once

#include "base/suggest.h"
#include "yaml/document.h"

struct mcplab_bundle {
	struct arena *arena;
	const char *config; /* the configuration's path */
	const char *folder; /* where its scenarios lie; NULL: not looked yet */
	struct document **docs; /* one a scenario, sorted by file name */
	size_t n;
	bool unread; /* the folder, or a file in it, could not be read */
	const struct document *other; /* has the id that was sought last, too */
};

/*
 * The document that holds the scenario of that id, or NULL with the nearest
 * id there is; `other` is then one more that has it, or NULL. The folder is
 * test-cases, or scenarios where that is not there, beside the configuration
 * (or beside its folder, if that is called configs or evals); it is read when
 * the first is asked for. Files that cannot be read are told.
 */
const struct document *mcplab_bundle_find(
    struct mcplab_bundle *, struct str id, struct suggest *near);
