#include "report/table/rows.h"

#include "base/hash.h"

struct str
rows_title(struct str by)
{
	return str_is(by, "scenario_id") ? STR("scenario") : by;
}

/* Returns whether adjacent groups differ in this name, but not in those
 * before. */
static bool
name_differs(const struct tally *t, size_t name)
{
	for (size_t i = 1; i < t->n; i++) {
		const struct str *a = t->groups[i - 1]->names.list;
		const struct str *b = t->groups[i]->names.list;
		size_t same = 0;

		while (same < name && str_eq(a[same], b[same]))
			same++;
		if (same == name)
			return true;
	}
	return false;
}

/* Decides which names have a column: those that a group has. Without --by, the
 * model is shown only where it distinguishes two rows, or alone. */
static void
find_names(struct rows *r, const struct tally *t, struct arena *a)
{
	size_t model = tally_name_place(r->by, STR("model")), shown = 0;

	r->shown = arena_new_n(a, bool, r->by.n);
	for (size_t i = 0; i < r->by.n; i++) {
		for (size_t j = 0; j < t->n && !r->shown[i]; j++)
			r->shown[i] = t->groups[j]->names.list[i].s != NULL;
		shown += r->shown[i];
	}
	if (shown > 1 && t->plan.by_default && r->shown[model])
		r->shown[model] = name_differs(t, model);
	if (shown == 0)
		r->shown[0] = true;
}

static struct tally_group *
new_row(const struct tally *t, struct arena *a)
{
	struct tally_group *row = tally_group_new(a, t->plan.n_k);
	size_t n = t->plan.by.n;

	row->names = (struct str_list){ arena_new_n(a, struct str, n), n };
	return row;
}

static void
set_name(struct tally_group *row, size_t i, struct str name, struct arena *a)
{
	struct str *names = arena_new_n(a, struct str, row->names.n);

	for (size_t j = 0; j < row->names.n; j++)
		names[j] = j == i ? name : row->names.list[j];
	row->names.list = names;
}

/* Adds a sum for each agent, if several agents ran several scenarios. */
static void
add_agents(struct rows *r, const struct tally *t, struct arena *a)
{
	size_t scenario = tally_name_place(r->by, STR("scenario_id"));
	size_t agent = tally_name_place(r->by, STR("agent"));
	struct hash_table table = { .arena = a };
	struct tally_group **sums = NULL;
	size_t n = 0;

	if (scenario == r->by.n || agent == r->by.n || !r->shown[scenario])
		return;
	for (size_t i = 0; i < t->n; i++) {
		struct str name = t->groups[i]->names.list[agent];
		struct tally_group *sum = hash_get(&table, name);

		if (sum == NULL) {
			sum = new_row(t, a);
			set_name(sum, scenario, STR("all"), a);
			set_name(sum, agent, name, a);
			*hash_put(&table, name) = sum;
			*arena_push(a, sums, n) = sum;
		}
		tally_group_merge(sum, t->groups[i], a);
	}
	if (n < 2 || n == t->n)
		return;
	tally_groups_sort(sums, n);
	for (size_t i = 0; i < n; i++) {
		if (sums[i]->names.list[agent].s == NULL)
			set_name(sums[i], agent, STR("-"), a);
		*arena_push(a, r->list, r->n) = sums[i];
	}
}

void
rows_add_total(
    struct rows *r, const struct tally *t, struct str name, struct arena *a)
{
	struct tally_group *row = new_row(t, a);
	struct str_list names = row->names;
	size_t first = 0;

	*row = t->total;
	row->names = names;
	row->n_models = 0;
	while (!r->shown[first])
		first++;
	set_name(row, first, name, a);
	*arena_push(a, r->list, r->n) = row;
}

struct rows
rows_of(const struct tally *t, struct arena *a)
{
	struct rows r = { .by = t->plan.by };

	find_names(&r, t, a);
	for (size_t i = 0; i < t->n; i++)
		*arena_push(a, r.list, r.n) = t->groups[i];
	r.groups = r.n;
	add_agents(&r, t, a);
	if (t->n > 1)
		rows_add_total(&r, t, t->sums ? STR("total") : STR("all"), a);
	return r;
}

struct rows
rows_without_passed(
    const struct rows *r, size_t most, size_t *left_out, struct arena *a)
{
	struct rows kept = { .by = r->by, .shown = r->shown };

	*left_out = 0;
	if (r->groups <= most)
		return *r;
	for (size_t i = 0; i < r->n; i++) {
		const struct tally_group *g = r->list[i];
		bool group = i < r->groups;

		if (group && g->status[STATUS_PASSED] == g->runs)
			continue;
		kept.groups += group;
		*arena_push(a, kept.list, kept.n) = g;
	}
	*left_out = r->groups - kept.groups;
	return kept;
}

struct rows
rows_without_groups(const struct rows *r, struct arena *a)
{
	struct rows sums = { .by = r->by };

	if (r->n == r->groups)
		return *r;
	for (size_t i = r->groups; i < r->n; i++)
		*arena_push(a, sums.list, sums.n) = r->list[i];
	sums.shown = arena_new_n(a, bool, r->by.n);
	for (size_t i = 0; i < r->by.n; i++)
		for (size_t j = 0; j < sums.n && r->shown[i]; j++)
			sums.shown[i] |= sums.list[j]->names.list[i].s != NULL;
	return sums;
}
