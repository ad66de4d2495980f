#include "io/terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "io/interrupt.h"

enum { NAP_MS = 100, SEQUENCE_MS = 300, ESCAPE = 0x1b };

/* ---- the size ---- */

static size_t
size_of(const char *variable, size_t known, size_t otherwise)
{
	const char *text = getenv(variable);
	long n = text == NULL ? 0 : strtol(text, NULL, 10);

	if (n > 0)
		return (size_t)n;
	return known > 0 ? known : otherwise;
}

void
terminal_size(int fd, size_t *columns, size_t *rows)
{
	struct winsize size = { 0 };
	bool there = isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0;

	*columns = size_of("COLUMNS", size.ws_col, there ? 80 : SIZE_MAX);
	*rows = size_of("LINES", size.ws_row, there ? 24 : SIZE_MAX);
	if (!there)
		*rows = SIZE_MAX;
}

/* ---- modes and signals ---- */

/* The modes and the signals before. */
struct modes {
	struct termios termios;
	sigset_t signals;
	bool terminal;
};

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

enum { N_ENDING = sizeof ending / sizeof ending[0] };

/* Returns whether one of the signals waits that were not blocked before. */
static bool
signal_waits(const struct modes *before)
{
	sigset_t pending;
	bool waits = false;

	sigpending(&pending);
	for (size_t i = 0; i < N_ENDING; i++)
		waits |= sigismember(&pending, ending[i]) == 1 &&
		    sigismember(&before->signals, ending[i]) == 0;
	return waits;
}

static void
set_keys(int fd, const struct modes *before)
{
	struct termios keys = before->termios;

	if (!before->terminal)
		return;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	tcsetattr(fd, TCSANOW, &keys);
}

static struct modes
begin_keys(int fd)
{
	struct modes before = { .terminal = false };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < N_ENDING; i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, &before.signals);
	before.terminal = tcgetattr(fd, &before.termios) == 0;
	set_keys(fd, &before);
	return before;
}

/* Restores the modes; a signal that waits acts now. */
static void
end_keys(int fd, const struct modes *before)
{
	if (before->terminal)
		tcsetattr(fd, TCSANOW, &before->termios);
	sigprocmask(SIG_SETMASK, &before->signals, NULL);
}

/* Returns whether another program changed the modes, as a shell does while the
 * program is stopped. */
static bool
modes_changed(int fd, const struct modes *before)
{
	struct termios now;

	return before->terminal && tcgetattr(fd, &now) == 0 &&
	    (now.c_lflag & ICANON) != 0;
}

/* ---- keys ---- */

static bool
can_read(int fd, int ms)
{
	struct pollfd one = { fd, POLLIN, 0 };

	return poll(&one, 1, ms) > 0;
}

static int
next_byte(int fd)
{
	unsigned char c;

	return read(fd, &c, 1) == 1 ? c : TERMINAL_END;
}

/* Reads the rest of a sequence that began with ESC. */
static int
skip_sequence(int fd)
{
	int c = can_read(fd, SEQUENCE_MS) ? next_byte(fd) : 0;

	if (c == 'O' && can_read(fd, SEQUENCE_MS))
		(void)next_byte(fd);
	if (c == '[')
		do
			c = can_read(fd, SEQUENCE_MS) ? next_byte(fd) : 0;
		while (c > 0 && (c < '@' || c > '~'));
	return 0;
}

static int
wait_for_key(const struct terminal *t, const struct modes *before)
{
	size_t columns, rows, now[2];

	terminal_size(t->size_fd, &columns, &rows);
	for (;;) {
		bool ready = can_read(t->fd, NAP_MS);
		int c;

		if (signal_waits(before))
			return TERMINAL_REDRAW;
		if (ready) {
			c = next_byte(t->fd);
			return c == ESCAPE ? skip_sequence(t->fd) : c;
		}
		terminal_size(t->size_fd, &now[0], &now[1]);
		if (now[0] != columns || now[1] != rows)
			return TERMINAL_REDRAW;
		if (modes_changed(t->fd, before)) {
			set_keys(t->fd, before);
			return TERMINAL_REDRAW;
		}
	}
}

int
terminal_key(const struct terminal *t)
{
	struct modes before = begin_keys(t->fd);
	/* An interrupt may have come before the signals had to wait. */
	int key =
	    interrupt_came() ? TERMINAL_INTERRUPTED : wait_for_key(t, &before);

	end_keys(t->fd, &before);
	return interrupt_came() ? TERMINAL_INTERRUPTED : key;
}
