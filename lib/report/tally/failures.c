#include "report/tally/failures.h"

#include <stdlib.h>
#include <string.h>

#include "text/layout.h"

enum { GARBAGE_MAX = 1 << 20 };

struct str
failure_place(struct str at, size_t *line)
{
	size_t digits = at.n;
	size_t n = 0;

	*line = 0;
	while (digits > 0 && at.s[digits - 1] >= '0' && at.s[digits - 1] <= '9')
		digits--;
	if (str_starts(at, "--") || digits < 2 || digits == at.n ||
	    at.s[digits - 1] != ':' || at.n - digits > 9)
		return at;
	for (size_t i = digits; i < at.n; i++)
		n = n * 10 + (size_t)(at.s[i] - '0');
	*line = n;
	return str_slice(at, 0, digits - 1);
}

struct str
failure_log(struct str file, int64_t line, struct arena *a)
{
	if (file.s == NULL || line <= 0)
		return file;
	return str_printf(a, "%.*s:%lld", STR_FMT(file), (long long)line);
}

int
failure_place_compare(struct str a, struct str b)
{
	size_t line_a, line_b;
	int files =
	    str_cmp(failure_place(a, &line_a), failure_place(b, &line_b));

	if (files != 0)
		return files;
	return line_a < line_b ? -1 : line_a > line_b;
}

/* Compares in the order of the reports; returns 0 only for failures of the same
 * key. */
static int
compare(const struct failure *a, const struct failure *b)
{
	int c = (int)a->status - (int)b->status;

	if (c == 0)
		c = (int)a->severity - (int)b->severity;
	if (c == 0)
		c = str_cmp(a->scenario, b->scenario);
	if (c == 0)
		c = failure_place_compare(a->at, b->at);
	if (c == 0)
		c = str_cmp(a->label, b->label);
	if (c == 0)
		c = str_cmp(a->reason, b->reason);
	return c == 0 ? str_cmp(a->key, b->key) : c;
}

static int
compare_pointers(const void *a, const void *b)
{
	return compare(
	    *(struct failure *const *)a, *(struct failure *const *)b);
}

static int
compare_runs(const struct failure_run *a, const struct failure_run *b)
{
	int c = str_cmp(a->agent, b->agent);

	if (c == 0)
		c = a->run_index < b->run_index ? -1
						: a->run_index > b->run_index;
	if (c == 0)
		c = str_cmp(a->id, b->id);
	if (c == 0)
		c = str_cmp(a->file, b->file);
	return c != 0 ? c : a->line < b->line ? -1 : a->line > b->line;
}

static struct str
keep(struct failures *f, struct str text)
{
	f->used += text.n;
	return text.s == NULL ? text : str_dup(&f->memory, text);
}

static struct failure_run
keep_run(struct failures *f, const struct failure_run *r)
{
	return (struct failure_run){ .id = keep(f, r->id),
		.agent = keep(f, r->agent),
		.file = keep(f, r->file),
		.got = keep(f, r->got),
		.reason = keep(f, r->reason),
		.run_index = r->run_index,
		.line = r->line };
}

static struct failure *
keep_failure(struct failures *f, const struct failure *from)
{
	struct failure *to = arena_new(&f->memory, struct failure);

	*to = *from;
	to->scenario = keep(f, from->scenario);
	to->dialect = keep(f, from->dialect);
	to->type = keep(f, from->type);
	to->label = keep(f, from->label);
	to->at = keep(f, from->at);
	to->reason = keep(f, from->reason);
	to->key = keep(f, from->key);
	for (size_t i = 0; i < FAILURE_EXAMPLES; i++)
		to->examples[i] = keep_run(f, &from->examples[i]);
	f->used += sizeof *to;
	return to;
}

/* Adds a copy of the failure to the list. */
static struct failure *
enter(struct failures *f, const struct failure *from)
{
	struct failure *to = keep_failure(f, from);

	*arena_push(&f->memory, f->list, f->n) = to;
	*hash_put(&f->table, to->key) = to;
	return to;
}

/*
 * Moves the first max failures to fresh memory and drops the rest, of which
 * none can come back: whatever is added later, at least max others precede each
 * of them.
 */
static void
shrink(struct failures *f)
{
	struct arena from = f->memory;
	struct failure **old;
	size_t n;

	failures_sort(f);
	old = f->list;
	n = f->n;
	f->memory = f->spare;
	f->table = (struct hash_table){ .arena = &f->memory };
	f->list = NULL;
	f->n = f->used = 0;
	f->last = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct failure *k = enter(f, old[i]);

		if (i + 1 == f->max)
			f->last = k;
	}
	f->live = f->used;
	f->spare = from;
	arena_reset(&f->spare);
}

/* Inserts the run among the failure's examples if the run precedes one of
 * them. */
static void
add_example(struct failures *f, struct failure *to, const struct failure_run *r)
{
	size_t n = failure_examples(to), i = n;

	while (i > 0 && compare_runs(r, &to->examples[i - 1]) < 0)
		i--;
	if (i == FAILURE_EXAMPLES)
		return;
	if (n == FAILURE_EXAMPLES)
		n--;
	memmove(&to->examples[i + 1], &to->examples[i],
	    (n - i) * sizeof to->examples[0]);
	to->examples[i] = keep_run(f, r);
}

static struct str
key_of(const struct failure *k, struct arena *a)
{
	const struct str identity[] = { str_of(status_name(k->status)),
		str_of(severity_name(k->severity)), k->scenario, k->dialect,
		k->type, k->label, k->at, k->reason };

	return hash_key(a, identity, sizeof identity / sizeof identity[0]);
}

