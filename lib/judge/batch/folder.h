/*
 * A folder of batches. All its files are plain and appear whole:
 *
 *	batches.json         the endpoint: {"v", "provider", "url", "model"}
 *	0001.requests.jsonl  the requests, as they are sent
 *	0001.state.json      the state of the job: {"v", "requests", "label",
 *	                     "begun", "upload", "batch", "status", "over"}
 *	0001.results.jsonl   the replies, as they came
 *	0001.errors.jsonl    the errors, which OpenAI keeps apart
 *
 * No file holds a key. Only one process at a time works in the folder.
 */
#pragma once

#include "io/in.h"
#include "judge/provider/batch_api.h"

enum batch_use {
	BATCH_FOLDER_READ, /* only reads results, even while another process
			    * works there */
	BATCH_FOLDER_WORK, /* works there, with the lock */
	BATCH_FOLDER_MAKE, /* works there, and makes the folder if it does not
			    * exist */
};

struct batch_folder {
	const char *dir;
	const struct endpoint *endpoint;
	struct arena arena;
	struct batch_job *jobs; /* array of n */
	size_t n;
	int fd; /* of the folder; holds the lock */
};

/* Opens a folder and reads the state of its jobs. Returns false after a
 * message if the folder cannot be used or belongs to another endpoint. The
 * endpoint must outlive the folder. */
bool batch_folder_open(struct batch_folder *, const char *dir,
    const struct endpoint *, enum batch_use);

/* Returns a job with the next number. The caller adds it to `jobs` once its
 * file is complete. */
struct batch_job batch_folder_next(struct batch_folder *);

/* Returns the path "DIR/0001.WHAT.jsonl" for the job, in the folder's
 * arena. */
char *batch_folder_path(
    struct batch_folder *, const struct batch_job *, const char *what);

/* Writes the job's state file. Returns false after a message if that fails:
 * then nothing may be done that relies on the state. */
bool batch_folder_note(struct batch_folder *, const struct batch_job *);

void batch_folder_close(struct batch_folder *);

/* Reads the names of the requests in a file that mcpl-judge wrote. */
struct request_names {
	const struct batch_api *batch_api;
	struct in in;
	char *files[2];
};

void request_names_open(
    struct request_names *, const struct batch_api *, char *path);

/* Sets *name to the next name, which is valid until the next call. Returns
 * false at the end. A file that cannot be read is reported. */
bool request_names_next(struct request_names *, struct str *name);

void request_names_close(struct request_names *);
