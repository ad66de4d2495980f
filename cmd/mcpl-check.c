/* mcpl-check: adds verdicts to traces. See mcpl-check(1). */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "check/dialect/apply.h"
#include "check/dialect/mcpl.h"
#include "check/dialect/spec.h"
#include "check/schema/schema.h"
#include "cmd/check_advice.h"
#include "cmd/cli.h"
#include "io/confine.h"
#include "io/sandbox.h"
#include "io/workers.h"
#include "redact/rules.h"
#include "trace/filter.h"
#include "trace/prices.h"
#include "trace/verdict.h"
#include "json/stream.h"

static const char help[] =
    "usage: mcpl-check -s SPEC... [OPTION...] [FILE...]\n"
    "       mcpl-check -r RULE... [OPTION...] [FILE...]\n"
    "       mcpl-check -n -s SPEC...\n"
    "\n"
    "Checks traces, which mcpl-extract writes, and adds the results to each "
    "trace.\n"
    "Without FILE, or where FILE is -, reads standard input.\n"
    "\n"
    "What is checked:\n"
    "  -r, --rule RULE          a rule about calls, in one line "
    "(mcpl-rules(5))\n"
    "  -s, --spec SPEC          an assertion file, or a folder of them "
    "(mcpl-spec(5))\n"
    "      --require TOOL, --forbid TOOL, --max-calls [TOOL=]N\n"
    "                           the tool was called, was not called, at most N "
    "times\n"
    "      --contains TEXT, --not-contains TEXT, --regex RE\n"
    "                           the answer\n"
    "      --scenario ID        apply this scenario to every run\n"
    "  -n, --lint               print the checks of the SPECs and exit\n"
    "      --advise[=diff]      print advice on the SPECs, or additions to "
    "them\n"
    "\n"
    "Files and commands of the run:\n"
    "  -w, --workspace DIR      the folder with the files that the run left\n"
    "      --allow-commands, --sandbox\n"
    "                           let assertion files run commands\n"
    "\n"
    "The result:\n"
    "  -e, --exit-status        exit with 1 if a run is failed or in error\n"
    "  -o, --output FILE        write to FILE, created or replaced at the end\n"
    "\n"
    "Examples:\n"
    "  mcpl-extract session.jsonl | mcpl-check -s evals.json | mcpl-report\n"
    "  mcpl-check -r 'no Bash(command ~ /rm -rf/)' runs | mcpl-report -f "
    "lines\n"
    "  mcpl-check -e -s scenarios/ runs > checked || echo \"not all is well\"\n"
    "\n"
    "Exit status: 0 done; 1 with -e, if a run is failed or in error; 2 "
    "trouble, and\n"
    "with -e, if no run was checked.\n"
    "--help-all lists all options; the manual is mcpl-check(1).\n";

