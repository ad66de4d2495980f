/*
 * How amounts are distributed, in bounded memory: what a percentile needs. As
 * long as there are few different amounts each one is kept, and percentiles
 * are exact. Beyond that amounts are rounded, to within 1/256 (0.4 %) of
 * themselves. What it tells hangs neither on the order in which amounts were
 * added nor on how sketches were merged.
 */
#ifndef SKETCH_H
#define SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { SKETCH_EXACT = 256 }; /* so many different amounts are kept */

struct sketch_bin {
	int64_t amount;
	uint64_t times;
};

/* A zeroed one is empty. */
struct sketch {
	struct sketch_bin *bins; /* ascending */
	size_t n, room;
	bool rounded;      /* more than SKETCH_EXACT came */
	int64_t low, high; /* exact */
	uint64_t times;    /* of all */
};

/* The amount is at least 0. */
void sketch_add(
    struct sketch *, int64_t amount, uint64_t times, struct arena *);
void sketch_merge(struct sketch *to, const struct sketch *from, struct arena *);
/* Makes an empty sketch, to which the bins of another were then added, what the
 * other was. */
void sketch_restore(struct sketch *, bool rounded, int64_t low, int64_t high);
/* Empties it, but keeps its memory for what is added next. */
void sketch_clear(struct sketch *);

/* The least amount that is not exceeded by so many per cent of those added
 * (the nearest rank); 0 of an empty sketch. */
int64_t sketch_percentile(const struct sketch *, double percent);

#endif
