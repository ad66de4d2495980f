/* The decider of sequences: of things that are wanted, a call of a tool for example, among
 * those that were made. */
#pragma once

#include "trace/trace.h"

enum order_fit {
	ORDER_OTHER, /* the thing is not the wanted one */
	ORDER_FITS,
	ORDER_BREAKS, /* it is, but not as wanted: the search ends */
};

struct order {
	size_t wanted, made; /* how many there are */
	enum order_fit (*fit)(void *arg, size_t wanted, size_t made);
	void *arg;
};

/* Returns how many of the wanted things were made in their order, with others between them
 * or not; each is searched for behind the one before it. */
size_t order_within(const struct order *);

/* Returns how many of the wanted things were made first, with no others between them. */
size_t order_exactly(const struct order *);

/* Returns how many of the tools were called in this order, with other calls between them or,
 * with `exactly`, none. */
size_t order_calls(struct trace_calls, struct str_list tools, bool exactly);

/* Gives each wanted thing the first one that fits and was not taken. Returns how many of
 * the wanted things took one, up to the first that did not. */
size_t order_each(const struct order *, struct arena *);

/* Returns how many were made up to the first that fits none of the wanted things. */
size_t order_among(const struct order *);
