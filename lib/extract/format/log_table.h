/* Tables of rows (log_rows.h), prepared for use. */
#pragma once

#include "extract/format/log_rows.h"

struct row {
	const struct log_row *of;
	struct log_condition when, failed;
	const struct jsonpath *test, *fails; /* in place of when and failed */
	const struct log_paths *each, *value, *id, *tool, *server, *tool_name,
	    *args, *task, *result, *is_error, *ok, *duration, *seconds;
	const struct log_paths **counts;
	const struct log_rows *rows;
	size_t tested; /* terms that hold if the row is chosen by the key */
};

/* A word that the key may have, and the rows that ask for the word. */
struct word {
	struct str text;
	uint64_t rows;
};

struct log_rows {
	struct row *list;
	size_t n;
	const struct log_rows *more; /* the rows after these */
	/* The member by whose value rows are chosen; absent: by none. */
	struct str key;
	struct word *words;
	size_t n_words;
	uint64_t always; /* rows that are tried whatever the key's value is */
	/* Rows that are tried if a member has a name with this ending (lookup.h); all
	 * of these. */
	uint64_t named[64], any_name;
};

/* Returns the set of the table's rows that may be for the value, a bit for each. */
uint64_t log_table_rows(const struct log_rows *, const struct json *);

/* Removes the first row from the set; returns the row if it is for the value, else
 * NULL. `other`: no row before is for the value. The condition of a user's row is
 * not tested. */
const struct row *log_table_take(
    const struct log_rows *, uint64_t *set, const struct json *, bool other);
