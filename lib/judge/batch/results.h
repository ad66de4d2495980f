/*
 * Results of batches, in the files that a provider gives for them: found by
 * the names of requests, whatever file and line they are in. Of what can be read
 * again only where it is is kept in memory.
 */
#ifndef BULK_RESULTS_H
#define BULK_RESULTS_H

#include "base/hash.h"
#include "judge/provider/batch_api.h"

/* A line of results. */
struct bulk_result {
	const char *path;
	size_t offset, n;
	struct str text; /* what came through a pipe or a program is not there
	                  * any more; absent: the file has it */
	struct bulk_result *next; /* for the same request */
};

struct bulk_results {
	const struct peer *peer;
	struct arena arena;
	struct hash_table requests;
	size_t asked; /* names that bulk_results_find found */
};

void bulk_results_open(struct bulk_results *, const struct peer *);

/* Takes the results in a file, or in the files of a folder of batches. What is
 * no result is told; false if there is no such file, or the folder is another
 * peer's. */
bool bulk_results_add(struct bulk_results *, const char *path);

/* What came for the request, in the order of reading; NULL: nothing did. */
const struct bulk_result *bulk_results_find(
    struct bulk_results *, struct str name);

/* Sets what came back in the exchange. */
void bulk_results_take(
    const struct bulk_results *, const struct bulk_result *, struct exchange *);

/* How many requests nobody asked for. */
size_t bulk_results_left(const struct bulk_results *);

void bulk_results_close(struct bulk_results *);

#endif
