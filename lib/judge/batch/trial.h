/*
 * Tries a request of a file on its own before the file is sent: if the server
 * refuses the form of the request, the whole batch would cost a day and fail.
 */
#pragma once

#include "judge/batch/client.h"
#include "judge/batch/folder.h"

enum trial {
	TRIAL_WELL,    /* the server accepts the request, or cannot say now */
	TRIAL_FORM,    /* the server refuses its form: the file is not to be
			* sent, and the next --batch-write uses another form */
	TRIAL_REFUSED, /* the server refuses it for another reason */
};

/* Sends the first requests of the job's file, until one is accepted or several
 * are refused. A refusal is reported, and that of a form is written into the
 * folder as the job's result. */
enum trial batch_trial(
    struct batch_folder *, struct batch_client *, struct batch_job *);
