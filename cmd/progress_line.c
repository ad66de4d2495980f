#include "cmd/progress_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/diag.h"

enum { WIDTH = 80 };

bool
progress_line_wanted(int out)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) == 1 && isatty(out) != 1 && term != NULL &&
	    strcmp(term, "dumb") != 0;
}

void
progress_line_time(char text[PROGRESS_PART_MAX], double seconds)
{
	int s = (int)fmin(seconds, 359999);

	if (s < 3600)
		snprintf(
		    text, PROGRESS_PART_MAX, ", %d:%02d left", s / 60, s % 60);
	else
		snprintf(text, PROGRESS_PART_MAX, ", %d:%02d:%02d left",
		    s / 3600, s / 60 % 60, s % 60);
}

static size_t
width_of(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0
	    ? size.ws_col
	    : WIDTH;
}

static size_t
length(const struct progress_line *l)
{
	size_t n = 0;

	for (size_t i = 0; i < PROGRESS_PARTS; i++)
		n += strlen(l->text[i]);
	return n;
}

/* The last column stays empty, because some terminals wrap a line that fills the
 * column. */
void
progress_line_show(struct progress_line *l, const int order[], size_t n)
{
	char line[PROGRESS_PARTS * PROGRESS_PART_MAX];
	size_t width = width_of(), end = 0;

	for (size_t i = 0; i < n && length(l) >= width; i++)
		*l->text[order[i]] = '\0';
	for (size_t i = 0; i < PROGRESS_PARTS; i++)
		end += (size_t)snprintf(
		    line + end, sizeof line - end, "%s", l->text[i]);
	if (end < width)
		diag_show(line);
}
