/* Records, and partials of other reports, on their way to a report: what is bad
 * is told, what is neither is passed over, the rest is counted, compared and
 * shown to the report. */
#pragma once

#include <stdbool.h>

#include "io/in.h"
#include "redact/redact.h"
#include "report/format/format.h"
#include "report/tally/result_cache.h"
#include "json/stream.h"

struct ingest {
	const struct report_format *report;
	struct report_job *job;
	struct tally *tally;
	struct compare *compare; /* NULL: there is no baseline */
	struct redact *redact;   /* what is not to be told; NULL: nothing */
	const bool *filter;      /* which statuses count; NULL: all, and none */
	bool strict;             /* read to the first bad record only */

	/* private */
	struct arena moment; /* reset with each record */
	struct json_reader redacted;
	struct json_stream values;
	struct result_cache result_cache;
};

/* Reads to the end of the input; several, one after another. */
void ingest_read(struct ingest *, struct in *);

void ingest_close(struct ingest *);
