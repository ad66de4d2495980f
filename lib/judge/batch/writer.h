/*
 * Writes requests into the files of a folder of batches, each as large as the
 * provider takes it. A request that waits there for its reply is not written
 * again, whoever wrote it.
 */
#pragma once

#include "base/hash.h"
#include "io/out.h"
#include "judge/batch/folder.h"

struct batch_writer {
	struct batch_folder folder;
	size_t requests, bytes; /* that a file may hold */
	struct hash_table there;

	/* What was done. */
	size_t written, files, waiting, too_long;

	/* private: the file that is being written; its n is 0 if there is
	 * none */
	struct batch_job job;
	struct out out;
	size_t length;
	bool good; /* all files could be written */
};

/* `requests`: no more of them in a file; 0: what the provider takes. False
 * after a message. */
bool batch_writer_open(struct batch_writer *, const char *dir,
    const struct endpoint *, size_t requests);

/* Writes a request of this name, unless it is there. */
void batch_writer_put(struct batch_writer *, struct str name, struct str body);

/* Writes what is left. False after a message if it could not be. */
bool batch_writer_finish(struct batch_writer *);

void batch_writer_close(struct batch_writer *);
