/* Agents' own permissions: the lines that would have spared questions in runs, and
 * lines that have nothing to say. */
#pragma once

#include "check/advice/edit.h"
#include "check/advice/notes.h"

/* A line that would cover calls which no line covers. */
struct permission_gain {
	const struct permission_set *set;
	struct permission_cover cover;
	bool various; /* the calls differ in `cover.exact` */
	size_t calls; /* of which the agent would not ask any more */
	size_t runs;
};

struct permission_gains {
	struct arena *arena;
	struct permission_gain **list;
	size_t n;
	struct hash_table known;
};

/* Adds what the view's run shows of each set of permissions. */
void permission_gains_add(
    struct permission_gains *, const struct spec *, struct view *);

/* Returns the permissions of the file's dialect; NULL: the file has none. */
const struct permission_set *permissions_of(
    const struct spec *, const struct spec_scenarios *);

/* Adds a note for each line that would spare questions. */
void permissions_advise(struct advice_notes *, const struct spec *, size_t file,
    const struct permission_gains *);

/* Adds the lines that would spare questions to the file, if no later file has lines of
 * the same set, and removes lines that another line of the file covers. */
void permissions_edit(struct edits *, const struct spec *, size_t file,
    const struct permission_gains *);
