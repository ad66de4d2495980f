/* Kind command: whether a shell command ends as its author expects, run in the
 * folder that the run left behind. */
#pragma once

#include "check/check.h"

struct command_want {
	struct str run;
	struct str cwd;      /* within the folder; absent or empty: it */
	struct str requires; /* a program without which it is skipped; absent
	                      * or empty: none */
	int64_t exit;        /* the status that is a YES; -1: a signal ended it,
	                      * or the time was up */
	double seconds;      /* how long it may take; 0: as the user says */
};

/*
 * SKIP where the user does not let assertion files run commands, and where the
 * required program is not there. CANNOT if cwd is no folder or leads out. `why`
 * is evidence: "exit N: " and the end of what it printed.
 */
struct check command_check(struct arena *, const struct command_want *);
