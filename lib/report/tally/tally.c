#include "report/tally/tally.h"

#include <stdlib.h>

#include "base/stats.h"
#include "report/tally/spread.h"
#include "text/layout.h"

static const struct str by_default[] = { { "scenario_id", 11 }, { "agent", 5 },
	{ "model", 5 } };
static const size_t k_default[] = { 1, 3, 5 };

enum {
	BY_DEFAULT = sizeof by_default / sizeof by_default[0],
	MODEL = BY_DEFAULT - 1,
	K_DEFAULT = sizeof k_default / sizeof k_default[0],
};

struct tally_plan
tally_plan_default(void)
{
	return (struct tally_plan){ .max_failures = SIZE_MAX,
		.by = { by_default, BY_DEFAULT },
		.by_default = true,
		.k = k_default,
		.n_k = K_DEFAULT,
		.assertions = true,
		.behaviour = true,
		.details = true };
}

void
tally_start(struct tally *t, const struct tally_plan *plan)
{
	struct str *by = NULL;
	size_t n = 0;

	*t = (struct tally){ .plan = *plan };
	for (size_t i = 0; i < BY_DEFAULT; i++)
		*arena_push(&t->arena, by, n) = by_default[i];
	for (size_t i = 0; i < plan->by.n; i++)
		if (tally_name_place(
			(struct str_list){ by, n }, plan->by.list[i]) == n)
			*arena_push(&t->arena, by, n) = plan->by.list[i];
	t->task_by = (struct str_list){ by, n };
	t->sums = tally_has_key(plan->by);
	t->checks.max = TALLY_CHECKS_MAX;
	t->steps.max = TALLY_STEPS_MAX;
	t->applied.max = TALLY_CHECKS_MAX;
	t->triggers.max = TALLY_CHECKS_MAX;
	t->permissions.max = TALLY_PERMISSIONS_MAX;
	t->judges.max = TALLY_JUDGES_MAX;
	t->unpriced.max = TALLY_UNPRICED_MAX;
	t->table.arena = &t->arena;
	if (plan->assertions)
		t->recent_checks = arena_new_n(
		    &t->arena, struct assertion *, ASSERTION_RECENT);
	failures_start(&t->failures, plan->max_failures);
}

static struct tally_group *
find_task(struct tally *t, const struct str *names, struct arena *moment)
{
	struct str key = hash_key(moment, names, t->task_by.n);
	struct tally_group *g = hash_get(&t->table, key);
	struct str *kept;

	if (g != NULL)
		return g;
	g = tally_group_new(&t->arena, t->plan.n_k);
	kept = arena_new_n(&t->arena, struct str, t->task_by.n);
	key = str_dup(&t->arena, key);
	hash_key_split(key, kept, t->task_by.n);
	g->names = (struct str_list){ kept, t->task_by.n };
	*arena_push(&t->arena, t->tasks, t->n_tasks) = g;
	*hash_put(&t->table, key) = g;
	return g;
}

/* Scenarios are often run in turn: the task that followed the last one before
 * is tried first. */
struct tally_group *
tally_task(struct tally *t, const struct str *names, struct arena *moment)
{
	struct tally_group *g = t->last == NULL ? NULL : t->last->next;

	if (g == NULL || !tally_names_equal(g->names.list, names, g->names.n))
		g = find_task(t, names, moment);
	if (t->last != NULL)
		t->last->next = g;
	return t->last = g;
}

/* ---- the task of a run ---- */

static struct tally_group *
task_of(struct tally *t, const struct result *r, struct arena *moment)
{
	const struct str members[BY_DEFAULT] = { r->scenario, r->agent,
		r->model };
	struct str *names = arena_new_n(moment, struct str, t->task_by.n);

	for (size_t i = 0; i < t->task_by.n; i++)
		names[i] = i < BY_DEFAULT ? members[i]
					  : tally_name_text(t->task_by.list[i],
						r, t->plan.zone, moment);
	return tally_task(t, names, moment);
}

/* ---- the usage of turns ---- */

/* Returns the task in which a turn that began at this time counts: the run's own
 * unless --by has a key of time that differs. */
static struct tally_group *
task_at(struct tally *t, const struct result *r, struct tally_group *task,
    struct str time, struct arena *moment)
{
	struct str *names = arena_new_n(moment, struct str, t->task_by.n);
	bool same = true;

	for (size_t i = 0; i < t->task_by.n; i++) {
		struct str name = t->task_by.list[i];
		const struct tally_key *key = tally_key_time(name);

		names[i] = task->names.list[i];
		if (key == NULL || names[i].s == NULL ||
		    tally_own_member(r, name, moment) != NULL)
			continue;
		names[i] = tally_key_of_time(key, time, t->plan.zone, moment);
		if (names[i].s == NULL)
			return task;
		same &= str_eq(names[i], task->names.list[i]);
	}
	return same ? task : tally_task(t, names, moment);
}

