#include "report/tally/counts.h"

#include "base/hash.h"
#include "text/layout.h"

struct str
tally_text(struct str text, struct arena *a)
{
	struct str cut;

	if (text.n <= TALLY_TEXT_MAX)
		return text;
	cut = layout_cut(a, text, TALLY_TEXT_MAX);
	return str_printf(a, "%.*s %016llx", STR_FMT(cut),
	    (unsigned long long)hash_add(HASH_START, text));
}

static void
add_pair(struct bounded_map *map, struct str key, const struct tally_pair *from,
    struct arena *a)
{
	struct tally_pair *p;
	bool fresh;

	p = bounded_map_put(map, key, sizeof *p, a, &fresh);
	if (p == NULL)
		return;
	if (fresh) {
		struct str texts[2];

		hash_key_split(p->item.key.text, texts, 2);
		p->name = texts[0];
		p->text = texts[1];
		p->times = p->of = 0;
	}
	p->times += from->times;
	p->of += from->of;
}

void
tally_pair_add(struct bounded_map *map, struct tally_pair pair, struct arena *a,
    struct arena *moment)
{
	const struct str texts[] = { tally_text(pair.name, moment),
		tally_text(pair.text, moment) };

	add_pair(map, hash_key(moment, texts, 2), &pair, a);
}

void
tally_pair_restore(
    struct bounded_map *map, struct tally_pair pair, struct arena *a)
{
	const struct str texts[] = { pair.name, pair.text };

	add_pair(map, hash_key(a, texts, 2), &pair, a);
}

void
tally_pairs_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *a)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tally_pair *p = from->list[i];

		add_pair(to, p->item.key.text, p, a);
	}
	to->full |= from->full;
}

const struct quantiles *
tally_sum_quantiles(const struct tally_sum *s)
{
	static const struct quantiles empty;

	return s->spread == NULL ? &empty : s->spread;
}

struct quantiles *
tally_sum_own_quantiles(struct tally_sum *s, struct arena *a)
{
	if (s->spread == NULL)
		s->spread = arena_new(a, struct quantiles);
	return s->spread;
}

void
tally_sum_count(struct tally_sum *to, int64_t amount)
{
	to->sum = metric_add(to->sum, amount);
	to->runs += amount >= 0;
}

void
tally_sum_spread(struct tally_sum *to, int64_t amount, struct arena *a)
{
	if (amount >= 0)
		quantiles_add(tally_sum_own_quantiles(to, a), amount, 1, a);
}

void
tally_sum_add(struct tally_sum *to, int64_t amount, struct arena *a)
{
	tally_sum_count(to, amount);
	tally_sum_spread(to, amount, a);
}

void
tally_sum_merge(
    struct tally_sum *to, const struct tally_sum *from, struct arena *a)
{
	to->sum = metric_add(to->sum, from->sum);
	to->runs += from->runs;
	if (from->spread != NULL)
		quantiles_merge(
		    tally_sum_own_quantiles(to, a), from->spread, a);
}

struct tally_tool *
tally_tool_put(struct bounded_map *tools, struct str name, struct arena *a)
{
	bool fresh;
	struct tally_tool *t =
	    bounded_map_put(tools, name, sizeof(struct tally_tool), a, &fresh);

	if (t == NULL || !fresh)
		return t;
	t->calls = t->errors = t->runs = t->time.runs = t->last_run = 0;
	t->time.sum = 0;
	if (t->time.spread != NULL)
		quantiles_clear(t->time.spread);
	return t;
}

void
tally_tools_add(struct bounded_map *tools, const struct result *r, size_t run,
    struct arena *a, struct arena *moment)
{
	for (size_t i = 0; i < r->n_calls; i++) {
		const struct result_call *c = &r->calls[i];
		struct tally_tool *t =
		    tally_tool_put(tools, tally_text(c->tool, moment), a);

		if (t == NULL)
			continue;
		t->runs += t->last_run != run;
		t->last_run = run;
		t->calls++;
		t->errors += c->error;
	}
}

void
tally_tools_add_times(struct bounded_map *tools, const struct result *r,
    struct arena *a, struct arena *moment)
{
	for (size_t i = 0; i < r->n_calls; i++) {
		const struct result_call *c = &r->calls[i];
		struct tally_tool *t =
		    tally_tool_put(tools, tally_text(c->tool, moment), a);

		if (t != NULL)
			tally_sum_add(&t->time, c->duration, a);
	}
}

void
tally_tools_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *a)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tally_tool *t = from->list[i];
		struct tally_tool *sum =
		    tally_tool_put(to, t->item.key.text, a);

		if (sum == NULL)
			continue;
		sum->calls += t->calls;
		sum->errors += t->errors;
		sum->runs += t->runs;
		tally_sum_merge(&sum->time, &t->time, a);
	}
	to->full |= from->full;
}
