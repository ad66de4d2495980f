/*
 * Sends what a folder of batches holds and nobody has sent. What was begun is
 * written down before, under a label of its own, and what became of it after:
 * what was cut short in between is looked for on the server, by that label,
 * before it is sent again.
 */
#ifndef BULK_SEND_H
#define BULK_SEND_H

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

/* False after messages if something could not be sent. */
bool bulk_send(struct bulk_folder *, struct errand *);

#endif
