/*
 * Declares a log format, and a log file while a format reads that file. Each
 * format is one file of this folder, and format.c lists them all. A format needs
 * two things: conditions by which its records are recognised (log_condition.h), and
 * rows that say what each record reports (log_rows.h):
 *
 *	static const struct log_row rows[] = {
 *		LOG_ROW("type=start", LOG_BEGIN, .of = "session"),
 *		LOG_ROW("type=user", LOG_PROMPT, .of = "text"),
 *		LOG_ROW("type=agent", LOG_TEXT, .of = "text"),
 *		LOG_ROW("type=tool", LOG_CALL, .id = "id", .tool = "name",
 *		    .args = "input", .result = "output", .is_error = "failed"),
 *		LOG_ROW("type=ping", LOG_NOTHING),
 *		LOG_LAST,
 *	};
 *
 *	const struct log_format log_format_shop = {
 *		.name = "shop",
 *		.what = "Shop: sessions of its agent",
 *		.sure = "type=start session shop_version",
 *		.rows = rows,
 *	};
 *
 * A record that no row is for is reported as unread. The other members of struct log_format
 * are for formats that need more.
 */
#pragma once

#include "base/diag.h"
#include "extract/run/builder.h"
#include "extract/value/fields.h"
#include "json/json.h"

struct in;
struct log_paths;
struct log_row;
struct log_rows;
struct text_store;

/* A log file while it is read. */
struct log {
	struct builder *builder;
	struct arena *arena; /* lives as long as the file is read */
	/* For short-lived data: reset before each record, and, by formats whose
	 * records hold many messages, before each message. */
	struct arena *scratch;
	const char *path;
	struct place at;   /* place of the record that is read */
	struct str id;     /* body: the id of the current run (log_run) */
	struct str prefix; /* the text before the record in its line */
	bool shortened;    /* the line says that a part of it was left out */
	bool one_line;     /* the record is in one line */
	/* The format's own state, in the arena: zeroed if the format says its size, else
	 * NULL at first. A format whose records name their sessions (log_run) has a
	 * state for each session; its state of the whole log is in `whole`. */
	void *state, *whole;
	const void *context; /* the format's (struct log_format) */
	const struct log_format *format;
	const struct log_rows *rows; /* the format's; NULL: not prepared yet */
	/* While what log_keep kept is read: the source of all values of the group, in
	 * one line, which lives as long as the group; else absent. */
	struct str text;
	const struct json *part; /* of log_rows_part */
	unsigned
	    unlogged; /* RUN_LOST_...: what the log does not record at all */

	/* private: the position of the last log_place; tables of log_read_part */
	const char *counted;
	size_t line;
	struct log_prepared *prepared;
	/* of log_keep: the input that is read (NULL: unknown), what was kept of it */
	const struct in *in;
	struct text_store *store;
	struct log_kept *kept;
	struct log_sessions *sessions; /* NULL: no record named one */
	const struct log_paths *session,
	    *record_id; /* the format's, prepared */
};

struct log_format {
	const char *name;
	const char *what; /* one line for --list-formats */
	/* Conditions (log_condition.h) that hold for records which no other
	 * format has. Each alternative begins with what few records of other
	 * formats have: a format is asked only about records for which the
	 * first term of an alternative may hold. */
	const char *sure;
	/* The records of the format, and what each reports (log_rows.h). */
	const struct log_row *rows;
	/* Size of the format's state in log->state. 0: none, or the format makes it. */
	size_t state;

