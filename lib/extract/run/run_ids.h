/*
 * Numbers that distinguish runs which would have the same id: runs with the
 * same content, and runs of a group whose log does not number them. The numbers
 * continue through the whole input.
 *
 * A worker that reads a part of the input does not know which runs came before.
 * The worker writes a mark in place of each number: a few bytes that no JSON
 * text contains. Whoever joins the parts in order replaces the marks. Another
 * mark represents the id that the runs of a file share if an earlier part of
 * the file holds that id.
 *
 * Ids that a log itself gives to its runs are not changed, but it is noted that
 * several runs that were written have the same id.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "io/out.h"

/* A run that was written. */
struct run_written {
	struct str id;
	struct place at;
};

/* Initialized by zeroes and an arena. */
struct run_ids {
	struct arena *arena;
	bool part; /* reads a part of the input: writes marks for numbers */
	/* Runs that have the id of an earlier one: their number and the first. */
	size_t n_repeated;
	struct run_written repeated;
	/* Messages whose usage a run counts that was written, and, of a part, a
	 * list of those that the whole input is to take in. */
	struct hash_set *counted;
	uint64_t *new_counted;
	size_t n_new_counted;

	/* private */
	struct hash_table seen; /* number of requests, by key */
	struct run_ids_asked *asked;
	size_t n, answered;
	struct str *cut; /* output of a part: text, mark, text and so on */
	size_t n_cut;
	struct run_written *written; /* of a part */
	size_t n_written;
	struct hash_set written_ids;
	struct hash_set own_counted;
};

/* Returns the suffix that makes the id unique: empty the first time, then "-2",
 * "-3" and so on. The result is in the given arena. */
struct str run_ids_repeat(struct run_ids *, struct str id, struct arena *);

/* Returns the number of the group's next run, from 0, in the given arena. */
struct str run_ids_count(struct run_ids *, struct str group, struct arena *);

/* Returns the mark for the shared id, for use in a part. */
struct str run_ids_shared(void);

/* Notes that a run with this id is written, which the log gave it. */
void run_ids_written(struct run_ids *, struct str id, struct place);

/* Returns whether a run that was written before counts the message with that hash;
 * else the run that is written now does. */
bool run_ids_counted(struct run_ids *, uint64_t message);
/* Returns whether no run before the part counts a message that the part counts. */
bool run_ids_agrees(const struct run_ids *, const struct run_ids *part);
/* Makes the part, before which all runs were written, count with the whole
 * input. */
void run_ids_join(struct run_ids *, struct run_ids *part);

/* Finds the marks in the output of a part. This is fastest in the thread that
 * wrote the output, which has the text in its cache. The text is not copied and
 * must live until run_ids_fill. */
void run_ids_cut(struct run_ids *part, struct str text);

/* Writes the text of run_ids_cut with the marks replaced. Parts come in order,
 * and a part may come in several pieces; `shared` is the shared id as known
 * before the part. */
void run_ids_fill(
    struct run_ids *, struct run_ids *part, struct str shared, struct out *);

/* Hides the marks in a text, so that a JSON reader accepts the text;
 * run_ids_show restores them. The text must not move in between. */
struct run_ids_hidden {
	char **marks;
	size_t n;
};
struct run_ids_hidden run_ids_hide(char *text, size_t n, struct arena *);
void run_ids_show(struct run_ids_hidden);
