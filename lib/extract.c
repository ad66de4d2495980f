#include "extract.h"

#include "extract_parts.h"

static size_t
read_all(struct in *in, char **files, const struct extraction *job,
    const struct fileset *given)
{
	struct arena a = { 0 };
	struct kin kin = { .arena = &a, .given = given };
	struct extractor x;
	size_t no_logs;

	extractor_open(&x, job, &kin);
	extractor_read_files(&x, in, files);
	no_logs = x.no_logs;
	extractor_close(&x);
	arena_free(&a);
	return no_logs;
}

void
extract(struct in *in, const struct extraction *job, size_t jobs)
{
	char standard[] = "-", *standard_input[] = { standard, NULL };
	char **files = in->standard_input ? standard_input : in->files;
	struct arena a = { 0 };
	struct fileset given = { .arena = &a };
	size_t no_logs;

	in->standard_input = false;
	for (char **file = files; *file != NULL; file++)
		fileset_add(&given, *file);
	if (jobs == 1)
		no_logs = read_all(in, files, job, &given);
	else
		no_logs = extract_parts(in, files, job, &given, jobs);
	if (no_logs != 0)
		diag_warn((struct place){ 0 },
		    "no run of an agent in %zu of %zu files in folders",
		    no_logs, job->walk->n);
	arena_free(&a);
}
