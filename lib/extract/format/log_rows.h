/*
 * A log format as a table of rows. Each row says which records the row is for,
 * what such a record reports, and where in the record the parts are; a function in
 * C does what no row can say. A record that no row is for is not understood, and
 * the record's run says so (`unread` in mcpl-trace(5)).
 *
 * Rows also read what is within a record: a row LOG_IN reads one value, a row
 * LOG_EACH each element of a list, by a table of their own.
 */
#pragma once

#include "extract/format/log_condition.h"
#include "extract/format/log_format.h"

enum log_row_what {
	LOG_ROWS_END, /* ends a table */

	LOG_NOTHING, /* the record carries nothing that a trace has */
	LOG_HOOK,    /* calls `read` with the value at `of` */
	LOG_KEEP, /* calls `read` when the file ends, with the values of the group
	              * `id` (log_keep.h) */
	LOG_IN,   /* reads the value at `of` by the table `rows` */
	LOG_EACH, /* reads each element of the list at `of` so; an element that no
	           * row is for is unread */
	/* These say what follows in the table: they do not count as reading the
	 * record (log_row_is_aside). */
	LOG_LOCATE, /* the time at `of` and the message `id` (a path), unless `read` sets
	             * the position */
	LOG_AGENT, /* the name of the agent */
	LOG_MESSAGE, /* one message of the model: that with the id at `id`, or, without
	              * this path, of LOG_LOCATE */
	LOG_MESSAGE_BY_ORDER, /* the same, of builder_message_by_order */

	LOG_BEGIN, /* a run begins; `of`: its id */
	LOG_RUN,   /* the record is of the run with the id at `of` */
	LOG_END,   /* the run ends */
	LOG_OPEN,  /* the log is cut if it breaks off before LOG_CLOSED */
	LOG_CLOSED,
	LOG_SET, /* the member `member` of the run (run/run.h): RUN_AGENT, ... */
	LOG_META,  /* the member `name` of the run's meta */
	LOG_MODEL, /* the model that answers */
	LOG_ERROR, /* the run failed, with this error; without it, it did not */
	LOG_NO_ERROR, /* an error before did not end the run */
	LOG_BEGAN,    /* when the run began */
	LOG_ENDED,    /* when the run ended */
	LOG_STOP,     /* why the answer before it in the table ended */

	LOG_SYSTEM, /* the system prompt, before the first turn: a text, or a
		       * list of blocks; later, nothing */
	LOG_INPUT,  /* a turn begins, whose prompt may follow */
	LOG_REWIND, /* the user undid the last turns, as many as `of` says */
	LOG_PROMPT, /* a user's input: a text, or a list of blocks, in which what
		      * may be a call or a result is unread */
	LOG_TEXT,   /* an assistant's text */
	LOG_BLOCKS,   /* an assistant's text, or a list of blocks */
	LOG_PIECE,    /* a piece of an assistant's streamed text */
	LOG_TEXT_END, /* the streamed text ends */

	LOG_CALL, /* a call, and its result if there is a value at `result`, or if
		   * `failed` holds */
	LOG_ARGS,   /* a piece of the arguments of the call with this id */
	LOG_RESULT, /* a result */

	LOG_REQUEST, /* an answer of a model, the message with this id, whose
		      * usage is not logged */
	LOG_USAGE,   /* the usage of the message with this id */
	LOG_TOTAL,   /* what the run has used so far */
	LOG_TURN_MS, /* the duration of the turn */
};

static inline bool
log_row_is_aside(enum log_row_what what)
{
	return what >= LOG_LOCATE && what <= LOG_MESSAGE_BY_ORDER;
}

/* Says as what the value at `of` is read. */
enum log_row_as {
	LOG_AS_IS,
	LOG_AS_TEXT,   /* one text, of all values that a JSONPath finds */
	LOG_AS_NAME,   /* a string, also if it is a number */
	LOG_AS_NUMBER, /* a number, also if it is in a string */
	LOG_AS_TIME,   /* the same, or another string */
	LOG_AS_MS,     /* a number of milliseconds, of `of` or of `seconds` */
};

