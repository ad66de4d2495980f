/* The command line of mcpl-judge. */
#pragma once

#include "cmd/cli.h"
#include "judge/labelling.h"
#include "judge/provider/endpoint.h"
#include "judge/record_queue.h"

enum { NO_KAPPA = -1 }; /* --min-kappa is not given */

struct judge_options {
	struct cli cli;
	struct arena arena;          /* as long as the program */
	struct lane common;          /* what all judges have in common */
	struct endpoint_options all; /* given before the first judge is named:
				      * for all judges */
	struct named_judge {
		struct endpoint_options endpoint;
		bool later; /* of --escalate */
	} * judges; /* array of n_judges, in the order of the command line */
	size_t n_judges;
	struct endpoint_options measures[MEASURES]; /* only model and URL */
	struct scheduler scheduler; /* has no lane if no judge is named */
	struct record_queue
	    record_queue;           /* only `way` and `unordered` are set */
	struct recorder recorder;   /* of --log; its folder is NULL: none */
	const char *labels;         /* file for --calibrate; NULL: none */
	struct labelling labelling; /* its sample wants nothing without
				     * --label */
	double min_kappa, width;    /* width: of an interval */
	bool json, exit_status;
	bool pairwise;       /* two files are compared */
	struct str *rubrics; /* of --rubric, JSON: array of n_rubrics */
	size_t n_rubrics;
	struct batch_options {
		const char *write, *send, *poll; /* folders; NULL: not given */
		const char **read; /* files and folders: array of n_read */
		size_t n_read;
		size_t size;     /* most requests in a file; 0: the provider's
				  * limit */
		size_t interval; /* seconds between two polls; 0: poll once */
	} batch_api;
};

/* Reads the options into a zeroed struct, which judge_settle (cmd/judge_settle.h)
 * completes. Afterwards, the input files begin at argv[optind]. Ends the program
 * after wrong usage and after options such as --help. */
void judge_options_read(struct judge_options *, int argc, char **argv);
