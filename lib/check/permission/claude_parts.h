/*
 * Command lines as Claude Code takes them apart, by its page "Configure permissions",
 * sections "Compound commands", "Wrappers" and "Redirections". The reading is one of
 * text: what a subshell, a substitution or `bash -c` runs is no part of its own.
 * lib/shell reads the same line as bash does.
 */
#pragma once

#include "base/str.h"

/* A part of a command line, between two separators. */
struct claude_part {
	struct str text;  /* as written, without the blanks at both ends */
	struct str plain; /* without the redirections */
	const struct str
	    *targets; /* of the redirections of output, as written; without
				    * /dev/null and copies of descriptors */
	size_t ntargets;
};

struct claude_parts {
	const struct claude_part *list;
	size_t n;
	/* The agent cannot take the line apart: no line allows a part. */
	bool unparsed;
	bool substitutes; /* a here-document runs commands */
};

/* Takes the line apart. The result lives in the arena. Time is linear in the line. */
struct claude_parts claude_parts_read(struct arena *, struct str command);

/* A place in a part at which a rule may begin: the start, or behind wrappers (timeout,
 * nohup) and assignments that the agent takes off. */
struct claude_start {
	struct str text; /* up to the part's end */
	bool allows;     /* rules of allow may begin here */
};

enum { CLAUDE_STARTS = 16, CLAUDE_LONGEST = 10000 };

/* Finds the places; returns their number, at least 1. */
size_t claude_starts(struct str part, struct claude_start *);
