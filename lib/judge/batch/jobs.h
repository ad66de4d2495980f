/*
 * Sends the jobs of a folder to a provider's Batch API, and fetches their
 * results.
 */
#pragma once

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/*
 * Sends the files of requests that were not sent yet. The beginning of sending
 * is recorded under a random label before anything is sent, and the result
 * afterwards. If sending was interrupted in between, the label is searched for
 * on the server before the file is sent again. Returns false after messages if
 * a file could not be sent.
 */
bool batch_send(struct batch_folder *, struct batch_client *);

/*
 * Looks at the batches once, or every `interval` seconds (0: once) until all
 * have ended, and fetches the results of those that have ended. Returns false
 * after messages if a batch has not ended or a request failed.
 */
bool batch_poll(struct batch_folder *, struct batch_client *, size_t interval);
