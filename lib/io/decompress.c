#include "io/decompress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/pipe.h"
#include "io/slurp.h"

#ifndef __linux__
extern char **environ;
#endif

enum {
	START_MAX = 512,
	BINARY_MAX = 24,
	ARGS_MAX = 9,
	STARTED_MAX = 24,
	MESSAGE_MAX = 1024
};

/* The kinds of compressed files. A second kind with the same magic is for
 * systems without the program of the first. */
static const struct kind {
	size_t at; /* offset of the magic */
	const char *magic;
	const char *what, *hint;
	const char *args[ARGS_MAX];
} kinds[] = {
	{ 0, "\x1f\x8b", "compressed", "compressed; unpack it with zcat",
	    { "gzip", "-dc" } },
	{ 0, "\x28\xb5\x2f\xfd", "compressed",
	    "compressed; unpack it with zstdcat", { "zstd", "-dcq" } },
	{ 0, "\xfd\x37zXZ", "compressed", "compressed; unpack it with xzcat",
	    { "xz", "-dc" } },
	{ 0, "BZh", "compressed", "compressed; unpack it with bzcat",
	    { "bzip2", "-dc" } },
	/* All files of the archive. Of an inspect_ai log the files that only
	 * repeat its samples are left out. The program gets a path and not "-",
	 * so that it reads the archive by its directory. */
	{ 0, "PK\x03\x04", "an archive",
	    "an archive; unpack it with bsdtar -xO",
	    { "bsdtar", "-xOf", "/dev/stdin", "--exclude=_journal/summaries/*",
		"--exclude=header.json", "--exclude=summaries.json",
		"--exclude=reductions.json" } },
	{ 0, "PK\x03\x04", "an archive", "an archive; unpack it with unzip -p",
	    { "unzip", "-p", "/dev/stdin", "-x", "_journal/summaries/*",
		"header.json", "summaries.json", "reductions.json" } },
	{ 257, "ustar", "an archive", "an archive; unpack it with tar -xO",
	    { "tar", "-xOf", "/dev/stdin" } },
	{ 257, "ustar", "an archive", "an archive; unpack it with bsdtar -xO",
	    { "bsdtar", "-xOf", "/dev/stdin" } },
	{ 0, "\xff\xfe", "UTF-16", "UTF-16; expected UTF-8",
	    { "iconv", "-c", "-f", "UTF-16", "-t", "UTF-8" } },
	{ 0, "\xfe\xff", "UTF-16", "UTF-16; expected UTF-8",
	    { "iconv", "-c", "-f", "UTF-16", "-t", "UTF-8" } },
};

/* Other kinds: no program reads them from a descriptor. */
static const struct kind binary = { .what = "",
	.hint = "binary; expected text" };
static const struct kind database = { .what = "",
	.hint =
	    "a database of SQLite; mcpl-extract reads one by its file's name" };

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Returns whether the first line has, near its beginning, a control character
 * that no program writes into text, as executables and databases do. strchr
 * also finds NUL, which is permitted: NULs may precede text where a machine
 * crashed. */
static bool
is_binary(struct str start)
{
	static const char in_texts[] = "\a\b\t\n\v\f\r\x1a\x1b\x1e";

	for (size_t i = 0; i < start.n && i < BINARY_MAX; i++) {
		unsigned char c = (unsigned char)start.s[i];

		if (c == '\n' || c == '{' || c == '[')
			return false;
		if (c < ' ' && strchr(in_texts, c) == NULL)
			return true;
	}
	return false;
}

bool
decompress_is_database(struct str start)
{
	static const char magic[] = "SQLite format 3";

	return start.n >= sizeof magic &&
	    memcmp(start.s, magic, sizeof magic) == 0;
}

static const struct kind *
kind_of(struct str start)
{
	if (str_starts(start, STR("{\""))) /* a log, as most files are */
		return NULL;
	if (decompress_is_database(start))
		return &database;
	for (size_t i = 0; i < KINDS; i++)
		if (str_starts(
			str_from(start, kinds[i].at), str_of(kinds[i].magic)))
			return &kinds[i];
	return is_binary(start) ? &binary : NULL;
}

const char *
decompress_hint(struct str start)
{
	const struct kind *k = kind_of(start);

	return k == NULL ? NULL : k->hint;
}

/* Returns the kind to try where the program of k is not there, or NULL. */
static const struct kind *
instead_of(const struct kind *k)
{
	const struct kind *next = k + 1;

	return next < kinds + KINDS && strcmp(next->magic, k->magic) == 0
	    ? next
	    : NULL;
}

/* Returns the kind of a compressed file by its name: tar unpacks compressed
 * archives as well. */
static const struct kind *
kind_of_name(const struct kind *k, struct str name)
{
	static const char *const ends[] = { ".tar.gz", ".tgz", ".tar.zst",
		".tar.xz", ".txz", ".tar.bz2", ".tbz2" };
	const struct kind *tar = kinds;

	while (tar->at == 0)
		tar++;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (strcmp(k->what, "compressed") == 0 &&
		    str_ends(name, str_of(ends[i])))
			return tar;
	return k;
}

