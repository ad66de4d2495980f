/*
 * What models cost, by a file of the user's: {"MODEL": {"input": USD,
 * "output": USD, "cache_read": USD, "cache_write": USD}}, for a million tokens
 * each. The last two may be left out: then they cost what input does.
 */
#ifndef PRICES_H
#define PRICES_H

#include <stdbool.h>

#include "str.h"
#include "usage.h"

/* Reads the file; NULL if there is a mistake in it, which was told. */
const struct prices *prices_read(struct arena *, const char *path);

/* Sets what the tokens of the usage cost, if that is not known and the price
 * of one of these models is: as the server names it, or else as the user
 * does. */
void prices_set(
    const struct prices *, struct usage *, struct str model, struct str asked);

#endif
