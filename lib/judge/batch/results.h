/*
 * Results of batches, in the files that a provider gives for them: found by
 * the names of requests, whatever file and line they are in. Of what can be read
 * again only where it is is kept in memory.
 */
#pragma once

#include "base/hash.h"
#include "judge/provider/batch_api.h"

/* A line of results. */
struct batch_result {
	const char *path;
	size_t offset, n;
	struct str text; /* what came through a pipe or a program is not there
	                  * any more; absent: the file has it */
	struct batch_result *next; /* for the same request */
};

struct batch_results {
	const struct endpoint *endpoint;
	struct arena arena;
	struct hash_table requests;
	size_t asked; /* names that batch_results_find found */
};

void batch_results_open(struct batch_results *, const struct endpoint *);

/* Takes the results in a file, or in the files of a folder of batches. What is
 * no result is told; false if there is no such file, or the folder is another
 * peer's. */
bool batch_results_add(struct batch_results *, const char *path);

/* What came for the request, in the order of reading; NULL: nothing did. */
const struct batch_result *batch_results_find(
    struct batch_results *, struct str name);

/* Sets what came back in the exchange. */
void batch_results_take(const struct batch_results *,
    const struct batch_result *, struct exchange *);

/* How many requests nobody asked for. */
size_t batch_results_left(const struct batch_results *);

void batch_results_close(struct batch_results *);