/* Moves the usage of turns that began on another day than the run to that day's
 * task: the sums only, so that each run is counted once. */
static void
spread_usage(struct tally *t, const struct result *r, struct tally_group *task,
    struct arena *moment)
{
	struct spread spread = spread_start(r);
	int64_t used[METRICS];

	if (t->plan.behaviour)
		tally_group_own_squares(task, &t->arena);
	for (json_each(turn, r->trace->member[TRACE_TURNS])) {
		struct str time = json_text(json_get(turn, "ts"), moment);
		struct tally_group *to = task_at(t, r, task, time, moment);

		spread_next(&spread, turn, used);
		if (t->plan.behaviour && to != task)
			tally_group_own_squares(to, &t->arena);
		for (int i = 0; i < METRICS && to != task; i++) {
			task->used[i].sum -= used[i];
			to->used[i].sum = metric_add(to->used[i].sum, used[i]);
		}
	}
}

/* ---- adding a run ---- */

static void
add_steps(struct tally *t, const struct result *r, struct arena *moment)
{
	struct str before = STR("");

	for (size_t i = 0; i <= r->n_calls && r->n_calls != 0; i++) {
		struct str tool = i < r->n_calls ? r->calls[i].tool : STR("");

		tally_pair_add(&t->steps,
		    (struct tally_pair){
			.name = before, .text = tool, .times = 1 },
		    &t->arena, moment);
		before = tool;
	}
}

/* Returns RUN of an id RUN/SCENARIO/AGENT/INDEX; an absent text for another
 * id. */
static struct str
run_id(const struct result *r, struct arena *moment)
{
	const struct str parts[] = { str_int(moment, r->run_index), STR("/"),
		r->agent, STR("/"), r->scenario, STR("/") };
	struct str id = r->id;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (!str_ends(id, parts[i]))
			return (struct str){ 0 };
		id = str_slice(id, 0, id.n - parts[i].n);
	}
	if (id.n == 0)
		return (struct str){ 0 };
	return layout_cut(moment, id, TALLY_TEXT_MAX);
}

/* Keeps the lesser of two texts if sign is -1, the greater if it is 1. Empty
 * texts do not count. */
static void
copy_text(
    struct tally *t, struct bounded_map_text *to, struct str text, int sign)
{
	if (text.n != 0 &&
	    (to->text.n == 0 || sign * str_cmp(text, to->text) > 0))
		bounded_map_copy(to, text, &t->arena);
}

void
tally_origin(struct tally *t, struct str id, struct str first, struct str last)
{
	copy_text(t, &t->run_id, id, -1);
	copy_text(t, &t->first_start, first, -1);
	copy_text(t, &t->last_start, last, 1);
}

void
tally_judged_by(struct tally *t, struct str judge)
{
	bool fresh;

	bounded_map_put(&t->judges, judge, sizeof(struct bounded_map_item),
	    &t->arena, &fresh);
}

void
tally_unpriced(struct tally *t, struct str model)
{
	bool fresh;

	bounded_map_put(&t->unpriced, tally_text(model, &t->arena),
	    sizeof(struct bounded_map_item), &t->arena, &fresh);
}

void
tally_put_unpriced(struct out *o, const struct tally *t)
{
	out_member_begin(o, "unpriced", '[');
	for (size_t i = 0; i < t->unpriced.n; i++)
		out_json_str(o,
		    ((struct bounded_map_item *)t->unpriced.list[i])->key.text);
	out_end(o, ']');
	if (t->unpriced.full)
		out_member_bool(o, "unpriced_full", true);
}

static void
add_judges(struct tally *t, const struct result *r, struct arena *moment)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct json *judge = r->checks[i].judge;
		struct str names[2];

		if (judge == NULL || json_get(judge, "verdict") == NULL)
			continue;
		names[0] = json_text(json_get(judge, "provider"), moment);
		names[1] = json_text(json_get(judge, "model"), moment);
		tally_judged_by(t, str_join(moment, names, 2, STR(" ")));
	}
}

/* Counts the results that say how many events they judged. */
static void
add_applied(struct tally *t, const struct result *r, struct arena *moment)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if (c->applied >= 0 && !c->permission)
			tally_pair_add(&t->applied,
			    (struct tally_pair){ .name = c->label,
				.text = c->at,
				.times = c->applied > 0,
				.of = 1 },
			    &t->arena, moment);
	}
}

