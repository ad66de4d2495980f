/* mcpl-check: adds verdicts to traces. See mcpl-check(1). */
#include <stdlib.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "check/dialect/apply.h"
#include "check/dialect/guard_run.h"
#include "check/dialect/spec.h"
#include "cmd/check_advice.h"
#include "cmd/check_guard.h"
#include "cmd/check_learn.h"
#include "cmd/check_options.h"
#include "io/confine.h"
#include "io/sandbox.h"
#include "io/workers.h"
#include "trace/seal.h"
#include "trace/verdict.h"
#include "json/stream.h"

/* The options, the assertion files, and the sums of all runs. */
struct program {
	struct check_options options;
	struct spec spec;
	struct program_settings programs;
	bool bad;      /* a run is failed or error */
	bool unmet;    /* a scenario has no run, though each should have one */
	bool sections; /* that of the files need a run each */
};

/* A worker that checks: its own memory, and what it counted. */
struct checker {
	const struct program *program;
	struct apply apply;
	struct json_stream values;
	struct trace_filter_count where;
	struct json_reader priced;
	struct arena moment; /* of a record with an estimated cost */
	size_t runs, checked, decided, unchecked, foreign;
	struct str lacking; /* why a check was skipped in an undecided run: the
			     * first reason in the order of bytes */
	struct seal_count seals;
	size_t milder; /* runs whose checks are warnings and notes alone */
	bool bad;
	struct arena arena;
	struct rule_tools *tools; /* in all: what the runs called; or NULL */
	struct permission_applied *applied; /* in all: lines; or NULL */
};

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
	struct check_options *o = &p->options;
	struct suggest near = suggest_for(str_of(o->scenario));

	p->spec.arena = &o->arena;
	p->spec.policy = o->policy;
	p->programs = apply_programs(&o->view);
	if (o->view.commands)
		p->spec.programs = programs_open(&p->programs);
	/* ADK's criteria are for the eval sets that are read after them. */
	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < o->nspecs; i++)
			if (str_ends(str_of(o->specs[i]), "test_config.json") !=
			    others)
				spec_load(&p->spec, o->specs[i], o->dialect);
	for (size_t i = 0; i < o->nshorts; i++)
		spec_add(&p->spec, o->shorts[i]);
	for (size_t i = 0; i < o->nrules; i++)
		spec_add_rule(
		    &p->spec, o->rules[i].option, str_of(o->rules[i].argument));
	if (o->lint || o->advice == ADVICE_LINES)
		spec_warn_lines(&p->spec);
	p->sections = o->scenario == NULL &&
	    (!o->all_scenarios || o->policy.strict) &&
	    spec_has_sections(&p->spec);
	if (is_refused(&p->spec) && !o->lint && o->advice != ADVICE_LINES)
		exit(diag_trouble());
	programs_close(p->spec.programs);
	p->spec.programs = NULL;
	if (o->scenario != NULL &&
	    !spec_select_scenario(&p->spec, near.word, &near))
		diag_die("--scenario: no scenario '%s'%s", o->scenario,
		    suggest_text(&near, &o->arena));
}

static bool
lint(const struct program *p)
{
	struct out out;

	out_open(&out, p->options.cli.output, p->options.cli.by_line);
	spec_show(&out, &p->spec);
	return out_close(&out);
}

static void
note_lacking(struct checker *c, struct str why)
{
	if (why.s != NULL &&
	    (c->lacking.s == NULL || str_cmp(why, c->lacking) < 0))
		c->lacking = str_dup(&c->arena, why);
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
	if (c->program->options.prices == NULL)
		return;
	arena_reset(&c->moment);
	trace_read(t,
	    prices_add_to_trace(
		c->program->options.prices, &c->priced, t->record, &c->moment));
}

/* Checks one record; returns false if the record is a trace of another
 * version. */
