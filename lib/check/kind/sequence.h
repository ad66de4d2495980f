/* Kind sequence: whether tools were called in an order. */
#pragma once

#include "check/check.h"

/*
 * Whether the tools were called in this order, other calls between them or
 * not; each is sought after the place of the one before. Of a NO, why names the
 * tool that was not found, and seen is how often it was called at all.
 */
struct check sequence_check(struct arena *, struct str_list tools);

/* Whether the calls, all of them, are one of these lists. */
struct check sequence_check_exact(
    struct arena *, const struct str_list *lists, size_t n);
