/* The short checks of mcpl-check's command line. Those that MCPLab has mean what
 * they mean there and fail with its reasons; the limits are ours. */
#pragma once

#include "check/check.h"

/* An option that is a short check, and the argument that it takes. */
struct mcpl_option {
	const char *name; /* without its dashes */
	const char *argument;
};

enum { MCPL_OPTIONS = 11 };

/* The n-th, from 0. */
const struct mcpl_option *mcpl_option_at(size_t n);

/* The check that the option asks for with this argument, sealed. If it is
 * wrong, *wrong says why. */
struct check mcpl_check(struct arena *, const struct mcpl_option *,
    struct str argument, struct str *wrong);
