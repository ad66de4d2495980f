#include "io/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#else
extern char **environ;
#endif

#include "base/clock.h"
#include "io/keeper.h"
#include "io/pipe.h"

enum {
	CHUNK = 64 * 1024,
	/* Most bytes to read after the end of a program that left writers
	 * behind in another process group. A pipe holds no more. */
	LEFTOVER_MAX = 1024 * 1024,
	/* The end of a program makes no descriptor readable as long as its
	 * children hold the output open, so look every few milliseconds. */
	SLICE_MS = 5,
	POLLED_MAX = 128,
	REPORT_FD = 3,
	LISTED =
	    4096, /* bytes of the list of descriptors that are read at once */
};

/* ---- start ---- */

/* Opens an empty file without a name. */
static int
open_nameless(void)
{
#ifdef __linux__
	return memfd_create("input", MFD_CLOEXEC);
#else
	char name[] = "/tmp/input-XXXXXX";
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd >= 0)
		unlink(name);
	return fd;
#endif
}

/* Returns a descriptor of the whole input, as a file without a name, so that
 * the program never waits for its input. */
static int
open_input(struct str input)
{
	size_t done = 0;
	int fd;

	if (input.s == NULL)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = open_nameless();
	while (fd >= 0 && done < input.n) {
		/* pwrite keeps the offset at 0, where the program begins to
		 * read. */
		ssize_t n =
		    pwrite(fd, input.s + done, input.n - done, (off_t)done);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return -1;
		}
		if (n > 0)
			done += (size_t)n;
	}
	return fd;
}

#ifdef __linux__
/* An entry of a folder, as the kernel writes it. */
struct entry {
	uint64_t inode;
	int64_t next;
	unsigned short length;
	unsigned char kind;
	char name[];
};

/* Closes the descriptors that /proc lists, from the first one on. Returns false if
 * /proc cannot be read. A child of a program with threads allocates nothing. */
static bool
close_listed(int first)
{
	union {
		struct entry first;
		char bytes[LISTED];
	} list;
	int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n = folder < 0 ? -1 : 1;

	while (n > 0) {
		n = syscall(SYS_getdents64, folder, &list, sizeof list);
		for (long at = 0; at < n;) {
			const struct entry *e = (const void *)(list.bytes + at);
			int fd = (int)strtol(e->name, NULL, 10);

			if (fd >= first && fd != folder)
				close(fd);
			at += e->length;
		}
	}
	if (folder >= 0)
		close(folder);
	return n == 0;
}
#endif

/* Closes the descriptors from the first one on. Kernels before 5.9 and old
 * filters of system calls have no close_range. */
static void
close_from(int first)
{
	enum { MOST = 1 << 16 }; /* the limit of the system may be none */
	long most = sysconf(_SC_OPEN_MAX);

#ifdef __linux__
	if (syscall(SYS_close_range, first, ~0U, 0) == 0 || close_listed(first))
		return;
#endif
	for (long fd = most < 0 || most > MOST ? MOST : most; fd-- > first;)
		close((int)fd);
}

/* Makes a child of the child process the program, under a keeper. fd[] is the
 * input, the two outputs (-1: ours), and the pipe to which the child writes
 * errno on failure. */
static _Noreturn void
become(const struct proc *p, const int fd[4])
{
	int report = fd[3], why;
	sigset_t none;

	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(fd[0], 0) >= 0 && dup2(fd[1], 1) >= 0 &&
	    (fd[2] < 0 || dup2(fd[2], 2) >= 0) &&
	    (report == REPORT_FD || dup2(report, REPORT_FD) >= 0)) {
		report = REPORT_FD;
		close_from(report + 1);
		if (fcntl(report, F_SETFD, FD_CLOEXEC) == 0 &&
		    keeper_fork(report + 1) == 0 &&
		    (p->dir == NULL || chdir(p->dir) == 0)) {
			setpgid(0, 0);
			sigemptyset(&none);
			sigprocmask(SIG_SETMASK, &none, NULL);
			if (p->environment != NULL)
				environ = p->environment;
			if (p->argv != NULL)
				execvp(p->argv[0], p->argv);
			else
				execl("/bin/sh", "/bin/sh", "-c", p->command,
				    (char *)NULL);
		}
	}
	why = errno;
	(void)!write(report, &why, sizeof why);
	_exit(127);
}

/* Opens the input of a program that is asked, by a socket: writing to the socket of
 * a program that ended is no signal. */
static int
open_asked(struct proc *p)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return -1;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
	setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#endif
	p->asking = ends[0];
	return ends[1];
}

/* Opens a pipe for an output, whose read end does not block. Returns false,
 * with errno, on failure. */
