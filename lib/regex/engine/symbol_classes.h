/*
 * The units that a program tells apart, in classes: two units are of one
 * class if each set that the program has holds both or neither.
 */
#ifndef REGEX_ALPHABET_H
#define REGEX_ALPHABET_H

#include "regex/engine/program.h"

struct alphabet {
	uint32_t *starts;  /* of the runs of units of one class, ascending */
	uint32_t *classes; /* of these runs */
	size_t nruns;
	uint32_t ascii[128]; /* the class of each */
	uint32_t n;          /* how many classes */
	uint32_t *examples;  /* a unit of each */
};

/* Of no classes if there are too many sets. */
struct alphabet alphabet_of(struct arena *, const struct program *);

uint32_t alphabet_wide(const struct alphabet *, uint32_t unit);

static inline uint32_t
alphabet_class(const struct alphabet *a, uint32_t unit)
{
	return unit < 128 ? a->ascii[unit] : alphabet_wide(a, unit);
}

#endif
