#include "cmd/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "io/workers.h"

/*
 * Opens each standard stream that the caller closed as /dev/null: standard
 * input only for writing and standard output only for reading, so that their
 * use fails. Otherwise the next file that is opened would get the descriptor of
 * the stream, and would receive the data that is meant for the stream.
 */
static void
hold_standard_streams(void)
{
	static const int useless[] = { O_WRONLY, O_RDONLY, O_RDWR };

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", useless[fd]) < 0)
			_exit(2);
}

/* Returns whether the environment wants seals of all stages. */
static enum cli_seal
seal_of_environment(void)
{
	const char *said = getenv("MCPL_SEAL");

	if (said == NULL || *said == '\0' || strcmp(said, "0") == 0)
		return CLI_UNSEALED;
	if (strcmp(said, "1") != 0)
		diag_die("MCPL_SEAL: expected 1 or 0, found '%s'", said);
	return CLI_SEALED;
}

void
cli_start(struct cli *c, char **argv, const char *help, const char *usage)
{
	char *slash = argv[0] == NULL ? NULL : strrchr(argv[0], '/');

	hold_standard_streams();
	/* The parent may have us ignore SIGCHLD; then waitpid would fail. */
	signal(SIGCHLD, SIG_DFL);
	if (slash != NULL)
		argv[0] = slash + 1;
	diag_init(argv[0]);
	*c = (struct cli){ .prog = argv[0],
		.argv = argv,
		.help = help,
		.usage = usage,
		.seal = seal_of_environment(),
		.max_line = IN_MAX_LINE };
}

void
cli_asks(char **argv, const char *option)
{
	enum { LEAST = 4 }; /* letters of an abbreviation, with the hyphens */

	for (; *argv != NULL; argv++) {
		size_t n = strcspn(*argv, "=");

		if (n >= LEAST && strncmp(*argv, option, n) == 0)
			diag_set_trouble(1);
	}
}

/* Prints on standard output and ends the program. */
static _Noreturn void
print(const char *text, const char *more)
{
	struct out o;

	out_open(&o, NULL, false);
	out_text(&o, text);
	out_text(&o, more);
	exit(out_close(&o) ? 0 : diag_trouble());
}

static _Noreturn void
synopsis(const struct cli *c)
{
	struct str usage = str_of(c->usage);
	struct str text = str_slice(usage, 0, str_find(usage, "\n\n"));

	fprintf(
	    stderr, "%.*s\nsee %s --help\n", STR_FMT(str_trim(text)), c->prog);
	exit(diag_trouble());
}

void
cli_usage(const struct cli *c, const char *format, ...)
{
	struct arena a = { 0 };
	struct str text;
	va_list args;

	va_start(args, format);
	text = str_vprintf(&a, format, args);
	va_end(args);
	diag_system_error("%.*s", STR_FMT(text));
	arena_free(&a);
	synopsis(c);
}

void
cli_need_argument(const struct cli *c, char **argv, const char *example)
{
	if (argv[0] != NULL && argv[1] == NULL && isatty(STDIN_FILENO) == 1)
		cli_usage(c,
		    "no file is named, and standard input is a terminal; for "
		    "example, type: %s",
		    example);
}

void
cli_list(cli_row *row)
{
	const char *name, *what;
	int width = 16;
	struct out o;

	for (size_t i = 0; (name = row(i, &what)) != NULL; i++)
		if ((int)strlen(name) > width)
			width = (int)strlen(name);
	out_open(&o, NULL, false);
	for (size_t i = 0; (name = row(i, &what)) != NULL; i++)
		out_printf(&o, "%-*s %s\n", width, name, what);
	exit(out_close(&o) ? diag_status(0) : 2);
}

void
cli_unknown(
    const struct cli *c, const char *what, const char *name, cli_row *row)
{
	struct suggest near = suggest_for(str_of(name));
	struct arena a = { 0 };
	const char *other, *its;
	struct str *longer = NULL;
	size_t n = 0, length = strlen(name);

	for (size_t i = 0; (other = row(i, &its)) != NULL; i++) {
		suggest_try(&near, str_of(other));
		if (strncasecmp(other, name, length) == 0 &&
		    other[length] == '-')
			*arena_push(&a, longer, n) = str_of(other);
	}
	if (n != 0)
		near.best = str_join(&a, longer, n, STR("' or '"));
	cli_usage(c, "--%s: no %s '%s'%s; see --list-%ss", what, what, name,
	    suggest_text(&near, &a), what);
}

