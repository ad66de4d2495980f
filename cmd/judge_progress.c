#include "cmd/judge_progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

enum { WIDTH = 80 };

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
	PARTS
};

enum { PART_MAX = 40 }; /* bytes */

struct parts {
	char text[PARTS][PART_MAX];
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

static void
put_time(char *text, double seconds)
{
	int s = (int)fmin(seconds, 359999);

	if (s < 3600)
		snprintf(text, PART_MAX, ", %d:%02d left", s / 60, s % 60);
	else
		snprintf(text, PART_MAX, ", %d:%02d:%02d left", s / 3600,
		    s / 60 % 60, s % 60);
}

static struct parts
parts_of(const struct progress *p, double now)
{
	const struct record_queue *queue = p->record_queue;
	const struct scheduler *s = queue->scheduler;
	size_t errors = queue->tally.checks[STATUS_ERROR];
	double share = share_of(p), past = now - p->begun;
	struct parts parts = { 0 };
	char(*text)[PART_MAX] = parts.text;

	snprintf(
	    text[PART_JUDGED], PART_MAX, "checks judged: %zu", judged(queue));
	if (errors != 0)
		snprintf(text[PART_ERRORS], PART_MAX, ", errors: %zu", errors);
	if (s->cached != 0)
		snprintf(text[PART_CACHED], PART_MAX, ", from the cache: %zu",
		    s->cached);
	snprintf(text[PART_ASKED], PART_MAX, ", under way: %zu", s->n_asked);
	if (s->usage.known & 1U << USAGE_COST)
		snprintf(text[PART_COST], PART_MAX, ", $%.4f",
		    s->usage.n[USAGE_COST]);
	if (share >= 0)
		snprintf(
		    text[PART_SHARE], PART_MAX, ", %d%%", (int)(100 * share));
	if (share > 0)
		put_time(text[PART_LEFT], past * (1 - share) / share);
	return parts;
}

/* ---- showing the line ---- */

static size_t
width_of(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0
	    ? size.ws_col
	    : WIDTH;
}

static size_t
length(const struct parts *parts)
{
	size_t n = 0;

	for (size_t i = 0; i < PARTS; i++)
		n += strlen(parts->text[i]);
	return n;
}

/* Shows the line. If the terminal is too narrow, the less important parts are
 * left out. The last column stays empty, because some terminals wrap a line
 * that fills it. */
static void
show(struct parts *parts, size_t width)
{
	static const int order[] = { PART_ASKED, PART_CACHED, PART_COST,
		PART_ERRORS, PART_LEFT, PART_SHARE };
	char line[PARTS * PART_MAX];
	size_t n = 0;

	for (size_t i = 0;
	     i < sizeof order / sizeof order[0] && length(parts) >= width; i++)
		*parts->text[order[i]] = '\0';
	for (size_t i = 0; i < PARTS; i++)
		n += (size_t)snprintf(
		    line + n, sizeof line - n, "%s", parts->text[i]);
	if (n < width)
		diag_show(line);
}

static void
tick(void *arg)
{
	struct progress *p = arg;
	double now = clock_now();
	struct parts parts;

	if (now - p->shown < update_pause)
		return;
	p->shown = now;
	parts = parts_of(p, now);
	show(&parts, width_of());
}

void
progress_open(struct progress *p, struct record_queue *queue,
    const struct in *in, int out)
{
	const char *term = getenv("TERM");
	struct scheduler *s = queue->scheduler;

	if (s == NULL || scheduler_only_looks(s) ||
	    isatty(STDERR_FILENO) != 1 || isatty(out) == 1 || term == NULL ||
	    strcmp(term, "dumb") == 0)
		return;
	*p = (struct progress){ queue, in, clock_now(), clock_now(),
		in_bytes_left(in) };
	s->tick = tick;
	s->tick_arg = p;
}