static bool
check(struct checker *c, const struct json *record, struct out *out)
{
	const struct program *p = c->program;
	struct trace t;
	bool known = true, is_trace = trace_read(&t, record);
	enum status status;

	if (!is_trace && seal_read(&c->seals, record)) {
		if (p->options.cli.seal != CLI_UNSEALED)
			return true; /* the program writes its own */
		apply_copy(&c->apply, record, out);
	} else if (!is_trace) {
		known = !trace_warn_version(record, c->values.at);
		c->foreign += known;
		apply_copy(&c->apply, record, out);
	} else if (!trace_filter_holds(&p->options.where, record, &c->where)) {
		if (p->options.exit_status && verdict_of(&t, &status))
			note_status(c, status);
		apply_copy(&c->apply, record, out);
	} else {
		price(c, &t);
		status = apply_write(&c->apply, &p->spec, &t, out);
		c->runs++;
		c->checked += c->apply.checked;
		c->decided += c->apply.decided;
		if (!c->apply.decided)
			note_lacking(c, c->apply.lacking);
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

	bool strict = c->program->options.cli.strict;

	json_stream_begin(&c->values, piece->in, strict);
	while ((record = json_stream_next(&c->values)) != NULL &&
	    (check(c, record, piece->out) || !strict))
		continue;
}

/* Reports what the seals of the input say, and writes the program's own. */
static void
seal(const struct program *p, const struct checker *all, struct out *out)
{
	size_t runs = all->runs + all->where.others;

	if (p->options.cli.seal == CLI_UNSEALED)
		return;
	seal_check(&all->seals, p->options.cli.seal == CLI_SEALED, runs);
	seal_write(out, p->options.cli.prog, runs);
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
	bool lost = none && p->options.scenario == NULL &&
	    spec_has_keyed_scenarios(&p->spec);

	if (n != 0)
		(none && p->options.exit_status ? diag_error : diag_warn)(
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

/* Reports that nothing was decided, unless the authors of the checks wanted it so. */
static void
warn_undecided(const struct program *p, const struct checker *all)
{
	if (all->decided == 0 && all->lacking.s != NULL)
		(p->options.exit_status ? diag_error : diag_warn)(
		    (struct place){ 0 },
		    "runs undecided, since all their checks are skipped: %zu "
		    "(%.*s)",
		    all->checked, STR_FMT(all->lacking));
}

static void
warn_counts(struct program *p, const struct checker *all)
{
	size_t traces = all->runs + all->where.others;

	trace_filter_warn(&p->options.where, &all->where,
	    p->options.exit_status, &p->options.arena);
	warn_unchecked(p, all);
	warn_undecided(p, all);
	if (traces == 0)
		cli_no_runs(p->options.exit_status, all->foreign);
	else
		trace_warn_foreign("through", all->foreign);
}

static struct checker *
new_checker(struct program *p)
{
	struct check_options *o = &p->options;
	struct checker *c = arena_new(&o->arena, struct checker);

	c->program = p;
	c->apply.append = o->append;
	c->apply.slim = o->slim;
	c->apply.options = o->view;
	c->apply.redact = o->redact;
	if (o->all_scenarios || p->sections)
		c->apply.met = arena_new_n(&o->arena, bool, p->spec.nscenarios);
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
	all->decided += c->decided;
	note_lacking(all, c->lacking);
	all->unchecked += c->unchecked;
	all->milder += c->milder;
	seal_add(&all->seals, &c->seals);
	all->foreign += c->foreign;
	all->bad |= c->bad;
	all->tools = rule_tools_add(
	    &p->spec.rules, all->tools, &all->arena, &c->apply.view);
	all->applied =
	    permission_applied_add(all->applied, &all->arena, &c->apply.view);
	for (size_t i = 0; all->apply.met != NULL && i < p->spec.nscenarios;
	     i++)
		all->apply.met[i] |= c->apply.met[i];
	json_stream_close(&c->values);
	json_reader_free(&c->priced);
	arena_free(&c->moment);
	arena_free(&c->arena);
	apply_close(&c->apply);
}

/* Returns the number of threads. Commands may disturb each other, so they run
 * in parallel only if the user asks for that. The order of the messages about
 * prices is that of the records. */
static size_t
jobs(const struct program *p, char **files)
{
	if (p->options.prices != NULL ||
	    (p->options.view.commands && p->options.cli.jobs == 0))
		return 1;
	return cli_jobs(&p->options.cli, files);
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

	cli_open(&p->options.cli, &in, &out, files);
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
	permission_warn_idle(all->applied);
	if (p->sections && all->runs != 0)
		spec_report_sections(&p->spec, all->apply.met);
	if (p->options.all_scenarios)
		p->unmet = spec_warn_unmet(&p->spec, all->apply.met);
	redact_warn(p->options.redact);
	seal(p, all, &out);
	apply_close(&all->apply);
	arena_free(&all->arena);
	in_close(&in);
	return out_close(&out);
}

/* Judges the call that a hook asks about. Returns the exit status. */
static int
guard(struct program *p, char **files)
{
	int status = diag_trouble();

	guard_examine(&p->spec);
	if (diag_errors() == 0)
		status = check_guard(&p->options, &p->spec, files);
	spec_close(&p->spec);
	redact_free(p->options.redact);
	arena_free(&p->options.arena);
	return status;
}

int
main(int argc, char **argv)
{
	struct program p = { 0 };
	struct check_options *o = &p.options;
	char **files;
	bool written;

	check_options_read(o, argc, argv);
	files = argv + optind;
#if defined(__wasi__)
	if (o->view.commands)
		diag_die("--allow-commands: no programs can be run here");
#endif
	if (o->view.sandbox)
		sandbox_require();
	if (!o->view.commands) /* else commands would lose rights */
		confine(&o->cli.output, 1);
	if (!o->learn)
		load(&p);
	if (o->guard)
		return guard(&p, files);
	if (o->learn)
		written = check_learn(o, files);
	else if (o->advice != NO_ADVICE)
		written = check_advice(o, &p.spec, files);
	else
		written = o->lint ? lint(&p) : run(&p, files);
	spec_close(&p.spec);
	redact_free(o->redact);
	arena_free(&o->arena);
	return written ? diag_status((o->exit_status && p.bad) || p.unmet)
		       : diag_trouble();
}
