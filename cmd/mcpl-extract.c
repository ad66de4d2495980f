/* mcpl-extract: agent logs to traces. See mcpl-extract(1). */
#include "base/diag.h"
#include "cmd/cli.h"
#include "cmd/extract_draft.h"
#include "cmd/extract_groups.h"
#include "cmd/extract_logs.h"
#include "cmd/extract_progress.h"
#include "cmd/extract_specs.h"
#include "cmd/progress_line.h"
#include "extract/export/export.h"
#include "extract/extract.h"
#include "extract/format/list_rows.h"
#include "extract/map/formats.h"
#include "io/confine.h"
#include "io/database.h"
#include "io/follow.h"
#include "io/interrupt.h"
#include "trace/prices.h"
#include "trace/seal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: mcpl-extract [OPTION...] [FILE...]\n"
    "\n"
    "Reads logs of agent runs, and writes a trace for each run: one JSON "
    "object a\n"
    "line. A folder is searched for logs; without FILE, or where FILE is -, "
    "reads\n"
    "standard input. The format of each log is detected.\n"
    "\n"
    "Which logs and runs:\n"
    "      --logs               list the logs of the agents on this machine\n"
    "      --mine               read these logs (=PROGRAM,... only those of "
    "programs)\n"
    "  -f, --format FORMAT      read every file as this format "
    "(--list-formats)\n"
    "      --map FILE           read logs of a format of your own "
    "(mcpl-map(5))\n"
    "      --map-draft FILE     write a first map for the log FILE\n"
    "      --since TIME         only runs active at TIME or later: 7d, 12h, a "
    "date\n"
    "      --follow             wait for more data in FILE, until interrupted\n"
    "\n"
    "What is written:\n"
    "      --results none       leave out the results of tools (or a number of "
    "bytes)\n"
    "      --split prompt       a trace for each prompt, not for each session\n"
    "      --scenario ID, --agent NAME\n"
    "                           name the scenario and the agent of every run\n"
    "  -o, --output FILE        write to FILE, created or replaced at the end\n"
    "\n"
    "Examples:\n"
    "  mcpl-extract --mine --since 7d | mcpl-report\n"
    "  mcpl-extract session.jsonl | jq -r '.tool_sequence[]' | sort | uniq -c\n"
    "  mcpl-extract session.jsonl | mcpl-check -s evals.json | mcpl-report\n"
    "\n"
    "Exit status: 0 done; 2 some input was bad, or there was other trouble.\n"
    "--help-all lists all options; the manual is mcpl-extract(1).\n";

static const char usage[] =
    "usage: mcpl-extract [-f FORMAT] [OPTION...] [FILE...]\n"
    "       mcpl-extract --follow [OPTION...] FILE\n"
    "\n"
    "Reads logs of agent runs and writes a trace for each run, one JSON\n"
    "object a line. Without FILE, or where FILE is -, reads standard input;\n"
    "if FILE is a folder, reads the logs in the folder.\n"
    "The format of each file is detected from its first records.\n"
    "\n"
    "      --logs               list the logs of the agents on this machine "
    "and\n"
    "                           exit; =json: as JSON\n"
    "      --mine               read these logs; =PROGRAM,...: those of "
    "programs\n"
    "      --groups             list the files, those of one run on a line\n"
    "  -f, --format FORMAT      read every file as this format\n"
    "      --list-formats       list the formats and exit; =rows: what each "
    "reads\n"
    "  -v, --verbose            say why each file is read as its format\n"
    "      --map FILE           read every file by the rules in FILE\n"
    "      --map-draft FILE     write a first map for the log FILE, from the\n"
    "                           shapes of its records, and exit\n"
    "      --split session|prompt\n"
    "                           what becomes one record (default session)\n"
    "      --sidechains nest|separate|drop\n"
    "                           how to write sub-agents (default nest)\n"
    "      --scenario ID        set scenario_id\n"
    "      --agent NAME         set agent\n"
    "      --carries-nothing KIND\n"
    "                           records of this kind, which the format does\n"
    "                           not know, hold no call and no text\n"
    "      --results full|none|BYTES\n"
    "                           how much to keep of each tool result\n"
    "                           (default full)\n"
    "      --system full|none   whether to keep the system prompt (default "
    "full)\n"
    "      --to atif|openai|anthropic|mcplab|otlp|calls|text\n"
    "                           write runs in this format instead of traces:\n"
    "                           calls is a line a call, text a transcript;\n"
    "                           FILE may hold traces\n"
    "      --prices FILE        estimate the cost of runs without a cost by\n"
    "                           the prices of models in FILE, JSON or YAML\n"
    "      --since TIME         only runs active at TIME or later: a date,\n"
    "                           2026-03-01T10:00:00Z, or 30m, 12h, 7d ago\n"
    "      --until TIME         only runs that began before TIME\n"
    "      --follow             wait for more data in FILE, until interrupted\n"
    "      --idle SECONDS       with --follow: end a run after SECONDS with\n"
    "                           no new data (default 30)\n"
    "      --hook               standard input is the input of an agent's "
    "hook:\n"
    "                           read the transcript that it names, and add "
    "the\n"
    "                           call that the agent asks about\n"
    "      --max-memory SIZE    memory for the places of spans (default 256m)\n"
    "\n" CLI_HELP_JOBS CLI_HELP;