	/* Conditions for records that other formats may have as well. A number
	 * before an alternative is the record's score, of which
	 * LOG_FORMAT_SURE in all make a file the format's. The first
	 * alternative that holds counts; with a score below 0, the record
	 * cannot be of the format. May be NULL. */
	const char *hint;
	/* Paths, separated by blanks, of values in the record for which `sure`
	 * may hold instead. May be NULL. */
	const char *nested;
	/* The meaning of a result without a flag or status, by the format's
	 * documentation (mcpl-formats(7)). */
	enum unflagged unflagged;
	/* The call that a result without an id answers; by default, none: the
	 * format's results have ids. */
	enum unidentified unidentified;
	/* Called for each record before the rows read it: the record's time and
	 * thread, its session. May be NULL. */
	void (*before)(struct log *, const struct json *record);
	/* Reads a record and feeds the builder with its events, in place of the
	 * rows, which then only say which records are read. NULL: the rows read. */
	void (*read)(struct log *, const struct json *record);
	/* The functions and rows of the format count all blocks that they do not know
	 * (builder_unread; LOG_EACH does), so that a record that reported no call need
	 * not be searched for calls. The search costs little: false, if in doubt. */
	bool knows_blocks;
	/* Paths (log_rows.h) of the id of the record's session, to whose run the
	 * record belongs (log_run), however sessions are interleaved. NULL: no record
	 * has one, or `before`, `read` or the rows find the id. */
	const char *session;
	/* Path of the record's own id, and of other members that tell records apart.
	 * A record with the id and the length of an earlier record of its run is a
	 * copy, which is ignored. NULL: records have none. */
	const char *record_id;
	/* Several files may record one run; they are read as if they were one file
	 * (file_groups.h), and the format's functions see log->path and log->at
	 * change. Paths (log_rows.h) of the id that the first records of such a file
	 * have; the last names end in the letter d. NULL: a run is in one file. */
	const char *shared_session;
	/* Each record has that id: a file that begins with records of several
	 * sessions is none that goes on in another file. */
	bool shared_by_all;
	/* Names of the keys at which any record may have the id of its run, for
	 * formats whose files hold the records of many runs in any order. They end in
	 * d. NULL: a run is in one file. */
	const char *shared_keys;
	/* Called at the end of the file, or of a group of log_keep, to feed the builder
	 * with what could not be known before. May be NULL. */
	void (*end)(struct log *);
	/* Called before a run ends, which is open, with the state of the run's
	 * session, to feed the builder likewise; at the end of the file, even if no
	 * run is open. May be NULL. */
	void (*end_run)(struct log *);
	/* Called at the end of the file. Returns the paths of other files that
	 * belong to the file's run, NULL-terminated. May be NULL. */
	char **(*beside)(struct log *);
	/* Called at the first record. Returns the path of the file for which
	 * `beside` would return this file's path, or NULL. May be NULL. */
	const char *(*owner)(struct log *, const struct json *record);
	/* Returns whether each record of a file with this first record is one
	 * or several whole runs. While no run is open, such a record depends on
	 * nothing that was read before except log->id, so that several workers
	 * can read the file in chunks. A format with `beside` or `end` has no
	 * such files. NULL, as for most formats: a run has several records. */
	bool (*alone)(const struct json *first);
	/* The lists in a long record whose elements may be read one after another,
	 * as if each were in a record of its own: the names that lead to a list,
	 * joined by dots, lists on the way being passed through; separated by
	 * blanks; "." is a record that is a list. NULL: none. */
	const char *lists;
	/* Paths (of names) of members of such a record that are needed with each
	 * element: at the top, or in an object around the list; separated by
	 * blanks. If the first element precedes all of them, a file is read twice,
	 * and a pipe's record as a whole. NULL: none. */
	const char *head;
	/* Records like these may also be parts of logs of other formats, as
	 * the messages of a model's API are. */
	bool common;
	/* A file of this format has records that look like those of other
	 * formats: all records of the file are of this format. */
	bool whole_file;
	/* Returns the score of a record for which `sure` does not hold, where
	 * conditions cannot say it; 0: `hint` says it. May be NULL. */
	int (*score)(const struct json *record);
	/* Conditions of which one holds for each record that has a score of
	 * `score`. NULL: any record may have one. */
	const char *asked;
	/* Called in place of `score`, unless NULL, with the format's context:
	 * for formats that consist of rules. */
	int (*score_by)(const void *context, const struct json *record);
	/* The rules of a format that consists of rules (extract/map); else
	 * NULL. */
	const void *context;
};

enum { LOG_FORMAT_SURE = 100 };

/* Begins a run that is wholly in the record: the reader ends the run
 * (builder_end_run) before the record is freed. */
void log_whole_run(struct log *, const struct json *record);

/* Gives the log the format's state, unless there is one. */
static inline void
log_need_state(struct log *log)
{
	if (log->state == NULL && log->format->state != 0)
		log->state = arena_alloc(log->arena, log->format->state);
}

/* Makes the run with this id (a string) the current one: the open run, if it
 * has this id or none yet; an earlier run of this id, since the records of sessions
 * may be interleaved in one file; else a new run. Without an id, the record belongs
 * to the open run. log->state changes with the run: it is NULL in a new one, but for
 * the first of the log. */
void log_run(struct log *, const struct json *id);

/* Returns the place of the value within the record that is read. Values must be
 * asked for in their order in the record. */
struct place log_place(struct log *, const struct json *value);
/* Sets the run's place to that of the value within the record. */
void log_source(struct log *, const struct json *value);

/* Returns the part of body between the marks open and close, without the line
 * breaks (\n, as in a JSON string) next to them; returns the whole of body if
 * open is not in it. Programs put a user's words between such marks, with
 * words of their own around. */
struct str log_between_marks(
    struct str body, struct str open, struct str close);
