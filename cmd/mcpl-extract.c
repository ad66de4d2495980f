/* mcpl-extract: agent logs to traces. See mcpl-extract(1). */
#include "../lib/cli.h"
#include "../lib/confine.h"
#include "../lib/diag.h"
#include "../lib/export.h"
#include "../lib/extract.h"
#include "../lib/map.h"
#include "../lib/suggest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: mcpl-extract [-f FORMAT] [FILE...]\n"
    "\n"
    "Reads logs of agent runs and writes a trace for each run, one JSON\n"
    "object a line. Without FILE, or where FILE is -, reads standard input.\n"
    "The format of each file is found from its first records.\n"
    "\n"
    "  -f, --format FORMAT      read every file as this format\n"
    "      --list-formats       name the formats and stop\n"
    "      --map FILE           read every file by the rules in FILE\n"
    "      --split session|prompt\n"
    "                           a record for each (default session)\n"
    "      --sidechains nest|separate|drop\n"
    "                           the runs of sub-agents (default nest)\n"
    "      --scenario ID        set scenario_id\n"
    "      --agent NAME         set agent\n"
    "      --results full|none|BYTES\n"
    "                           how much of a tool's result is kept\n"
    "                           (default full)\n"
    "      --to atif|openai|anthropic|mcplab\n"
    "                           write runs in this format, not as traces\n"
    "\n" CLI_HELP;

enum {
	LIST_FORMATS = CLI_OWN,
	MAP,
	SPLIT,
	SIDECHAINS,
	SCENARIO,
	AGENT,
	RESULTS,
	TO,
};

struct options {
	struct cli cli;
	struct builder_options builder;
	const struct logfmt *format;
	const char *map; /* a file of rules */
};

static _Noreturn void
list_formats(void)
{
	struct out o;

	out_open(&o, NULL, false);
	for (const struct logfmt *const *f = logfmt_table; *f != NULL; f++)
		out_printf(&o, "%-16s %s\n", (*f)->name, (*f)->what);
	exit(out_close(&o) ? 0 : 2);
}

/* Which of the words (a NULL-terminated list) the argument is. */
static int
word(const struct cli *cli, const char *option, const char *argument,
    const char *const words[])
{
	struct arena a = { 0 };
	struct str all = str_of(words[0]);

	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(argument, words[i]) == 0)
			return i;
	for (int i = 1; words[i] != NULL; i++)
		all = str_printf(&a, "%.*s%s%s", STR_FMT(all),
		    words[i + 1] == NULL ? " or " : ", ", words[i]);
	cli_usage(cli, "%s: expected %.*s, found '%s'", option, STR_FMT(all),
	    argument);
}

static size_t
results(const struct cli *cli, const char *argument)
{
	if (strcmp(argument, "full") == 0)
		return SIZE_MAX;
	if (strcmp(argument, "none") == 0)
		return 0;
	if (*argument < '1' || *argument > '9')
		cli_usage(cli,
		    "--results: expected full, none or a size such as 64k, "
		    "found '%s'",
		    argument);
	return cli_size(cli, "--results", argument);
}

static void
set_format(struct options *o, const char *name)
{
	struct suggest near = suggest_for(str_of(name));
	struct arena a = { 0 };

	o->format = logfmt_named(name);
	if (o->format != NULL)
		return;
	for (const struct logfmt *const *f = logfmt_table; *f != NULL; f++)
		suggest_try(&near, str_of((*f)->name));
	cli_usage(&o->cli, "--format: no format '%s'%s; see --list-formats",
	    name, suggest_text(&near, &a));
}

static void
set_option(struct options *o, int code, const char *argument)
{
	static const char *const units[] = { "session", "prompt", NULL };
	static const char *const others[] = { "atif", "openai", "anthropic",
		"mcplab", NULL };
	static const char *const hows[] = { "nest", "separate", "drop", NULL };

	switch (code) {
	case 'f':
		set_format(o, argument);
		break;
	case LIST_FORMATS:
		list_formats();
	case MAP:
		o->map = argument;
		break;
	case SPLIT:
		o->builder.split =
		    word(&o->cli, "--split", argument, units) == 1;
		break;
	case SIDECHAINS:
		o->builder.sidechains = (enum sidechains)word(
		    &o->cli, "--sidechains", argument, hows);
		break;
	case SCENARIO:
		o->builder.trace.scenario = argument;
		break;
	case AGENT:
		o->builder.trace.agent = argument;
		break;
	case RESULTS:
		o->builder.trace.results = results(&o->cli, argument);
		break;
	case TO:
		o->builder.trace.to = export_named(
		    others[word(&o->cli, "--to", argument, others)]);
		o->builder.trace.write = export_write;
		break;
	default:
		cli_option(&o->cli, code, argument);
	}
}

/* The rules that --map names, if it was given; they take the format's place. */
static struct map *
open_map(struct options *o, struct arena *a)
{
	struct map *m;

	if (o->map == NULL)
		return NULL;
	if (o->format != NULL)
		cli_usage(&o->cli, "--map and --format exclude each other");
	m = map_read(a, o->map);
	if (m == NULL)
		exit(2);
	o->format = map_format(m);
	return m;
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "list-formats", no_argument, NULL, LIST_FORMATS },
		{ "map", required_argument, NULL, MAP },
		{ "split", required_argument, NULL, SPLIT },
		{ "sidechains", required_argument, NULL, SIDECHAINS },
		{ "scenario", required_argument, NULL, SCENARIO },
		{ "agent", required_argument, NULL, AGENT },
		{ "results", required_argument, NULL, RESULTS },
		{ "to", required_argument, NULL, TO },
		CLI_LONG,
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .builder.trace.results = SIZE_MAX };
	struct arena rules = { 0 };
	struct map *map;
	struct out out;
	struct in in;
	int code;

	cli_start(&o.cli, argv, usage);
	while (
	    (code = getopt_long(argc, argv, CLI_SHORT "f:", longs, NULL)) != -1)
		set_option(&o, code, optarg);
	map = open_map(&o, &rules);
	confine(&o.cli.output, 1);
	cli_open(&o.cli, &in, &out, argv + optind);
	o.builder.out = &out;
	extract(&in, &o.builder, o.format, o.cli.strict);
	in_close(&in);
	map_close(map);
	arena_free(&rules);
	return out_close(&out) ? diag_status(0) : 2;
}
