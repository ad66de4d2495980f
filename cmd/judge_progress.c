#include "cmd/judge_progress.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cmd/progress_line.h"

static const double update_pause = 0.2; /* seconds between two updates */

/* ---- the text of the progress line ---- */

enum {
	PART_JUDGED,
	PART_ERRORS,
	PART_CACHED,
	PART_ASKED,
	PART_COST,
	PART_SHARE,
	PART_LEFT,
};

static size_t
judged(const struct record_queue *queue)
{
	const size_t *n = queue->tally.checks;

	return n[STATUS_PASSED] + n[STATUS_FAILED] + n[STATUS_ERROR];
}

/* Returns the share of the work that is done, from 0 to 1, or a negative number
 * if the share is unknown: the share of the input that is read, times the share
 * of the checks read so far that are judged. */
static double
share_of(const struct progress *p)
{
	double left = (double)in_bytes_left(p->in), all = (double)p->bytes;

	if (p->bytes <= 0 || left < 0 || p->record_queue->checks == 0)
		return -1;
	return fmax(0, 1 - left / all) * (double)judged(p->record_queue) /
	    (double)p->record_queue->checks;
}

static struct progress_line
parts_of(const struct progress *p, double now)
{
	const struct record_queue *queue = p->record_queue;
	const struct scheduler *s = queue->scheduler;
	size_t errors = queue->tally.checks[STATUS_ERROR];
	double share = share_of(p), past = now - p->begun;
	struct progress_line parts = { 0 };
	char(*text)[PROGRESS_PART_MAX] = parts.text;

	snprintf(text[PART_JUDGED], PROGRESS_PART_MAX, "checks judged: %zu",
	    judged(queue));
	if (errors != 0)
		snprintf(text[PART_ERRORS], PROGRESS_PART_MAX, ", errors: %zu",
		    errors);
	if (s->cached != 0)
		snprintf(text[PART_CACHED], PROGRESS_PART_MAX,
		    ", from the cache: %zu", s->cached);
	snprintf(text[PART_ASKED], PROGRESS_PART_MAX, ", under way: %zu",
	    s->n_asked);
	if (s->usage.known & 1U << USAGE_COST)
		snprintf(text[PART_COST], PROGRESS_PART_MAX, ", $%.4f",
		    s->usage.n[USAGE_COST]);
	if (share >= 0)
		snprintf(text[PART_SHARE], PROGRESS_PART_MAX, ", %d%%",
		    (int)(100 * share));
	if (share > 0)
		progress_line_time(text[PART_LEFT], past * (1 - share) / share);
	return parts;
}

static void
tick(void *arg)
{
	static const int order[] = { PART_ASKED, PART_CACHED, PART_COST,
		PART_ERRORS, PART_LEFT, PART_SHARE };
	struct progress *p = arg;
	double now = clock_now();
	struct progress_line parts;

	if (now - p->shown < update_pause)
		return;
	p->shown = now;
	parts = parts_of(p, now);
	progress_line_show(&parts, order, sizeof order / sizeof *order);
}

void
progress_open(struct progress *p, struct record_queue *queue,
    const struct in *in, int out)
{
	struct scheduler *s = queue->scheduler;

	if (s == NULL || scheduler_only_looks(s) || !progress_line_wanted(out))
		return;
	*p = (struct progress){ queue, in, clock_now(), clock_now(),
		in_bytes_left(in) };
	s->tick = tick;
	s->tick_arg = p;
}
