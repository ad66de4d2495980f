/*
 * The messages of a chat that form a tree: a message that the user edited, or
 * an answer that was asked for again, begins another branch. The branch that
 * ends with one message is the conversation; the turns of the other branches
 * are reported as abandoned.
 */
#pragma once

#include "extract/format/log_format.h"

struct branches_message {
	const struct json *message;
	struct str id, after; /* bodies: its own id, and that of its parent */
	bool prompt;          /* a user's input, which begins a turn */

	/* private */
	bool current; /* on the branch that is the conversation */
	struct branches_message *next_current;
	struct branches_message *parent, *anchor;
	struct branches_message *off, *last_off, *next_off;
};

struct branches {
	struct arena *arena;
	struct branches_message **list;
	size_t n;
	struct hash_table by_id;
	struct branches_message root; /* private: before the first message */
};

/* Adds a copy of the message to the tree, in the arena, and returns the copy. A new
 * tree is zeroed but for its arena. A message whose parent was not added before
 * begins a branch of its own. */
struct branches_message *branches_add(
    struct branches *, const struct branches_message *);

/* Reports all messages with `read`, which locates each message and begins a
 * turn for each message that is a prompt. The conversation ends with the
 * message of the id `last` (a body), or with the last message that was added if
 * no message has this id. */
void branches_read(struct branches *, struct log *, struct str last,
    void (*read)(struct log *, const struct json *message));
