/* Applies the scenarios to a record, and writes the record with the results. */
#pragma once

#include "check/dialect/spec.h"
#include "redact/redact.h"

struct apply {
	bool append; /* add to earlier results, else replace them */
	bool slim;   /* drop the turns of runs in which nothing is pending */
	struct view_options options;
	struct redact *redact; /* secrets not to be written; NULL: none */
	bool *met; /* by a scenario's number: set if a run has it; may be
		    * NULL */
	/* Set by apply_write: the record has a check result; one that is not
	 * skipped, or the run itself failed. */
	bool checked, decided;
	/* Unless `decided`: why a check was skipped that its author's own condition
	 * did not skip; absent: there is none. */
	struct str lacking;

	/* private: reused from record to record */
	struct arena arena;
	struct view view;
	struct program_settings programs;
	struct out members, record;
	struct json_reader reader;
	struct redact_quotes quotes; /* of the record */
};

/* Returns the settings of programs, as the options permit them. */
struct program_settings apply_programs(const struct view_options *);

/* Prepares the private members after the caller has set the others. */
void apply_open(struct apply *);

/* Checks the run and writes its record, without a newline. Returns the run's
 * status. */
enum status apply_write(
    struct apply *, const struct spec *, const struct trace *, struct out *);

/* Writes, without a newline, a value that is no trace or that no check is meant
 * for. */
void apply_copy(struct apply *, const struct json *, struct out *);

void apply_close(struct apply *);
