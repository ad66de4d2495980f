/* Looks at the batches of a folder, and fetches the results of those that have
 * ended. */
#ifndef BULK_POLL_H
#define BULK_POLL_H

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/*
 * Looks once, or every so many seconds (0: once) until all batches are over.
 * False after messages if some are not, or if something went wrong.
 */
bool bulk_poll(struct bulk_folder *, struct errand *, size_t interval);

#endif
