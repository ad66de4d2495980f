/* The compiled rules of a map. map.c reads them; emit.c and read.c apply
 * them. */
#pragma once

#include "extract/format/format.h"
#include "query/jsonpath/jsonpath.h"

/* Paths, of which the first that finds something counts. No paths: no rule. */
struct map_path {
	const struct jsonpath **list;
	size_t n;
};

/* A path to a true or false value, or a condition. */
struct map_flag {
	struct map_path path;
	const struct jsonpath *condition;
};

/* Paths to the counts of each kind of usage. */
struct map_usage {
	struct map_path kinds[USAGE_COUNT];
	bool given;
};

/* The kinds of steps. */
enum map_kind {
	MAP_PROMPT,
	MAP_TEXT,
	MAP_CALL,
	MAP_RESULT,
	MAP_KINDS,
};

enum map_step_path {
	STEP_EACH,
	STEP_TEXT,
	STEP_ID,
	STEP_TOOL,
	STEP_SERVER,
	STEP_NAME,
	STEP_ARGS,
	STEP_RESULT,
	STEP_DURATION_MS,
	STEP_DURATION_S,
	STEP_PATHS,
};

struct map_step {
	bool given;
	const struct jsonpath *when; /* NULL: always */
	struct map_path paths[STEP_PATHS];
	struct map_flag is_error;
	struct map_usage usage;
};

enum map_run_path {
	MAP_RUNS,
	MAP_GROUP,
	MAP_TURNS,
	MAP_STEPS,
	MAP_TS,
	MAP_ID,
	MAP_SCENARIO,
	MAP_INDEX,
	MAP_AGENT,
	MAP_PROVIDER,
	MAP_MODEL,
	MAP_FIRST_PROMPT, /* of the run, or of each turn */
	MAP_FINAL,
	MAP_ERROR,
	MAP_DURATION_MS,
	MAP_DURATION_S,
	MAP_START,
	MAP_END,
	MAP_PATHS,
};

/* A member of a run's meta. */
struct map_meta {
	const char *name;
	struct map_path path;
};

struct map {
	struct log_format format;
	struct jsonpath **compiled; /* all compiled paths */
	size_t n;
	bool by_file;                 /* the whole file is one run */
	const struct jsonpath *match; /* condition on a log's records; NULL: the
				       * map is used only where it is asked
				       * for */
	const char *what;             /* the author's description; NULL: none */
	int score;                    /* of a record that matches */
	const struct jsonpath *when;  /* condition on what `runs` finds; NULL:
				      * none */
	struct map_path paths[MAP_PATHS];
	struct map_usage usage;
	struct map_meta *meta;
	size_t nmeta;
	struct map_step steps[MAP_KINDS];
	struct str_list nothing; /* kinds of values that carry nothing */
};

/* The functions of the log format: see format/format.h. */
void map_read_record(struct log *, const struct json *record);
void map_read_end(struct log *);
