/* Looks at the batches of a folder, and fetches the results of those that have
 * ended. */
#pragma once

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/*
 * Looks once, or every so many seconds (0: once) until all batches are over.
 * False after messages if some are not, or if something went wrong.
 */
bool batch_poll(struct batch_folder *, struct batch_client *, size_t interval);
