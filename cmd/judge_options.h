/* What the command line of mcpl-judge asks for. */
#pragma once

#include "cmd/cli.h"
#include "judge/provider/endpoint.h"
#include "judge/record_queue.h"

struct judge_options {
	struct cli cli;
	struct arena arena; /* as long as the program */
	struct endpoint_options endpoint;
	struct scheduler
	    scheduler; /* its peer is found by judge_settle, and has no
	                       * provider if nobody is named */
	struct record_queue
	    record_queue;   /* its way alone is set, and how it is ordered */
	const char *labels; /* to calibrate by; NULL: none */
	bool json, exit_status;
	struct batch_options {
		const char *write, *send, *poll; /* folders; NULL: do not */
		const char **read; /* files and folders, of number n_read */
		size_t n_read;
		size_t size;     /* requests of a file; 0: what may be */
		size_t interval; /* seconds between looks; 0: one look */
	} batch_api;
};

/* Fills one that is zeroed; argv's files begin at optind then. Wrong usage,
 * and options that only print something, end the program. */
void judge_options_read(struct judge_options *, int argc, char **argv);