/* Counts the decided queries of trigger evals. */
static void
add_triggers(struct tally *t, const struct result *r, struct arena *moment)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];
		const struct json *wanted = NULL;

		if (str_is(c->type, "trigger"))
			wanted = json_get(c->metadata, "should_trigger");
		if (wanted == NULL)
			continue;
		tally_pair_add(&t->triggers,
		    (struct tally_pair){
			.name =
			    json_text(json_get(c->metadata, "skill"), moment),
			.text = str_printf(moment, "%s%.*s %.*s",
			    json_is(wanted, JSON_TRUE) ? "+" : "-",
			    STR_FMT(c->at), STR_FMT(c->scenario)),
			.times = json_is(
			    json_get(c->metadata, "triggered"), JSON_TRUE),
			.of = 1 },
		    &t->arena, moment);
	}
}

void
tally_add(struct tally *t, const struct result *r, struct arena *moment)
{
	struct tally_group *task = task_of(t, r, moment);

	tally_group_add(task, r, &t->arena);
	if (t->plan.behaviour)
		tally_group_add_behaviour(task, r, &t->arena, moment);
	if (t->sums && json_count(r->trace->member[TRACE_TURNS]) > 1)
		spread_usage(t, r, task, moment);
	if (t->plan.details) {
		tally_group_add_details(task, r, &t->arena, moment);
		add_steps(t, r, moment);
		tally_origin(t, run_id(r, moment), r->start, r->start);
	}
	t->runs++;
	if (t->plan.assertions)
		assertion_add(
		    &t->checks, t->recent_checks, r, &t->arena, moment);
	if (r->checked)
		for (int s = 0; s < SEVERITY_COUNT; s++)
			t->at_least[s][result_status_at(r, (enum severity)s)]++;
	t->by_author += r->by_author;
	add_judges(t, r, moment);
	add_applied(t, r, moment);
	add_triggers(t, r, moment);
	tally_permissions_add(&t->permissions, r, t->runs, &t->arena, moment);
	if (r->unpriced.s != NULL)
		tally_unpriced(t, r->unpriced);
	failures_add(&t->failures, r, moment);
}

static void
merge_failures(struct failures *to, struct failures *from, struct arena *moment)
{
	failures_sort(from);
	for (int s = 0; s < STATUS_COUNT; s++)
		failures_merge_times(to, (enum status)s,
		    failures_left_out(from, (enum status)s));
	for (size_t i = 0; i < from->n; i++)
		failures_merge(to, from->list[i], moment);
}

void
tally_merge(struct tally *t, struct tally *from, struct arena *moment)
{
	for (size_t i = 0; i < from->n_tasks; i++) {
		const struct tally_group *g = from->tasks[i];

		tally_group_merge(
		    tally_task(t, g->names.list, moment), g, &t->arena);
	}
	for (size_t i = 0; i < from->checks.n; i++)
		assertion_merge(
		    &t->checks, from->checks.list[i], &t->arena, moment);
	t->checks.full |= from->checks.full;
	tally_pairs_merge(&t->steps, &from->steps, &t->arena);
	tally_pairs_merge(&t->applied, &from->applied, &t->arena);
	tally_pairs_merge(&t->triggers, &from->triggers, &t->arena);
	for (size_t i = 0; i < from->permissions.n; i++)
		tally_permission_merge(&t->permissions,
		    from->permissions.list[i], &t->arena, moment);
	t->permissions.full |= from->permissions.full;
	for (size_t i = 0; i < from->judges.n; i++) {
		const struct bounded_map_item *judge = from->judges.list[i];

		tally_judged_by(t, judge->key.text);
	}
	t->judges.full |= from->judges.full;
	for (size_t i = 0; i < from->unpriced.n; i++) {
		const struct bounded_map_item *model = from->unpriced.list[i];

		tally_unpriced(t, model->key.text);
	}
	t->unpriced.full |= from->unpriced.full;
	merge_failures(&t->failures, &from->failures, moment);
	for (int s = 0; s < SEVERITY_COUNT; s++)
		for (int i = 0; i < STATUS_COUNT; i++)
			t->at_least[s][i] += from->at_least[s][i];
	t->by_author += from->by_author;
	t->other += from->other;
	t->filtered += from->filtered;
	for (size_t i = 0; i < from->parts.n; i++)
		parts_add(&t->parts, &from->parts.list[i], &t->arena);
	part_merge(&t->own, &from->own, &t->arena);
	tally_origin(t, from->run_id.text, from->first_start.text,
	    from->last_start.text);
}

/* ---- the end ---- */

/* Returns whether the runs share a scenario or another name of --by: runs that
 * share only an agent and a model are not runs of one task. */
static bool
is_task(const struct tally *t, const struct tally_group *g)
{
	for (size_t i = 0; i < g->names.n; i++)
		if ((i == 0 || i >= BY_DEFAULT) && g->names.list[i].s != NULL &&
		    tally_key(t->task_by.list[i]) == NULL)
			return true;
	return false;
}

