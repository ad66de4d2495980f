#include "base/clamp.h"
#include "report/tally/partial.h"

/* The state of reading. The first mistake is kept; the values that follow a
 * mistake are 0. */
struct reading {
	struct arena *moment;
	const char *wrong; /* the member that is malformed; NULL: none */
};

static void
mistake(struct reading *r, const char *what)
{
	if (r->wrong == NULL)
		r->wrong = what;
}

static const struct json *
list(struct reading *r, const struct json *object, const char *key)
{
	const struct json *v = json_get(object, key);

	if (!json_is(v, JSON_ARRAY))
		mistake(r, key);
	return v;
}

/* Returns a whole number that is at least `least`. */
static int64_t
number(struct reading *r, const struct json *v, int64_t least, const char *what)
{
	int64_t n;

	if (json_int(v, &n) && n >= least)
		return n;
	mistake(r, what);
	return 0;
}

static int64_t
amount(struct reading *r, const struct json *object, const char *key)
{
	return number(r, json_get(object, key), 0, key);
}

static size_t
count(struct reading *r, const struct json *object, const char *key)
{
	return clamp_size(amount(r, object, key));
}

static size_t
count_if_any(struct reading *r, const struct json *object, const char *key)
{
	return json_has(object, key) ? count(r, object, key) : 0;
}

static struct str
text(const struct reading *r, const struct json *object, const char *key)
{
	return json_text(json_get(object, key), r->moment);
}

static bool
truth(const struct json *object, const char *key)
{
	return json_is(json_get(object, key), JSON_TRUE);
}

/* Adds a list of numbers, one for each status, to counts. */
static void
add_status(struct reading *r, const struct json *list, const char *what,
    size_t counts[STATUS_COUNT])
{
	size_t i = 0;

	for (json_each(v, list))
		if (i < STATUS_COUNT)
			counts[i++] += clamp_size(number(r, v, 0, what));
}

static void
read_counts(struct reading *r, const struct json *object, const char *key,
    size_t counts[STATUS_COUNT])
{
	add_status(r, list(r, object, key), key, counts);
}

static void
read_sum(struct reading *r, const struct json *v, struct tally_sum *s)
{
	const struct json *bins = json_get(v, "bins");
	struct quantiles *spread;
	int64_t value = -1;

	if (json_count(v) == 0)
		return;
	spread = tally_sum_own_quantiles(s, r->moment);
	s->runs = count(r, v, "runs");
	s->sum = amount(r, v, "sum");
	for (json_each(n, bins)) {
		int64_t next = number(r, n, 0, "bins");

		if (value < 0) {
			value = next;
			continue;
		}
		quantiles_add(spread, value, (uint64_t)next, r->moment);
		value = -1;
	}
	quantiles_restore(spread, truth(v, "rounded"), amount(r, v, "low"),
	    amount(r, v, "high"));
}

static void
read_sums(struct reading *r, const struct json *object, const char *key,
    struct tally_sum *sums, size_t n)
{
	size_t i = 0;

	for (json_each(v, list(r, object, key)))
		if (i < n)
			read_sum(r, v, &sums[i++]);
}

/* ---- tasks ---- */

static void
read_tools(
    struct reading *r, const struct json *task, struct bounded_map *tools)
{
	for (json_each(v, list(r, task, "tools"))) {
		struct tally_tool *t =
		    tally_tool_put(tools, text(r, v, "tool"), r->moment);

		if (t == NULL)
			continue;
		t->calls += count(r, v, "calls");
		t->errors += count(r, v, "errors");
		t->runs += count(r, v, "runs");
		read_sum(r, json_get(v, "time"), &t->time);
	}
	tools->full |= truth(task, "tools_full");
}

static void
read_pairs(struct reading *r, const struct json *object, const char *key,
    struct bounded_map *pairs)
{
	const struct json *map = json_get(object, key);

	for (json_each(v, list(r, map, "list")))
		tally_pair_restore(pairs,
		    (struct tally_pair){ .name = text(r, v, "name"),
			.text = text(r, v, "text"),
			.times = count(r, v, "times"),
			.of =
			    json_get(v, "of") == NULL ? 0 : count(r, v, "of") },
		    r->moment);
	pairs->full |= truth(map, "full");
}

