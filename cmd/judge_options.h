/* The command line of mcpl-judge. */
#pragma once

#include "cmd/cli.h"
#include "judge/provider/endpoint.h"
#include "judge/record_queue.h"

struct judge_options {
	struct cli cli;
	struct arena arena; /* lives as long as the program */
	struct endpoint_options endpoint;
	struct scheduler
	    scheduler; /* judge_settle finds its endpoint, which has no
		        * provider if the user names none */
	struct record_queue
	    record_queue;   /* only `way` and the order of records are set */
	const char *labels; /* labels to calibrate by; NULL: none */
	bool json, exit_status;
	struct batch_options {
		const char *write, *send, *poll; /* folders, or NULL */
		const char **read;               /* n_read files and folders */
		size_t n_read;
		size_t size;     /* requests in a file; 0: as many as allowed */
		size_t interval; /* seconds between polls; 0: poll once */
	} batch_api;
};

/* Fills zeroed options; afterwards the files of argv begin at optind. Wrong
 * usage, and options that only print something, end the program. */
void judge_options_read(struct judge_options *, int argc, char **argv);
