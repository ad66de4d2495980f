/* What the four commands share: common options, and the usage they print. */
#pragma once

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/in.h"
#include "io/out.h"

struct cli {
	const char *prog;   /* argv[0] without its folder */
	const char *usage;  /* the text of --help */
	const char *output; /* -o */
	size_t max_line;
	size_t jobs;  /* -j; 0: not given */
	bool by_line; /* --line-buffered */
	bool seq;    /* --seq: RS before each record of the output (RFC 7464) */
	bool strict; /* --strict: the command stops at the first bad line, and
	               * the file of -o stays what it was */
	int color;   /* 1 always, 0 auto, -1 never */
};

/* Long options without a letter have codes from here on. */
enum {
	CLI_LINE_BUFFERED = 0x100,
	CLI_STRICT,
	CLI_ERRORS,
	CLI_COLOR,
	CLI_SEQ,
	CLI_MAX_LINE,
	CLI_OWN = 0x200, /* a command's own codes begin here */
};

#define CLI_SHORT "hVqo:"
#define CLI_SHORT_JOBS "j:" /* of a command that has CLI_LONG_JOBS */
/* clang-format off */
/* Rows for a command's table of long options. */
#define CLI_LONG \
	{ "help", no_argument, NULL, 'h' }, \
	{ "version", no_argument, NULL, 'V' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "line-buffered", no_argument, NULL, CLI_LINE_BUFFERED }, \
	{ "strict", no_argument, NULL, CLI_STRICT }, \
	{ "errors", required_argument, NULL, CLI_ERRORS }, \
	{ "color", required_argument, NULL, CLI_COLOR }, \
	{ "seq", no_argument, NULL, CLI_SEQ }, \
	{ "max-line", required_argument, NULL, CLI_MAX_LINE }

#define CLI_LONG_JOBS { "jobs", required_argument, NULL, 'j' }

/* What --help says of them. */
#define CLI_HELP \
	"  -o, --output FILE        write to FILE, which appears when all is done\n" \
	"  -q, --quiet              errors only, no warnings or summaries\n" \
	"      --line-buffered      write each line when it is complete\n" \
	"      --strict             stop at the first bad line\n" \
	"      --errors FILE        also write messages to FILE, as JSON\n" \
	"      --color auto|always|never\n" \
	"                           colours, in what is not JSON\n" \
	"      --seq                put RS before each record (RFC 7464)\n" \
	"      --max-line SIZE      longest line (default 1g)\n" \
	"  -h, --help               this text\n" \
	"  -V, --version            the version\n"
#define CLI_HELP_JOBS \
	"  -j, --jobs N             work with N threads; the output is the same\n"
/* clang-format on */

/*
 * Takes the program's name for messages, getopt's too (argv[0] becomes its
 * last part), and sees to it that no file takes the place of a standard
 * stream that is closed. `usage` is the text of --help; it opens with the
 * synopsis, which ends at the first empty line. Each option begins a line,
 *	  -f, --format FORMAT  what it does
 *	      --color auto|always|never
 * with what follows of its text indented further, since the completions of
 * the shells read it so: FORMAT, DIALECT and PROVIDER are what --list-formats
 * and so on list, A|B are words, DIR is a folder, anything else a file.
 */
void cli_start(struct cli *, char **argv, const char *usage);

/* getopt_long, but that a wrong option is told by cli_usage. */
int cli_getopt(const struct cli *, int argc, char **argv, const char *letters,
    const struct option *longs);

/* Acts on a common option. */
void cli_option(struct cli *, int code, const char *argument);

/* A message on wrong usage, the synopsis, and status 2. */
_Noreturn void cli_usage(const struct cli *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What has a name that users choose by: the i-th's, and a line that says what
 * it is. NULL behind the last. */
typedef const char *cli_row(size_t i, const char **what);

/* --list-FORMATs and the like: prints the rows and ends the program. */
_Noreturn void cli_list(cli_row *);

/* Wrong usage: none of the rows, the FORMATs (DIALECTs, ...), has that name. */
_Noreturn void cli_unknown(
    const struct cli *, const char *what, const char *name, cli_row *);

/* A whole number that is at least `least`, else wrong usage naming the option
 * (as the user writes it: "--jobs"). */
size_t cli_number(
    const struct cli *, const char *option, const char *text, size_t least);
/* A size in bytes, from 1: a number with an optional k, m or g (powers of
 * 1024, either case). */
size_t cli_size(const struct cli *, const char *option, const char *text);

/* How many threads work at the files: as many as -j says, else the
 * environment's MCPL_JOBS, else as they are worth (workers_size). One alone where
 * the first bad line ends it all (--strict), or each line is written when it
 * is complete (--line-buffered). */
size_t cli_jobs(const struct cli *, char **files);

/* Opens input and output as the options say; output is flushed whenever the
 * input would block. Who forgot the files, and waits at a terminal, is told. */
void cli_open(const struct cli *, struct in *, struct out *, char **files);

/* Whether to colour what goes to the descriptor (--color, NO_COLOR,
 * CLICOLOR_FORCE, FORCE_COLOR, TERM). */
bool cli_color(const struct cli *, int fd);
