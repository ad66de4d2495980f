/*
 * Sends the batches of a folder to a provider's Batch API, and fetches their
 * results.
 */
#pragma once

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/*
 * Sends the files of requests that were not sent yet. What was begun is
 * written down before, under a label of its own, and what became of it after:
 * what was cut short in between is looked for on the server, by that label,
 * before it is sent again. False after messages if something could not be sent.
 */
bool batch_send(struct batch_folder *, struct batch_client *);

/*
 * Looks at the batches once, or every so many seconds (0: once) until all
 * are over, and fetches the results of those that have ended. False after
 * messages if some are not over, or if something went wrong.
 */
bool batch_poll(struct batch_folder *, struct batch_client *, size_t interval);
