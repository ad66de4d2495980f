/* The compiled rules of a map. map.c compiles them; read.c applies them. */
#pragma once

#include "extract/format/log_rows.h"

struct map {
	struct log_format format;
	struct log_compiled compiled;
	bool by_file;                 /* the whole file is one run */
	bool no_calls;                /* no rule is for calls or results */
	const struct jsonpath *match; /* condition on a log's records; NULL: the
				       * map is used only where it is asked
				       * for */
	const char *what;             /* the author's description; NULL: none */
	int score;                    /* of a record that matches */
	const struct jsonpath *when;  /* condition on what `runs` finds; NULL:
				      * none */
	const struct log_paths *runs, *group, *ts;
	const struct log_rows *rows;        /* of a run, or of a piece of one */
	const char *const *carries_nothing; /* kinds of values */
};

/* The functions of the log format: see format/format.h. */
void map_read_record(struct log *, const struct json *record);
void map_read_end(struct log *);

/* The hooks of the rows. */
void map_read_turn(struct log *, const struct json *);
void map_read_prompt(struct log *, const struct json *text);
void map_read_text(struct log *, const struct json *text);
void map_read_answer(struct log *, const struct json *text); /* of a turn */
void map_read_final(struct log *, const struct json *text);  /* of a run */
void map_read_usage(struct log *, const struct usage *);