/* Sets whether the group is a task, whether it is flaky, and its pass@k. */
static void
rate_task(const struct tally *t, struct tally_group *g)
{
	size_t n = is_task(t, g) ? tally_rated(g) : 0;
	size_t passed = g->status[STATUS_PASSED];

	g->tasks = n != 0;
	g->flaky = n != 0 && tally_group_flaky(g);
	for (size_t i = 0; i < t->plan.n_k; i++) {
		size_t k = t->plan.k[i];

		g->k[i] = (struct tally_k){ 0 };
		if (n != 0 && n >= k)
			g->k[i] = (struct tally_k){
				.pass_at = stats_pass_at(passed, n, k),
				.pass_all = stats_pass_all(passed, n, k),
				.tasks = 1,
			};
	}
}

/* Returns the names of the task's group. */
static struct str *
group_names(struct tally *t, const struct tally_group *task)
{
	struct str *names = arena_new_n(&t->arena, struct str, t->plan.by.n);

	for (size_t i = 0; i < t->plan.by.n; i++)
		names[i] =
		    task->names
			.list[tally_name_place(t->task_by, t->plan.by.list[i])];
	return names;
}

/* Returns whether each task is a group of its own. */
static bool
groups_are_tasks(const struct tally *t)
{
	bool same = t->plan.by.n == t->task_by.n;

	for (size_t i = 0; i < t->plan.by.n && same; i++)
		same = str_eq(t->plan.by.list[i], t->task_by.list[i]);
	return same;
}

/* Notes the model of a task in the task's group. */
static void
add_model(struct tally_group *g, struct str model, struct arena *a)
{
	size_t i = g->n_models;

	if (model.n == 0 ||
	    tally_name_place((struct str_list){ g->models, i }, model) != i)
		return;
	arena_push(a, g->models, g->n_models);
	for (; i > 0 && str_cmp(g->models[i - 1], model) > 0; i--)
		g->models[i] = g->models[i - 1];
	g->models[i] = model;
}

static void
sum_up(struct tally *t)
{
	struct hash_table table = { .arena = &t->arena };

	if (groups_are_tasks(t)) {
		t->groups = t->tasks;
		t->n = t->n_tasks;
		return;
	}
	for (size_t i = 0; i < t->n_tasks; i++) {
		struct str *names = group_names(t, t->tasks[i]);
		struct str key = hash_key(&t->arena, names, t->plan.by.n);
		struct tally_group *g = hash_get(&table, key);

		if (g == NULL) {
			g = tally_group_new(&t->arena, t->plan.n_k);
			g->names = (struct str_list){ names, t->plan.by.n };
			*arena_push(&t->arena, t->groups, t->n) = g;
			*hash_put(&table, key) = g;
		}
		tally_group_merge(g, t->tasks[i], &t->arena);
		if (t->sums)
			add_model(g, t->tasks[i]->names.list[MODEL], &t->arena);
	}
}

/* Sums up the rates of the tasks one by one, in order, because sums of doubles
 * depend on the order of adding. */
static void
rate_total(struct tally *t)
{
	struct tally_group *total = &t->total;

	total->tasks = total->flaky = 0;
	for (size_t i = 0; i < total->n_k; i++)
		total->k[i] = (struct tally_k){ 0 };
	for (size_t i = 0; i < t->n_tasks; i++)
		tally_group_add_rates(total, t->tasks[i]);
}

void
tally_finish(struct tally *t)
{
	struct tally_group *total = tally_group_new(&t->arena, t->plan.n_k);

	tally_groups_sort(t->tasks, t->n_tasks);
	for (size_t i = 0; i < t->n_tasks; i++)
		rate_task(t, t->tasks[i]);
	sum_up(t);
	tally_groups_sort(t->groups, t->n);
	for (size_t i = 0; i < t->n; i++)
		tally_group_merge(total, t->groups[i], &t->arena);
	t->total = *total;
	rate_total(t);
	failures_sort(&t->failures);
}

static struct str
text_or(struct str text, struct str otherwise)
{
	return text.n != 0 ? text : otherwise;
}

struct str
tally_run_id(const struct tally *t)
{
	return text_or(t->run_id.text, STR("mcpl"));
}

struct str
tally_first_start(const struct tally *t)
{
	return text_or(t->first_start.text, STR("1970-01-01T00:00:00.000Z"));
}

struct str
tally_last_start(const struct tally *t)
{
	return text_or(t->last_start.text, STR("1970-01-01T00:00:00.000Z"));
}

struct str
tally_config_hash(const struct tally *t, struct arena *a)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < t->checks.n; i++) {
		const struct assertion *it = t->checks.list[i];

		hash = hash_add(hash, it->item.key.text);
	}
	return str_printf(a, "%016llx", (unsigned long long)hash);
}

void
tally_free(struct tally *t)
{
	failures_free(&t->failures);
	arena_free(&t->arena);
}