struct log_row {
	/* Conditions that must hold for the row (log_condition.h). NULL or "": any
	 * record. */
	const char *when;
	enum log_row_what what;
	enum run_member member; /* of LOG_SET */
	const char *of;         /* path of the value; NULL: the record itself */
	enum log_row_as as;
	/*
	 * The row is a user's: all paths are JSONPaths, a line for each, `when`
	 * and `failed` are conditions of JSONPath, and the values of the paths are
	 * converted (log_paths.h). A row that finds no value says nothing. LOG_EACH
	 * reads each value at `of` by log_rows_part. `aside`: the row does not count
	 * as reading the record.
	 */
	bool jsonpath, aside;
	/* Path of a list, each element of which is read in place of the record. */
	const char *each;

	void (*read)(struct log *,
	    const struct json *); /* of LOG_HOOK, LOG_KEEP, LOG_LOCATE */
	/* A function of the builder, in place of LOG_HOOK's `read`. */
	void (*report)(struct builder *, const struct json *);
	const struct log_row *rows; /* of LOG_IN and LOG_EACH */
	/* Each value of LOG_IN or LOG_EACH is accounted for on its own
	 * (log_read_part), and `rows` may be the table that has the row. */
	bool apart;
	const char *name; /* of LOG_META */
	const char *const *
	    counts; /* of LOG_USAGE, LOG_TOTAL, and of all rows of a user: USAGE_COUNT
					    paths within the value at `of`, NULL
					    where there is none (trace/usage.h) */
	const struct field_usage *usage; /* the same in place of counts */
	/* Reads the counts, in place of paths; an answer counts without any, too. */
	void (*count)(struct usage *, const struct json *);
	void (*use)(struct log *, const struct usage *); /* in place of the
							  * builder */
	/* Paths of the parts of a call, of a result, and, for the id, of usage:
	 * see builder_call and builder_result. */
	const char *id, *tool, *server, *tool_name, *args, *task, *result,
	    *is_error, *ok, *duration;
	const char *seconds; /* duration in seconds, if there is no other */
	/* Conditions under which a call failed; else a call with a result did not. Of a
	 * row without it, `is_error` and `ok`, the format's `unflagged` says so. */
	const char *failed;
	bool ended, early, once, decode; /* as in struct builder_call */
};

/* A row: its conditions, its kind, and the members that the kind needs. LOG_LAST
 * ends a table. */
#define LOG_ROW(conditions, ...) \
	{ \
		.when = (conditions), .what = __VA_ARGS__ \
	}
#define LOG_LAST \
	{ \
		.what = LOG_ROWS_END \
	}

/* The paths of a row's counts: LOG_COUNTS([USAGE_INPUT] = "in"). */
#define LOG_COUNTS(...) \
	(const char *const[USAGE_COUNT]) \
	{ \
		__VA_ARGS__ \
	}

/* A table that is prepared for use. */
struct log_rows;

/* Returns the table, prepared for use, in the arena. The rows must outlive the
 * arena's memory. */
const struct log_rows *log_rows_of(struct arena *, const struct log_row *);
/* Like log_rows_of, for rows with JSONPaths, which the caller frees. */
const struct log_rows *log_rows_compile(
    struct log_compiled *, const struct log_row *);

/* Lets the format read the log, whose other members are set. */
void log_open(struct log *, const struct log_format *);

/* Reads a record of the log, and counts what of the record is unread. */
void log_read(struct log *, const struct json *record);

/* Returns whether one of the format's rows is for the record, and not for any. */
bool log_knows(struct log *, const struct json *record);

/* Reads a part of a record, such as a message, by the rows, and counts what of the
 * part is unread as log_read does. For functions of formats. */
void log_read_part(
    struct log *, const struct log_row *rows, const struct json *part);

/* Reads the value by the rows of the log's format. */
void log_read_by_rows(struct log *, const struct json *);

/* Reads the value by all rows that are for it. What no row is for is counted as
 * unread. */
void log_rows_read(struct log *, const struct log_rows *, const struct json *);

/* Reads a part of the log, which is accounted for on its own, by all rows that are for
 * the part: what looks like a call or a text of the agent, and is not read, may be
 * lost. Without rows, the part is unread. */
void log_rows_part(struct log *, const struct log_rows *, const struct json *);

/* Returns the first row that is for the value and counts as reading, or NULL. Reads
 * nothing. */
const struct log_row *log_rows_find(
    const struct log_rows *, const struct json *);
