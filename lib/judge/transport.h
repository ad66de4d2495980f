/*
 * Carries the requests to several judges: one carrier for each kind (HTTP,
 * programs), which the judges share that need the kind.
 */
#pragma once

#include "judge/http/exchange.h"

struct transport; /* a carrier, in a list of carriers */

/* Returns the transport for the carrier, and adds it to the list, in the arena,
 * if the list lacks it. `most` is the largest number of exchanges that will be
 * under way at once in all transports of the list. */
struct transport *transport_open(struct transport **list, struct arena *,
    const struct carrier *, size_t most);

void transport_start(struct transport *, struct exchange *);

/* These functions work on a list, like the members of struct carrier of the
 * same names. transport_next may be called while nothing is under way. */
struct exchange *transport_next(struct transport *list, double seconds, int fd);
void transport_stop(struct transport *list);
void transport_close(struct transport *list);
