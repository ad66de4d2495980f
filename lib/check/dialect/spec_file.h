/* An assertion file, and its scenarios by the keys by which runs meet them. Only
 * spec*.c include this header. */
#pragma once

#include "base/hash.h"
#include "check/dialect/scenarios.h"

struct spec;

/* Scenarios that have the same key. */
struct group {
	const struct scenario **list;
	size_t n;
	struct str key; /* a prompt without needless blanks, if it is one */
};

struct spec_file {
	const char *path; /* NULL: the short checks of the command line */
	const struct dialect *dialect;
	struct scenario *scenarios;
	size_t n;
	struct hash_table by_id, by_logged, by_prompt, by_key; /* to groups */
	struct group always;
	struct group recorded; /* those that name the file of their run */
	struct group globs;    /* those whose id is a glob */
	struct group changed;  /* those with `changed` */
	/* The prompts that may be a part of a run's prompt. */
	const struct group **prompts;
	size_t nprompts;
	bool wraps_prompts; /* of its dialect, as is: */
	struct str (*run_key)(const struct trace *, struct arena *);
	bool chosen; /* by spec_select_scenario: the group, or NULL */
	const struct group *selected;
};

/* Numbers the scenarios of the file and indexes them by their keys. */
void spec_index(struct spec *, struct spec_file *);
