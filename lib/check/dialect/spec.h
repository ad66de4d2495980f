/* All that is to be checked: assertion files, and which of their scenarios
 * apply to a run. */
#pragma once

#include "base/hash.h"
#include "base/suggest.h"
#include "check/dialect/dialect.h"
#include "trace/trace.h"

struct spec {
	struct arena *arena;
	struct spec_file *files; /* in the order given */
	size_t n;
	size_t nscenarios; /* of all files */

	/* private */
	struct str only;            /* the id of spec_only; absent: any */
	struct hash_table patterns; /* that the files share */
};

struct spec_matches {
	const struct scenario **list;
	size_t n;
};

/* Adds the scenarios of a file, or of the files *.yaml and *.yml in a folder and
 * in those within. Mistakes in it are told; what is right of it is added all
 * the same. With dialect NULL the file's looks decide. */
void spec_load(struct spec *, const char *path, const struct dialect *);

/* The same of a document that was read. */
void spec_load_doc(struct spec *, struct document *, const struct dialect *);

/* Adds a check for every run, after those that were added this way before. */
void spec_add(struct spec *, struct check);

/* Whether a scenario that has checks is for runs with its id or prompt. */
bool spec_waits(const struct spec *);

/* From now on the scenarios of this id apply to every run, and no others but
 * those of files without scenarios. False if there is none, and the nearest. */
bool spec_only(struct spec *, struct str id, struct suggest *near);

/*
 * The scenarios that apply to the run: of each file those whose id is the
 * run's scenario_id; if there are none, those whose prompt is the run's, but
 * for white space; those of a file that knows no scenarios always.
 */
struct spec_matches spec_match(
    const struct spec *, const struct trace *, struct arena *);

/* Tells of each scenario that is for runs with its id or prompt, and whose number
 * is not among those that are met. Returns whether there are such. */
bool spec_warn_unmet(const struct spec *, const bool *met);

/* Writes each check and rule that is right as a line of JSON. */
void spec_show(struct out *, const struct spec *);

/* Frees what the arena does not hold. */
void spec_close(struct spec *);
