/* The requests of a file that mcpl-judge wrote, by their names alone. */
#ifndef BULK_NAMES_H
#define BULK_NAMES_H

#include "io/in.h"
#include "judge/provider/batch_api.h"

struct bulk_names {
	const struct bulk *bulk;
	struct in in;
	char *files[2];
};

void bulk_names_open(struct bulk_names *, const struct bulk *, char *path);

/* The next one; it lives until the next call. What cannot be read is told. */
bool bulk_names_next(struct bulk_names *, struct str *name);

void bulk_names_close(struct bulk_names *);

#endif
