#include "cmd/extract_progress.h"

#include <stdio.h>

#include "cmd/progress_line.h"
#include "text/humanize.h"

enum { PART_READ, PART_TOTAL, PART_RUNS, PART_SHARE, PART_LEFT };

void
extract_progress_show(const struct extract_progress *p, double now)
{
	static const int order[] = { PART_RUNS, PART_TOTAL, PART_LEFT,
		PART_SHARE };
	struct arena a = { 0 };
	double bytes = (double)atomic_load(&p->bytes), all = (double)p->total;
	struct progress_line line = { 0 };
	char(*text)[PROGRESS_PART_MAX] = line.text;

	if (p->total != 0 && bytes > all)
		bytes = all;
	snprintf(text[PART_READ], PROGRESS_PART_MAX, "read: %.*s",
	    STR_FMT(humanize_tokens(&a, bytes)));
	if (p->total != 0) {
		snprintf(text[PART_TOTAL], PROGRESS_PART_MAX, " of %.*s",
		    STR_FMT(humanize_tokens(&a, all)));
		snprintf(text[PART_SHARE], PROGRESS_PART_MAX, ", %d%%",
		    (int)(100 * bytes / all));
	}
	if (p->total != 0 && bytes > 0)
		progress_line_time(
		    text[PART_LEFT], (now - p->begun) * (all - bytes) / bytes);
	snprintf(text[PART_RUNS], PROGRESS_PART_MAX, ", runs: %zu",
	    atomic_load(&p->runs));
	progress_line_show(&line, order, sizeof order / sizeof *order);
	arena_free(&a);
}
