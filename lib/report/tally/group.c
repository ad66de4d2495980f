#include "report/tally/group.h"

#include <stdlib.h>
#include <string.h>

#include "text/layout.h"

struct tally_group *
tally_group_new(struct arena *a, size_t n_k)
{
	struct tally_group *g = arena_new(a, struct tally_group);

	g->tools.max = TALLY_TOOLS_MAX;
	g->k = arena_new_n(a, struct tally_k, n_k);
	g->n_k = n_k;
	return g;
}

bool
tally_names_equal(const struct str *a, const struct str *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((a[i].s == NULL) != (b[i].s == NULL) || !str_eq(a[i], b[i]))
			return false;
	return true;
}

size_t
tally_name_place(struct str_list list, struct str name)
{
	size_t i = 0;

	while (i < list.n && !str_eq(list.list[i], name))
		i++;
	return i;
}

/* ---- the order ---- */

static int
compare_names(struct str a, struct str b)
{
	if (a.s == NULL || b.s == NULL)
		return (a.s == NULL) - (b.s == NULL);
	return str_cmp(a, b);
}

int
tally_names_compare(const struct str *a, const struct str *b, size_t n)
{
	int c = 0;

	for (size_t i = 0; i < n && c == 0; i++)
		c = compare_names(a[i], b[i]);
	return c;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct tally_group *g = *(struct tally_group *const *)a;
	const struct tally_group *h = *(struct tally_group *const *)b;

	return tally_names_compare(g->names.list, h->names.list, g->names.n);
}

void
tally_groups_sort(struct tally_group **groups, size_t n)
{
	if (n != 0)
		qsort(groups, n, sizeof(struct tally_group *), compare_groups);
}

/* ---- adding a run ---- */

/* Returns whether the list is written as tally_sequence() would write it:
 * strings without escapes, with nothing but commas between them. */
static bool
is_plain_list(const struct json *names)
{
	size_t n = 1;

	for (json_each(name, names)) {
		if (!json_is(name, JSON_STRING) || name->flags & JSON_ESCAPED)
			return false;
		n += name->text.n + 1;
	}
	return n == names->text.n;
}

struct str
tally_sequence(const struct json *names, struct arena *a)
{
	struct out o;

	if (is_plain_list(names))
		return tally_text(names->text, a);
	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(name, names))
		out_json_str(&o, json_text(name, a));
	out_end(&o, ']');
	return tally_text(out_keep(&o, a), a);
}

/* Counts the extracted values: a string as its text, any other value as
 * JSON. */
static void
add_values(struct bounded_map *values, const struct json *extract_counts,
    struct arena *a, struct arena *moment)
{
	for (json_members(key, extract_counts)) {
		const struct json *v = json_value(key);
		struct str text = json_text(v, moment);

		tally_pair_add(values,
		    (struct tally_pair){ .name = json_text(key, moment),
			.text = text.s != NULL ? text : v->text,
			.times = 1 },
		    a, moment);
	}
}

/* Returns whether there are votes that differ. */
static bool
is_split(const struct json *votes)
{
	size_t sides = 0;

	for (json_members(side, votes))
		sides += json_double(json_value(side)) > 0;
	return sides > 1;
}

static void
add_judge(struct tally_judge *to, const struct json *judge, struct arena *a)
{
	bool cached = json_is(json_get(judge, "cached"), JSON_TRUE);
	int64_t used[METRIC_TOOL_CALLS];

	metric_usage(json_get(judge, "usage"), used);
	for (int i = 0; i < METRIC_TOOL_CALLS; i++)
		tally_sum_add(
		    cached ? &to->saved[i] : &to->used[i], used[i], a);
	to->split += is_split(json_get(judge, "votes"));
	if (json_get(judge, "verdict") == NULL)
		return;
	to->verdicts++;
	to->cached += cached;
}

/* Returns which answer is the later one, without a look at the answers. */
static int
compare_times(const struct tally_answer *a, const struct tally_answer *b)
{
	int c = str_cmp(a->start.text, b->start.text);

	if (c == 0)
		c = str_cmp(a->agent.text, b->agent.text);
	if (c == 0)
		c = (a->run_index > b->run_index) -
		    (a->run_index < b->run_index);
	return c != 0 ? c : str_cmp(a->id.text, b->id.text);
}

static int
compare_answers(const struct tally_answer *a, const struct tally_answer *b)
{
	int c = compare_times(a, b);

	return c != 0 ? c : str_cmp(a->text.text, b->text.text);
}

