/* The short checks of mcpl-check's command line: short for rules (rules.h), which
 * --lint shows. Those that MCPLab has mean the same as in MCPLab and fail with
 * its reasons; the limits are our own. */
#pragma once

#include "check/check.h"

/* An option that is a short check, and what its argument is called. */
struct mcpl_option {
	const char *name; /* without its dashes */
	const char *argument;
};

enum { MCPL_OPTIONS = 11 };

/* Returns the n-th option, from 0. */
const struct mcpl_option *mcpl_option_at(size_t n);

/* Returns the check that the option with this argument asks for, sealed. If the
 * argument is wrong, sets *wrong to the reason. */
struct check mcpl_check(struct arena *, const struct mcpl_option *,
    struct str argument, struct str *wrong);
