#include "judge/batch/request_names.h"

#include "base/sha256.h"

void
request_names_open(
    struct request_names *n, const struct batch_api *batch_api, char *path)
{
	n->batch_api = batch_api;
	n->files[0] = path;
	n->files[1] = NULL;
	in_open(&n->in, n->files);
}

bool
request_names_next(struct request_names *n, struct str *name)
{
	struct str line, open = str_of(n->batch_api->open);

	while (in_line(&n->in, &line)) {
		if (!str_starts(line, open))
			continue;
		*name = str_slice(
		    line, open.n + 1, open.n + 1 + (size_t)SHA256_HEX);
		return true;
	}
	return false;
}

void
request_names_close(struct request_names *n)
{
	in_close(&n->in);
}