enum {
	LIST_FORMATS = CLI_OWN,
	MAP,
	MAP_DRAFT,
	SPLIT,
	SIDECHAINS,
	SCENARIO,
	AGENT,
	CARRIES_NOTHING,
	MAX_MEMORY,
	RESULTS,
	SYSTEM,
	TO,
	PRICES,
	SINCE,
	UNTIL,
	FOLLOW,
	IDLE,
	HOOK,
	LOGS,
	MINE,
	GROUPS,
};

enum { IDLE_SECONDS = 30 };

struct options {
	struct cli cli;
	struct builder_options builder;
	const struct log_format *format;
	const char *name; /* of the format; NULL: not given */
	const char *map;  /* file of rules */
	char *draft;      /* the log for which a map is to be written */
	struct extract_logs logs;
	struct time_range period;
	const char **silent; /* kinds of records that carry nothing */
	size_t n_silent;
	bool follow, verbose, hook, groups;
	double idle;        /* seconds; 0: not given */
	struct arena arena; /* owns the prices */
};

/* Returns the index of the argument in the words (a NULL-terminated list). */
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

/* All formats, for set_format and --list-formats. */
static struct map_formats formats;

static const char *
describe(size_t i, const char **what)
{
	if (i == formats.n)
		return NULL;
	*what = formats.table[i]->what;
	return formats.table[i]->name;
}

static void
set_format(struct options *o)
{
	o->format = map_formats_named(&formats, o->name);
	if (o->format == NULL)
		cli_unknown(&o->cli, "format", o->name, describe);
}

static void
list_formats(const struct cli *cli, const char *how)
{
	struct out out;

	map_formats_open(&formats);
	if (how == NULL)
		cli_list(describe);
	if (strcmp(how, "rows") != 0)
		cli_usage(
		    cli, "--list-formats: expected rows, found '%s'", how);
	out_open(&out, NULL, false);
	for (size_t i = 0; i < formats.n; i++)
		log_list_rows(&out, formats.table[i]);
	exit(out_close(&out) ? diag_status(0) : 2);
}

static int64_t
moment(const struct cli *cli, const char *option, const char *argument)
{
	int64_t ms;

	if (!time_range_moment(str_of(argument), &ms))
		cli_usage(cli,
		    "%s: expected a date, a time such as "
		    "2026-03-01T10:00:00Z, or 30m, 12h, 7d, found '%s'",
		    option, argument);
	return ms;
}

static void
set_prices(struct options *o, const char *file)
{
	if (!prices_option(&o->arena, file, &o->builder.trace.prices))
		exit(diag_trouble());
}

static void
set_period(struct options *o, int code, const char *argument)
{
	if (code == SINCE)
		o->period.since = moment(&o->cli, "--since", argument);
	else
		o->period.until = moment(&o->cli, "--until", argument);
}

/* Sets an option of the traces that are written, or of all commands. */
static void
set_trace_option(struct options *o, int code, const char *argument)
{
	static const char *const amounts[] = { "full", "none", NULL };

	switch (code) {
	case SCENARIO:
		o->builder.trace.scenario = argument;
		break;
	case AGENT:
		o->builder.trace.agent = argument;
		break;
	case RESULTS:
		o->builder.trace.results = results(&o->cli, argument);
		break;
	case SYSTEM:
		o->builder.trace.no_system =
		    word(&o->cli, "--system", argument, amounts) == 1;
		break;
	case TO:
		o->builder.trace.to = export_named(export_names[word(
		    &o->cli, "--to", argument, export_names)]);
		o->builder.trace.write = export_write;
		break;
	case PRICES:
		set_prices(o, argument);
		break;
	default:
		cli_option(&o->cli, code, argument);
	}
}

