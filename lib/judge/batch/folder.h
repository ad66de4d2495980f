/*
 * A folder of batches, all plain files that appear whole:
 *
 *	batches.json         whom they are for: {"v", "provider", "url",
 *	                     "model"}
 *	0001.requests.jsonl  the requests, as they are sent
 *	0001.state.json      what is known of their fate: {"v", "requests",
 *	                     "label", "begun", "upload", "batch", "status",
 *	                     "over"}
 *	0001.results.jsonl   the replies, as they came
 *	0001.errors.jsonl    and those that OpenAI keeps apart
 *
 * No key is in any of them. One process at a time works there.
 */
#pragma once

#include "io/in.h"
#include "judge/provider/batch_api.h"

enum batch_use {
	BATCH_FOLDER_READ, /* looks at results, whoever works there */
	BATCH_FOLDER_WORK, /* works there */
	BATCH_FOLDER_MAKE, /* and makes the folder if need be */
};

struct batch_folder {
	const char *dir;
	const struct endpoint *endpoint;
	struct arena arena;
	struct batch_job *jobs; /* of number n */
	size_t n;
	int fd; /* of the folder: holds the lock */
};

/* False after a message if it cannot be used, or is another peer's. */
bool batch_folder_open(struct batch_folder *, const char *dir,
    const struct endpoint *, enum batch_use);

/* A job for the next number, to be counted once its file is there. */
struct batch_job batch_folder_next(struct batch_folder *);

/* "DIR/0001.WHAT.jsonl" */
char *batch_folder_path(
    struct batch_folder *, const struct batch_job *, const char *what);

/* Writes down what is known of the job. False after a message if it cannot
 * be: then nothing may be done that hangs on it. */
bool batch_folder_note(struct batch_folder *, const struct batch_job *);

void batch_folder_close(struct batch_folder *);

/* The requests of a file that mcpl-judge wrote, by their names alone. */
struct request_names {
	const struct batch_api *batch_api;
	struct in in;
	char *files[2];
};

void request_names_open(
    struct request_names *, const struct batch_api *, char *path);

/* The next one; it lives until the next call. What cannot be read is told. */
bool request_names_next(struct request_names *, struct str *name);

void request_names_close(struct request_names *);
