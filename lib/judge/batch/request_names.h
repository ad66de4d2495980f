/* The requests of a file that mcpl-judge wrote, by their names alone. */
#pragma once

#include "io/in.h"
#include "judge/provider/batch_api.h"

struct request_names {
	const struct batch_api *batch_api;
	struct in in;
	char *files[2];
};

void request_names_open(
    struct request_names *, const struct batch_api *, char *path);

/* The next one; it lives until the next call. What cannot be read is told. */
bool request_names_next(struct request_names *, struct str *name);

void request_names_close(struct request_names *);