static bool
open_output(struct proc_output *o, int *child)
{
	int ends[2];

	if (pipe_open(ends) != 0)
		return false;
	o->fd = ends[0];
	*child = ends[1];
	return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Forks. Returns 0 once the child has become the program, else errno. */
static int
launch(struct proc *p, int fd[4])
{
	int report[2], why = 0;
	ssize_t n;

	if (pipe_open(report) != 0)
		return errno;
	fd[3] = report[1];
	p->pid = fork();
	if (p->pid == 0)
		become(p, fd);
	if (p->pid < 0)
		why = errno;
	close(report[1]);
	do
		n = read(report[0], &why, sizeof why);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (why != 0 && p->pid > 0)
		waitpid(p->pid, NULL, 0);
	return why;
}

void
proc_start(struct proc *p)
{
	int fd[4] = { -1, -1, -1, -1 };

	for (size_t i = 0; i < PROC_OUTPUTS; i++) {
		p->output[i] = (struct proc_output){ .fd = -1 };
		out_open_memory(&p->output[i].bytes);
	}
	/* The parent may have us ignore SIGCHLD; then waitpid would fail. */
	signal(SIGCHLD, SIG_DFL);
	p->status = 0;
	p->timed_out = p->over = false;
	p->deadline = clock_now() + p->seconds;
	p->asking = -1;
	fd[0] = p->asked ? open_asked(p) : open_input(p->input);
	if (fd[0] < 0 || !open_output(&p->output[0], &fd[1]) ||
	    (p->errors && !open_output(&p->output[1], &fd[2])))
		p->failed = errno;
	else
		p->failed = launch(p, fd);
	for (size_t i = 0; i < 3; i++)
		close_fd(&fd[i]);
}

/* ---- output ---- */

static void
keep_first(const struct proc *p, struct proc_output *o, struct str bytes)
{
	size_t room = p->limit - o->bytes.n;

	o->cut |= bytes.n > room;
	out_str(&o->bytes, str_slice(bytes, 0, room));
}

/* Appends the bytes, and drops those over the limit when the buffer holds twice
 * the limit: then the bytes to keep and their new place do not overlap. */
static void
keep_last(const struct proc *p, struct proc_output *o, struct str bytes)
{
	struct str all;

	out_str(&o->bytes, bytes);
	all = out_memory(&o->bytes);
	o->cut |= all.n > p->limit;
	if (all.n >= 2 * p->limit) {
		out_clear(&o->bytes);
		out_str(&o->bytes, str_from(all, all.n - p->limit));
	}
}

/* Reads the bytes that are available, but not much more than `most`. */
static void
take(const struct proc *p, struct proc_output *o, size_t most)
{
	char chunk[CHUNK];

	while (o->fd >= 0 && most > 0) {
		ssize_t n = read(o->fd, chunk, sizeof chunk);

		if (n > 0) {
			(p->last ? keep_last : keep_first)(
			    p, o, (struct str){ chunk, (size_t)n });
			most -= (size_t)n < most ? (size_t)n : most;
		} else if (n == 0 || errno != EINTR) {
			o->error = n == 0 || errno == EAGAIN ? 0 : errno;
			if (n == 0 || errno != EAGAIN)
				close_fd(&o->fd);
			return;
		}
	}
}

/* ---- end ---- */

static void
close_outputs(struct proc *p)
{
	close_fd(&p->asking);
	for (size_t i = 0; i < PROC_OUTPUTS; i++) {
		struct proc_output *o = &p->output[i];

		take(p, o, LEFTOVER_MAX);
		close_fd(&o->fd);
		o->text = out_keep(&o->bytes, p->arena);
		if (o->text.n > p->limit)
			o->text = str_from(o->text, o->text.n - p->limit);
	}
}

/* Ends the program with all that it left running, and reaps it. */
static void
end(struct proc *p)
{
	if (p->failed == 0) {
		pid_t reaped;

		keeper_stop(p->pid);
		do
			reaped = waitpid(p->pid, &p->status, 0);
		while (reaped < 0 && errno == EINTR);
		if (reaped < 0)
			p->failed = errno;
	}
	close_outputs(p);
	p->over = true;
}

/* Returns whether the program has exited, or that cannot be known; then *error
 * is the errno. */
static bool
has_exited(const struct proc *p, int *error)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
	    0)
		*error = errno;
	return *error != 0 || info.si_pid != 0;
}

/* Returns whether the program has written more than it may. */
static bool
is_too_long(const struct proc *p)
{
	return p->bounded && (p->output[0].cut || p->output[1].cut);
}