/* ---- options ---- */

/* Returns the options that an abbreviation may mean. */
static struct str
options_like(struct arena *a, struct str word, const struct option *longs)
{
	struct str *names = NULL;
	size_t n = 0;

	for (; longs->name != NULL; longs++)
		if (str_starts(str_of(longs->name), word))
			*arena_push(a, names, n) =
			    str_cat(a, STR("--"), str_of(longs->name));
	return str_join(a, names, n, STR(", "));
}

static const struct option *
option_of(const struct option *longs, int code)
{
	while (longs->name != NULL && longs->val != code)
		longs++;
	return longs->name == NULL ? NULL : longs;
}

/* Reports a wrong option like getopt, but with the options that may be meant,
 * and in the form of all other messages (--errors). `said` is the last argument that
 * getopt examined, or NULL after the last argument (with musl, where an
 * argument is missing). */
static _Noreturn void
wrong_option(const struct cli *c, const char *said, const struct option *longs)
{
	const struct option *known = option_of(longs, optopt);
	struct str word = str_of(said), name = str_cut(&word, '=');
	struct suggest near = suggest_for(name);
	struct arena a = { 0 };
	struct str like;

	if (optopt != 0 && known == NULL)
		cli_usage(c, "no option '-%c'", optopt);
	if (known != NULL && known->has_arg == required_argument)
		cli_usage(c, "--%s: needs an argument", known->name);
	if (known != NULL)
		cli_usage(c, "--%s: takes no argument, found '%.*s'",
		    known->name, STR_FMT(word));
	like = options_like(&a, str_from(name, 2), longs);
	if (like.n != 0)
		cli_usage(
		    c, "%.*s: which of %.*s?", STR_FMT(name), STR_FMT(like));
	for (; longs->name != NULL; longs++)
		suggest_try(&near, str_cat(&a, STR("--"), str_of(longs->name)));
	cli_usage(
	    c, "no option '%.*s'%s", STR_FMT(name), suggest_text(&near, &a));
}

int
cli_getopt(const struct cli *c, int argc, char **argv, const char *letters,
    const struct option *longs)
{
	int code;

	opterr = 0;
	code = getopt_long(argc, argv, letters, longs, NULL);
	if (code == '?')
		wrong_option(c, argv[optind - 1], longs);
	return code;
}

static int
color_of(const struct cli *c, const char *when)
{
	if (strcmp(when, "always") == 0)
		return 1;
	if (strcmp(when, "never") == 0)
		return -1;
	if (strcmp(when, "auto") != 0)
		cli_usage(c,
		    "--color: expected always, auto or never, found '%s'",
		    when);
	return 0;
}

static bool
is_file(const char *path, const struct stat *file)
{
	struct stat st;

	return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st)
				       : stat(path, &st)) == 0 &&
	    st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Empties the file for --errors, unless another argument or standard input is the
 * file as well. */
static void
open_errors(const struct cli *c, const char *path)
{
	struct stat file;
	bool exists = stat(path, &file) == 0 && S_ISREG(file.st_mode);

	if (exists && is_file("-", &file))
		diag_die("<stdin>: input file is output file");
	for (char **arg = c->argv + 1; exists && *arg != NULL; arg++) {
		const char *value = strchr(*arg, '=');

		if (path != *arg && is_file(*arg, &file))
			diag_die("%s: input file is output file", *arg);
		if (value != NULL && path != ++value && is_file(value, &file))
			diag_die("%s: input file is output file", value);
	}
	if (!diag_also_to(path))
		diag_die("%s: cannot write:", path);
}

void
cli_option(struct cli *c, int code, const char *argument)
{
	switch (code) {
	case 'h':
		print(c->help, "");
	case CLI_HELP_ALL:
		print(c->usage, "");
	case 'V':
		print(c->prog, " " VERSION "\n");
	case 'q':
		diag_quiet();
		break;
	case 'o':
		c->output = argument;
		break;
	case 'j':
		c->jobs = cli_number(c, "--jobs", argument, 1);
		break;
	case CLI_LINE_BUFFERED:
		c->by_line = true;
		break;
	case CLI_STRICT:
		c->strict = true;
		break;
	case CLI_ERRORS:
		open_errors(c, argument);
		break;
	case CLI_COLOR:
		c->color = color_of(c, argument);
		break;
	case CLI_SEQ:
		c->seq = true;
		break;
	case CLI_SEAL:
		if (argument != NULL && strcmp(argument, "first") != 0)
			cli_usage(c,
			    "--seal: expected first or nothing, found '%s'",
			    argument);
		c->seal = argument == NULL ? CLI_SEALED : CLI_SEALED_FIRST;
		break;
	case CLI_MAX_LINE:
		c->max_line = cli_size(c, "--max-line", argument);
		break;
	default:
		break;
	}
}

