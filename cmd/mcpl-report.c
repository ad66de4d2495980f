/* Summarises checked runs and sets the exit status: see mcpl-report(1). */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cmd/cli.h"
#include "cmd/report_files.h"
#include "io/confine.h"
#include "redact/rules.h"
#include "report/report.h"

enum {
	OPT_LIST_FORMATS = CLI_OWN,
	OPT_FAIL_ON,
	OPT_FAIL_UNDER,
	OPT_FAIL_UNDER_CI,
	OPT_SEVERITY,
	OPT_BY,
	OPT_TIMEZONE,
	OPT_FILTER,
	OPT_K,
	OPT_BASELINE,
	OPT_HISTORY,
	OPT_ALPHA,
	OPT_MARGIN,
	OPT_SNAPSHOT,
	OPT_SNAPSHOT_WRITE,
	OPT_DETAILS,
	OPT_GITHUB_SUMMARY,
	OPT_PARTIAL,
	OPT_PART,
	OPT_PARTS,
	OPT_EXPECT_RUNS,
	OPT_CSV_RAW,
	OPT_MAX_FAILURES,
	OPT_PRICES,
	OPT_REDACT,
	OPT_WHY,
};

static const char help[] =
    "usage: mcpl-report [-f FORMAT] [OPTION...] [FILE...]\n"
    "\n"
    "Summarises runs, and sets the exit status by their verdicts. Without "
    "FILE, or\n"
    "where FILE is -, reads standard input.\n"
    "\n"
    "The report:\n"
    "  -f, --format FORMAT      text, lines, markdown, html, json, junit, "
    "sarif, ...\n"
    "                           (--list-formats)\n"
    "      --details            also tools, percentiles and each assertion\n"
    "      --by LIST            a row for each scenario_id, agent, model, ...\n"
    "                           or for each day, week, project, program\n"
    "      --filter LIST        only runs with these statuses\n"
    "      --baseline FILE      also what changed since the runs in FILE\n"
    "      --history FILE       also the trend since these earlier runs\n"
    "  -o, --output FILE        write to FILE at the end (-f html: or DIR/)\n"
    "\n"
    "The gate:\n"
    "      --fail-on LIST       exit with 1 for these statuses (default\n"
    "                           failed,error,pending), or for none\n"
    "      --fail-under RATE    exit with 1 if the pass rate is below RATE, "
    "90%\n"
    "      --severity error     count only checks of this severity or worse\n"
    "\n"
    "Examples:\n"
    "  mcpl-extract --since 7d ~/.claude/projects | mcpl-report\n"
    "  mcpl-check -s evals.json runs | mcpl-report -f lines\n"
    "  mcpl-report --baseline main.jsonl --fail-on failed,regression -f "
    "markdown runs\n"
    "\n"
    "Exit status: 0 the runs pass; 1 they do not; 2 trouble, no run, or "
    "nothing\n"
    "decided. Traces without a status are reported and end with 0.\n"
    "--help-all lists all options; the manual is mcpl-report(1).\n";

