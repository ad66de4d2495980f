/*
 * Has a person at a terminal label checks that a judge answered: shows the evidence
 * for one check after the other, and appends each label to a file
 * (judge/labels.h) at once, so that an end at any time loses nothing. The judge's
 * verdict and reason are shown after the label alone.
 */
#pragma once

#include "io/out.h"
#include "io/terminal.h"
#include "judge/sample.h"

struct labelling {
	const char *path; /* of the labels; set by the caller */

	struct sample
	    sample; /* wanted, seed and uncertain: set by the caller */

	/* private */
	struct arena arena;
	struct labels labels;
	struct out file;
};

/* Reads the labels that the file has, which need not exist. Returns false after a
 * message if the file cannot be read, or is no file to append to. */
bool labelling_open(struct labelling *);

/* Considers the checks of a run. */
void labelling_add(struct labelling *, const struct trace *);

/* Asks about all checks of the sample that have no label, until the person quits.
 * Returns false after a message if there is nothing to ask about, a label cannot
 * be written, or an interrupt came. */
bool labelling_ask(struct labelling *, const struct terminal *,
    struct out *screen, bool color);

void labelling_close(struct labelling *);
