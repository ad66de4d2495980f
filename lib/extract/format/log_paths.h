/*
 * Paths in the records of a log format, prepared for use, and their values as rows
 * (log_rows.h) need them. They live as long as the texts that they are made from, and
 * the arena.
 *
 * A path is one of names separated by dots ("message.id"), of which 0 stands for the
 * first element of a list, and, in conditions, * for any element. Several paths,
 * separated by blanks, give the value of the first path that has one, and null counts
 * as none. "" is the record itself.
 */
#pragma once

#include "emulate/jsonpath/jsonpath.h"
#include "extract/format/log_format.h"

enum { LOG_PATH_NAMES = 6 };

struct log_path {
	struct str names[LOG_PATH_NAMES];
	size_t n;
	bool any;                      /* a name is * */
	const struct jsonpath *search; /* in place of names; NULL: names */
};

/* Paths that are tried one after another. */
struct log_paths {
	struct log_path *list;
	size_t n;
	struct str name; /* of the only path, which has no other; else absent */
	bool self;       /* the record itself */
	bool jsonpath; /* JSONPaths, which are a user's: values are converted */
};

/* Memory for what is prepared, and the JSONPaths that were compiled for that. */
struct log_compiled {
	struct arena *arena;
	struct jsonpath **list;
	size_t n;
};

/* Frees what is not in the arena. */
void log_compiled_free(struct log_compiled *);

/* Returns the condition on a value that the text states (jsonpath_condition), which
 * has no mistake; NULL for NULL. */
const struct jsonpath *log_expression_of(
    struct log_compiled *, const char *text);

/* Returns the value at the path of names, which may be null, or NULL. */
const struct json *log_path_value(const struct log_path *, const struct json *);

/* Calls `holds` with each value at the path until one does. Returns whether one did. */
bool log_path_any(const struct log_path *, const struct json *,
    bool (*holds)(const void *context, const struct json *),
    const void *context);

/* Returns the paths, NULL for NULL. A text that begins with $ has a JSONPath a
 * line, without mistakes. */
const struct log_paths *log_paths_of(struct log_compiled *, const char *text);

/* Returns the value at the first path that has one, or NULL; null counts as none.
 * The memory of this and of all values below is the log's scratch memory. */
const struct json *log_paths_find(
    const struct log_paths *, const struct json *, const struct log *);

/* Returns all values at the first path that has a value other than null; without
 * paths, the value itself. */
struct jsonpath_list log_paths_list(
    const struct log_paths *, const struct json *, const struct log *);

/*
 * Like log_paths_find, but the values of JSONPaths are converted: a number where a
 * name or an id is due to a string; a string that spells a number, where a number or
 * a time is due, to the number; a value where true or false is due, to what
 * mcpl-map(5) says.
 */
const struct json *log_paths_name(
    const struct log_paths *, const struct json *, const struct log *);
const struct json *log_paths_number(
    const struct log_paths *, const struct json *, const struct log *);
const struct json *log_paths_flag(
    const struct log_paths *, const struct json *, const struct log *);

/* Returns a duration in milliseconds, from milliseconds or from seconds. */
const struct json *log_paths_ms(const struct log_paths *ms,
    const struct log_paths *s, const struct json *, const struct log *);

/* Like log_paths_find, but all values of a JSONPath become one text, a string, with
 * `between` (a body) between them; of a list of content blocks, the texts. */
const struct json *log_paths_text(const struct log_paths *, struct str between,
    const struct json *, const struct log *);
