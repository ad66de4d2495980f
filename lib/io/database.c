#include "io/database.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/slurp.h"
#include "io/temporary.h"

enum {
	SCHEMA_MAX = 4 * 1024 * 1024,
	TABLES_MAX = 200, /* bytes of tables in a message */
	VERSION_AT = 18,  /* in the header: 2 where a -wal file is used */
	HEADER = 20,
	ARGS = 20,
};

/* Writes each column as TABLE.COLUMN, and a line for each table. */
#define SCHEMA \
	"SELECT m.name || '.' || c.name FROM sqlite_master AS m " \
	"JOIN pragma_table_info(m.name) AS c " \
	"WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"

/* A database while it is opened. */
struct database {
	struct arena *arena;
	const char *path;
	const char *uri;
	bool alone; /* no other program has it open: sqlite3 must not lock it */
	bool unsafe;        /* this sqlite3 has no option -safe */
	bool summary;       /* the queries are their summaries */
	int error;          /* errno if sqlite3 could not be started */
	struct str columns; /* a line each */
	struct str trouble; /* what sqlite3 says; empty: nothing */
};

bool
database_is_open(int fd)
{
	char start[HEADER];
	ssize_t n = pread(fd, start, sizeof start, 0);

	return n > 0 &&
	    decompress_is_database((struct str){ start, (size_t)n });
}

bool
database_is_at(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && database_is_open(fd);

	if (fd >= 0)
		close(fd);
	return is;
}

static off_t
size_of(struct arena *a, const char *path, const char *end)
{
	struct stat st;

	return stat(str_c(a, str_printf(a, "%s%s", path, end)), &st) == 0
	    ? st.st_size
	    : -1;
}

/* Returns the path as a URI, with these parameters. */
static const char *
uri_of(struct arena *a, const char *path, const char *parameters)
{
	struct str uri = str_printf(a, "file:%s", *path == '/' ? "" : "./");

	for (; *path != '\0'; path++)
		uri = strchr("%?#", *path) != NULL
		    ? str_printf(a, "%.*s%%%02X", STR_FMT(uri), *path)
		    : str_printf(a, "%.*s%c", STR_FMT(uri), *path);
	return str_c(
	    a, str_printf(a, "%.*s?mode=ro%s", STR_FMT(uri), parameters));
}

/*
 * Finds out how to open the database so that no file is created beside it. While a
 * program has it open there is a file -shm, which sqlite3 reads too. Without that
 * file, a -wal file is read without locks; if there is none either, the database does not
 * change.
 */
static void
find_uri(struct database *d)
{
	struct str start = { 0 };
	const char *how = "";

	if (slurp_file(d->arena, d->path, HEADER, &start) &&
	    start.n == HEADER && start.s[VERSION_AT] == 2 &&
	    size_of(d->arena, d->path, "-shm") < 0) {
		d->alone = size_of(d->arena, d->path, "-wal") > 0;
		how = d->alone ? "&vfs=unix-none" : "&immutable=1";
	}
	d->uri = uri_of(d->arena, d->path, how);
}

/* Starts sqlite3, whose messages go to a file. Returns the descriptor of its output,
 * or -1 with d->error. */
static int
start(struct database *d, struct decompress *u, const char *sql)
{
	const char *args[ARGS] = { "sqlite3", "-batch", "-readonly", "-init",
		"/dev/null", "-cmd", ".timeout 2000", "-cmd",
		"PRAGMA temp_store = 2" };
	size_t n = 9;
	int fd;

	if (!d->unsafe)
		args[n++] = "-safe";
	if (d->alone) {
		args[n++] = "-cmd";
		args[n++] = "PRAGMA locking_mode = EXCLUSIVE";
	}
	args[n++] = d->uri;
	args[n] = sql;
	u->messages = temporary_file();
	fd = decompress_start(u, args, -1);
	d->error = fd < 0 ? errno : 0;
	if (d->alone && fd >= 0) { /* the PRAGMA writes a line */
		char c;

		while (read(fd, &c, 1) == 1 && c != '\n')
			;
	}
	return fd;
}

/* Reads the columns of all tables. Returns false if sqlite3 could not. */
static bool
read_columns(struct database *d)
{
	struct decompress u = { 0 };
	int fd = start(d, &u, SCHEMA);
	bool done;

	if (fd < 0)
		return false;
	slurp(d->arena, fd, SCHEMA_MAX, &d->columns);
	close(fd);
	done = decompress_wait(&u, d->arena, &d->trouble) == 0;
	if (done || d->unsafe ||
	    str_find(d->trouble, STR("-safe")) == d->trouble.n)
		return done;
	d->unsafe = true;
	return read_columns(d);
}

static bool
has_column(const struct database *d, struct str column)
{
	struct str rest = d->columns;

	while (rest.n != 0)
		if (str_eq(str_cut(&rest, '\n'), column))
			return true;
	return false;
}