static const char usage[] =
    "usage: mcpl-check -s SPEC [-s SPEC...] [OPTION...] [FILE...]\n"
    "       mcpl-check --require TOOL|--contains TEXT|... [FILE...]\n"
    "       mcpl-check -n -s SPEC [-s SPEC...]\n"
    "\n"
    "Checks traces, one JSON object per line as mcpl-extract writes them, and\n"
    "adds the results to each trace. Without FILE, or if FILE is -, reads\n"
    "standard input.\n"
    "\n"
    "  -s, --spec SPEC          an assertion file, or a folder of them\n"
    "  -r, --rule RULE          a rule for every run (mcpl-rules(5))\n"
    "  -d, --dialect DIALECT    read every SPEC as this dialect\n"
    "      --list-dialects      list the dialects and exit\n"
    "      --print-schema DIALECT\n"
    "                           print the JSON Schema of its files, or with\n"
    "                           trace that of a trace, and exit\n"
    "  -n, --lint               print the checks of the SPECs and exit\n"
    "      --advise             print advice on the SPECs and exit;\n"
    "                           --advise=diff prints additions to them; FILEs\n"
    "                           are runs that pass\n"
    "      --keep-going         use the correct checks of a faulty SPEC\n"
    "      --strict-spec        refuse a SPEC for each warning about it\n"
    "      --scenario ID        apply this scenario to every run\n"
    "      --where MEMBER=VALUE\n"
    "                           check only these runs, pass the others "
    "through\n"
    "      --append             add to the results of an earlier check\n"
    "      --redact FILE        remove what the rules in FILE match from the "
    "output;\n"
    "                           'default': e-mail addresses, keys, tokens,\n"
    "                           card numbers\n"
    "      --slim               drop the turns of runs with nothing pending\n"
    "  -w, --workspace DIR      the folder with the files that a run left; "
    "{id},\n"
    "                           {scenario_id} and {run_index} are replaced "
    "by\n"
    "                           those of the run\n"
    "      --allow-commands     let assertion files run commands\n"
    "      --sandbox            let assertion files run commands, each in "
    "a\n"
    "                           sandbox (bubblewrap)\n"
    "      --timeout SECONDS    time limit of each command (default 600)\n"
    "  -e, --exit-status        exit with 1 if a run is failed or error,\n"
    "                           with 2 if no run was checked\n"
    "      --all-scenarios      exit with 1 if a scenario has no run\n"
    "\n"
    "  Short checks, which apply to every run:\n"
    "      --require TOOL       the tool was called (* matches any text)\n"
    "      --forbid TOOL        the tool was not called\n"
    "      --forbid-call TOOL=REGEX\n"
    "                           no call of the tool has arguments that match\n"
    "      --sequence A,B,C     the tools were called in this order\n"
    "      --contains TEXT      the answer contains this text, in any case\n"
    "      --not-contains TEXT  the answer does not contain this text\n"
    "      --regex RE           the answer matches (JavaScript, in any case)\n"
    "      --jsonpath PATH[=VALUE]\n"
    "                           the answer is JSON in which PATH exists\n"
    "                           (and has this VALUE)\n"
    "      --max-calls [TOOL=]N\n"
    "                           at most N calls, of the tool or of all tools\n"
    "      --max-tokens N       at most N tokens, of input and output\n"
    "      --max-cost USD       a cost of at most USD US dollars\n"
    "      --max-seconds N      at most N seconds\n"
    "      --prices FILE        estimate the cost of runs without a cost by\n"
    "                           the prices of models in FILE, JSON or YAML\n"
    "\n" CLI_HELP_JOBS CLI_HELP;

enum {
	LIST_DIALECTS = CLI_OWN,
	KEEP_GOING,
	STRICT_SPEC,
	SCENARIO,
	WHERE,
	APPEND,
	SLIM,
	REDACT,
	PRICES,
	ALLOW_COMMANDS,
	SANDBOX,
	TIMEOUT,
	ALL_SCENARIOS,
	FORBID_CALL,
	ADVISE,
	PRINT_SCHEMA,
	SHORT, /* and the codes after it: the short checks */
};

enum { TIMEOUT_DEFAULT = 600 }; /* seconds, as evolve's */

/* The options, and what was counted. */
struct program {
	struct cli cli;
	struct arena arena;
	struct spec spec;
	const char **specs;
	size_t nspecs;
	struct rule_option {
		const char *option, *argument;
	} * rules;
	size_t nrules;
	const struct dialect *dialect;
	struct check *shorts;
	size_t nshorts;
	struct trace_filter_list where;
	const char *scenario;
	struct view_options leave;
	struct redact *redact; /* NULL: nothing is redacted */
	struct prices *prices; /* NULL: no cost is estimated */
	enum { NO_ADVICE, ADVICE_LINES, ADVICE_DIFF } advice;
	bool lint, append, slim, exit_status, all_scenarios;
	bool bad;   /* a run is failed or error */
	bool unmet; /* a scenario has no run, though each should have one */
};

/* A worker that checks: its own memory, and what it counted. */
struct checker {
	const struct program *program;
	struct apply apply;
	struct json_stream values;
	struct trace_filter_count where;
	struct json_reader priced;
	struct arena moment; /* of a record with an estimated cost */
	size_t runs, checked, unchecked, foreign;
	size_t milder; /* runs whose checks are warnings and notes alone */
	bool bad;
	struct arena arena;
	struct rule_tools *tools; /* in all: what the runs called; or NULL */
};

