#include "report/format/job.h"

void
report_job_start(struct report_job *job, const struct report_format *format)
{
	out_open_memory(&job->piece);
	if (format->start != NULL)
		format->start(job);
}

void
report_job_free(struct report_job *job)
{
	out_close(&job->piece);
}

void
report_apart(struct report_job *job, void (*put)(struct report_job *))
{
	struct report_job part = *job;
	struct arena a = { 0 };

	part.arena = &a;
	put(&part);
	arena_free(&a);
}