static bool
is_for(const struct database_query *q, const struct database *d)
{
	struct str columns = str_of(q->columns);

	while (columns.n != 0)
		if (!has_column(d, str_cut(&columns, ' ')))
			return false;
	return true;
}

/* Adds the query, with each part in brackets replaced. */
static struct str
add_query(const struct database *d, struct str all, struct str rest)
{
	/* sqlite3 would take a comment at the begin for an option. */
	all = str_cat(d->arena, all, all.n == 0 ? STR("\n") : STR(";\n"));
	while (rest.n != 0) {
		struct str before = str_cut(&rest, '[');
		struct str sql = str_cut(&rest, ']');
		struct str column = str_cut(&sql, '|');

		all = str_cat(d->arena, all, before);
		if (column.n != 0)
			all = str_cat(d->arena, all,
			    !has_column(d, column) ? STR("NULL")
				: sql.n != 0       ? sql
						   : column);
	}
	return all;
}

/* Returns all queries for the database, empty if there are none. */
static struct str
queries_for(const struct database *d, const struct database_query *q)
{
	struct str all = STR("");

	for (; q->select != NULL; q++)
		if (is_for(q, d) && (!d->summary || q->summary != NULL))
			all = add_query(d, all,
			    d->summary ? str_of(q->summary)
				       : (struct str){ (const char *)q->select,
					     *q->size });
	return all;
}

/* Returns the query of the product whose database has the name of this file, or
 * NULL. */
static const struct database_query *
by_name(const char *path, const struct database_query *q)
{
	const char *slash = strrchr(path, '/');

	for (; q->select != NULL; q++)
		if (strcmp(slash == NULL ? path : slash + 1, q->file) == 0)
			return q;
	return NULL;
}

static void
report_no_query(const struct database *d)
{
	struct str rest = d->columns, tables = { 0 }, last = { 0 };

	while (rest.n != 0 && tables.n < TABLES_MAX) {
		struct str line = str_cut(&rest, '\n');
		struct str table = str_slice(line, 0, str_find_char(line, '.'));

		if (!str_eq(table, last))
			tables =
			    str_printf(d->arena, "%.*s%s%.*s", STR_FMT(tables),
				tables.n == 0 ? "" : ", ", STR_FMT(table));
		last = table;
	}
	if (tables.n == 0)
		diag_error((struct place){ .file = d->path },
		    "a database without tables; they may be in its -wal file, "
		    "which belongs beside it");
	else
		diag_error((struct place){ .file = d->path },
		    "a database of no agent that is known (tables: %.*s%s)",
		    STR_FMT(tables), rest.n == 0 ? "" : ", ...");
}

static void
report_trouble(const struct database *d, const struct database_query *queries)
{
	const struct database_query *q = by_name(d->path, queries);
	struct place at = { .file = d->path };

	errno = d->error;
	if (d->error == ENOENT)
		diag_error(at,
		    "a database; sqlite3, which would read it, is not "
		    "there%s%s",
		    q == NULL || q->export == NULL ? "" : "; export with: ",
		    q == NULL || q->export == NULL ? "" : q->export);
	else if (d->error != 0)
		diag_error(at, "cannot start sqlite3:");
	else
		diag_error(at, "sqlite3 could not read the database: %.*s",
		    STR_FMT(d->trouble));
}

int
database_open(struct decompress *u, const char *path,
    const struct database_query *queries)
{
	struct arena a = { 0 };
	struct database d = { .arena = &a, .path = path };
	struct str sql;
	int fd = -1;

	find_uri(&d);
	if (!read_columns(&d)) {
		report_trouble(&d, queries);
	} else if ((sql = queries_for(&d, queries)).n == 0) {
		report_no_query(&d);
	} else {
		fd = start(&d, u, str_c(&a, sql));
		if (fd < 0)
			report_trouble(&d, queries);
	}
	arena_free(&a);
	return fd;
}

int
database_summary(struct decompress *u, const char *path,
    const struct database_query *queries)
{
	struct arena a = { 0 };
	struct database d = { .arena = &a, .path = path, .summary = true };
	struct str sql = { 0 };
	int fd = -1;

	find_uri(&d);
	if (read_columns(&d))
		sql = queries_for(&d, queries);
	if (sql.n != 0)
		fd = start(&d, u, str_c(&a, sql));
	arena_free(&a);
	return fd;
}

bool
database_is_known(const char *path, const struct database_query *queries)
{
	struct arena a = { 0 };
	struct database d = { .arena = &a, .path = path };
	bool known;

	find_uri(&d);
	known = read_columns(&d) ? queries_for(&d, queries).n != 0
				 : by_name(path, queries) != NULL;
	arena_free(&a);
	return known;
}
