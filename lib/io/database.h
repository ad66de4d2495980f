/*
 * Databases of SQLite, which the program sqlite3 reads: a query writes a JSON
 * record for each row. The tables of a database decide which queries run. The
 * database is never changed, and is read with its -wal file.
 */
#pragma once

#include "io/decompress.h"

/* A query for the databases of a product. */
struct database_query {
	const char *file; /* the usual name of the product's database */
	const char
	    *export; /* the product's command that exports a session; NULL:
			     * there is none */
	/* Columns that only databases of the product have together, TABLE.COLUMN,
	 * separated by blanks. */
	const char *columns;
	/* A SELECT that writes one JSON record a row, those of a session one after
	 * another, and its number of bytes. [TABLE.COLUMN] is a column that not all
	 * versions of the product have, [TABLE.COLUMN|SQL] what needs that column:
	 * NULL where the column is missing. */
	const unsigned char *select;
	const size_t *size;
	/* A SELECT that writes one JSON record about all sessions; NULL: there is none. */
	const char *summary;
};

/* Returns whether there is a database at this path. */
bool database_is_at(const char *path);

/* Returns whether the file that is open as fd is a database. */
bool database_is_open(int fd);

/* Starts sqlite3 for the database with the queries whose columns it has; a row
 * without `select` ends the queries. Returns the descriptor from which to read the
 * records, or -1 after an error message. */
int database_open(
    struct decompress *, const char *path, const struct database_query *);

/* Like database_open, but with the summaries of the queries, and without a message. */
int database_summary(
    struct decompress *, const char *path, const struct database_query *);

/* Returns whether the database at this path is one for which there is a query.
 * The name of the file decides if sqlite3 cannot be started. Reports nothing. */
bool database_is_known(const char *path, const struct database_query *);
