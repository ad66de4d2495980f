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
#ifndef BULK_FOLDER_H
#define BULK_FOLDER_H

#include "judge/provider/batch_api.h"

enum bulk_use {
	BULK_READ, /* looks at results, whoever works there */
	BULK_WORK, /* works there */
	BULK_MAKE, /* and makes the folder if need be */
};

struct bulk_folder {
	const char *dir;
	const struct peer *peer;
	struct arena arena;
	struct bulk_job *jobs; /* of number n */
	size_t n;
	int fd; /* of the folder: holds the lock */
};

/* False after a message if it cannot be used, or is another peer's. */
bool bulk_folder_open(
    struct bulk_folder *, const char *dir, const struct peer *, enum bulk_use);

/* A job for the next number, to be counted once its file is there. */
struct bulk_job bulk_folder_next(struct bulk_folder *);

/* "DIR/0001.WHAT.jsonl" */
char *bulk_folder_path(
    struct bulk_folder *, const struct bulk_job *, const char *what);

/* Writes down what is known of the job. False after a message if it cannot
 * be: then nothing may be done that hangs on it. */
bool bulk_folder_note(struct bulk_folder *, const struct bulk_job *);

void bulk_folder_close(struct bulk_folder *);

#endif