static void
set_option(struct options *o, int code, const char *argument)
{
	static const char *const units[] = { "session", "prompt", NULL };
	static const char *const hows[] = { "nest", "separate", "drop", NULL };

	switch (code) {
	case 'f':
		o->name = argument;
		break;
	case LIST_FORMATS:
		list_formats(&o->cli, optarg);
		break;
	case 'v':
		o->verbose = true;
		break;
	case MAP:
		o->map = argument;
		break;
	case MAP_DRAFT:
		o->draft = optarg;
		break;
	case SPLIT:
		o->builder.split =
		    word(&o->cli, "--split", argument, units) == 1;
		break;
	case SIDECHAINS:
		o->builder.sidechains = (enum sidechains)word(
		    &o->cli, "--sidechains", argument, hows);
		break;
	case CARRIES_NOTHING:
		*arena_push(&o->arena, o->silent, o->n_silent) = argument;
		break;
	case MAX_MEMORY:
		o->builder.max_memory =
		    cli_size(&o->cli, "--max-memory", argument);
		break;
	case SINCE:
	case UNTIL:
		set_period(o, code, argument);
		break;
	case FOLLOW:
		o->follow = true;
		break;
	case IDLE:
		o->idle = (double)cli_number(&o->cli, "--idle", argument, 1);
		break;
	case HOOK:
		o->hook = true;
		break;
	case GROUPS:
		o->groups = true;
		break;
	case LOGS:
	case MINE:
		extract_logs_set(&o->logs, &o->cli, code == MINE, argument);
		break;
	default:
		set_trace_option(o, code, argument);
	}
}

/* Reads the rules that --map names, which take the place of a format. Without
 * them, reads all formats. */
static struct map *
open_formats(struct options *o, struct arena *a)
{
	struct map *m;

	if (o->map == NULL) {
		map_formats_open(&formats);
		if (o->name != NULL)
			set_format(o);
		return NULL;
	}
	if (o->name != NULL)
		cli_usage(&o->cli, "--map and --format exclude each other");
	m = map_read(a, o->map);
	if (m == NULL)
		exit(diag_trouble());
	o->format = map_format(m);
	return m;
}

/* Only one file that is not a pipe can be followed; the file need not exist
 * yet. */
static void
check_follow(struct options *o, char **files)
{
	struct stat st;

	if (o->idle != 0 && !o->follow)
		cli_usage(&o->cli, "--idle needs --follow");
	if (!o->follow)
		return;
	if (files[0] == NULL || files[1] != NULL ||
	    strcmp(files[0], "-") == 0 ||
	    (stat(files[0], &st) == 0 && !S_ISREG(st.st_mode)))
		cli_usage(&o->cli, "--follow: expected one FILE");
	if (database_is_at(files[0]))
		cli_usage(&o->cli,
		    "--follow: expected a log, found a database, which is not "
		    "followed: read it again");
	if (o->idle == 0)
		o->idle = IDLE_SECONDS;
}

static struct extract_job
extract_job(const struct options *o, const struct log_search *walk)
{
	return (struct extract_job){
		.options = &o->builder,
		.format = o->format,
		.formats = &formats.index,
		.walk = walk,
		.max_line = o->cli.max_line,
		.strict = o->cli.strict,
		.verbose = o->verbose,
		.dialect_of = extract_specs_dialect,
	};
}

/* Reads the file from its start whenever it has changed. Runs that have
 * continued are written again, other runs are not. */
static void
follow(struct options *o, struct in *in, char **files)
{
	struct arena lasting = { 0 };
	struct hash_table once = { .arena = &lasting };
	struct extract_job job = extract_job(o, NULL);
	struct follow f = { 0 };
	bool go_on;

	o->builder.once = &once;
	in->patience = o->idle;
	interrupt_watch();
	for (go_on = follow_begin(&f, files[0]); go_on;
	     go_on = follow_again(&f, files[0])) {
		extract(in, &job, 1);
		if (in->refused)
			break;
		out_flush(o->builder.out);
		in_close(in);
		in_again(in, files);
	}
	in_close(in);
	o->builder.once = NULL;
	arena_free(&lasting);
}

/* Returns the number of threads. */
static size_t
threads(const struct options *o, char **files)
{
	const struct export *to = o->builder.trace.to;

	return (to != NULL && to->in_order) || o->builder.trace.prices != NULL
	    ? 1
	    : cli_jobs(&o->cli, files);
}

/* Reads the files, and the files in folders among them, and seals the traces. */
static void
read_all(struct options *o, struct in *in, char **files)
{
	struct arena a = { 0 };
	struct log_search walk = { .arena = &a, .since = o->period.since };
	bool logs = o->format != NULL || o->cli.strict ||
	    extract_specs_leave_out(files);
	char **all = o->logs.mine ? extract_logs_mine(&o->logs, &walk)
				  : find_logs(&walk, files);
	struct extract_job job = extract_job(o, &walk);
	size_t written = 0;

	if (progress_line_wanted(o->builder.out->file.fd))
		job.show = extract_progress_show;
	in->files = all;
	find_logs_warn_empty(files);
	if (o->logs.mine)
		in->standard_input = false;
	if (!logs)
		in->standard_input = false;
	else if (o->groups && *all != NULL)
		extract_groups(&job, all, o->builder.out);
	else if (*all != NULL || (*files == NULL && !o->logs.mine))
		written = extract(in, &job, threads(o, all));
	else
		extract_logs_warn_none(&o->logs, &walk, *files);
	in_close(in);
	arena_free(&a);
	if (o->cli.seal != CLI_UNSEALED && o->builder.trace.to == NULL &&
	    !o->groups)
		seal_write(o->builder.out, o->cli.prog, written);
}