static const char usage[] =
    "usage: mcpl-report [-f FORMAT] [OPTION...] [FILE...]\n"
    "\n"
    "Summarises the runs that mcpl-check and mcpl-judge wrote. Exits with 1\n"
    "if a run failed, ended in an error or is pending. For traces that\n"
    "were not checked, reports only what they used. Without FILE, or if FILE\n"
    "is -, reads standard input.\n"
    "\n"
    "  -f, --format FORMAT      format of the report (default text)\n"
    "      --list-formats       list the formats and exit\n"
    "      --details            also report tools, sequences, values,\n"
    "                           percentiles and each assertion\n"
    "      --by LIST            a row for each combination of these members "
    "of\n"
    "                           the records (scenario_id,agent,model); or\n"
    "                           the usage of each day, week, month, project\n"
    "                           (folder), program (that wrote the log)\n"
    "      --timezone ZONE      of the days: Europe/Berlin, UTC, +02:00\n"
    "                           (default: the system's)\n"
    "      --filter LIST        read only the runs with these statuses\n"
    "      --k LIST             estimate pass@k and pass^k for each of these\n"
    "                           numbers (1,3,5)\n"
    "      --baseline BASELINE  report what changed since these records, or\n"
    "                           since MCPLab's results.json\n"
    "      --history FILE       report trends and changes over these earlier\n"
    "                           runs and the present ones; may be repeated\n"
    "      --alpha P            the probability that chance alone makes a "
    "drop\n"
    "                           a regression (0.05); 1: any drop is one\n"
    "      --margin RATE        by how much amounts and tools must differ "
    "from\n"
    "                           the baseline to count (default 20%)\n"
    "      --why                report which rules failed runs break and "
    "passed\n"
    "                           runs keep; --why=model contrasts models,\n"
    "                           --why=baseline the runs and the baseline's\n"
    "      --snapshot FILE      report how far the runs have drifted from "
    "this\n"
    "                           snapshot of MCPLab\n"
    "      --snapshot-write FILE\n"
    "                           write a snapshot of the runs, if all passed\n"
    "      --fail-on LIST       exit with 1 if a run has a status of LIST:\n"
    "                           failed, error, pending (the default), "
    "skipped,\n"
    "                           unchecked; or if there is a flaky task\n"
    "                           (flaky), a regression, a rise in usage, a\n"
    "                           change of tools, drift, or a drop in the\n"
    "                           --history (drop); or none\n"
    "      --fail-under RATE    in place of failed: exit with 1 if the pass\n"
    "                           rate is below RATE, 0.9 or 90%\n"
    "      --fail-under-ci RATE\n"
    "                           like --fail-under, for the lower end of the\n"
    "                           interval of the pass rate\n"
    "      --severity error|warning|note\n"
    "                           count only checks of at least this severity "
    "for\n"
    "                           --fail-on and --fail-under (note: all)\n"
    "      --github-summary     also append the Markdown report to the "
    "summary\n"
    "                           of this step of GitHub Actions\n"
    "                           (GITHUB_STEP_SUMMARY)\n"
    "      --csv-raw            leave cells unchanged that a spreadsheet\n"
    "                           interprets as formulas\n"
    "      --redact FILE        remove what the rules in FILE match from the "
    "report;\n"
    "                           'default': addresses, keys, card numbers\n"
    "      --partial            write one line of JSON instead of a report;\n"
    "                           another mcpl-report reads the line in place "
    "of\n"
    "                           these records; --partial=FILE writes FILE, "
    "and\n"
    "                           FILE.runs for formats that print each run\n"
    "      --part NAME          the partial's name, such as a task's number\n"
    "      --parts N            exit with 2 unless the input is partials of N\n"
    "                           different parts, none of them empty\n"
    "      --expect-runs N      exit with 2 unless there are N runs\n"
    "      --prices FILE        prices that estimate costs, or none\n"
    "      --max-failures N     report at most N failures (100), or all\n"
    "\n" CLI_HELP_JOBS CLI_HELP;

struct options {
	struct cli cli;
	struct report_plan plan;
	const char *compares; /* an option that needs --baseline, or NULL */
	bool zoned;           /* --timezone was given */
	bool filter[STATUS_COUNT];
	bool priced;        /* --prices was given */
	struct arena arena; /* owns the lists and the prices of the plan */
};