static bool
is_over(struct proc *p)
{
	int error = 0;

	for (size_t i = 0; i < PROC_OUTPUTS; i++)
		take(p, &p->output[i], CHUNK);
	if (p->failed == 0 && !is_too_long(p) && !has_exited(p, &error)) {
		p->timed_out = clock_now() >= p->deadline;
		if (!p->timed_out)
			return false;
	}
	end(p);
	if (error != 0)
		p->failed = error;
	return true;
}

/* Waits for output of the programs or input at fd. Returns whether fd can be
 * read. */
static bool
can_read(struct proc *const *started, size_t n, double seconds, int fd)
{
	struct pollfd list[POLLED_MAX + 1] = { { fd, POLLIN, 0 } };
	nfds_t polled = 1;
	int ms = seconds * 1000 < (double)SLICE_MS ? (int)(seconds * 1000)
						   : SLICE_MS;

	for (size_t i = 0; i < n * PROC_OUTPUTS && polled <= POLLED_MAX; i++) {
		int output =
		    started[i / PROC_OUTPUTS]->output[i % PROC_OUTPUTS].fd;

		list[polled++] = (struct pollfd){ output, POLLIN, 0 };
	}
	poll(list, polled, ms < 0 ? 0 : ms);
	return list[0].revents != 0;
}

struct proc *
proc_next(struct proc *const *started, size_t n, double seconds, int fd)
{
	double until = clock_now() + seconds;

	for (;;) {
		double left = until - clock_now();

		for (size_t i = 0; i < n; i++)
			if (is_over(started[i]))
				return started[i];
		if (left <= 0 || can_read(started, n, left, fd))
			return NULL;
	}
}

void
proc_kill(struct proc *p)
{
	end(p);
}

void
proc_run(struct proc *p)
{
	proc_start(p);
	while (proc_next(&p, 1, p->seconds, -1) == NULL)
		continue;
}

/* ---- questions ---- */

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE says the same */
#endif

/* Waits until the program takes or gives bytes, and writes those of the text that
 * the program takes. */
static void
exchange(struct proc *p, struct str *text)
{
	struct pollfd list[] = { { p->output[0].fd, POLLIN, 0 },
		{ p->output[1].fd, POLLIN, 0 },
		{ text->n == 0 ? -1 : p->asking, POLLOUT, 0 } };
	ssize_t n;

	poll(list, sizeof list / sizeof list[0], SLICE_MS);
	if (list[2].revents == 0)
		return;
	n = send(p->asking, text->s, text->n, MSG_NOSIGNAL);
	if (n > 0)
		*text = str_from(*text, (size_t)n);
	else if (errno != EAGAIN && errno != EINTR)
		text->n = 0; /* the program has ended, or does not read */
}

static bool
has_line(struct str text)
{
	return str_find_char(text, '\n') < text.n;
}

bool
proc_ask(struct proc *p, struct str line, struct str *answer)
{
	struct str text = str_cat(p->arena, line, STR("\n")), said;

	for (size_t i = 0; i < PROC_OUTPUTS; i++)
		out_clear(&p->output[i].bytes);
	p->deadline = clock_now() + p->seconds;
	while (!is_over(p)) {
		if (text.n == 0 && has_line(out_memory(&p->output[0].bytes)))
			break;
		if (out_memory(&p->output[1].bytes).n > p->limit / 2)
			out_clear(&p->output[1].bytes);
		exchange(p, &text);
	}
	said = p->over ? p->output[0].text : out_memory(&p->output[0].bytes);
	if (text.n != 0 || !has_line(said))
		return false;
	*answer = str_dup(p->arena, str_cut(&said, '\n'));
	return true;
}

struct str
proc_trouble(const struct proc *p)
{
	if (p->failed != 0)
		return str_printf(
		    p->arena, "cannot run: %s", strerror(p->failed));
	for (size_t i = 0; i < PROC_OUTPUTS; i++)
		if (p->output[i].error != 0)
			return str_printf(p->arena,
			    "cannot read its output: %s",
			    strerror(p->output[i].error));
	if (p->timed_out)
		return str_printf(
		    p->arena, "no end within %g seconds", p->seconds);
	if (WIFSIGNALED(p->status) && !is_too_long(p))
		return str_printf(
		    p->arena, "killed by signal %d", WTERMSIG(p->status));
	if (WEXITSTATUS(p->status) != 0 && !is_too_long(p))
		return str_printf(
		    p->arena, "exit status %d", WEXITSTATUS(p->status));
	if (p->output[0].cut || p->output[1].cut)
		return str_printf(
		    p->arena, "more than %zu bytes of output", p->limit);
	return (struct str){ 0 };
}
