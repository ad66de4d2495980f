#include "cmd/check_options.h"

#include <stdlib.h>
#include <string.h>

#include "check/advice/advice.h"
#include "check/dialect/mcpl.h"
#include "check/rule/roles.h"
#include "check/schema/schema.h"
#include "io/sandbox.h"
#include "redact/rules.h"

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
    "      --advise[=diff]      print advice on the SPECs, or the changes that "
    "it makes\n"
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
    "with -e, if nothing was decided.\n"
    "--help-all lists all options; the manual is mcpl-check(1).\n";

static const char usage[] =
    "usage: mcpl-check -s SPEC [-s SPEC...] [OPTION...] [FILE...]\n"
    "       mcpl-check --require TOOL|--contains TEXT|... [FILE...]\n"
    "       mcpl-check -n -s SPEC [-s SPEC...]\n"
    "\n"
    "Checks traces, which mcpl-extract writes, and adds the results to each\n"
    "trace. Without FILE, or if FILE is -, reads standard input.\n"
    "\n"
    "  -s, --spec SPEC          an assertion file, or a folder of them\n"
    "  -r, --rule RULE          a rule for every run (mcpl-rules(5))\n"
    "  -d, --dialect DIALECT    read every SPEC as this dialect\n"
    "      --list-dialects      list the dialects and exit\n"
    "      --print-schema DIALECT\n"
    "                           print its files' JSON Schema, or a trace's\n"
    "      --print-roles        print the roles of rules and exit\n"
    "  -n, --lint               print the checks of the SPECs and exit\n"
    "      --advise             print advice on the SPECs and exit;\n"
    "                           --advise=diff prints the changes that it "
    "makes,\n"
    "                           --advise=critical only such advice; FILEs are\n"
    "                           runs that pass\n"
    "      --learn              print rules that the runs of all FILEs keep, "
    "and that\n"
    "                           are habits of 20 runs or broken by bad runs\n"
    "      --against FILE       bad runs for --learn, which did not pass\n"
    "      --guard              for agents' hooks: exit with 2 if a call is\n"
    "                           forbidden; --guard=json answers JSON\n"
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
    "      --sandbox            the same, each in a sandbox (bubblewrap)\n"
    "      --env NAME[=VALUE]   a variable for programs and the sandbox\n"
    "      --timeout SECONDS    time limit of each command (default 600)\n"
    "  -e, --exit-status        exit with 1 if a run is failed or error,\n"
    "                           with 2 if nothing was decided\n"
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
    "      --max-calls [TOOL=]N\n"
    "                           at most N calls, of the tool or of all tools\n"
    "      --max-tokens N       at most N tokens, of input and output\n"
    "      --max-cost USD       a cost of at most USD US dollars\n"
    "      --max-seconds N      at most N seconds\n"
    "      --prices FILE        estimate costs by prices of models in FILE\n"
    "\n" CLI_HELP_JOBS CLI_HELP;

enum {
	LIST_DIALECTS = CLI_OWN,
	LEARN,
	AGAINST,
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
	ENV,
	TIMEOUT,
	ALL_SCENARIOS,
	FORBID_CALL,
	GUARD,
	ADVISE,
	PRINT_ROLES,
	PRINT_SCHEMA,
	SHORT, /* and the codes after it: the short checks */
};

enum { TIMEOUT_DEFAULT = 600 }; /* seconds, as evolve's */

static void
set_dialect(struct check_options *o, const char *name)
{
	o->dialect = dialect_named(name);
	if (o->dialect == NULL)
		cli_unknown(&o->cli, "dialect", name, dialect_at);
	if (!dialect_has_values(o->dialect) && o->dialect->read_text == NULL)
		cli_usage(
		    &o->cli, "--dialect: no file is written in '%s'", name);
}

static void
add_where(struct check_options *o, const char *argument)
{
	if (!trace_filter_add(&o->where, &o->arena, argument))
		cli_usage(&o->cli, "--where: expected MEMBER=VALUE, found '%s'",
		    argument);
}

static void
add_short(struct check_options *o, size_t which, const char *argument)
{
	const struct mcpl_option *option = mcpl_option_at(which);
	struct str wrong = { 0 };

	*arena_push(&o->arena, o->shorts, o->nshorts) =
	    mcpl_check(&o->arena, option, str_of(argument), &wrong);
	if (wrong.s != NULL)
		cli_usage(&o->cli, "--%s: %.*s: '%s'", option->name,
		    STR_FMT(wrong), argument);
}

