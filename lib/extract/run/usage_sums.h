/* Sums of the usage of messages, in all and by model. */
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "trace/usage.h"

/* The usage of one model. */
struct usage_of_model {
	struct usage_of_model *next;
	struct str model; /* body; empty: not recorded */
	struct usage usage;
};

/* A zeroed sum is empty. A sum must not be copied. */
struct usage_sums {
	struct usage usage; /* in all, as usage_sums_write is to write it */
	struct usage_of_model *models; /* in the order of their messages */
	/* private */
	struct usage_of_model first, *last;
	struct hash_table *by_name; /* of the models, once there are many */
	size_t n;
};

/* Adds the usage of the model. All models but the first live in the arena. */
void usage_sums_add(struct usage_sums *, struct str model, const struct usage *,
    struct arena *);
/* Returns the usage of all models, those of another sum (or NULL) too. */
struct usage usage_sums_total(
    const struct usage_sums *, const struct usage_sums *also);
/* Adds one sum to another. */
void usage_sums_merge(
    struct usage_sums *to, const struct usage_sums *from, struct arena *);

/* Writes the member "usage" of a record: what counts, by_model unless the
 * record's only model used all tokens (empty: there are several), and what
 * earlier runs count as the member "repeated", if anything. Writes nothing if
 * nothing is known. Both sums know the same kinds then. */
void usage_sums_write(struct out *, struct usage_sums *counted,
    struct usage_sums *repeated, struct str model);
