/* The options that all commands share, each in a process of its own. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cli.h"
#include "tests/unit/messages.h"
#include "tests/unit/unit.h"

static const char usage[] = "usage: prog [-x] [FILE ...]\n"
			    "       prog --list\n"
			    "\n"
			    "  -h, --help  this\n";

/* A command that prints its number and size, and echoes lines. */
static void
command(int argc, char **argv)
{
	enum { NUMBER = CLI_OWN, SIZE };
	static const struct option options[] = { CLI_LONG,
		{ "number", required_argument, NULL, NUMBER },
		{ "size", required_argument, NULL, SIZE }, { 0 } };
	struct str line;
	struct cli cli;
	struct out out;
	struct in in;
	int c;

	cli_start(&cli, argv, usage, usage);
	while ((c = cli_getopt(&cli, argc, argv, CLI_SHORT, options)) != -1) {
		if (c == NUMBER)
			printf(
			    "%zu\n", cli_number(&cli, "--number", optarg, 2));
		else if (c == SIZE)
			printf("%zu\n", cli_size(&cli, "--size", optarg));
		else
			cli_option(&cli, c, optarg);
	}
	fflush(stdout);
	cli_open(&cli, &in, &out, argv + optind);
	while (in_line(&in, &line)) {
		out_str(&out, line);
		out_line(&out);
	}
	in_close(&in);
	exit(out_close(&out) ? diag_status(0) : 2);
}

/* Runs the command with arguments separated by spaces, with standard input from the
 * file and without the standard streams whose numbers are in `closed`. Returns the
 * status and the output. */