static const struct kind *
kind_of_file(int fd)
{
	char start[START_MAX];
	struct stat st;
	size_t done = 0;
	off_t at;
	ssize_t n;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	at = lseek(fd, 0, SEEK_CUR);
	while (done < sizeof start) {
		n = pread(
		    fd, start + done, sizeof start - done, at + (off_t)done);
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		done += n < 0 ? 0 : (size_t)n;
	}
	return kind_of((struct str){ start, done });
}

/* Starts the program with these two descriptors as its input and output. The
 * program dies of SIGPIPE even if this process ignores the signal. Returns an error
 * number. */
static int
start(struct decompress *u, const char *const *args, int from, int to)
{
	char *argv[STARTED_MAX + 1] = { NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t pipe_only;
	size_t n = 0;
	int error = 0;

	do
		memcpy(&argv[n], &args[n], sizeof *args);
	while (++n < STARTED_MAX && args[n] != NULL);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigdefault(&how, &pipe_only);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	if (from >= 0)
		error = posix_spawn_file_actions_adddup2(
		    &files, from, STDIN_FILENO);
	else
		error = posix_spawn_file_actions_addopen(
		    &files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (error == 0)
		error =
		    posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
	if (error == 0 && u->messages > 0)
		error = posix_spawn_file_actions_adddup2(
		    &files, u->messages, STDERR_FILENO);
	else if (error == 0)
		error = posix_spawn_file_actions_addopen(
		    &files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error =
		    posix_spawnp(&u->pid, argv[0], &files, &how, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return error;
}

/* Frees what belongs to the program. */
static void
forget(struct decompress *u)
{
	if (u->messages > 0)
		close(u->messages);
	*u = (struct decompress){ 0 };
}

int
decompress_start(struct decompress *u, const char *const *args, int from)
{
	int ends[2], error;

	if (pipe_open(ends) != 0) {
		error = errno;
	} else {
		error = start(u, args, from, ends[1]);
		close(ends[1]);
		if (error != 0)
			close(ends[0]);
	}
	if (error == 0) {
		u->program = args[0];
		return ends[0];
	}
	forget(u);
	errno = error;
	return -1;
}

/* Says why no program of this kind could be started. */
static void
report(const struct kind *k, int error, struct place at)
{
	const struct kind *other = instead_of(k);

	errno = error;
	if (error != ENOENT)
		diag_error(at, "cannot start %s:", k->args[0]);
	else if (other == NULL)
		diag_error(at, "%s; %s, which would unpack it, is not there",
		    k->what, k->args[0]);
	else
		diag_error(at,
		    "%s; neither %s nor %s, which would unpack it, is there",
		    k->what, k->args[0], other->args[0]);
}

/* Starts the program of this kind on fd. Returns the descriptor of the
 * program's output, or -1 after an error message. */
static int
open_through(
    struct decompress *u, const struct kind *k, int fd, const char *file)
{
	const struct kind *other = instead_of(k);
	int output = decompress_start(u, k->args, fd);

	if (output < 0 && errno == ENOENT && other != NULL)
		output = decompress_start(u, other->args, fd);
	if (output < 0)
		report(k, errno, (struct place){ .file = file });
	return output;
}

int
decompress_open(struct decompress *u, int fd, const char *file)
{
	const struct kind *k = kind_of_file(fd);
	int output = -1;

	if (k == NULL)
		return fd;
	if (k->args[0] != NULL)
		output =
		    open_through(u, kind_of_name(k, str_of(file)), fd, file);
	else
		diag_error((struct place){ .file = file }, "%s", k->hint);
	if (fd != STDIN_FILENO)
		close(fd);
	return output;
}

/* Returns the first line of the program's messages, without the words with which
 * sqlite3 begins each of them. */
static struct str
first_message(const struct decompress *u, struct arena *a)
{
	static const char *const begins[] = { "Error: ", "in prepare, ",
		"stepping, " };
	struct str text = { 0 }, line;

	if (u->messages <= 0 || lseek(u->messages, 0, SEEK_SET) != 0 ||
	    !slurp(a, u->messages, MESSAGE_MAX, &text))
		return STR("");
	line = str_cut(&text, '\n');
	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		if (str_starts(line, str_of(begins[i])))
			line = str_from(line, strlen(begins[i]));
	return line;
}

int
decompress_wait(struct decompress *u, struct arena *a, struct str *message)
{
	int status = 0;
	pid_t ended;

	do
		ended = waitpid(u->pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	*message = ended < 0
	    ? STR("its status is lost, since this process ignores SIGCHLD or "
		  "waits for every child")
	    : first_message(u, a);
	if (ended < 0)
		status = -1;
	forget(u);
	return status;
}

bool
decompress_close(struct decompress *u, const char *file, bool early)
{
	struct place at = { .file = file };
	const char *program = u->program;
	bool expected = early || u->read_failed;
	bool by_query = u->messages > 0, damaged;
	struct arena a = { 0 };
	struct str message;

	if (program == NULL)
		return true;
	damaged = decompress_wait(u, &a, &message) != 0 && !expected;
	if (damaged && by_query)
		diag_error(at,
		    "sqlite3 could not read all of the database: %.*s",
		    STR_FMT(message));
	else if (damaged && message.n != 0)
		diag_error(at,
		    "cannot tell whether %s unpacked all of it: %.*s", program,
		    STR_FMT(message));
	else if (damaged)
		diag_error(
		    at, "damaged: %s could not unpack all of it", program);
	arena_free(&a);
	return !damaged;
}