/* Reads the file of an option, or ends the program. */
static void
read_file(struct check_options *o, int code, const char *file)
{
	if (code == PRICES ? !prices_option(&o->arena, file, &o->prices)
			   : !redact_file(&o->redact, &o->arena, file))
		exit(diag_trouble());
}

static void
add_rule(struct check_options *o, const char *option, const char *argument)
{
	*arena_push(&o->arena, o->rules, o->nrules) =
	    (struct rule_option){ option, argument };
}

/* Sets what assertion files may use, or an option that set_option does not know. */
static void
set_view(struct check_options *o, int code, const char *argument)
{
	switch (code) {
	case 'w':
		o->view.workspace = argument;
		break;
	case ALLOW_COMMANDS:
		o->view.commands = true;
		break;
	case SANDBOX:
		o->view.commands = o->view.sandbox = true;
		break;
	case ENV:
		if (*argument == '\0' || *argument == '=')
			cli_usage(&o->cli,
			    "--env: expected NAME or NAME=VALUE, found '%s'",
			    argument);
		*arena_push(&o->arena, o->env, o->nenv) = argument;
		break;
	case TIMEOUT:
		o->view.seconds =
		    (double)cli_number(&o->cli, "--timeout", argument, 1);
		break;
	default:
		if (code >= SHORT)
			add_short(o, (size_t)(code - SHORT), argument);
		else
			cli_option(&o->cli, code, argument);
	}
}

/* Prints the schema of a dialect, or of a trace, and ends the program. */
static _Noreturn void
print_schema(struct check_options *o, const char *name)
{
	const struct dialect *d = dialect_named(name);
	struct out out;

	if (d == NULL && strcmp(name, "trace") != 0)
		cli_unknown(&o->cli, "dialect", name, dialect_at);
	out_open(&out, o->cli.output, false);
	if (d == NULL)
		schema_of_trace(&out);
	else if (!schema_of_dialect(&out, d))
		cli_usage(&o->cli,
		    "--print-schema: there is no schema of the dialect '%s'",
		    name);
	exit(out_close(&out) ? 0 : 2);
}

/* Prints the table of roles, and ends the program. */
static _Noreturn void
print_roles(struct check_options *o)
{
	struct out out;

	out_open(&out, o->cli.output, false);
	out_str(&out, rule_roles_text());
	exit(out_close(&out) ? 0 : 2);
}

static void
set_advice(struct check_options *o, const char *how)
{
	struct str rest = str_of(how), word;

	o->advice = ADVICE_LINES;
	o->priorities = 0;
	while (rest.s != NULL) {
		word = str_cut(&rest, ',');
		if (str_is(word, "diff"))
			o->advice = ADVICE_DIFF;
		else if (!advice_select(&o->priorities, word))
			cli_usage(&o->cli,
			    "--advise: expected diff, critical, "
			    "error-prevention, performance, quality or "
			    "nice-to-have, found '%.*s'",
			    STR_FMT(word));
	}
	if (o->priorities == 0)
		o->priorities = ~0U;
}

static void
set_guard(struct check_options *o, const char *how)
{
	if (how != NULL && strcmp(how, "json") != 0)
		cli_usage(&o->cli, "--guard: expected json, found '%s'", how);
	o->guard = true;
	o->guard_json = how != NULL;
}

/* Obeys an option that asks for something else than the checks of runs. */
static void
set_mode(struct check_options *o, int code, const char *argument)
{
	switch (code) {
	case GUARD:
		set_guard(o, argument);
		break;
	case ADVISE:
		set_advice(o, argument);
		break;
	case LEARN:
		o->learn = true;
		break;
	case AGAINST:
		o->against = argument;
		break;
	case PRINT_ROLES:
		print_roles(o);
	case PRINT_SCHEMA:
		print_schema(o, argument);
	default:
		set_view(o, code, argument);
	}
}

static void
set_option(struct check_options *o, int code, const char *argument)
{
	switch (code) {
	case 's':
		*arena_push(&o->arena, o->specs, o->nspecs) = argument;
		break;
	case 'r':
	case FORBID_CALL:
		add_rule(o, code == 'r' ? "rule" : "forbid-call", argument);
		break;
	case 'd':
		set_dialect(o, argument);
		break;
	case 'n':
		o->lint = true;
		break;
	case 'e':
		o->exit_status = true;
		break;
	case LIST_DIALECTS:
		cli_list(dialect_at);
	case KEEP_GOING:
		o->policy.keep_going = true;
		break;
	case STRICT_SPEC:
		o->policy.strict = true;
		break;
	case SCENARIO:
		o->scenario = argument;
		break;
	case WHERE:
		add_where(o, argument);
		break;
	case APPEND:
		o->append = true;
		break;
	case SLIM:
		o->slim = true;
		break;
	case REDACT:
	case PRICES:
		read_file(o, code, argument);
		break;
	case ALL_SCENARIOS:
		o->all_scenarios = true;
		break;
	default:
		set_mode(o, code, argument);
	}
}

