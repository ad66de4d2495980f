/*
 * How amounts are distributed, in bounded memory: what a percentile needs. As
 * long as there are few different amounts each one is kept, and percentiles
 * are exact. Beyond that amounts are rounded, to within 1/256 (0.4 %) of
 * themselves. What it tells hangs neither on the order in which amounts were
 * added nor on how sketches were merged.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { QUANTILES_EXACT = 256 }; /* so many different amounts are kept */

struct quantiles_bin {
	int64_t amount;
	uint64_t times;
};

/* A zeroed one is empty. */
struct quantiles {
	struct quantiles_bin *bins; /* ascending */
	size_t n, room;
	bool rounded;      /* more than QUANTILES_EXACT came */
	int64_t low, high; /* exact */
	uint64_t times;    /* of all */
};

/* The amount is at least 0. */
void quantiles_add(
    struct quantiles *, int64_t amount, uint64_t times, struct arena *);
void quantiles_merge(
    struct quantiles *to, const struct quantiles *from, struct arena *);
/* Makes an empty sketch, to which the bins of another were then added, what the
 * other was. */
void quantiles_restore(
    struct quantiles *, bool rounded, int64_t low, int64_t high);
/* Empties it, but keeps its memory for what is added next. */
void quantiles_clear(struct quantiles *);

/* The least amount that is not exceeded by so many per cent of those added
 * (the nearest rank); 0 of an empty sketch. */
int64_t quantiles_percentile(const struct quantiles *, double percent);