static void
read_calls(struct reading *r, const struct json *v, struct tally_calls *c)
{
	if (v == NULL)
		return;
	c->runs = count(r, v, "runs");
	for (int d = 0; d < DECISIONS; d++)
		c->calls[d] =
		    count(r, v, tally_decision_name((enum tally_decision)d));
	c->open = count_if_any(r, v, "open");
}

static void
read_judge(struct reading *r, const struct json *v, struct tally_judge *j)
{
	j->verdicts = count(r, v, "verdicts");
	j->cached = count(r, v, "cached");
	j->split = count(r, v, "split");
	read_sums(r, v, "used", j->used, METRIC_TOOL_CALLS);
	read_sums(r, v, "saved", j->saved, METRIC_TOOL_CALLS);
}

static void
read_answer(struct reading *r, const struct json *v, struct tally_answer *it)
{
	it->text.text = text(r, v, "text");
	it->start.text = text(r, v, "start");
	it->agent.text = text(r, v, "agent");
	it->id.text = text(r, v, "id");
	it->run_index =
	    number(r, json_get(v, "run_index"), INT64_MIN, "run_index");
}

/* Adds the squares of the amounts in the bins. */
static struct wide
squares_of(const struct quantiles *spread)
{
	struct wide sum = { 0 };

	for (size_t i = 0; i < spread->n; i++) {
		uint64_t amount = (uint64_t)spread->bins[i].amount;
		uint64_t times = spread->bins[i].times;
		struct wide square = wide_product(amount, amount);

		sum = wide_add(sum, wide_product(square.low, times));
		sum.high += square.high * times;
	}
	return sum;
}

/* Reads the sums of squares. Where an older partial lacks them, the bins tell them. */
static void
read_squares(struct reading *r, const struct json *list, struct tally_group *g)
{
	size_t n = 0;

	if (g->runs < 2 && json_first(list) == NULL)
		return;
	g->squares = arena_new_n(r->moment, struct wide, AMOUNTS);
	for (int i = 0; list == NULL && i < AMOUNTS; i++)
		g->squares[i] = squares_of(tally_sum_quantiles(&g->used[i]));
	for (json_each(v, list)) {
		uint64_t part = (uint64_t)number(r, v, 0, "squares");
		struct wide *w = &g->squares[n++ / 4];

		if (n > (size_t)4 * AMOUNTS)
			return;
		w->high = w->high << 32 | w->low >> 32;
		w->low = w->low << 32 | (part & UINT32_MAX);
	}
}

static struct tally_group *
read_group(struct reading *r, const struct json *v)
{
	struct tally_group *g = tally_group_new(r->moment, 0);
	struct tally_details *details = tally_group_own_details(g, r->moment);

	g->runs = count(r, v, "runs");
	g->errors = count(r, v, "errors");
	g->assertion_failures = count(r, v, "assertion_failures");
	read_counts(r, v, "status", g->status);
	read_counts(r, v, "checks", g->checks);
	read_sums(r, v, "used", g->used, METRICS);
	/* older partials lack these two, and squares */
	read_sum(r, json_get(v, "failed_calls"), &g->used[AMOUNT_FAILED_CALLS]);
	read_sum(r, json_get(v, "answer_chars"), &g->used[AMOUNT_ANSWER]);
	read_squares(r, json_get(v, "squares"), g);
	read_tools(r, v, &g->tools);
	read_calls(r, json_get(v, "permissions"), &g->permissions);
	read_pairs(r, v, "sequences", &details->sequences);
	read_pairs(r, v, "values", &details->values);
	read_judge(
	    r, json_get(v, "judge"), tally_group_own_judge(g, r->moment));
	read_answer(r, json_get(v, "answer"), &details->answer);
	return g;
}

/* Returns whether a name of the partial tells what --by asks for: a quarter of an
 * hour tells the day, the week and the month. */
static bool
tells(const struct json *name, struct str by, struct arena *moment)
{
	return json_str_is(name, by) ||
	    (tally_key_time(by) != NULL &&
		tally_key_time(json_text(name, moment)) != NULL);
}

/* Returns the places of the tally's names in the partial's `by`, or NULL if a
 * name is missing there. */
