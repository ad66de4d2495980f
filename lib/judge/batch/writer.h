/*
 * Writes requests into the files of a folder of batches, each as large as the
 * provider takes it. A request that waits there for its reply is not written
 * again, whoever wrote it.
 */
#ifndef BULK_WRITER_H
#define BULK_WRITER_H

#include "base/hash.h"
#include "io/out.h"
#include "judge/batch/folder.h"

struct bulk_writer {
	struct bulk_folder folder;
	size_t requests, bytes; /* that a file may hold */
	struct hash_table there;

	/* What was done. */
	size_t written, files, waiting, too_long;

	/* private: the file that is being written; its n is 0 if there is
	 * none */
	struct bulk_job job;
	struct out out;
	size_t length;
	bool good; /* all files could be written */
};

/* `requests`: no more of them in a file; 0: what the provider takes. False
 * after a message. */
bool bulk_writer_open(struct bulk_writer *, const char *dir,
    const struct peer *, size_t requests);

/* Writes a request of this name, unless it is there. */
void bulk_writer_put(struct bulk_writer *, struct str name, struct str body);

/* Writes what is left. False after a message if it could not be. */
bool bulk_writer_finish(struct bulk_writer *);

void bulk_writer_close(struct bulk_writer *);

#endif
