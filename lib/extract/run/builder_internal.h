/* Declarations that the files builder*.c share and no other file uses. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct builder;
struct step;
struct thread;
struct turn;

/* A record in a log whose records form a tree. */
struct builder_node {
	struct str id;
	struct thread *thread;
	struct turn *turn; /* NULL: before the first */
	size_t length;     /* of its content */
	int64_t ms;
};

struct builder_starter {
	struct builder_starter *next;
	struct step *call;
};

/* Calls that give a sub-agent the same task, in order. A call is removed once
 * its sub-agent was found by the task. */
struct builder_starters {
	struct builder_starter *first, *last;
};

/* Appends an empty step to the current turn. */
struct step *builder_add_step(struct builder *);

/* Gives the step the number of the message that the next steps are of, unless the
 * step has one. */
void builder_number_step(struct builder *, struct step *);

/* Parses the arguments that came in pieces. Called at the run's end. */
void builder_finish_args(struct builder *);

/* Writes the open run and forgets it. */
void builder_finish(struct builder *);

/* Suspends the open run if it may continue, or if it must wait for suspended
 * runs that are to be written before it; else writes it. Does nothing if no run
 * is open. */
void builder_suspend(struct builder *);

/* Writes all suspended runs; the open run stays open. */
void builder_end_suspended(struct builder *);

/* Notes in the run that is open in this builder, or is suspended there, that the
 * record at this line is lost. */
void builder_tear(struct builder *, size_t line);

/* Notes in the run that begins that records before it are lost. */
void builder_torn_begin(struct builder *);