/* Keeps the later of two answers. */
static void
add_answer(
    struct tally_answer *to, const struct tally_answer *from, struct arena *a)
{
	if (from->text.text.n == 0 ||
	    (to->text.text.n != 0 && compare_answers(from, to) <= 0))
		return;
	bounded_map_copy(&to->text, from->text.text, a);
	bounded_map_copy(&to->start, from->start.text, a);
	bounded_map_copy(&to->agent, from->agent.text, a);
	bounded_map_copy(&to->id, from->id.text, a);
	to->run_index = from->run_index;
}

/* Like add_answer(), but takes the answer of a run, which is decoded only if it
 * may be the later one. */
static void
add_answer_of(struct tally_answer *to, const struct result *r, struct arena *a,
    struct arena *moment)
{
	struct tally_answer answer = {
		.start.text = tally_text(r->start, moment),
		.agent.text = tally_text(r->agent, moment),
		.id.text = tally_text(r->id, moment),
		.run_index = r->run_index,
	};

	if (to->text.text.n != 0 && compare_times(&answer, to) < 0)
		return;
	answer.text.text = layout_cut(moment,
	    json_text(r->trace->member[TRACE_FINAL_TEXT], moment),
	    TALLY_ANSWER_MAX);
	add_answer(to, &answer, a);
}

static bool
names_assertion(struct str text)
{
	const struct str word = STR("assertion");

	for (size_t i = 0; i + word.n <= text.n; i++)
		if ((text.s[i] | 0x20) == word.s[0] &&
		    str_eq_ascii_nocase(str_slice(text, i, i + word.n), word))
			return true;
	return false;
}

/* Returns whether the reason of a failure contains "assertion", in upper or
 * lower case. */
static bool
fails_assertion(const struct result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if ((c->status == STATUS_FAILED || c->status == STATUS_ERROR) &&
		    c->severity == SEVERITY_ERROR && names_assertion(c->reason))
			return true;
	}
	return false;
}

void
tally_group_add(struct tally_group *g, const struct result *r, struct arena *a)
{
	g->runs++;
	g->errors += r->error;
	if (r->checked)
		g->status[r->status]++;
	for (size_t i = 0; i < r->n; i++) {
		if (!r->checks[i].of_run)
			g->checks[r->checks[i].status]++;
		if (r->checks[i].judge != NULL)
			add_judge(
			    tally_group_own_judge(g, a), r->checks[i].judge, a);
	}
	tally_calls_add(&g->permissions, r);
	for (int i = 0; i < METRICS; i++)
		if (r->used[i] >= 0)
			tally_sum_count(&g->used[i], r->used[i]);
}

/* Adds the squares of the run's amounts, which are in the sums already. A first run
 * needs no squares. */
static void
add_squares(
    struct tally_group *g, const int64_t amounts[AMOUNTS], struct arena *a)
{
	bool first = g->squares == NULL;

	if (first && g->runs == 1)
		return;
	if (first)
		g->squares = arena_new_n(a, struct wide, AMOUNTS);
	for (int i = 0; i < AMOUNTS; i++) {
		uint64_t amount = amounts[i] < 0 ? 0 : (uint64_t)amounts[i];
		uint64_t before = (uint64_t)g->used[i].sum - amount;

		if (first)
			g->squares[i] = wide_product(before, before);
		g->squares[i] =
		    wide_add(g->squares[i], wide_product(amount, amount));
	}
}

void
tally_group_add_behaviour(struct tally_group *g, const struct result *r,
    struct arena *a, struct arena *moment)
{
	for (int i = METRICS; i < AMOUNTS; i++)
		tally_sum_count(&g->used[i], r->used[i]);
	add_squares(g, r->used, a);
	tally_tools_add(&g->tools, r, g->runs, a, moment);
}

void
tally_group_add_details(struct tally_group *g, const struct result *r,
    struct arena *a, struct arena *moment)
{
	const struct json *const *member = r->trace->member;
	struct tally_details *details = tally_group_own_details(g, a);

	for (int i = 0; i < AMOUNTS; i++)
		tally_sum_spread(&g->used[i], r->used[i], a);
	g->assertion_failures += fails_assertion(r);
	if (json_is(member[TRACE_TOOL_SEQUENCE], JSON_ARRAY))
		tally_pair_add(&details->sequences,
		    (struct tally_pair){
			.text =
			    tally_sequence(member[TRACE_TOOL_SEQUENCE], moment),
			.times = 1 },
		    a, moment);
	tally_tools_add_times(&g->tools, r, a, moment);
	add_values(&details->values, member[TRACE_EXTRACTED], a, moment);
	add_answer_of(&details->answer, r, a, moment);
}

/* ---- merging ---- */