static void
set_dialect(struct program *p, const char *name)
{
	p->dialect = dialect_named(name);
	if (p->dialect == NULL)
		cli_unknown(&p->cli, "dialect", name, dialect_at);
	if (p->dialect->read == NULL && p->dialect->read_text == NULL)
		cli_usage(
		    &p->cli, "--dialect: no file is written in '%s'", name);
}

static void
add_where(struct program *p, const char *argument)
{
	if (!trace_filter_add(&p->where, &p->arena, argument))
		cli_usage(&p->cli, "--where: expected MEMBER=VALUE, found '%s'",
		    argument);
}

static void
add_short(struct program *p, size_t which, const char *argument)
{
	const struct mcpl_option *option = mcpl_option_at(which);
	struct str wrong = { 0 };

	*arena_push(&p->arena, p->shorts, p->nshorts) =
	    mcpl_check(&p->arena, option, str_of(argument), &wrong);
	if (wrong.s != NULL)
		cli_usage(&p->cli, "--%s: %.*s: '%s'", option->name,
		    STR_FMT(wrong), argument);
}

/* Reads the file of an option, or ends the program. */
static void
read_file(struct program *p, int code, const char *file)
{
	if (code == PRICES)
		p->prices = prices_read(&p->arena, file);
	else if (!redact_file(&p->redact, &p->arena, file))
		exit(2);
	if (code == PRICES && p->prices == NULL)
		exit(2);
}

static void
add_rule(struct program *p, const char *option, const char *argument)
{
	*arena_push(&p->arena, p->rules, p->nrules) =
	    (struct rule_option){ option, argument };
}

/* Sets what assertion files may use, or an option that set_option leaves. */
static void
set_leave(struct program *p, int code, const char *argument)
{
	switch (code) {
	case 'w':
		p->leave.workspace = argument;
		break;
	case ALLOW_COMMANDS:
		p->leave.commands = true;
		break;
	case SANDBOX:
		p->leave.commands = p->leave.sandbox = true;
		break;
	case TIMEOUT:
		p->leave.seconds =
		    (double)cli_number(&p->cli, "--timeout", argument, 1);
		break;
	default:
		if (code >= SHORT)
			add_short(p, (size_t)(code - SHORT), argument);
		else
			cli_option(&p->cli, code, argument);
	}
}

/* Prints the schema of a dialect, or of a trace, and ends the program. */
static _Noreturn void
print_schema(struct program *p, const char *name)
{
	const struct dialect *d = dialect_named(name);
	struct out out;

	if (d == NULL && strcmp(name, "trace") != 0)
		cli_unknown(&p->cli, "dialect", name, dialect_at);
	out_open(&out, p->cli.output, false);
	if (d == NULL)
		schema_of_trace(&out);
	else if (!schema_of_dialect(&out, d))
		cli_usage(&p->cli,
		    "--print-schema: there is no schema of the dialect '%s'",
		    name);
	exit(out_close(&out) ? 0 : 2);
}

static void
set_advice(struct program *p, const char *how)
{
	if (how != NULL && strcmp(how, "diff") != 0)
		cli_usage(&p->cli, "--advise: expected diff, found '%s'", how);
	p->advice = how == NULL ? ADVICE_LINES : ADVICE_DIFF;
}

static void
set_option(struct program *p, int code, const char *argument)
{
	switch (code) {
	case 's':
		*arena_push(&p->arena, p->specs, p->nspecs) = argument;
		break;
	case 'r':
		add_rule(p, "rule", argument);
		break;
	case FORBID_CALL:
		add_rule(p, "forbid-call", argument);
		break;
	case 'd':
		set_dialect(p, argument);
		break;
	case 'n':
		p->lint = true;
		break;
	case 'e':
		p->exit_status = true;
		break;
	case LIST_DIALECTS:
		cli_list(dialect_at);
	case KEEP_GOING:
		p->spec.policy.keep_going = true;
		break;
	case STRICT_SPEC:
		p->spec.policy.strict = true;
		break;
	case SCENARIO:
		p->scenario = argument;
		break;
	case WHERE:
		add_where(p, argument);
		break;
	case APPEND:
		p->append = true;
		break;
	case SLIM:
		p->slim = true;
		break;
	case REDACT:
	case PRICES:
		read_file(p, code, argument);
		break;
	case ALL_SCENARIOS:
		p->all_scenarios = true;
		break;
	case ADVISE:
		set_advice(p, argument);
		break;
	case PRINT_SCHEMA:
		print_schema(p, argument);
	default:
		set_leave(p, code, argument);
	}
}

