/* Summarises checked runs, and is the gate: see mcpl-report(1). */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../lib/baseline.h"
#include "../lib/cli.h"
#include "../lib/diag.h"
#include "../lib/intake.h"
#include "../lib/partial.h"
#include "../lib/report.h"

enum {
	FINDINGS = 100,
	WIDTH = 80,
};

enum {
	OPT_LIST_FORMATS = CLI_OWN,
	OPT_FAIL_ON,
	OPT_FAIL_UNDER,
	OPT_FAIL_UNDER_CI,
	OPT_BY,
	OPT_FILTER,
	OPT_K,
	OPT_BASELINE,
	OPT_ALPHA,
	OPT_SNAPSHOT,
	OPT_SNAPSHOT_WRITE,
	OPT_DETAILS,
	OPT_GITHUB_SUMMARY,
	OPT_PARTIAL,
	OPT_CSV_RAW,
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
    "      --details            tell also of tools, sequences, values,\n"
    "                           percentiles and each assertion\n"
    "      --by LIST            a row for each of these members of the record\n"
    "                           (scenario_id,agent,model)\n"
    "      --filter LIST        only the runs of these statuses\n"
    "      --k LIST             pass@k and pass^k for each of these (1,3,5)\n"
    "      --baseline BASELINE  what changed since these records, or MCPLab's\n"
    "                           results.json\n"
    "      --alpha P            a drop is a regression if its chance is at "
    "most\n"
    "                           P (1: any drop)\n"
    "      --snapshot FILE      how far the runs have drifted from this "
    "snapshot\n"
    "                           of MCPLab's\n"
    "      --snapshot-write FILE\n"
    "                           make a snapshot of the runs, if all passed\n"
    "      --fail-on LIST       exit with 1 if a run has a status of LIST: of\n"
    "                           failed, error, pending (these by default),\n"
    "                           skipped, unchecked; or if there is what is\n"
    "                           flaky, a regression, or drift; or none\n"
    "      --fail-under RATE    in place of failed: exit with 1 if the pass\n"
    "                           rate is below RATE, 0.9 or 90%\n"
    "      --fail-under-ci RATE\n"
    "                           the same of the lower end of its interval\n"
    "      --github-summary     also add the Markdown to the summary of this "
    "step\n"
    "                           of GitHub Actions (GITHUB_STEP_SUMMARY)\n"
    "      --csv-raw            leave what a spreadsheet takes for a formula\n"
    "      --partial            no report, but what other reports can read in\n"
    "                           place of these records, as one line of JSON\n"
    "      --max-failures N     tell of N different failures (100), or all\n"
    "\n" CLI_HELP;

struct options {
	struct cli cli;
	const struct report *report;
	struct gate gate;
	struct tally_plan plan;
	char *baseline;
	double alpha;
	const char *snapshot, *snapshot_write;
	bool details;
	const char *step_summary; /* the file to add to, or NULL */
	bool partial;
	bool csv_raw;
	bool filter[STATUS_COUNT]; /* the statuses that are let through, */
	bool filtered;             /* if there is a filter */
	struct arena arena;        /* what the lists of the plan live in */
};

static const struct option long_options[] = {
	CLI_LONG,
	{ "format", required_argument, NULL, 'f' },
	{ "list-formats", no_argument, NULL, OPT_LIST_FORMATS },
	{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
	{ "fail-under", required_argument, NULL, OPT_FAIL_UNDER },
	{ "fail-under-ci", required_argument, NULL, OPT_FAIL_UNDER_CI },
	{ "by", required_argument, NULL, OPT_BY },
	{ "filter", required_argument, NULL, OPT_FILTER },
	{ "k", required_argument, NULL, OPT_K },
	{ "baseline", required_argument, NULL, OPT_BASELINE },
	{ "alpha", required_argument, NULL, OPT_ALPHA },
	{ "snapshot", required_argument, NULL, OPT_SNAPSHOT },
	{ "snapshot-write", required_argument, NULL, OPT_SNAPSHOT_WRITE },
	{ "csv-raw", no_argument, NULL, OPT_CSV_RAW },
	{ "partial", no_argument, NULL, OPT_PARTIAL },
	{ "details", no_argument, NULL, OPT_DETAILS },
	{ "github-summary", no_argument, NULL, OPT_GITHUB_SUMMARY },
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
set_fail_on(struct options *o, const char *argument)
{
	struct str bad;

	if (!gate_fail_on(&o->gate, str_of(argument), &bad))
		cli_usage(&o->cli,
		    "--fail-on: expected failed, error, pending, skipped, "
		    "unchecked, flaky, regression or drift, found '%.*s'",
		    STR_FMT(bad));
}

static double
rate_of(const struct options *o, const char *option, const char *argument)
{
	double rate;

	if (!gate_rate(argument, &rate))
		cli_usage(&o->cli,
		    "%s: expected a rate such as 0.9 or 90%%, found '%s'",
		    option, argument);
	return rate;
}

static void
set_by(struct options *o, const char *argument)
{
	struct str rest = str_of(argument), *by = NULL;
	size_t n = 0;

	while (rest.s != NULL) {
		struct str name = str_trim(str_cut(&rest, ','));

		if (name.n == 0)
			cli_usage(&o->cli, "--by: a name is empty");
		if (str_is(name, "scenario"))
			name = STR("scenario_id");
		*arena_push(&o->arena, by, n) = name;
	}
	o->plan.by = (struct str_list){ by, n };
	o->plan.by_default = false;
}

static void
set_filter(struct options *o, const char *argument)
{
	struct str rest = str_of(argument);

	o->filtered = true;
	while (rest.s != NULL) {
		struct str name = str_trim(str_cut(&rest, ','));
		enum status s;

		if (!status_of(name, &s))
			cli_usage(&o->cli,
			    "--filter: expected passed, failed, error, "
			    "pending, skipped or unchecked, found '%.*s'",
			    STR_FMT(name));
		o->filter[s] = true;
	}
}

static void
set_k(struct options *o, const char *argument)
{
	struct str rest = str_of(argument);
	size_t *k = NULL, n = 0;

	while (rest.s != NULL) {
		struct str text = str_trim(str_cut(&rest, ','));

		*arena_push(&o->arena, k, n) =
		    cli_number(&o->cli, "--k", str_c(&o->arena, text), 1);
	}
	o->plan.k = k;
	o->plan.n_k = n;
}

static void
set_report(struct options *o, const char *name)
{
	o->report = report_named(name);
	if (o->report == NULL)
		cli_usage(&o->cli,
		    "--format: no format '%s' (see --list-formats)", name);
}

static void
set_step_summary(struct options *o)
{
	o->step_summary = getenv("GITHUB_STEP_SUMMARY");
	if (o->step_summary == NULL || *o->step_summary == '\0')
		cli_usage(&o->cli,
		    "--github-summary: GITHUB_STEP_SUMMARY is not set: this "
		    "is no step of GitHub Actions");
}

static void
set_gate(struct options *o, int code, const char *argument)
{
	switch (code) {
	case OPT_FAIL_ON:
		set_fail_on(o, argument);
		break;
	case OPT_FAIL_UNDER:
		o->gate.fail_under = rate_of(o, "--fail-under", argument);
		break;
	case OPT_FAIL_UNDER_CI:
		o->gate.fail_under_ci = rate_of(o, "--fail-under-ci", argument);
		break;
	default:
		o->alpha = rate_of(o, "--alpha", argument);
	}
}

static void
set_option(struct options *o, int code, char *argument)
{
	switch (code) {
	case 'f':
		set_report(o, argument);
		break;
	case OPT_LIST_FORMATS:
		list_formats();
	case OPT_FAIL_ON:
	case OPT_FAIL_UNDER:
	case OPT_FAIL_UNDER_CI:
	case OPT_ALPHA:
		set_gate(o, code, argument);
		break;
	case OPT_BY:
		set_by(o, argument);
		break;
	case OPT_FILTER:
		set_filter(o, argument);
		break;
	case OPT_K:
		set_k(o, argument);
		break;
	case OPT_BASELINE:
		o->baseline = argument;
		break;
	case OPT_SNAPSHOT:
		o->snapshot = argument;
		break;
	case OPT_SNAPSHOT_WRITE:
		o->snapshot_write = argument;
		break;
	case OPT_DETAILS:
		o->details = true;
		break;
	case OPT_GITHUB_SUMMARY:
		set_step_summary(o);
		break;
	case OPT_CSV_RAW:
		o->csv_raw = true;
		break;
	case OPT_PARTIAL:
		o->partial = true;
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
		.plan = tally_plan_default(),
		.alpha = 1 };
	int code;

	o.plan.max_findings = FINDINGS;
	cli_start(&o.cli, argv, usage);
	while ((code = getopt_long(
		    argc, argv, CLI_SHORT "f:", long_options, NULL)) != -1)
		set_option(&o, code, optarg);
	if (o.gate.fail_on[GATE_REGRESSION] && o.baseline == NULL)
		cli_usage(&o.cli, "--fail-on: regression needs --baseline");
	if (o.partial)
		o.report = &report_text; /* which needs no single runs */
	if (o.gate.fail_on[GATE_DRIFT] && o.snapshot == NULL)
		cli_usage(&o.cli, "--fail-on: drift needs --snapshot");
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

/* All that lives as long as the job. */
struct work {
	struct arena arena;
	struct spool spool;
	struct tally tally;
	struct compare compare;
	struct drift drift;
	struct report_job job;
	struct out out, summary;
	struct in in;
};

static void
begin(struct work *w, const struct options *o, char **files)
{
	if (o->step_summary != NULL)
		out_open_end(&w->summary, o->step_summary);
	cli_open(&o->cli, &w->in, &w->out, files);
	w->out.seq = o->cli.seq && (o->partial || o->report == &report_json);
	w->job = (struct report_job){ .arena = &w->arena,
		.spool = &w->spool,
		.out = &w->out,
		.tally = &w->tally,
		.gate = &o->gate,
		.width = line_width(w->out.file.fd),
		.color = cli_color(&o->cli, w->out.file.fd),
		.csv_raw = o->csv_raw,
		.details = o->details };
	spool_start(&w->spool, SPOOL_LIMIT);
	tally_start(&w->tally, &o->plan);
	if (o->baseline == NULL)
		return;
	w->job.compare = &w->compare;
	compare_start(&w->compare, o->alpha);
	baseline_read(&w->compare, o->baseline, o->cli.max_line);
}

static void
read_all(struct work *w, const struct options *o)
{
	struct intake intake = { .report = o->report,
		.job = &w->job,
		.tally = &w->tally,
		.compare = o->baseline == NULL ? NULL : &w->compare,
		.filter = o->filtered ? o->filter : NULL };

	intake_read(&intake, &w->in, o->cli.strict);
	in_close(&w->in);
}

/* Scores the runs by the snapshot. */
static void
hold_against(struct work *w, const char *path)
{
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, path, &w->arena))
		return;
	w->drift = drift_from(&snapshot, &w->tally, &w->arena);
	w->job.drift = &w->drift;
}

static void
write_snapshot(struct work *w, const char *path)
{
	const struct tally_group *total = &w->tally.total;
	struct out o;

	if (!snapshot_fits(&w->tally)) {
		diag_error((struct place){ .file = path },
		    "--snapshot-write: a snapshot is made where all runs "
		    "passed and have a scenario: %zu of %zu passed",
		    total->status[STATUS_PASSED], total->runs);
		return;
	}
	out_open(&o, path, false);
	snapshot_write(&o, &w->tally, &w->arena);
	out_close(&o);
}

static void
decide(struct work *w, const struct options *o)
{
	struct gate_facts facts = { .total = &w->tally.total };

	tally_finish(&w->tally);
	spool_end(&w->spool);
	if (o->snapshot != NULL)
		hold_against(w, o->snapshot);
	if (o->snapshot_write != NULL)
		write_snapshot(w, o->snapshot_write);
	facts.drifted = w->drift.status[DRIFT_DRIFT];

	if (o->baseline != NULL) {
		compare_finish(&w->compare, &w->tally, &w->arena);
		facts.regressions = w->compare.scenarios.regressions +
		    w->compare.assertions.regressions;
	}
	facts.errors = diag_errors();
	w->job.verdict = gate_decide(&o->gate, &facts, &w->arena);
}

/* The comment again, for people who look at the step. */
static bool
add_summary(struct work *w)
{
	w->job.out = &w->summary;
	report_markdown.end(&w->job);
	return out_close(&w->summary);
}

static void
finish(struct work *w, const struct options *o)
{
	spool_free(&w->spool);
	tally_free(&w->tally);
	if (o->baseline != NULL)
		compare_free(&w->compare);
	arena_free(&w->arena);
}

int
main(int argc, char *argv[])
{
	struct options o = read_options(argc, argv);
	struct work w = { 0 };
	bool well = true;

	begin(&w, &o, argv + optind);
	read_all(&w, &o);
	if (o.partial) {
		partial_write(&w.out, &w.tally);
	} else {
		decide(&w, &o);
		o.report->end(&w.job);
		if (o.step_summary != NULL)
			well = add_summary(&w);
	}
	finish(&w, &o);
	arena_free(&o.arena);
	well &= out_close(&w.out);
	return well ? diag_status(w.job.verdict.status) : 2;
}
