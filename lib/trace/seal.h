/*
 * Seals: a line by which a stage of a pipeline says that its output ended well, or that
 * the stage had trouble, and how many runs it wrote. A pipe has the status of its last
 * command alone, so that the last command has to see whether an earlier one died.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "io/out.h"
#include "json/json.h"

/* The sum of the seals of an input. A zeroed count is that of no seal. */
struct seal_count {
	size_t seals;
	size_t runs;    /* that the stages before wrote */
	size_t trouble; /* stages that had trouble */
};

/* Returns whether the record is a seal, and counts the seal if it is. */
bool seal_read(struct seal_count *, const struct json *record);

/* Adds what another reader of the same input counted. */
void seal_add(struct seal_count *, const struct seal_count *);

/* Reports, as errors, that the stage before had trouble, or (if a seal is `wanted`) that
 * there is no seal. Warns if the stage before wrote another number of runs than the
 * `runs` that came in: programs in between may drop runs. */
void seal_check(const struct seal_count *, bool wanted, size_t runs);

/* Writes the seal of the stage with this name, which wrote that many runs; errors that
 * were reported are its trouble. */
void seal_write(struct out *, const char *stage, size_t runs);