static void
read_options(struct program *p, int argc, char **argv)
{
	static const struct option own[] = {
		{ "spec", required_argument, NULL, 's' },
		{ "rule", required_argument, NULL, 'r' },
		{ "dialect", required_argument, NULL, 'd' },
		{ "list-dialects", no_argument, NULL, LIST_DIALECTS },
		{ "lint", no_argument, NULL, 'n' },
		{ "keep-going", no_argument, NULL, KEEP_GOING },
		{ "strict-spec", no_argument, NULL, STRICT_SPEC },
		{ "scenario", required_argument, NULL, SCENARIO },
		{ "where", required_argument, NULL, WHERE },
		{ "append", no_argument, NULL, APPEND },
		{ "redact", required_argument, NULL, REDACT },
		{ "prices", required_argument, NULL, PRICES },
		{ "slim", no_argument, NULL, SLIM },
		{ "workspace", required_argument, NULL, 'w' },
		{ "allow-commands", no_argument, NULL, ALLOW_COMMANDS },
		{ "sandbox", no_argument, NULL, SANDBOX },
		{ "timeout", required_argument, NULL, TIMEOUT },
		{ "exit-status", no_argument, NULL, 'e' },
		{ "all-scenarios", no_argument, NULL, ALL_SCENARIOS },
		{ "forbid-call", required_argument, NULL, FORBID_CALL },
		{ "advise", optional_argument, NULL, ADVISE },
		{ "print-schema", required_argument, NULL, PRINT_SCHEMA },
		CLI_LONG_JOBS,
		CLI_LONG,
	};
	enum { OWN = sizeof own / sizeof own[0] };
	struct option longs[OWN + MCPL_OPTIONS + 1] = { 0 };
	int code;

	memcpy(longs, own, sizeof own);
	for (int i = 0; i < MCPL_OPTIONS; i++)
		longs[OWN + i] =
		    (struct option){ mcpl_option_at((size_t)i)->name,
			    required_argument, NULL, SHORT + i };
	while ((code = cli_getopt(&p->cli, argc, argv,
		    CLI_SHORT CLI_SHORT_JOBS "s:r:d:new:", longs)) != -1)
		set_option(p, code, optarg);
	if (p->nspecs == 0 && p->advice != NO_ADVICE)
		cli_usage(&p->cli, "--advise: give a SPEC (-s)");
	if (p->nspecs == 0 && p->nrules == 0 && p->nshorts == 0 &&
	    (p->lint || !p->append))
		cli_usage(&p->cli,
		    "nothing to check: give a SPEC (-s), a rule (-r) or a "
		    "short check");
	if (!view_template_is_valid(str_of(p->leave.workspace)))
		cli_usage(&p->cli,
		    "--workspace: expected {id}, {scenario_id} or {run_index} "
		    "in braces, found '%s'",
		    p->leave.workspace);
}

/* Reports a likely mistake: a shell expands `-s *.yaml` to several words, of
 * which the first is a SPEC and all others are FILEs. */
static void
see_files(const struct program *p, char **files)
{
	for (; *files != NULL; files++) {
		struct str name = str_of(*files);

		if (p->lint)
			cli_usage(&p->cli,
			    "--lint reads no traces: '%s' (give each assertion "
			    "file its own -s)",
			    *files);
		if (str_ends(name, ".yaml") || str_ends(name, ".yml"))
			cli_usage(&p->cli,
			    "expected a trace, found a YAML file: '%s' (give "
			    "each assertion file its own -s)",
			    *files);
	}
}

/* Returns whether the assertion files permit no check of runs. A mistake in a
 * single assertion permits the other checks; with --keep-going each mistake
 * does. */
