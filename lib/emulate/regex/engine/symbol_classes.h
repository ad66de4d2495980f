/*
 * Classes of the units that a program distinguishes: two units are in one class
 * if each set of the program holds both or neither.
 */
#pragma once

#include "emulate/regex/engine/program.h"

struct symbol_classes {
	uint32_t *starts;  /* of the runs of units of one class, ascending */
	uint32_t *classes; /* of these runs */
	size_t nruns;
	uint32_t ascii[128]; /* the class of each */
	uint32_t n;          /* the number of classes */
	uint32_t *examples;  /* a unit of each class */
};

/* Returns no classes (n is 0) if there are too many sets. */
struct symbol_classes symbol_classes_of(struct arena *, const struct program *);

uint32_t symbol_classes_wide(const struct symbol_classes *, uint32_t unit);

static inline uint32_t
symbol_classes_class(const struct symbol_classes *a, uint32_t unit)
{
	return unit < 128 ? a->ascii[unit] : symbol_classes_wide(a, unit);
}
