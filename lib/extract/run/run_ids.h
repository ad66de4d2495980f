/*
 * Numbers that tell apart what would have the same id: runs of one content,
 * and the runs of a group whose log does not count them. They count on through
 * all of the input.
 *
 * Who reads a part of the input does not know what came before it. There a
 * mark stands where the number belongs, a few bytes that no JSON text holds,
 * and who puts the parts together, in order, fills it in. So stands a mark for
 * the id that the file's runs share, if an earlier part of the file tells it.
 */
#pragma once

#include "base/hash.h"
#include "io/out.h"

/* Zeroed, with an arena, nothing was asked. */
struct run_ids {
	struct arena *arena;
	bool part; /* of the input: marks stand for numbers */

	/* private */
	struct hash_table seen; /* how often, by key */
	struct run_ids_asked *asked;
	size_t n, answered;
	struct str *cut; /* of a part: a text, a mark, a text, and so on */
	size_t n_cut;
};

/* What makes the id different from those before: nothing the first time, "-2",
 * "-3" and so on later. The texts of both live in the arena that is given. */
struct str run_ids_repeat(struct run_ids *, struct str id, struct arena *);

/* The number of the group's next run, from 0. */
struct str run_ids_count(struct run_ids *, struct str group, struct arena *);

/* What stands for the id that is shared, in a part. */
struct str run_ids_shared(void);

/* Finds the marks in what came of a part; best by who has it in its cache. The
 * text is not copied. */
void run_ids_cut(struct run_ids *part, struct str text);

/* Writes the text that was cut (more of the part comes, if it is called again),
 * with what the marks stand for. Parts come in order; `shared` as before the
 * part. */
void run_ids_fill(
    struct run_ids *, struct run_ids *part, struct str shared, struct out *);

/*
 * JSON with marks in it is JSON to those who read it while they are hidden.
 * They are not moved meanwhile.
 */
struct run_ids_hidden {
	char **marks;
	size_t n;
};
struct run_ids_hidden run_ids_hide(char *text, size_t n, struct arena *);
void run_ids_show(struct run_ids_hidden);
