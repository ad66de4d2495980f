/* Pipes whose capacity is increased. */
#include "io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

#ifdef F_SETPIPE_SZ
/* Returns the capacity of a new pipe, after a request for some bytes (0: none). */
static int
pipe_of(int bytes, int ends[2])
{
	if (pipe(ends) != 0)
		abort();
	if (bytes != 0)
		(void)fcntl(ends[1], F_SETPIPE_SZ, bytes);
	return fcntl(ends[1], F_GETPIPE_SZ);
}

static void
close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static void
either_end_widens_it(void)
{
	int ends[2], granted = pipe_of(512 * 1024, ends);

	close_both(ends);
	for (int end = 0; end < 2; end++) {
		CHECK(pipe_of(0, ends) <= granted);
		pipe_widen(ends[end]);
		CHECK(fcntl(ends[1 - end], F_GETPIPE_SZ) == granted);
		close_both(ends);
	}
}

static void
none_is_made_narrower(void)
{
	int ends[2], before = pipe_of(1024 * 1024, ends);

	pipe_widen(ends[0]);
	CHECK(fcntl(ends[0], F_GETPIPE_SZ) == before);
	close_both(ends);
}
#endif

static void
what_is_no_pipe_is_left_alone(void)
{
	struct temporary t = temporary_file(str_of("text"));
	int fd = open(t.path, O_RDONLY);

	errno = ENOENT;
	pipe_widen(fd);
	CHECK(errno == ENOENT);
	close(fd);
	pipe_widen(fd);
	CHECK(errno == ENOENT);
	unlink(t.path);
}

int
main(void)
{
#ifdef F_SETPIPE_SZ
	either_end_widens_it();
	none_is_made_narrower();
#endif
	what_is_no_pipe_is_left_alone();
	return unit_status();
}
