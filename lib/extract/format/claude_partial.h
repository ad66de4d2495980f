/*
 * What Claude Code prints of a message while it comes, if it is asked to:
 * events as the API streams them. They are told only where the message itself,
 * or the part of it that they are of, is not printed: as when the program is
 * ended meanwhile.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/builder.h"

/* The message of an agent that comes; it lives as long as the run. */
struct claude_partial {
	struct claude_partial *next;
	struct str parent; /* body: the call that started the agent */

	/* private */
	struct claude_partials *all;
	struct str id; /* body */
	struct usage usage;
	struct claude_block *first, **end, *open;
};

/* Those of a run's agents; zeroed at its begin. */
struct claude_partials {
	struct claude_partial *first; /* the latest */
	struct hash_table by_parent;
	size_t n; /* how many of them there is anything of */
};

/* That of the agent. */
struct claude_partial *claude_partial_of(
    struct claude_partials *, struct builder *, struct str parent);

/* One of its events. */
void claude_partial_read(
    struct claude_partial *, struct builder *, const struct json *event);

/* Whether anything of it came that was not printed otherwise. */
bool claude_partial_any(const struct claude_partial *);

/* Tells that, where it stands, and forgets it. */
void claude_partial_tell(struct claude_partial *, struct builder *);

/* Forgets it: it was printed. */
void claude_partial_drop(struct claude_partial *);