/* Returns the scenario of the failure. An error of an assertion that is of no
 * scenario, such as a mistake in its file, is the same in all scenarios. */
static struct str
scenario_of(
    const struct result *o, const struct result_check *c, struct arena *a)
{
	if (c->status == STATUS_ERROR && c->general && c->at.s != NULL)
		return (struct str){ 0 };
	return layout_cut(a, o->scenario, FAILURE_TEXT_MAX);
}

static struct failure
failure_of(
    const struct result *o, const struct result_check *c, struct arena *a)
{
	struct failure k = {
		.status = c->status,
		.severity = c->severity,
		.scenario = scenario_of(o, c, a),
		.dialect = layout_cut(a, c->dialect, FAILURE_TEXT_MAX),
		.type = layout_cut(a, c->type, FAILURE_TEXT_MAX),
		.label = layout_cut(a, c->label, FAILURE_TEXT_MAX),
		.at = layout_cut(a, c->at, FAILURE_TEXT_MAX),
		.reason = !c->permission
		    ? layout_cut(a, c->reason, FAILURE_TEXT_MAX)
		    : (struct str){ 0 },
		.expectation = c->expectation,
	};

	k.key = key_of(&k, a);
	return k;
}

/* Returns the kept failure with the key of k, which is added if there is none,
 * or NULL if it comes behind all failures that will be kept. */
static struct failure *
find(struct failures *f, const struct failure *k)
{
	struct failure *to = hash_get(&f->table, k->key);

	if (to == NULL && f->last != NULL && compare(k, f->last) > 0)
		return NULL;
	return to != NULL ? to : enter(f, k);
}

static void
add_check(struct failures *f, const struct result *o,
    const struct result_check *c, struct arena *a)
{
	const struct failure_run run = { .id = o->id,
		.agent = o->agent,
		.file = o->file,
		.got = layout_cut(a, c->got, FAILURE_TEXT_MAX),
		.reason =
		    layout_cut(a, c->permission ? c->reason : (struct str){ 0 },
			FAILURE_TEXT_MAX),
		.run_index = o->run_index,
		.line = o->line };
	struct failure k = failure_of(o, c, a);
	struct failure *to = find(f, &k);

	if (to == NULL)
		return;
	to->times++;
	if (to->last_serial == f->serial)
		return;
	to->last_serial = f->serial;
	add_example(f, to, &run);
	to->runs++;
}

bool
failure_is(const struct result *o, const struct result_check *c)
{
	switch (c->status) {
	case STATUS_FAILED:
	case STATUS_ERROR:
	case STATUS_PENDING:
		return true;
	case STATUS_SKIPPED:
		return !o->error && !c->of_run;
	default:
		return false;
	}
}

/* Frees what is no longer needed, once that is much. */
static void
tidy(struct failures *f)
{
	if ((f->n > f->max && f->n / 2 >= f->max) ||
	    f->used > 2 * f->live + GARBAGE_MAX)
		shrink(f);
}

void
failures_start(struct failures *f, size_t max)
{
	*f = (struct failures){ .max = max };
	f->table.arena = &f->memory;
}

void
failures_add(struct failures *f, const struct result *o, struct arena *a)
{
	f->serial++;
	for (size_t i = 0; i < o->n; i++) {
		const struct result_check *c = &o->checks[i];

		if (!failure_is(o, c))
			continue;
		f->times[c->status]++;
		if (f->max != 0)
			add_check(f, o, c, a);
	}
	tidy(f);
}

void
failures_merge(struct failures *f, const struct failure *from, struct arena *a)
{
	struct failure k = *from, *to;

	f->times[k.status] += k.times;
	if (f->max == 0)
		return;
	k.key = key_of(&k, a);
	k.times = k.runs = 0;
	memset(k.examples, 0, sizeof k.examples);
	to = find(f, &k);
	if (to == NULL)
		return;
	to->times += from->times;
	for (size_t i = 0; i < failure_examples(from); i++) {
		add_example(f, to, &from->examples[i]);
		to->runs++;
	}
	to->runs += from->runs - failure_examples(from);
	tidy(f);
}

void
failures_merge_times(struct failures *f, enum status s, size_t times)
{
	f->times[s] += times;
}

void
failures_sort(struct failures *f)
{
	if (f->n != 0)
		qsort(f->list, f->n, sizeof f->list[0], compare_pointers);
	if (f->n > f->max)
		f->n = f->max;
}

size_t
failures_left_out(const struct failures *f, enum status s)
{
	size_t times = f->times[s];

	for (size_t i = 0; i < f->n; i++)
		if (f->list[i]->status == s)
			times -= f->list[i]->times;
	return times;
}

enum severity
failure_severity(enum status s, enum severity of_check)
{
	if (s == STATUS_SKIPPED)
		return SEVERITY_NOTE;
	if (s == STATUS_PENDING && of_check == SEVERITY_ERROR)
		return SEVERITY_WARNING;
	return of_check;
}

struct str
failure_name(const struct failure *k)
{
	return k->label.n != 0 ? k->label : k->type;
}

struct str
failure_reason(enum status s, struct str reason)
{
	reason = str_trim(reason);
	return s == STATUS_PENDING && reason.n == 0
	    ? STR("waits for mcpl-judge")
	    : reason;
}

struct str
failure_why(const struct failure *k)
{
	return failure_reason(
	    k->status, k->reason.n != 0 ? k->reason : k->examples[0].reason);
}

size_t
failure_examples(const struct failure *k)
{
	return k->runs < FAILURE_EXAMPLES ? k->runs : FAILURE_EXAMPLES;
}

void
failures_free(struct failures *f)
{
	arena_free(&f->memory);
	arena_free(&f->spare);
}
