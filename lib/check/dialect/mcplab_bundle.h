/* The folder beside an MCPLab configuration that holds the scenarios which the
 * configuration names by ref. */
#pragma once

#include "base/suggest.h"
#include "yaml/document.h"

struct mcplab_bundle {
	struct arena *arena;
	const char *config;     /* the configuration's path */
	struct policy *policy;  /* the configuration's */
	const char *folder;     /* of the scenarios; NULL: not looked for yet */
	struct document **docs; /* one a scenario, sorted by file name */
	size_t n;
	bool unread; /* the folder, or a file in it, could not be read */
	const struct document *other; /* a second scenario of the last id */
};

/*
 * Returns the document that holds the scenario of that id, or NULL and the
 * nearest id there is. Sets `other` to a second document that has the id, or to
 * NULL. The folder is test-cases, or scenarios if that does not exist, beside
 * the configuration (or beside the configuration's folder, if that is called
 * configs or evals). It is read at the first call; files that cannot be read
 * are reported.
 */
const struct document *mcplab_bundle_find(
    struct mcplab_bundle *, struct str id, struct suggest *near);
