/* The part that the four commands share: common options, and the usage that
 * they print. */
#pragma once

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/in.h"
#include "io/out.h"

/* --seal: end the output with a seal (trace/seal.h), and expect one of the input or,
 * for the first stage of a pipeline, none. */
enum cli_seal { CLI_UNSEALED, CLI_SEALED, CLI_SEALED_FIRST };

struct cli {
	const char *prog; /* argv[0] without its folder */
	char **argv;
	const char *help;   /* the text of --help */
	const char *usage;  /* the text of --help-all */
	const char *output; /* -o */
	size_t max_line;
	size_t jobs;  /* -j; 0: not given */
	bool by_line; /* --line-buffered */
	bool seq;    /* --seq: RS before each record of the output (RFC 7464) */
	bool strict; /* --strict: stop at the first bad line, and leave the
		      * file of -o unchanged */
	enum cli_seal seal; /* --seal, or the environment's MCPL_SEAL */
	int color;          /* 1 always, 0 auto, -1 never */
};

/* Codes of long options without a letter. */
enum {
	CLI_LINE_BUFFERED = 0x100,
	CLI_STRICT,
	CLI_ERRORS,
	CLI_COLOR,
	CLI_SEQ,
	CLI_MAX_LINE,
	CLI_SEAL,
	CLI_HELP_ALL,
	CLI_OWN = 0x200, /* a command's own codes begin here */
};

#define CLI_SHORT "hVqo:"
#define CLI_SHORT_JOBS "j:" /* for commands with CLI_LONG_JOBS */
/* clang-format off */
/* Rows for a command's table of long options. */
#define CLI_LONG \
	{ "help", no_argument, NULL, 'h' }, \
	{ "help-all", no_argument, NULL, CLI_HELP_ALL }, \
	{ "version", no_argument, NULL, 'V' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "line-buffered", no_argument, NULL, CLI_LINE_BUFFERED }, \
	{ "strict", no_argument, NULL, CLI_STRICT }, \
	{ "errors", required_argument, NULL, CLI_ERRORS }, \
	{ "color", required_argument, NULL, CLI_COLOR }, \
	{ "seq", no_argument, NULL, CLI_SEQ }, \
	{ "seal", optional_argument, NULL, CLI_SEAL }, \
	{ "max-line", required_argument, NULL, CLI_MAX_LINE }

#define CLI_LONG_JOBS { "jobs", required_argument, NULL, 'j' }

/* The text of --help-all about these options. */
#define CLI_HELP \
	"  -o, --output FILE        write to FILE, created or replaced at the end\n" \
	"  -q, --quiet              errors only, no warnings or summaries\n" \
	"      --line-buffered      write each line when it is complete\n" \
	"      --strict             stop at the first bad line\n" \
	"      --errors FILE        also write messages to FILE, as JSON\n" \
	"      --color auto|always|never\n" \
	"                           colours in output that is not JSON\n" \
	"      --seq                put RS before each record (RFC 7464)\n" \
	"      --seal               end with a line that says that all is there, and\n" \
	"                           expect one of the input; =first: expect none\n" \
	"      --max-line SIZE      longest line (default 1g)\n" \
	"  -h, --help               print the commonest options and exit\n" \
	"      --help-all           print this text and exit\n" \
	"  -V, --version            print the version and exit\n"
#define CLI_HELP_JOBS \
	"  -j, --jobs N             work with N threads; the output is the same\n"
/* clang-format on */

/*
 * Sets the program's name in messages, also in getopt's (argv[0] becomes its
 * last part), and makes sure that no file takes the place of a standard stream
 * that is closed. `help` is the text of --help, with the commonest options,
 * examples and the exit status, and fits on a screen; `usage` is the text of
 * --help-all. Both begin with the synopsis, which ends at the first empty line.
 * In `usage` each option begins a line,
 *	  -f, --format FORMAT  what it does
 *	      --color auto|always|never
 * and the rest of its text is indented further, since the shells' completions
 * parse this text: FORMAT, DIALECT and PROVIDER are completed from the output
 * of --list-formats and so on; A|B are words, DIR is a folder, and anything
 * else is a file.
 */
void cli_start(struct cli *, char **argv, const char *help, const char *usage);

/* Makes 1 the exit status of trouble, and of wrong usage, if an argument is the option, or
 * an abbreviation of the option: an agent that called the program takes 2 for a no. To be
 * called first. */
void cli_asks(char **argv, const char *option);

/* Ends the program with status 2 and the example of a command line, if there is
 * no argument and standard input is a terminal. */
void cli_need_argument(const struct cli *, char **argv, const char *example);

/* Like getopt_long, but reports a wrong option with cli_usage. */
int cli_getopt(const struct cli *, int argc, char **argv, const char *letters,
    const struct option *longs);

/* Handles a common option. */
void cli_option(struct cli *, int code, const char *argument);

/* Prints a message about wrong usage and the synopsis, and ends the program
 * with status 2. */
_Noreturn void cli_usage(const struct cli *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the name of the i-th thing that users choose by name, and sets *what
 * to a line that describes it; returns NULL after the last. */
typedef const char *cli_row(size_t i, const char **what);

/* Prints the rows, for --list-FORMATs and the like, and ends the program. */
_Noreturn void cli_list(cli_row *);

/* Reports, as wrong usage, that none of the rows (`what` is FORMAT, DIALECT,
 * ...) has that name. */
_Noreturn void cli_unknown(
    const struct cli *, const char *what, const char *name, cli_row *);

/* Returns an integer that is at least `least`. Anything else is wrong usage;
 * the message names the option as the user writes it ("--jobs"). */
size_t cli_number(
    const struct cli *, const char *option, const char *text, size_t least);
/* Returns a size in bytes, from 1: a number with an optional k, m or g (powers
 * of 1024, upper or lower case). */
size_t cli_size(const struct cli *, const char *option, const char *text);

/* Returns the number of threads: the number given with -j, else the
 * environment's MCPL_JOBS, else a number that suits the files (workers_size).
 * It is 1 if the first bad line ends the program (--strict), or if each line is
 * written when it is complete (--line-buffered). */
size_t cli_jobs(const struct cli *, char **files);

/* Opens input and output as the options say. Output is flushed whenever reading
 * the input would block. A user at a terminal who gave no files gets a hint. */
void cli_open(const struct cli *, struct in *, struct out *, char **files);

/* Reports that the input has no run, only `foreign` values that are no traces:
 * as an error if the exit status depends on the runs (--exit-status), else as a
 * warning. After another error, that error is the reason, and this function
 * says nothing. */
void cli_no_runs(bool exit_status, size_t foreign);

/* Returns whether output to the descriptor is coloured (--color, NO_COLOR,
 * CLICOLOR_FORCE, FORCE_COLOR, TERM). */
bool cli_color(const struct cli *, int fd);

/* Returns the number of cells of a line of output to the descriptor: COLUMNS, or the
 * terminal's width. A line of a file or pipe may have any number (SIZE_MAX). */
size_t cli_width(int fd);