/* Reads the transcript that the input of a hook names. */
static void
read_hook(struct options *o, struct in *in)
{
	struct extract_job job = extract_job(o, NULL);

	extract_hook(in, &job);
}

/* Completes the options of the builder, which writes to `out`. */
static void
set_builder(struct options *o, struct out *out)
{
	const struct export *to = o->builder.trace.to;

	o->builder.out = out;
	o->builder.trace.color = cli_color(&o->cli, out->file.fd);
	if (to != NULL && to->for_people)
		out->seq = false;
	o->builder.period = &o->period;
	*arena_push(&o->arena, o->silent, o->n_silent) = NULL;
	o->builder.carry_nothing = o->silent;
}

static void
read_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "list-formats", optional_argument, NULL, LIST_FORMATS },
		{ "verbose", no_argument, NULL, 'v' },
		{ "map", required_argument, NULL, MAP },
		{ "map-draft", required_argument, NULL, MAP_DRAFT },
		{ "split", required_argument, NULL, SPLIT },
		{ "sidechains", required_argument, NULL, SIDECHAINS },
		{ "scenario", required_argument, NULL, SCENARIO },
		{ "agent", required_argument, NULL, AGENT },
		{ "carries-nothing", required_argument, NULL, CARRIES_NOTHING },
		{ "max-memory", required_argument, NULL, MAX_MEMORY },
		{ "results", required_argument, NULL, RESULTS },
		{ "system", required_argument, NULL, SYSTEM },
		{ "to", required_argument, NULL, TO },
		{ "prices", required_argument, NULL, PRICES },
		{ "since", required_argument, NULL, SINCE },
		{ "until", required_argument, NULL, UNTIL },
		{ "follow", no_argument, NULL, FOLLOW },
		{ "idle", required_argument, NULL, IDLE },
		{ "hook", no_argument, NULL, HOOK },
		{ "logs", optional_argument, NULL, LOGS },
		{ "groups", no_argument, NULL, GROUPS },
		{ "mine", optional_argument, NULL, MINE },
		CLI_LONG_JOBS,
		CLI_LONG,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	cli_asks(argv, "--hook");
	cli_start(&o->cli, argv, help, usage);
	if (argc == 1 && isatty(STDIN_FILENO) == 1)
		extract_logs_screen(&o->cli);
	cli_need_argument(&o->cli, argv,
	    "mcpl-extract --since 7d ~/.claude/projects | mcpl-report");
	while ((code = cli_getopt(&o->cli, argc, argv,
		    CLI_SHORT CLI_SHORT_JOBS "f:v", longs)) != -1)
		set_option(o, code, optarg);
}

int
main(int argc, char **argv)
{
	struct options o = { .builder.trace.results = SIZE_MAX,
		.period = TIME_RANGE_ALWAYS };
	struct arena rules = { 0 };
	struct map *map;
	struct out out;
	struct in in;

	read_options(&o, argc, argv);
	if (o.draft != NULL && argv[optind] != NULL)
		cli_usage(&o.cli, "--map-draft: expected no other FILE");
	if (o.draft != NULL)
		return extract_draft(&o.cli, o.draft);
	extract_logs_check(&o.logs, &o.cli, argv + optind, o.period.since);
	check_follow(&o, argv + optind);
	if (o.groups && argv[optind] == NULL && !o.logs.mine)
		cli_usage(&o.cli, "--groups: expected a FILE or --mine");
	if (o.hook &&
	    (argv[optind] != NULL || o.follow || o.logs.mine ||
		o.builder.split))
		cli_usage(&o.cli,
		    "--hook: expected no FILE, --follow, --mine or --split");
	map = open_formats(&o, &rules);
	confine(&o.cli.output, 1);
	/* With --mine, read_all finds the files. */
	cli_open(&o.cli, &in, &out, o.logs.mine ? argv : argv + optind);
	set_builder(&o, &out);
	if (o.hook)
		read_hook(&o, &in);
	else if (o.follow)
		follow(&o, &in, argv + optind);
	else
		read_all(&o, &in, argv + optind);
	map_close(map);
	map_formats_close(&formats);
	arena_free(&rules);
	arena_free(&o.arena);
	return out_close(&out) ? diag_status(0) : diag_trouble();
}
