#include "extract/progress.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

enum { STEP = 64 * 1024 }; /* bytes that are counted at once */

static const double show_after = 1, between = 0.2; /* seconds */

/* Adds the bytes of the files. Returns false if one is no regular file. */
static bool
add_sizes(char *const *files, size_t *size)
{
	bool known = true;
	struct stat st;

	for (; *files != NULL; files++) {
		if (strcmp(*files, "-") == 0)
			known = false;
		else if (stat(*files, &st) == 0 && S_ISREG(st.st_mode))
			*size += (size_t)st.st_size;
		else
			known &= access(*files, F_OK) != 0;
	}
	return known;
}

void
extract_progress_begin(struct extract_progress *p, char ***groups,
    void (*show)(const struct extract_progress *, double now))
{
	bool known = true;

	*p = (struct extract_progress){ .begun = clock_now(),
		.show = show,
		.lock = PTHREAD_MUTEX_INITIALIZER };
	for (; *groups != NULL; groups++)
		known &= add_sizes(*groups, &p->total);
	if (!known)
		p->total = 0;
}

static void
add(struct extract_progress *p, size_t bytes, size_t runs)
{
	double now = clock_now();

	atomic_fetch_add(&p->bytes, bytes);
	atomic_fetch_add(&p->runs, runs);
	if (now - p->begun < show_after || pthread_mutex_trylock(&p->lock) != 0)
		return;
	if (now - p->shown >= between) {
		p->shown = now;
		p->show(p, now);
	}
	pthread_mutex_unlock(&p->lock);
}

void
extract_progress_note(struct extract_progress *p, struct extract_noted *noted,
    size_t at, size_t runs)
{
	size_t bytes = at - noted->at;

	if (at < noted->at || bytes < STEP)
		return;
	noted->at = at;
	if (bytes > noted->left)
		bytes = noted->left;
	noted->left -= noted->left == SIZE_MAX ? 0 : bytes;
	add(p, bytes, runs - noted->runs);
	noted->runs = runs;
}

void
extract_progress_group(struct extract_noted *noted, char *const *files)
{
	noted->left = 0;
	add_sizes(files, &noted->left);
}

void
extract_progress_group_ends(
    struct extract_progress *p, struct extract_noted *noted, size_t runs)
{
	add(p, noted->left == SIZE_MAX ? 0 : noted->left, runs - noted->runs);
	noted->runs = runs;
	noted->left = SIZE_MAX;
}
