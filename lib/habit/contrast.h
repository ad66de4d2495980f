/* Contrasts: which habits tell the runs of one group from all others by more than
 * chance. */
#pragma once

#include "habit/counts.h"

enum { CONTRAST_LINES = 10 }; /* of one contrast */

#define CONTRAST_ALPHA 0.05

/* A rule that the runs of the group break more often than the other runs. */
struct contrast_line {
	struct str rule;
	size_t broken[2][2]; /* by half; by the group's runs, by others */
	size_t of[2][2];     /* the runs of which that is known */
	double p[2];         /* of Fisher's test; by half */
};

struct contrast {
	struct str group;
	size_t runs[2][2];           /* by half; of the group, of others */
	struct contrast_line *lines; /* the least likely by chance first */
	size_t n;
	size_t tested;      /* habits that the first half could find */
	size_t unconfirmed; /* lines that the other half does not confirm */
};

/*
 * Contrasts a group, by its place, with all other runs. Of the habits whose p in the
 * first half is below the false discovery rate of CONTRAST_ALPHA (Y. Benjamini and
 * Y. Hochberg, JRSS B 57, 1995), those that a better line explains are left out: a
 * line must differ among the runs that break none of the better lines. The rest are
 * lines if the second half has p <= CONTRAST_ALPHA. The lines live in the arena.
 */
struct contrast contrasts_of(
    const struct contrasts *, size_t group, struct arena *);
