/*
 * Reads the files of results of a provider's Batch API, and finds results by
 * the names of the requests, in whatever file and line they are. Only the
 * positions of lines that can be read again are kept in memory.
 */
#pragma once

#include "base/hash.h"
#include "judge/provider/batch_api.h"

/* A line of results. */
struct batch_result {
	const char *path;
	size_t offset, n;
	struct str text; /* the line itself, if it came through a pipe or from
			  * a program and cannot be read again; absent: it is
			  * in the file */
	struct batch_result *next; /* next result for the same request */
};

struct batch_results {
	const struct endpoint *endpoint;
	struct arena arena;
	struct hash_table requests;
	size_t asked; /* number of names that batch_results_find has found */
};

void batch_results_open(struct batch_results *, const struct endpoint *);

/* Adds the results in a file, or in the files of a folder of batches. Lines
 * that are not results are reported. Returns false after a message if there is
 * no such file or the folder belongs to another endpoint. */
bool batch_results_add(struct batch_results *, const char *path);

/* Returns the results for the request in the order of reading; NULL: none. */
const struct batch_result *batch_results_find(
    struct batch_results *, struct str name);

/* Sets the reply in the exchange from a result. */
void batch_results_take(const struct batch_results *,
    const struct batch_result *, struct exchange *);

/* Returns the number of requests that batch_results_find was not asked for. */
size_t batch_results_left(const struct batch_results *);

void batch_results_close(struct batch_results *);