static struct str
run(struct arena *a, const char *arguments, const char *input,
    const char *closed, int *status)
{
	char *argv[16] = { str_c(a, STR("/usr/bin/prog")) };
	struct str rest = str_of(arguments);
	char *buf = arena_alloc(a, 4096);
	int ends[2], argc = 1;
	size_t n = 0;
	ssize_t got;

	while (rest.n > 0)
		argv[argc++] = str_c(a, str_cut(&rest, ' '));
	if (pipe(ends) != 0)
		abort();
	fflush(stdout);
	if (fork() == 0) {
		dup2(open(input, O_RDONLY | O_NOCTTY), STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		for (; *closed != '\0'; closed++)
			close(*closed - '0');
		command(argc, argv);
	}
	close(ends[1]);
	while ((got = read(ends[0], buf + n, 4096 - n)) > 0)
		n += (size_t)got;
	close(ends[0]);
	wait(status);
	*status = WEXITSTATUS(*status);
	return (struct str){ buf, n };
}

static void
ends_from(const char *input, const char *arguments, const char *closed,
    int want, const char *printed)
{
	struct arena a = { 0 };
	int status;
	struct str got = run(&a, arguments, input, closed, &status);

	CHECK_STR(got, printed);
	if (status != want)
		fprintf(stderr, "%s: status %d\n", arguments, status);
	CHECK(status == want);
	arena_free(&a);
}

static void
ends(const char *arguments, const char *closed, int want, const char *printed)
{
	ends_from("/dev/null", arguments, closed, want, printed);
}

#define SYNOPSIS \
	"usage: prog [-x] [FILE ...]\n       prog --list\nsee prog --help\n"

static void
numbers(void)
{
	ends("--number 2", "", 0, "2\n");
	ends(sizeof(size_t) == 8 ? "--number=18446744073709551615"
				 : "--number=4294967295",
	    "", 0,
	    sizeof(size_t) == 8 ? "18446744073709551615\n" : "4294967295\n");
	ends("--number 1", "", 2,
	    "prog: --number: expected a whole number from 2, found "
	    "'1'\n" SYNOPSIS);
	ends("--number 18446744073709551616", "", 2,
	    "prog: --number: expected a whole number from 2, "
	    "found '18446744073709551616'\n" SYNOPSIS);
	ends("--number -5", "", 2,
	    "prog: --number: expected a whole number from 2, found "
	    "'-5'\n" SYNOPSIS);
	ends("--number 5x", "", 2,
	    "prog: --number: expected a whole number from 2, found "
	    "'5x'\n" SYNOPSIS);
	ends("--size 3 --size 2k --size 1M --size 1g", "", 0,
	    "3\n2048\n1048576\n1073741824\n");
	ends("--size 3kb", "", 2,
	    "prog: --size: expected a size in bytes such as 64k, 16m or 1g, "
	    "found '3kb'\n" SYNOPSIS);
	ends("--max-line 0", "", 2,
	    "prog: --max-line: expected a size in bytes such as 64k, 16m or "
	    "1g, found '0'\n" SYNOPSIS);
	ends("--size 99999999999g", "", 2,
	    "prog: --size: expected a size in bytes such as 64k, 16m or 1g, "
	    "found '99999999999g'\n" SYNOPSIS);
}

static void
common_options(void)
{
	ends("--help", "", 0, usage);
	ends("-V", "", 0, "prog " VERSION "\n");
	ends("--color=sometimes", "", 2,
	    "prog: --color: expected always, auto or never, "
	    "found 'sometimes'\n" SYNOPSIS);
	ends("--errors /nonexistent/x", "", 2,
	    "prog: /nonexistent/x: cannot write: No such file or directory\n");
	ends("-o /nonexistent/x", "", 2,
	    "prog: /nonexistent/x: cannot write: No such file or directory\n");
	ends("-q - /nonexistent", "", 2,
	    "prog: /nonexistent: cannot read: No such file or directory\n");
}

static void
wrong_options(void)
{
	ends("-x", "", 2, "prog: no option '-x'\n" SYNOPSIS);
	ends("--strict -qx", "", 2, "prog: no option '-x'\n" SYNOPSIS);
	ends("--nmuber=2", "", 2,
	    "prog: no option '--nmuber' (did you mean '--number'?)\n" SYNOPSIS);
	ends("--sizes 2", "", 2,
	    "prog: no option '--sizes' (did you mean '--size'?)\n" SYNOPSIS);
	ends("--unlike", "", 2, "prog: no option '--unlike'\n" SYNOPSIS);
	ends("--s 2", "", 2,
	    "prog: --s: which of --strict, --seq, --seal, --size?\n" SYNOPSIS);
	ends("-o", "", 2, "prog: --output: needs an argument\n" SYNOPSIS);
	ends("--number", "", 2, "prog: --number: needs an argument\n" SYNOPSIS);
	ends("--quiet=yes", "", 2,
	    "prog: --quiet: takes no argument, found 'yes'\n" SYNOPSIS);
}

/* No file gets the descriptor of a closed standard stream. */
static void
closed_streams(void)
{
	ends("", "0", 2, "prog: <stdin>: cannot read: Bad file descriptor\n");
	ends("--help", "1", 2,
	    "prog: <stdout>: cannot write: Bad file descriptor\n");
	ends("--help", "12", 2, "");
	ends("/etc/passwd", "01", 2,
	    "prog: <stdout>: cannot write: Bad file descriptor\n");
}

/* A command that reads from a terminal prints a message. */
static void
terminal(void)
{
	int keys = posix_openpt(O_RDWR | O_NOCTTY);
	char *screen;

	if (keys < 0 || grantpt(keys) != 0 || unlockpt(keys) != 0 ||
	    (screen = ptsname(keys)) == NULL || access(screen, R_OK) != 0) {
		puts("no /dev/pts here: prompts at a terminal were not tried");
		return;
	}
	CHECK(write(keys, "\x04", 1) == 1);
	ends_from(screen, "", "", 0,
	    "prog: reading standard input, which is a terminal (Ctrl-D ends "
	    "it; see --help)\n");
	CHECK(write(keys, "\x04", 1) == 1);
	ends_from(screen, "-q", "", 0, "");
	CHECK(write(keys, "\x04", 1) == 1);
	ends_from(screen, "-", "", 0, "");
	close(keys);
}

static void
colors(void)
{
	struct cli always = { .color = 1 }, never = { .color = -1 };
	struct cli automatic = { 0 };

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	unsetenv("FORCE_COLOR");
	unsetenv("CLICOLOR_FORCE");
	CHECK(cli_color(&always, -1) && !cli_color(&automatic, -1));
	setenv("FORCE_COLOR", "1", 1);
	CHECK(cli_color(&automatic, -1) && !cli_color(&never, -1));
	setenv("FORCE_COLOR", "0", 1);
	CHECK(!cli_color(&automatic, -1));
	setenv("CLICOLOR_FORCE", "1", 1);
	CHECK(cli_color(&automatic, -1));
	setenv("NO_COLOR", "", 1);
	CHECK(cli_color(&automatic, -1));
	setenv("NO_COLOR", "1", 1);
	CHECK(!cli_color(&automatic, -1) && cli_color(&always, -1));
}

int
main(void)
{
	numbers();
	common_options();
	wrong_options();
	terminal();
	closed_streams();
	colors();
	return unit_status();
}
