#include "io/follow.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "io/interrupt.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

static void
rest(void)
{
	const struct timespec tenth = { .tv_nsec = 100000000 };

	nanosleep(&tenth, NULL);
}

/* Returns whether the path names another file than the open one, or none. */
static bool
is_replaced(const struct stat *open, const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || st.st_dev != open->st_dev ||
	    st.st_ino != open->st_ino;
}

/* Returns the seconds since the last write to the file, by the clock that file
 * times use. */
static double
age(const struct stat *st)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return difftime(now.tv_sec, st->st_mtim.tv_sec) +
	    (double)(now.tv_nsec - st->st_mtim.tv_nsec) / 1e9;
}

bool
follow_more(int fd, const char *path, double seconds)
{
	double since = clock_now();
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	while (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (st.st_size != at)
			return st.st_size > at;
		if (interrupt_came() || is_replaced(&st, path) ||
		    age(&st) >= seconds || clock_now() - since >= seconds)
			return false;
		rest();
	}
	return false;
}

static void
note(struct follow *f, const struct stat *st)
{
	*f =
	    (struct follow){ st->st_dev, st->st_ino, st->st_size, st->st_mtim };
}

static bool
is_as_noted(const struct follow *f, const struct stat *st)
{
	return f->device == st->st_dev && f->number == st->st_ino &&
	    f->size == st->st_size && f->changed.tv_sec == st->st_mtim.tv_sec &&
	    f->changed.tv_nsec == st->st_mtim.tv_nsec;
}

bool
follow_begin(struct follow *f, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0) {
		note(f, &st);
		return !interrupt_came();
	}
	diag_warn((struct place){ .file = path },
	    "does not exist yet; waiting for it");
	return follow_again(f, path);
}

bool
follow_again(struct follow *f, const char *path)
{
	struct stat st;

	while (!interrupt_came()) {
		if (stat(path, &st) == 0 && !is_as_noted(f, &st)) {
			note(f, &st);
			return true;
		}
		rest();
	}
	return false;
}
