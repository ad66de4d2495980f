/* An entry of Claude Code's lists as it is read. Private to claude_entry.c and
 * claude_faults.c. */
#pragma once

#include "check/permission/claude.h"

struct claude_reading {
	struct str written;
	enum permission decision;
	size_t opened, closed; /* brackets without a backslash before them */
	struct str before;     /* the first of them; absent: there is none */
	struct str tool,
	    inner; /* as written; inner is absent without brackets */
	const struct claude_tool *known; /* or NULL */
	struct claude_entry entry;
};

/* Sets the entry's warning, and its form to IGNORED if Claude Code skips the entry or
 * never applies it. */
void claude_entry_check(struct claude_reading *, struct arena *);
