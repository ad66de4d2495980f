/*
 * The distribution of amounts in bounded memory, for percentiles. While there
 * are few different amounts, each is kept and percentiles are exact. Beyond
 * that, amounts are rounded to within 1/256 (0.4 %). The result depends neither
 * on the order in which amounts were added nor on how distributions were
 * merged.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { QUANTILES_EXACT = 256 }; /* the number of different amounts kept */

struct quantiles_bin {
	int64_t amount;
	uint64_t times;
};

/* A zeroed struct is empty. */
struct quantiles {
	struct quantiles_bin *bins; /* ascending */
	size_t n, room;
	bool rounded;      /* there were more than QUANTILES_EXACT */
	int64_t low, high; /* exact */
	uint64_t times;    /* of all amounts */
};

/* Adds an amount, at least 0, `times` times. */
void quantiles_add(
    struct quantiles *, int64_t amount, uint64_t times, struct arena *);
void quantiles_merge(
    struct quantiles *to, const struct quantiles *from, struct arena *);
/* Restores rounded, low and high of a distribution whose bins were added, one
 * by one, to an empty struct. */
void quantiles_restore(
    struct quantiles *, bool rounded, int64_t low, int64_t high);
/* Empties the struct, but keeps its memory for later amounts. */
void quantiles_clear(struct quantiles *);

/* Returns the least amount that `percent` per cent of the added amounts do not
 * exceed (the nearest rank); 0 if the struct is empty. */
int64_t quantiles_percentile(const struct quantiles *, double percent);