static void
read_command_line(struct check_options *o, int argc, char **argv)
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
		{ "env", required_argument, NULL, ENV },
		{ "timeout", required_argument, NULL, TIMEOUT },
		{ "exit-status", no_argument, NULL, 'e' },
		{ "all-scenarios", no_argument, NULL, ALL_SCENARIOS },
		{ "forbid-call", required_argument, NULL, FORBID_CALL },
		{ "guard", optional_argument, NULL, GUARD },
		{ "learn", no_argument, NULL, LEARN },
		{ "against", required_argument, NULL, AGAINST },
		{ "advise", optional_argument, NULL, ADVISE },
		{ "print-roles", no_argument, NULL, PRINT_ROLES },
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
	while ((code = cli_getopt(&o->cli, argc, argv,
		    CLI_SHORT CLI_SHORT_JOBS "s:r:d:new:", longs)) != -1)
		set_option(o, code, optarg);
}

/* Settles which variables the programs, and commands in a sandbox, see. */
static void
settle_environment(struct check_options *o)
{
	if (o->nenv != 0 && !o->view.commands)
		cli_usage(&o->cli, "--env needs --allow-commands or --sandbox");
	for (size_t i = 0; i < o->nenv; i++)
		if (strchr(o->env[i], '=') == NULL && getenv(o->env[i]) == NULL)
			diag_warn((struct place){ 0 }, "--env: %s is not set",
			    o->env[i]);
	if (o->view.commands)
		o->view.environment =
		    sandbox_environment(&o->arena, o->env, o->nenv);
}

static void
settle_learning(const struct check_options *o)
{
	if (o->against != NULL && !o->learn)
		cli_usage(&o->cli, "--against needs --learn");
	if (o->learn &&
	    (o->nspecs + o->nrules + o->nshorts != 0 || o->lint || o->guard ||
		o->append))
		cli_usage(&o->cli,
		    "--learn reads runs and no checks: give the runs alone");
}

/* Refuses options that say nothing or contradict each other. */
static void
settle(const struct check_options *o)
{
	if (o->nspecs == 0 && o->advice != NO_ADVICE)
		cli_usage(&o->cli, "--advise: give a SPEC (-s)");
	settle_learning(o);
	if (o->nspecs == 0 && o->nrules == 0 && o->nshorts == 0 && !o->learn &&
	    (o->lint || !o->append))
		cli_usage(&o->cli,
		    "nothing to check: give a SPEC (-s), a rule (-r) or a "
		    "short check");
	if (o->guard && (o->lint || o->advice != NO_ADVICE || o->append))
		cli_usage(
		    &o->cli, "--guard excludes --lint, --advise and --append");
	if (!view_template_is_valid(str_of(o->view.workspace)))
		cli_usage(&o->cli,
		    "--workspace: expected {id}, {scenario_id} or {run_index} "
		    "in braces, found '%s'",
		    o->view.workspace);
}

/* Reports a likely mistake: a shell expands `-s *.yaml` to several words, of
 * which the first is a SPEC and all others are FILEs. */
static void
see_files(const struct check_options *o, char **files)
{
	for (; *files != NULL; files++) {
		struct str name = str_of(*files);

		if (o->lint)
			cli_usage(&o->cli,
			    "--lint reads no traces: '%s' (give each assertion "
			    "file its own -s)",
			    *files);
		if (str_ends(name, ".rules"))
			cli_usage(&o->cli,
			    "expected a trace, found a file of rules: '%s' "
			    "(name it with -s)",
			    *files);
		if (str_ends(name, ".yaml") || str_ends(name, ".yml"))
			cli_usage(&o->cli,
			    "expected a trace, found a YAML file: '%s' (give "
			    "each assertion file its own -s)",
			    *files);
	}
}

void
check_options_read(struct check_options *o, int argc, char **argv)
{
	o->view.seconds = TIMEOUT_DEFAULT;
	cli_asks(argv, "--guard");
	cli_start(&o->cli, argv, help, usage);
	cli_need_argument(&o->cli, argv,
	    "mcpl-extract LOG | mcpl-check -s SPEC | mcpl-report");
	read_command_line(o, argc, argv);
	o->policy.most = o->view.most = o->cli.max_line;
	see_files(o, argv + optind);
	settle(o);
	settle_environment(o);
}
