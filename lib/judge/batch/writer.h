/*
 * Writes requests into the files of a folder of batches, each as large as the
 * provider allows. A request that already waits for its result there is not
 * written again, whichever process wrote it.
 */
#pragma once

#include "base/hash.h"
#include "io/out.h"
#include "judge/batch/folder.h"

struct batch_writer {
	struct batch_folder folder;
	size_t requests, bytes; /* limits of a file */
	struct hash_table there;

	/* Counts of requests and files. */
	size_t written, files, waiting, too_long;

	/* private: the file that is being written; its n is 0 if there is no
	 * such file */
	struct batch_job job;
	struct out out;
	size_t length;
	bool good; /* no file failed */
};

/* Opens a folder. `requests` limits the requests of a file; 0: the provider's
 * limit. Returns false after a message if that fails. */
bool batch_writer_open(struct batch_writer *, const char *dir,
    const struct endpoint *, size_t requests);

/* Returns whether a request of this name is there. */
bool batch_writer_has(const struct batch_writer *, struct str name);

/* Writes a request unless a request of this name is there. */
void batch_writer_put(struct batch_writer *, struct str name, struct str body);

/* Completes the last file. Returns false after a message if any file
 * failed. */
bool batch_writer_finish(struct batch_writer *);

void batch_writer_close(struct batch_writer *);
