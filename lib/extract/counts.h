/* Counts of mcpl-extract over all files, which it reports once, at the end. */
#pragma once

#include "base/diag.h"
#include "base/str.h"

struct builder;

/* A count over all files. */
struct extract_files {
	size_t n;
	struct place first; /* the first place, and what is there */
	char what[240];
};

/* Totals of all files. */
struct extract_counts {
	struct extract_files no_logs; /* files in folders that hold no run */
	/* Records that were not read, and look like no call and no text. */
	struct extract_files unread;
	struct extract_files repeated; /* runs with the id of an earlier one */
	size_t written, left_out; /* runs inside the period, runs outside */
};

/* Adds what was counted later. */
void extract_files_add(
    struct extract_files *, const struct extract_files *later);

/* Adds n to the count. If the count was 0, the place is the first, and `what` is
 * kept, perhaps shortened. */
void extract_files_note(
    struct extract_files *, size_t n, struct place, struct str what);

/* Warns of what was not read of the file and may hold a call or a text of the
 * agent; adds the rest to `harmless`. Sets the builder's counts to 0. */
void extract_report_unread(
    struct builder *, const char *file, struct extract_files *harmless);