static size_t *
find_names(const struct tally *t, const struct json *by, struct arena *moment)
{
	size_t *places = arena_new_n(moment, size_t, t->task_by.n);

	for (size_t i = 0; i < t->task_by.n; i++) {
		size_t place = 0;

		for (json_each(name, by)) {
			if (tells(name, t->task_by.list[i], moment))
				break;
			place++;
		}
		if (json_at(by, place) == NULL)
			return NULL;
		places[i] = place;
	}
	return places;
}

static void
add_task(struct reading *r, struct tally *t, const struct json *v,
    const size_t *places)
{
	struct str *names = arena_new_n(r->moment, struct str, t->task_by.n);
	const struct json *list_of_names = list(r, v, "names");
	const struct tally_group *g = read_group(r, v);

	for (size_t i = 0; i < t->task_by.n; i++) {
		const struct tally_key *key =
		    tally_key_time(t->task_by.list[i]);

		names[i] =
		    json_text(json_at(list_of_names, places[i]), r->moment);
		if (key != NULL)
			names[i] = tally_key_of_quarter(
			    key, names[i], t->plan.zone, r->moment);
	}
	if (r->wrong == NULL)
		tally_group_merge(
		    tally_task(t, names, r->moment), g, &t->arena);
}

/* ---- assertions and failures ---- */

static bool
is_expectation(const struct json *v)
{
	return json_is(json_get(v, "expectation"), JSON_TRUE);
}

static void
add_assertion(struct reading *r, struct tally *t, const struct json *v)
{
	struct assertion it = { .scenario = text(r, v, "scenario"),
		.dialect = text(r, v, "dialect"),
		.type = text(r, v, "type"),
		.label = text(r, v, "label"),
		.expectation = is_expectation(v),
		.ordinal = count(r, v, "ordinal"),
		.at.text = text(r, v, "at"),
		.expected.text = text(r, v, "expected") };

	read_counts(r, v, "status", it.status);
	if (r->wrong == NULL)
		assertion_merge(&t->checks, &it, &t->arena, r->moment);
}

static void
read_example(struct reading *r, const struct json *v, struct failure_run *run)
{
	run->id = text(r, v, "id");
	run->agent = text(r, v, "agent");
	run->file = text(r, v, "file");
	run->got = text(r, v, "got");
	run->reason = text(r, v, "reason");
	run->run_index =
	    number(r, json_get(v, "run_index"), INT64_MIN, "run_index");
	run->line = number(r, json_get(v, "line"), INT64_MIN, "line");
}

static void
add_failure(struct reading *r, struct tally *t, const struct json *v)
{
	struct failure k = { .scenario = text(r, v, "scenario"),
		.dialect = text(r, v, "dialect"),
		.type = text(r, v, "type"),
		.label = text(r, v, "label"),
		.at = text(r, v, "at"),
		.expectation = is_expectation(v),
		.reason = text(r, v, "reason"),
		.runs = count(r, v, "runs"),
		.times = count(r, v, "times") };
	struct str severity = text(r, v, "severity");
	size_t n = 0;

	if (severity.s != NULL && !severity_of(severity, &k.severity))
		mistake(r, "severity");
	if (!status_of(text(r, v, "status"), &k.status) ||
	    k.status < STATUS_FAILED || k.status > STATUS_SKIPPED)
		mistake(r, "status");
	for (json_each(example, list(r, v, "examples")))
		if (n < FAILURE_EXAMPLES)
			read_example(r, example, &k.examples[n++]);
	if (n != failure_examples(&k))
		mistake(r, "examples");
	if (r->wrong == NULL)
		failures_merge(&t->failures, &k, r->moment);
}

/* ---- a partial ---- */

bool
partial_is(const struct json *v)
{
	return json_str_is(json_get(v, "type"), "partial");
}

/* Adds pairs, without which there may be partials. */
static void
add_pairs(struct reading *r, struct tally *t, const struct json *v,
    const char *key, struct bounded_map *to)
{
	struct bounded_map pairs = { .max = to->max };

	if (json_get(v, key) == NULL)
		return;
	read_pairs(r, v, key, &pairs);
	tally_pairs_merge(to, &pairs, &t->arena);
}