/* Reads the number at the start of the text; returns false if there is none, or
 * it is too large. */
static bool
number(const char *text, char **end, unsigned long long *value)
{
	errno = 0;
	if (*text < '0' || *text > '9')
		return false;
	*value = strtoull(text, end, 10);
	return errno == 0 && *value <= SIZE_MAX;
}

/* Returns whether the text is a whole number that is at least `least`. */
static bool
whole_number(const char *text, size_t least, size_t *whole)
{
	unsigned long long value;
	char *end;

	if (!number(text, &end, &value) || *end != '\0' || value < least)
		return false;
	*whole = (size_t)value;
	return true;
}

size_t
cli_number(
    const struct cli *c, const char *option, const char *text, size_t least)
{
	size_t value;

	if (!whole_number(text, least, &value))
		cli_usage(c, "%s: expected a whole number from %zu, found '%s'",
		    option, least, text);
	return value;
}

size_t
cli_size(const struct cli *c, const char *option, const char *text)
{
	static const char units[] = "kmg";
	unsigned long long value = 0;
	const char *unit;
	char *end;
	int shift = 0;
	bool good = number(text, &end, &value);

	if (good && *end != '\0') {
		unit = strchr(units, *end | 0x20);
		good = unit != NULL && end[1] == '\0';
		shift = good ? (int)(unit - units + 1) * 10 : 0;
	}
	if (!good || value == 0 || value > SIZE_MAX >> shift)
		cli_usage(c,
		    "%s: expected a size in bytes such as 64k, 16m or 1g, "
		    "found '%s'",
		    option, text);
	return (size_t)value << shift;
}

size_t
cli_jobs(const struct cli *c, char **files)
{
	const char *said = getenv("MCPL_JOBS");
	size_t jobs = c->jobs;

	if (c->strict || c->by_line)
		return 1;
	if (jobs == 0 && said != NULL && *said != '\0' &&
	    !whole_number(said, 1, &jobs))
		diag_die(
		    "MCPL_JOBS: expected a whole number from 1, found '%s'",
		    said);
	if (jobs == 0)
		jobs = workers_size(files);
	return jobs < WORKERS_MAX ? jobs : WORKERS_MAX;
}

static void
flush(void *out)
{
	out_flush(out);
}

void
cli_open(const struct cli *c, struct in *in, struct out *out, char **files)
{
	if (files[0] == NULL && isatty(STDIN_FILENO) == 1)
		diag_warn((struct place){ 0 },
		    "reading standard input, which is a terminal (Ctrl-D ends "
		    "it; see --help)");
	in_open(in, files);
	in->max_line = c->max_line;
	in->idle = flush;
	in->idle_arg = out;
	out_open(out, c->output, c->by_line);
	in_refuse(in, out->file.fd);
	out->seq = c->seq;
	out->strict = c->strict;
}

void
cli_no_runs(bool exit_status, size_t foreign)
{
	void (*report)(struct place, const char *, ...) =
	    exit_status ? diag_error : diag_warn;
	const struct place nowhere = { 0 };

	if (diag_errors() != 0)
		return;
	if (foreign == 0)
		report(nowhere, "no runs in the input");
	else
		report(nowhere,
		    "no runs in the input: values passed through, since they "
		    "are no traces (first make traces of a log with "
		    "mcpl-extract): %zu",
		    foreign);
}

static bool
set(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && *value != '\0';
}

/* A value of 0 forces nothing (bixense.com/clicolors; Node's FORCE_COLOR). */
static bool
forced(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

bool
cli_color(const struct cli *c, int fd)
{
	const char *term = getenv("TERM");

	if (c->color != 0)
		return c->color > 0;
	if (set("NO_COLOR"))
		return false;
	if (forced("CLICOLOR_FORCE") || forced("FORCE_COLOR"))
		return true;
	return isatty(fd) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

size_t
cli_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	long n = columns == NULL ? 0 : strtol(columns, NULL, 10);
	struct winsize size;

	if (n <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	return n > 0 ? (size_t)n : SIZE_MAX;
}
