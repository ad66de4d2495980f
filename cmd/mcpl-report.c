/* Summarises checked runs, and is the gate: see mcpl-report(1). */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../lib/cli.h"
#include "../lib/diag.h"
#include "../lib/report.h"
#include "../lib/trace.h"
#include "../lib/values.h"

enum {
	FINDINGS = 100,
	WIDTH = 80,
};

enum {
	OPT_LIST_FORMATS = CLI_OWN,
	OPT_FAIL_ON,
	OPT_FAIL_UNDER,
	OPT_MAX_FAILURES,
};

static const char usage[] =
    "usage: mcpl-report [-hqV] [-f FORMAT] [-o FILE] [--fail-on LIST]\n"
    "                   [--fail-under RATE] [--max-failures N] [FILE...]\n"
    "\n"
    "Summarises the runs that mcpl-check and mcpl-judge wrote, and exits with "
    "1\n"
    "if they are not good enough.\n"
    "\n"
    "  -f, --format FORMAT  text (default), json, markdown, junit, lines\n"
    "      --list-formats   names the formats and stops\n"
    "      --fail-on LIST   exit 1 if a run has one of these statuses: "
    "failed,\n"
    "                       error, pending (these by default), skipped,\n"
    "                       unchecked; or none\n"
    "      --fail-under RATE\n"
    "                       in place of failed: exit 1 if the pass rate is\n"
    "                       below RATE, 0.9 or 90%\n"
    "      --max-failures N\n"
    "                       show N different failures (100), or all\n"
    "      --strict         stop at the first line that is no JSON\n"
    "      --color auto|always|never\n"
    "      --errors FILE    messages also as JSON, one a line\n"
    "      --line-buffered, --seq, --max-line SIZE\n"
    "  -o, --output FILE    write to FILE, which appears when it is whole\n"
    "  -q, --quiet          no warnings\n"
    "  -h, --help           this text\n"
    "  -V, --version        the version\n";

struct options {
	struct cli cli;
	const struct report *report;
	struct gate gate;
	size_t max_findings;
};

static const struct option long_options[] = {
	CLI_LONG,
	{ "format", required_argument, NULL, 'f' },
	{ "list-formats", no_argument, NULL, OPT_LIST_FORMATS },
	{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
	{ "fail-under", required_argument, NULL, OPT_FAIL_UNDER },
	{ "max-failures", required_argument, NULL, OPT_MAX_FAILURES },
	{ 0 },
};

static _Noreturn void
list_formats(void)
{
	struct out o;

	out_open(&o, NULL, false);
	for (const struct report *const *r = report_table; *r != NULL; r++)
		out_printf(&o, "%-16s %s\n", (*r)->name, (*r)->what);
	exit(out_close(&o) ? 0 : 2);
}

static void
set_option(struct options *o, int code, const char *argument)
{
	struct str bad;

	switch (code) {
	case 'f':
		o->report = report_named(argument);
		if (o->report == NULL)
			cli_usage(&o->cli,
			    "--format: no such format: '%s' (see "
			    "--list-formats)",
			    argument);
		break;
	case OPT_LIST_FORMATS:
		list_formats();
	case OPT_FAIL_ON:
		if (!gate_fail_on(&o->gate, str_of(argument), &bad))
			cli_usage(&o->cli,
			    "--fail-on: expected failed, error, pending, "
			    "skipped or unchecked, found '%.*s'",
			    STR_FMT(bad));
		break;
	case OPT_FAIL_UNDER:
		if (!gate_fail_under(&o->gate, argument))
			cli_usage(&o->cli,
			    "--fail-under: expected a rate such as 0.9 or "
			    "90%%, "
			    "found '%s'",
			    argument);
		break;
	case OPT_MAX_FAILURES:
		o->max_findings = strcmp(argument, "all") == 0
		    ? SIZE_MAX
		    : cli_number(&o->cli, "--max-failures", argument, 0);
		break;
	default:
		cli_option(&o->cli, code, argument);
	}
}

static struct options
read_options(int argc, char **argv)
{
	struct options o = { .report = &report_text,
		.gate = gate_default(),
		.max_findings = FINDINGS };
	int code;

	cli_start(&o.cli, argv, usage);
	while ((code = getopt_long(
		    argc, argv, CLI_SHORT "f:", long_options, NULL)) != -1)
		set_option(&o, code, optarg);
	return o;
}

/* How many cells a line may take: what COLUMNS says, or the terminal. */
static size_t
line_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	long n = columns == NULL ? 0 : strtol(columns, NULL, 10);
	struct winsize size;

	if (n <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	return n > 0 ? (size_t)n : WIDTH;
}

/* What reading needs at hand. */
struct reading {
	const struct report *report;
	struct report_job *job;
	struct tally *tally;
	struct arena moment; /* reset with each record */
};

static void
add_record(struct reading *r, const struct json *record, struct place at)
{
	struct result run;
	struct str why;

	arena_reset(&r->moment);
	if (!trace_is(record)) {
		if (json_str_is(json_get(record, STR("type")), STR("trace")))
			diag_error(at, "v: expected version 1 of a trace");
		else
			r->tally->other++;
		return;
	}
	if (!result_read(&run, record, &r->moment, &why)) {
		diag_error(at, "%.*s", STR_FMT(why));
		return;
	}
	tally_add(r->tally, &run, &r->moment);
	if (r->report->run != NULL)
		r->report->run(r->job, &run, &r->moment);
}

static void
read_records(struct reading *r, struct in *in, bool strict)
{
	const struct json *record;
	struct values values;

	values_open(&values, in, strict);
	while ((record = values_next(&values)) != NULL) {
		add_record(r, record, values.at);
		if (strict && diag_errors() != 0)
			break;
	}
	values_close(&values);
	arena_free(&r->moment);
	if (r->tally->other != 0)
		diag_warn((struct place){ 0 }, "%zu of the input's values %s",
		    r->tally->other,
		    r->tally->other == 1 ? "is no trace" : "are no traces");
	tally_finish(r->tally);
	spool_end(r->job->spool);
}

int
main(int argc, char *argv[])
{
	struct options o = read_options(argc, argv);
	struct arena arena = { 0 };
	struct spool spool;
	struct tally tally;
	struct report_job job = { .arena = &arena,
		.spool = &spool,
		.tally = &tally,
		.gate = &o.gate };
	struct reading reading = { o.report, &job, &tally, { 0 } };
	struct out out;
	struct in in;

	cli_open(&o.cli, &in, &out, argv + optind);
	out.seq = o.cli.seq && o.report == &report_json;
	spool_start(&spool, SPOOL_LIMIT);
	tally_start(&tally, o.max_findings);
	read_records(&reading, &in, o.cli.strict);
	in_close(&in);

	job.out = &out;
	job.width = line_width(out.file.fd);
	job.color = cli_color(&o.cli, out.file.fd);
	job.verdict = gate_decide(&o.gate, &tally.total, diag_errors(), &arena);
	o.report->end(&job);
	spool_free(&spool);
	tally_free(&tally);
	arena_free(&arena);
	return out_close(&out) ? diag_status(job.verdict.status) : 2;
}
