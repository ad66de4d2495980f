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
    "usage: mcpl-report [-f FORMAT] [OPTION...] [FILE...]\n"
    "\n"
    "Summarises the runs that mcpl-check and mcpl-judge wrote. Exits with 1\n"
    "if one failed, ended in an error or is pending. Of traces that were not\n"
    "checked it tells the usage. Without FILE, or where FILE is -, reads\n"
    "standard input.\n"
    "\n"
    "  -f, --format FORMAT      how to print it (default text)\n"
    "      --list-formats       name the formats and stop\n"
    "      --fail-on LIST       exit with 1 if a run has a status of LIST: of\n"
    "                           failed, error, pending (these by default),\n"
    "                           skipped, unchecked; or none\n"
    "      --fail-under RATE    in place of failed: exit with 1 if the pass\n"
    "                           rate is below RATE, 0.9 or 90%\n"
    "      --max-failures N     tell of N different failures (100), or all\n"
    "\n" CLI_HELP;

struct options {
	struct cli cli;
	const struct report *report;
	struct gate gate;
	struct tally_plan plan;
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
			    "--format: no format '%s' (see "
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
			    "--fail-under: expected a rate such as "
			    "0.9 or 90%%, found '%s'",
			    argument);
		break;
	case OPT_MAX_FAILURES:
		o->plan.max_findings = strcmp(argument, "all") == 0
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
		.plan = tally_plan_default() };
	int code;

	o.plan.max_findings = FINDINGS;
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

/* A trace of a version that is not known is told; what is no trace at all may
 * stand among the records. */
static void
pass_over(struct reading *r, const struct json *value, struct place at)
{
	const struct json *v = json_get(value, STR("v"));

	if (json_str_is(json_get(value, STR("type")), STR("trace")))
		diag_error(at, "v: expected 1, found %.*s",
		    STR_FMT(json_is(v, JSON_NUMBER)
			    ? v->text
			    : str_of(json_type_name(v))));
	else
		r->tally->other++;
}

static void
add_record(struct reading *r, const struct json *record, struct place at)
{
	struct result run;
	struct trace trace;
	struct str why;

	arena_reset(&r->moment);
	if (!trace_read(&trace, record)) {
		pass_over(r, record, at);
	} else if (!result_read(&run, &trace, &r->moment, &why)) {
		diag_error(at, "%.*s", STR_FMT(why));
	} else {
		tally_add(r->tally, &run, &r->moment);
		if (r->report->run != NULL)
			r->report->run(r->job, &run, &r->moment);
	}
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
	tally_start(&tally, &o.plan);
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
