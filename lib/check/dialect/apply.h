/* A record in, the record with what was found of it out. */
#pragma once

#include "check/dialect/spec.h"
#include "redact/redact.h"

struct apply {
	bool append; /* add to what a check before found, else replace it */
	bool slim;   /* drop the turns of runs in which nothing is pending */
	struct view_leave leave;
	struct redact *redact; /* what is not to be written; NULL: nothing */
	bool *
	    met; /* by its number: whether a run has the scenario; may be NULL */

	/* private: reused from record to record */
	struct arena arena;
	struct view view;
	struct out members, record;
	struct json_reader reader;
};

/* Gets ready; what the caller sets is set. */
void apply_open(struct apply *);

/* Checks the run and writes its record, without a newline. Returns the run's
 * status. */
enum status apply_write(
    struct apply *, const struct spec *, const struct trace *, struct out *);

/* Writes a value that is no trace, or that is not meant. No newline. */
void apply_pass(struct apply *, const struct json *, struct out *);

void apply_close(struct apply *);
