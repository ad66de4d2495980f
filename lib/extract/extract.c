#include "extract/extract.h"

#include <sys/stat.h>

#include "extract/file_groups.h"
#include "extract/format/databases.h"
#include "extract/hook.h"
#include "extract/notation/notation.h"
#include "extract/parallel.h"

static struct extract_counts
read_all(struct in *in, char ***groups, const struct extract_job *job,
    const struct fileset *given)
{
	struct arena a = { 0 };
	struct companions companions = { .arena = &a, .given = given };
	struct log_reader x;
	struct extract_counts counts;

	log_feed_open(&x, job, &companions);
	log_reader_read_files(&x, in, groups);
	counts = log_reader_counts(&x);
	log_reader_close(&x);
	arena_free(&a);
	return counts;
}

size_t
extract(struct in *in, const struct extract_job *asked, size_t jobs)
{
	struct extract_job with = *asked;
	const struct extract_job *job = &with;
	struct extract_progress progress;
	char standard[] = "-", *standard_input[] = { standard, NULL };
	char **files = in->standard_input ? standard_input : in->files;
	struct arena a = { 0 };
	struct fileset given = { .arena = &a };
	struct extract_counts counts;
	char ***groups;

	in->standard_input = false;
	in->converters = log_notations;
	in->queries = log_databases;
	groups = file_groups(&a, job, files, &given);
	if (job->show != NULL) {
		extract_progress_begin(&progress, groups, job->show);
		with.progress = &progress;
	}
	if (jobs == 1)
		counts = read_all(in, groups, job, &given);
	else
		counts = extract_parallel(in, groups, job, &given, jobs);
	if (job->show != NULL)
		diag_show(NULL);
	if (counts.no_logs.n != 0)
		diag_warn(counts.no_logs.first,
		    "%s; files in folders without a run: %zu of %zu",
		    counts.no_logs.what, counts.no_logs.n, job->walk->n);
	if (counts.no_logs.n != 0 && counts.no_logs.n == job->walk->n)
		find_logs_warn_hidden(job->walk);
	if (counts.unread.n != 0)
		diag_warn(counts.unread.first,
		    "%s; records that are not read and look like no call: %zu",
		    counts.unread.what, counts.unread.n);
	if (counts.repeated.n != 0)
		diag_warn(counts.repeated.first,
		    "another run has the id '%s'; runs with the id of an "
		    "earlier run: %zu",
		    counts.repeated.what, counts.repeated.n);
	if (counts.written == 0 && counts.left_out != 0)
		diag_warn((struct place){ 0 },
		    "no run between --since and --until; other runs: %zu",
		    counts.left_out);
	arena_free(&a);
	return counts.written;
}

void
extract_hook(struct in *in, const struct extract_job *asked)
{
	struct extract_job job = *asked;
	struct hook hook = { 0 };
	char *files[2] = { 0 };
	struct stat st;
	bool there, known;

	if (hook_read(&hook, in)) {
		in_close(in);
		job.hook = &hook;
		files[0] = hook.transcript;
		in_again(in, files);
		there = hook.transcript != NULL &&
		    stat(hook.transcript, &st) == 0 && st.st_size != 0;
		/* The content of a transcript that is empty or not there yet is known. */
		known = hook.transcript != NULL && !there;
		if (there)
			extract(in, &job, 1);
		if (!hook.reported)
			hook_write_alone(&hook, job.options, known);
	}
	in_close(in);
	arena_free(&hook.arena);
}
