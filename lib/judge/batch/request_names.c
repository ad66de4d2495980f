#include "judge/batch/request_names.h"

#include "base/sha256.h"

void
bulk_names_open(struct bulk_names *n, const struct bulk *bulk, char *path)
{
	n->bulk = bulk;
	n->files[0] = path;
	n->files[1] = NULL;
	in_open(&n->in, n->files);
}

bool
bulk_names_next(struct bulk_names *n, struct str *name)
{
	struct str line, open = str_of(n->bulk->open);

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
bulk_names_close(struct bulk_names *n)
{
	in_close(&n->in);
}