static bool
is_refused(const struct spec *spec)
{
	if (spec->policy.forgiven != 0 && spec->understood == 0)
		diag_error((struct place){ 0 },
		    "--keep-going: no check was understood");
	return diag_errors() > spec->policy.spoilt;
}

/* Reads the assertion files; ends the program if they are refused. */
static void
load(struct program *p)
{
	struct suggest near = suggest_for(str_of(p->scenario));

	p->spec.arena = &p->arena;
	for (size_t i = 0; i < p->nspecs; i++)
		spec_load(&p->spec, p->specs[i], p->dialect);
	for (size_t i = 0; i < p->nshorts; i++)
		spec_add(&p->spec, p->shorts[i]);
	for (size_t i = 0; i < p->nrules; i++)
		spec_add_rule(
		    &p->spec, p->rules[i].option, str_of(p->rules[i].argument));
	if (is_refused(&p->spec) && !p->lint && p->advice != ADVICE_LINES)
		exit(2);
	if (p->scenario != NULL &&
	    !spec_select_scenario(&p->spec, near.word, &near))
		diag_die("--scenario: no scenario '%s'%s", p->scenario,
		    suggest_text(&near, &p->arena));
}

static bool
lint(const struct program *p)
{
	struct out out;

	out_open(&out, p->cli.output, p->cli.by_line);
	spec_show(&out, &p->spec);
	return out_close(&out);
}

static void
note_status(struct checker *c, enum status s)
{
	c->bad |= s == STATUS_FAILED || s == STATUS_ERROR;
}

/* Adds the estimated cost to the trace. */
static void
price(struct checker *c, struct trace *t)
{
	if (c->program->prices == NULL)
		return;
	arena_reset(&c->moment);
	trace_read(t,
	    prices_add_to_trace(
		c->program->prices, &c->priced, t->record, &c->moment));
}

/* Checks one record; returns false if the record is a trace of another
 * version. */
static bool
check(struct checker *c, const struct json *record, struct out *out)
{
	const struct program *p = c->program;
	bool known = true;
	struct trace t;
	enum status status;

	if (!trace_read(&t, record)) {
		known = !trace_warn_version(record, c->values.at);
		c->foreign += known;
		apply_copy(&c->apply, record, out);
	} else if (!trace_filter_holds(&p->where, record, &c->where)) {
		if (p->exit_status && verdict_of(&t, &status))
			note_status(c, status);
		apply_copy(&c->apply, record, out);
	} else {
		price(c, &t);
		status = apply_write(&c->apply, &p->spec, &t, out);
		c->runs++;
		c->checked += c->apply.checked;
		c->unchecked += status == STATUS_UNCHECKED && !c->apply.checked;
		c->milder += status == STATUS_UNCHECKED && c->apply.checked;
		note_status(c, status);
	}
	out_line(out);
	return known;
}

static void
check_all(void *checker, struct workers_chunk *piece)
{
	struct checker *c = checker;
	const struct json *record;

	bool strict = c->program->cli.strict;

	json_stream_begin(&c->values, piece->in, strict);
	while ((record = json_stream_next(&c->values)) != NULL &&
	    (check(c, record, piece->out) || !strict))
		continue;
}

/* Reports the number of runs to which no check applies. If no run was checked,
 * the exit status must not be 0 where it depends on the runs, and the message
 * also suggests --scenario: the log of another system has no names of
 * scenarios. */
static void
warn_unchecked(const struct program *p, const struct checker *all)
{
	bool none = all->checked == 0;
	size_t n = none && all->unchecked == 0 ? all->runs : all->unchecked;
	bool lost =
	    none && p->scenario == NULL && spec_has_keyed_scenarios(&p->spec);

	if (n != 0)
		(none && p->exit_status ? diag_error : diag_warn)(
		    (struct place){ 0 },
		    "runs unchecked, since no check applies to them: %zu%s", n,
		    lost ? " (no scenario has their id or prompt; --scenario "
			   "applies one to every run)"
			 : "");
	if (all->milder != 0)
		diag_warn((struct place){ 0 },
		    "runs undecided, since all their checks are warnings or "
		    "notes: %zu (mcpl-report --severity counts these)",
		    all->milder);
}

