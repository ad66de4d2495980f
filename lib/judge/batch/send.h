/*
 * Sends what a folder of batches holds and nobody has sent. What was begun is
 * written down before, under a label of its own, and what became of it after:
 * what was cut short in between is looked for on the server, by that label,
 * before it is sent again.
 */
#pragma once

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/* False after messages if something could not be sent. */
bool batch_send(struct batch_folder *, struct batch_client *);