static const struct option long_options[] = {
	CLI_LONG,
	CLI_LONG_JOBS,
	{ "format", required_argument, NULL, 'f' },
	{ "list-formats", no_argument, NULL, OPT_LIST_FORMATS },
	{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
	{ "fail-under", required_argument, NULL, OPT_FAIL_UNDER },
	{ "fail-under-ci", required_argument, NULL, OPT_FAIL_UNDER_CI },
	{ "severity", required_argument, NULL, OPT_SEVERITY },
	{ "by", required_argument, NULL, OPT_BY },
	{ "timezone", required_argument, NULL, OPT_TIMEZONE },
	{ "filter", required_argument, NULL, OPT_FILTER },
	{ "k", required_argument, NULL, OPT_K },
	{ "baseline", required_argument, NULL, OPT_BASELINE },
	{ "history", required_argument, NULL, OPT_HISTORY },
	{ "alpha", required_argument, NULL, OPT_ALPHA },
	{ "margin", required_argument, NULL, OPT_MARGIN },
	{ "snapshot", required_argument, NULL, OPT_SNAPSHOT },
	{ "snapshot-write", required_argument, NULL, OPT_SNAPSHOT_WRITE },
	{ "csv-raw", no_argument, NULL, OPT_CSV_RAW },
	{ "partial", optional_argument, NULL, OPT_PARTIAL },
	{ "part", required_argument, NULL, OPT_PART },
	{ "parts", required_argument, NULL, OPT_PARTS },
	{ "expect-runs", required_argument, NULL, OPT_EXPECT_RUNS },
	{ "details", no_argument, NULL, OPT_DETAILS },
	{ "github-summary", no_argument, NULL, OPT_GITHUB_SUMMARY },
	{ "why", optional_argument, NULL, OPT_WHY },
	{ "redact", required_argument, NULL, OPT_REDACT },
	{ "max-failures", required_argument, NULL, OPT_MAX_FAILURES },
	{ "prices", required_argument, NULL, OPT_PRICES },
	{ 0 },
};

static void
set_fail_on(struct options *o, const char *argument)
{
	struct str bad;

	if (!gate_fail_on(&o->plan.gate, str_of(argument), &bad))
		cli_usage(&o->cli,
		    "--fail-on: expected failed, error, pending, skipped, "
		    "unchecked, flaky, regression, usage, tools, drift, "
		    "drop or "
		    "none, found '%.*s'%s",
		    STR_FMT(bad),
		    gate_cause_near(
			bad, STATUS_PASSED + 1, GATE_CAUSES, &o->arena));
}

static void
set_margin(struct options *o, const char *argument)
{
	o->compares = "--margin";
	if (!gate_margin(argument, &o->plan.margin))
		cli_usage(&o->cli,
		    "--margin: expected a number such as 0.2 or 20%%, found "
		    "'%s'",
		    argument);
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
set_alpha(struct options *o, const char *argument)
{
	o->compares = "--alpha";
	if (!gate_rate(argument, &o->plan.alpha) || o->plan.alpha == 0)
		cli_usage(&o->cli,
		    "--alpha: expected a probability above 0, such as 0.05 or "
		    "5%%, found '%s'",
		    argument);
}

static void
set_severity(struct options *o, const char *argument)
{
	if (!severity_of(str_of(argument), &o->plan.gate.severity))
		cli_usage(&o->cli,
		    "--severity: expected error, warning or note, found '%s'",
		    argument);
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
	o->plan.tally.by = (struct str_list){ by, n };
	o->plan.tally.by_default = false;
}

static void
set_timezone(struct options *o, const char *argument)
{
	o->zoned = true;
	if (!zone_read(&o->plan.zone, argument))
		cli_usage(&o->cli,
		    "--timezone: expected a zone such as Europe/Berlin, UTC or "
		    "+02:00, found '%s'",
		    argument);
}

/* Takes the system's zone, whose days --by may name. */
static void
set_local_time(struct options *o)
{
	const char *lacking;
	bool days = false;

	o->plan.zone = zone_of_system(&lacking);
	for (size_t i = 0; i < o->plan.tally.by.n; i++)
		days |= tally_key_time(o->plan.tally.by.list[i]) != NULL;
	if (days && lacking != NULL)
		cli_usage(&o->cli,
		    "TZ: no time zone '%s' in the system's database; see "
		    "--timezone",
		    lacking);
}

static void
set_filter(struct options *o, const char *argument)
{
	struct str rest = str_of(argument);

	o->plan.filter = o->filter;
	while (rest.s != NULL) {
		struct str name = str_trim(str_cut(&rest, ','));
		enum status s;

		if (!status_of(name, &s))
			cli_usage(&o->cli,
			    "--filter: expected passed, failed, error, "
			    "pending, skipped or unchecked, found '%.*s'%s",
			    STR_FMT(name),
			    gate_cause_near(name, 0, STATUS_COUNT, &o->arena));
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
	o->plan.tally.k = k;
	o->plan.tally.n_k = n;
}

static void
set_report(struct options *o, const char *name)
{
	o->plan.format = report_format_named(name);
	if (o->plan.format == NULL)
		cli_unknown(&o->cli, "format", name, report_row);
}

static void
set_step_summary(struct options *o)
{
	o->plan.step_summary = getenv("GITHUB_STEP_SUMMARY");
	if (o->plan.step_summary == NULL || *o->plan.step_summary == '\0')
		diag_die("--github-summary: GITHUB_STEP_SUMMARY is not set: "
			 "this is not a step of GitHub Actions");
}

static void
set_gate(struct options *o, int code, const char *argument)
{
	switch (code) {
	case OPT_FAIL_ON:
		set_fail_on(o, argument);
		break;
	case OPT_FAIL_UNDER:
		o->plan.gate.fail_under = rate_of(o, "--fail-under", argument);
		break;
	case OPT_FAIL_UNDER_CI:
		o->plan.gate.fail_under_ci =
		    rate_of(o, "--fail-under-ci", argument);
		break;
	case OPT_SEVERITY:
		set_severity(o, argument);
		break;
	case OPT_MARGIN:
		set_margin(o, argument);
		break;
	default:
		set_alpha(o, argument);
	}
}

static bool
is_stdout(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

/* argument: the file of the partial, beside which its runs are kept, or NULL. */
static void
set_partial(struct options *o, char *argument)
{
	o->plan.partial = true;
	if (argument == NULL)
		return;
	if (is_stdout(argument) || *argument == '\0')
		cli_usage(&o->cli, "--partial: expected a file, found '%s'",
		    argument);
	o->plan.partial_file = argument;
}

/* Obeys an option about what is compared and shown, or one of all commands. */
static void
set_output(struct options *o, int code, char *argument)
{
	switch (code) {
	case OPT_BASELINE:
		if (o->plan.baseline != NULL)
			diag_warn((struct place){ 0 },
			    "--baseline: only the last counts (--history)");
		o->plan.baseline = argument;
		break;
	case OPT_HISTORY:
		*arena_push(&o->arena, o->plan.history, o->plan.n_history) =
		    argument;
		break;
	case OPT_SNAPSHOT:
		o->plan.snapshot = argument;
		break;
	case OPT_SNAPSHOT_WRITE:
		o->plan.snapshot_write = argument;
		break;
	case OPT_DETAILS:
		o->plan.look.details = true;
		break;
	case OPT_GITHUB_SUMMARY:
		set_step_summary(o);
		break;
	case OPT_WHY:
		o->plan.why =
		    argument == NULL ? STR(WHY_STATUS) : str_of(argument);
		break;
	case OPT_CSV_RAW:
		o->plan.look.csv_raw = true;
		break;
	case OPT_PARTIAL:
		set_partial(o, argument);
		break;
	case OPT_PART:
		o->plan.part = argument;
		break;
	case OPT_PARTS:
		o->plan.parts = cli_number(&o->cli, "--parts", argument, 1);
		break;
	case OPT_EXPECT_RUNS:
		o->plan.runs =
		    cli_number(&o->cli, "--expect-runs", argument, 0);
		break;
	default:
		cli_option(&o->cli, code, argument);
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
		cli_list(report_row);
	case OPT_FAIL_ON:
	case OPT_FAIL_UNDER:
	case OPT_FAIL_UNDER_CI:
	case OPT_SEVERITY:
	case OPT_ALPHA:
	case OPT_MARGIN:
		set_gate(o, code, argument);
		break;
	case OPT_BY:
		set_by(o, argument);
		break;
	case OPT_TIMEZONE:
		set_timezone(o, argument);
		break;
	case OPT_FILTER:
		set_filter(o, argument);
		break;
	case OPT_K:
		set_k(o, argument);
		break;
	case OPT_REDACT:
		if (!redact_file(&o->plan.redact, &o->arena, argument))
			exit(2);
		break;
	case OPT_PRICES:
		o->priced = true;
		if (!prices_option(&o->arena, argument, &o->plan.prices))
			exit(2);
		break;
	case OPT_MAX_FAILURES:
		o->plan.tally.max_failures = strcmp(argument, "all") == 0
		    ? SIZE_MAX
		    : cli_number(&o->cli, "--max-failures", argument, 0);
		break;
	default:
		set_output(o, code, argument);
	}
}

/* Exits with a message if options contradict each other. */
static void
check_options(const struct options *o)
{
	const char *snapshot = o->plan.snapshot_write;

	for (int i = GATE_REGRESSION; i <= GATE_TOOLS; i++)
		if (o->plan.gate.fail_on[i] && o->plan.baseline == NULL)
			cli_usage(&o->cli, "--fail-on: %s needs --baseline",
			    gate_cause_name(i));
	if (str_is(o->plan.why, WHY_BASELINE) && o->plan.baseline == NULL)
		cli_usage(&o->cli, "--why: baseline needs --baseline");
	if (o->compares != NULL && o->plan.baseline == NULL &&
	    o->plan.n_history == 0)
		diag_warn((struct place){ 0 },
		    "%s: ignored without --baseline or --history", o->compares);
	if (o->plan.gate.fail_on[GATE_DRIFT] && o->plan.snapshot == NULL)
		cli_usage(&o->cli, "--fail-on: drift needs --snapshot");
	if (o->plan.gate.fail_on[GATE_DROP] && o->plan.n_history == 0)
		cli_usage(&o->cli, "--fail-on: drop needs --history");
	if (o->plan.partial &&
	    (o->plan.snapshot_write != NULL || o->plan.step_summary != NULL ||
		o->plan.why.s != NULL || o->plan.n_history != 0))
		cli_usage(&o->cli,
		    "--partial: cannot be combined with --snapshot-write, "
		    "--github-summary, --history or --why");
	if (o->plan.partial_file != NULL && o->cli.output != NULL)
		cli_usage(&o->cli,
		    "--partial: cannot be combined with --output, as the "
		    "partial is written to '%s'",
		    o->plan.partial_file);
	if (o->plan.part != NULL && !o->plan.partial)
		cli_usage(&o->cli, "--part: needs --partial");
	if (snapshot != NULL && is_stdout(snapshot) && is_stdout(o->cli.output))
		cli_usage(&o->cli,
		    "--snapshot-write: the report is already written to "
		    "standard output (see --output)");
}

static void
read_options(struct options *o, int argc, char **argv)
{
	int code;

	cli_start(&o->cli, argv, help, usage);
	cli_need_argument(
	    &o->cli, argv, "mcpl-check -s SPEC traces.jsonl | mcpl-report");
	while ((code = cli_getopt(&o->cli, argc, argv,
		    CLI_SHORT CLI_SHORT_JOBS "f:", long_options)) != -1)
		set_option(o, code, optarg);
	check_options(o);
	if (o->plan.partial_file != NULL)
		o->cli.output = o->plan.partial_file;
	if (!o->zoned)
		set_local_time(o);
	if (o->plan.partial)
		o->plan.format = &report_text; /* keeps no single runs */
	if (!o->priced)
		o->plan.prices = prices_embedded(&o->arena);
	o->plan.folder = report_folder(o->plan.format, &o->cli, &o->arena);
	o->plan.strict = o->cli.strict;
	o->plan.sealed = o->cli.seal == CLI_SEALED;
	o->plan.max_line = o->cli.max_line;
}

int
main(int argc, char *argv[])
{
	const char *written[3];
	struct options o = { .plan = report_default() };
	struct report report;
	struct out out;
	struct in in;
	int status;

	read_options(&o, argc, argv);
	written[0] = o.cli.output;
	written[1] = o.plan.snapshot_write;
	written[2] = o.plan.step_summary;
	confine(written, sizeof written / sizeof *written);
	report_files(argv + optind);
	o.plan.jobs = cli_jobs(&o.cli, argv + optind);
	cli_open(&o.cli, &in, &out, argv + optind);
	out.seq =
	    o.cli.seq && (o.plan.partial || o.plan.format == &report_json);
	o.plan.look.width = cli_width(out.file.fd);
	o.plan.look.color = cli_color(&o.cli, out.file.fd);
	report_start(&report, &o.plan);
	report_read(&report, &in, &out);
	status = report_end(&report, &out);
	in_close(&in);
	redact_warn(o.plan.redact);
	redact_free(o.plan.redact);
	report_close(&out, o.plan.folder);
	arena_free(&o.arena);
	return diag_status(status);
}