static void
merge_judge(
    struct tally_judge *to, const struct tally_judge *from, struct arena *a)
{
	to->verdicts += from->verdicts;
	to->cached += from->cached;
	to->split += from->split;
	for (int i = 0; i < METRIC_TOOL_CALLS; i++) {
		tally_sum_merge(&to->used[i], &from->used[i], a);
		tally_sum_merge(&to->saved[i], &from->saved[i], a);
	}
}

static void
merge_details(
    struct tally_details *to, const struct tally_details *from, struct arena *a)
{
	tally_pairs_merge(&to->sequences, &from->sequences, a);
	tally_pairs_merge(&to->values, &from->values, a);
	add_answer(&to->answer, &from->answer, a);
}

void
tally_group_add_rates(struct tally_group *to, const struct tally_group *from)
{
	to->tasks += from->tasks;
	to->flaky += from->flaky;
	/* The groups of a partial have no k: pass@k is not known until all runs
	 * of a task are. */
	for (size_t i = 0; i < to->n_k && i < from->n_k; i++) {
		to->k[i].pass_at += from->k[i].pass_at;
		to->k[i].pass_all += from->k[i].pass_all;
		to->k[i].tasks += from->k[i].tasks;
	}
}

/* Adds the squares, before the sums are added. */
static void
merge_squares(
    struct tally_group *to, const struct tally_group *from, struct arena *a)
{
	struct wide *squares;

	if (to->runs == 0 && to->squares == NULL && from->squares == NULL)
		return;
	squares = tally_group_own_squares(to, a);
	for (int i = 0; i < AMOUNTS; i++)
		squares[i] = wide_add(squares[i], tally_group_squares(from, i));
}

void
tally_group_merge(
    struct tally_group *to, const struct tally_group *from, struct arena *a)
{
	merge_squares(to, from, a);
	to->runs += from->runs;
	to->errors += from->errors;
	to->assertion_failures += from->assertion_failures;
	for (int i = 0; i < STATUS_COUNT; i++) {
		to->status[i] += from->status[i];
		to->checks[i] += from->checks[i];
	}
	for (int i = 0; i < AMOUNTS; i++)
		tally_sum_merge(&to->used[i], &from->used[i], a);
	tally_tools_merge(&to->tools, &from->tools, a);
	tally_calls_merge(&to->permissions, &from->permissions);
	if (from->judge != NULL)
		merge_judge(tally_group_own_judge(to, a), from->judge, a);
	if (from->details != NULL)
		merge_details(tally_group_own_details(to, a), from->details, a);
	tally_group_add_rates(to, from);
}

/* ---- results ---- */

struct wide
tally_group_squares(const struct tally_group *g, int amount)
{
	uint64_t sum = (uint64_t)g->used[amount].sum;

	return g->squares == NULL ? wide_product(sum, sum) : g->squares[amount];
}

struct wide *
tally_group_own_squares(struct tally_group *g, struct arena *a)
{
	struct wide *squares = g->squares;

	if (squares == NULL)
		squares = arena_new_n(a, struct wide, AMOUNTS);
	for (int i = 0; g->squares == NULL && i < AMOUNTS; i++)
		squares[i] = tally_group_squares(g, i);
	return g->squares = squares;
}

const struct tally_judge *
tally_group_judge(const struct tally_group *g)
{
	static const struct tally_judge none;

	return g->judge == NULL ? &none : g->judge;
}

struct tally_judge *
tally_group_own_judge(struct tally_group *g, struct arena *a)
{
	if (g->judge == NULL)
		g->judge = arena_new(a, struct tally_judge);
	return g->judge;
}

const struct tally_details *
tally_group_details(const struct tally_group *g)
{
	static const struct tally_details none;

	return g->details == NULL ? &none : g->details;
}

struct tally_details *
tally_group_own_details(struct tally_group *g, struct arena *a)
{
	if (g->details == NULL) {
		g->details = arena_new(a, struct tally_details);
		g->details->sequences.max = TALLY_SEQUENCES_MAX;
		g->details->values.max = TALLY_VALUES_MAX;
	}
	return g->details;
}

bool
tally_group_flaky(const struct tally_group *g)
{
	return g->status[STATUS_PASSED] != 0 &&
	    g->status[STATUS_FAILED] + g->status[STATUS_ERROR] != 0;
}

size_t
tally_checked(const struct tally_group *g)
{
	size_t n = 0;

	for (int i = 0; i < STATUS_COUNT; i++)
		n += g->status[i];
	return n;
}

size_t
tally_decided(const struct tally_group *g)
{
	return g->status[STATUS_PASSED] + g->status[STATUS_FAILED] +
	    g->status[STATUS_ERROR];
}

size_t
tally_rated(const struct tally_group *g)
{
	if (tally_decided(g) == 0)
		return 0;
	return tally_checked(g) - g->status[STATUS_UNCHECKED];
}
