/* The command line of mcpl-check. */
#pragma once

#include "check/dialect/apply.h"
#include "check/dialect/spec.h"
#include "cmd/cli.h"
#include "trace/filter.h"
#include "trace/prices.h"

struct check_options {
	struct cli cli;
	struct arena arena;   /* as long as the program */
	struct policy policy; /* how strictly assertion files are read */
	const char **specs;   /* files and folders */
	size_t nspecs;
	const struct dialect *dialect; /* of all specs; NULL: each file's own */
	struct rule_option {
		const char *option; /* "rule" or "forbid-call" */
		const char *argument;
	} * rules;
	size_t nrules;
	struct check *shorts; /* the short checks */
	size_t nshorts;
	struct trace_filter_list where;
	const char *scenario; /* for every run; NULL: each run's own */
	struct view_options view;
	const char **env; /* variables of commands in a sandbox, as written */
	size_t nenv;
	struct redact *redact; /* NULL: nothing is redacted */
	struct prices *prices; /* NULL: no cost is estimated */
	enum { NO_ADVICE, ADVICE_LINES, ADVICE_DIFF } advice;
	unsigned priorities; /* of advice, as bits */
	bool learn;          /* write a policy that the runs keep */
	const char *against; /* a file of runs that it does not pass; or NULL */
	bool lint, append, slim, exit_status, all_scenarios;
	bool guard, guard_json; /* judge what a hook asks; =json: answer so */
};

/* Reads the options into a zeroed struct. Afterwards, the input files begin at
 * argv[optind]. Ends the program after wrong usage, and after options such as
 * --help or --print-schema. */
void check_options_read(struct check_options *, int argc, char **argv);
