#include "extract.h"

void
extract(struct in *in, const struct extraction *job, size_t jobs)
{
	struct arena a = { 0 };
	struct fileset given = { .arena = &a };
	struct kin kin = { .arena = &a, .given = &given };
	struct extractor x;
	(void)jobs;

	for (char **file = in->files; file != NULL && *file != NULL; file++)
		fileset_add(&given, *file);
	extractor_open(&x, job, &kin);
	extractor_read(&x, in);
	extractor_end_file(&x);
	if (x.no_logs != 0)
		diag_warn((struct place){ 0 },
		    "no run of an agent in %zu of %zu files in folders",
		    x.no_logs, job->walk->n);
	extractor_close(&x);
	arena_free(&a);
}