static void
warn_counts(struct program *p, const struct checker *all)
{
	size_t traces = all->runs + all->where.others;

	trace_filter_warn(&p->where, &all->where, p->exit_status, &p->arena);
	warn_unchecked(p, all);
	if (traces == 0)
		cli_no_runs(p->exit_status, all->foreign);
	else
		trace_warn_foreign("through", all->foreign);
}

static struct checker *
new_checker(struct program *p)
{
	struct checker *c = arena_new(&p->arena, struct checker);

	c->program = p;
	c->apply.append = p->append;
	c->apply.slim = p->slim;
	c->apply.leave = p->leave;
	c->apply.redact = p->redact;
	if (p->all_scenarios)
		c->apply.met = arena_new_n(&p->arena, bool, p->spec.nscenarios);
	apply_open(&c->apply);
	return c;
}

/* Adds a worker's counts to the sums of all, and frees the worker. */
static void
close_checker(struct checker *all, struct checker *c)
{
	const struct program *p = c->program;

	trace_filter_add_count(&all->where, &c->where);
	all->runs += c->runs;
	all->checked += c->checked;
	all->unchecked += c->unchecked;
	all->milder += c->milder;
	all->foreign += c->foreign;
	all->bad |= c->bad;
	all->tools = rule_tools_add(
	    &p->spec.rules, all->tools, &all->arena, &c->apply.view);
	for (size_t i = 0; p->all_scenarios && i < p->spec.nscenarios; i++)
		all->apply.met[i] |= c->apply.met[i];
	json_stream_close(&c->values);
	json_reader_free(&c->priced);
	arena_free(&c->moment);
	apply_close(&c->apply);
}

/* Returns the number of threads. Commands may disturb each other, so they run
 * in parallel only if the user asks for that. The order of the messages about
 * prices is that of the records. */
static size_t
jobs(const struct program *p, char **files)
{
	if (p->prices != NULL || (p->leave.commands && p->cli.jobs == 0))
		return 1;
	return cli_jobs(&p->cli, files);
}

/* Reads, checks and writes all records; returns false if some could not be
 * written. */
static bool
run(struct program *p, char **files)
{
	struct workers workers = { .jobs = jobs(p, files), .work = check_all };
	void *checkers[WORKERS_MAX];
	struct checker *all = new_checker(p);
	struct out out;
	struct in in;

	cli_open(&p->cli, &in, &out, files);
	for (size_t i = 0; i < workers.jobs; i++)
		checkers[i] = new_checker(p);
	workers.in = &in;
	workers.out = &out;
	workers.members = checkers;
	workers_run(&workers);
	for (size_t i = 0; i < workers.jobs; i++)
		close_checker(all, checkers[i]);
	p->bad = all->bad;
	warn_counts(p, all);
	spec_warn_tools(&p->spec, all->tools);
	if (p->all_scenarios)
		p->unmet = spec_warn_unmet(&p->spec, all->apply.met);
	redact_warn(p->redact);
	apply_close(&all->apply);
	arena_free(&all->arena);
	in_close(&in);
	return out_close(&out);
}

int
main(int argc, char **argv)
{
	struct program p = { .leave = { .seconds = TIMEOUT_DEFAULT } };
	bool written;

	cli_start(&p.cli, argv, help, usage);
	cli_need_argument(&p.cli, argv,
	    "mcpl-extract LOG | mcpl-check -s SPEC | mcpl-report");
	read_options(&p, argc, argv);
	see_files(&p, argv + optind);
	if (p.leave.sandbox)
		sandbox_require();
	if (!p.leave.commands) /* else commands would lose rights */
		confine(&p.cli.output, 1);
	load(&p);
	if (p.advice != NO_ADVICE)
		written = check_advice(&p.cli, &p.spec, &p.where, argv + optind,
		    p.advice == ADVICE_DIFF);
	else
		written = p.lint ? lint(&p) : run(&p, argv + optind);
	spec_close(&p.spec);
	redact_free(p.redact);
	arena_free(&p.arena);
	return written ? diag_status((p.exit_status && p.bad) || p.unmet) : 2;
}
