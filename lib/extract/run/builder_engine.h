/* The functions of the builder for the reader of files, for sessions that take turns, and
 * for hooks; formats need none of them. Only files of this folder name the builder's
 * private members (tests/ci/layers). */
#pragma once

#include "extract/run/builder_state.h"

/* ---- files ---- */

/* Makes the builder number the runs of `from` and its own as those of one file. */
static inline void
builder_share_ids(struct builder *b, struct builder *from)
{
	b->options.ids = &from->ids;
}

/* Notes that the record of builder_source was read: if a run is open, the records
 * that were lost before are no longer the next run's. */
static inline void
builder_end_record(struct builder *b)
{
	if (b->run != NULL)
		b->torn = 0;
}

/* Notes that each run that begins may lack the records lost at the line; 0: none. */
static inline void
builder_torn_all(struct builder *b, size_t line)
{
	b->torn_all = line;
}

/* ---- sessions ---- */

/* Has ending(of) called when a run is about to end, which is open then. No session is
 * current. */
static inline void
builder_begin_sessions(struct builder *b, void (*ending)(void *of), void *of)
{
	b->session = NULL;
	b->ending = ending;
	b->of = of;
}

/* Sets the session whose records are read. */
static inline void
builder_set_session(struct builder *b, struct log_session *s)
{
	b->session = s;
}

/* Return and set the session of the open run; NULL: unknown. */
static inline struct log_session *
builder_run_session(const struct builder *b)
{
	return b->run_session;
}

static inline void
builder_set_run_session(struct builder *b, struct log_session *s)
{
	b->run_session = s;
}

/* ---- hooks ---- */

/* Opens the run that the log ends with, also if its end was reported, and returns
 * the run; begins one if there is none. */
struct run *builder_open_last_run(struct builder *);

/* Returns the last turn of the thread that the next events are of; NULL: none. */
static inline struct turn *
builder_last_turn(const struct builder *b)
{
	return b->thread->last;
}

/* Returns the step of the open run's call with this id (a body); NULL: none. */
static inline struct step *
builder_step_of(struct builder *b, struct str id)
{
	return call_matching_find(&b->call_matching, id);
}

/* Return and set the call that was added or answered last; builder_result's `last`
 * means this call. */
static inline struct step *
builder_last_call(const struct builder *b)
{
	return b->call;
}

static inline void
builder_set_last_call(struct builder *b, struct step *s)
{
	b->call = s;
}