static void
add_permissions(struct reading *r, struct tally *t, const struct json *v)
{
	for (json_each(p, json_get(v, "permissions"))) {
		struct tally_permission line = { .dialect =
						     text(r, p, "dialect"),
			.at = text(r, p, "at"),
			.decision = text(r, p, "decision"),
			.line = text(r, p, "line"),
			.calls = count(r, p, "calls"),
			.runs = count(r, p, "runs"),
			.unseen = count_if_any(r, p, "unseen"),
			.maybe = count_if_any(r, p, "maybe"),
			.irrevocable = truth(p, "irrevocable"),
			.last.text = text(r, p, "last") };

		tally_permission_merge(
		    &t->permissions, &line, &t->arena, r->moment);
	}
	t->permissions.full |= truth(v, "permissions_full");
}

static void
add_parts(
    struct reading *r, struct tally *t, const struct json *v, struct place at)
{
	t->other += count(r, v, "other");
	t->filtered += count_if_any(r, v, "filtered");
	if (!parts_read(&t->parts, v, at, &t->arena))
		mistake(r, "parts");
}

static void
add_all(struct reading *r, struct tally *t, const struct json *v,
    const size_t *places)
{
	size_t left_out[STATUS_COUNT] = { 0 }, severity = 0;

	for (json_each(task, list(r, v, "tasks")))
		add_task(r, t, task, places);
	for (json_each(it, list(r, v, "assertions")))
		add_assertion(r, t, it);
	t->checks.full |= truth(v, "assertions_full");
	if (json_get(v, "steps") == NULL)
		mistake(r, "steps");
	add_pairs(r, t, v, "steps", &t->steps);
	add_pairs(r, t, v, "applied", &t->applied);
	add_pairs(r, t, v, "triggers", &t->triggers);
	add_permissions(r, t, v);
	for (json_each(judge, json_get(v, "judges")))
		tally_judged_by(t, json_text(judge, r->moment));
	t->judges.full |= truth(v, "judges_full");
	for (json_each(model, json_get(v, "unpriced")))
		tally_unpriced(t, json_text(model, r->moment));
	t->unpriced.full |= truth(v, "unpriced_full");
	for (json_each(failure, list(r, v, "findings")))
		add_failure(r, t, failure);
	read_counts(r, v, "findings_left_out", left_out);
	for (int s = 0; s < STATUS_COUNT; s++)
		failures_merge_times(&t->failures, (enum status)s, left_out[s]);
	for (json_each(counts, list(r, v, "at_least")))
		if (severity < SEVERITY_COUNT)
			add_status(
			    r, counts, "at_least", t->at_least[severity++]);
	if (json_get(v, "by_author") != NULL)
		t->by_author += count(r, v, "by_author");
	tally_origin(t, text(r, v, "run_id"), text(r, v, "first_start"),
	    text(r, v, "last_start"));
}

bool
partial_runs_begins(const struct json *v)
{
	return json_str_is(json_get(v, "type"), "runs");
}

bool
partial_runs(const struct json *v, struct part *runs, struct arena *a)
{
	const struct json *member = json_get(v, "runs");

	*runs = (struct part){ 0 };
	return member != NULL && part_read(runs, member, a) &&
	    runs->name.n != 0 && str_find_char(runs->name, '/') == runs->name.n;
}

static bool
is_ours(const struct json *v, struct place at)
{
	int64_t version;

	if (json_int(json_get(v, "v"), &version) && version == 1)
		return true;
	diag_error(at, "partial: v: expected 1");
	return false;
}

static bool
is_right(const struct reading *r, struct place at)
{
	if (r->wrong != NULL)
		diag_error(at,
		    "partial: %s: expected a value that --partial writes",
		    r->wrong);
	return r->wrong == NULL;
}

bool
partial_read_parts(struct tally *t, const struct json *v, struct place at,
    struct arena *moment)
{
	struct reading r = { .moment = moment };

	if (!is_ours(v, at))
		return false;
	add_parts(&r, t, v, at);
	return is_right(&r, at);
}

bool
partial_read(struct tally *t, const struct json *v, struct place at,
    struct arena *moment)
{
	struct reading r = { .moment = moment };
	size_t *places;

	if (!is_ours(v, at))
		return false;
	places = find_names(t, json_get(v, "by"), moment);
	if (places == NULL) {
		diag_error(at,
		    "partial: by: the partial was made without a member that "
		    "--by names");
		return false;
	}
	add_all(&r, t, v, places);
	add_parts(&r, t, v, at);
	return is_right(&r, at);
}
