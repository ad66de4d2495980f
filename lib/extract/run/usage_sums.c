#include "extract/run/usage_sums.h"

enum { MANY = 16 }; /* models, which are no longer sought one by one */

static struct usage_of_model *
find(const struct usage_sums *s, struct str model)
{
	struct usage_of_model *m = s->models;

	if (s->by_name != NULL)
		return hash_get(s->by_name, model);
	while (m != NULL && !str_eq(m->model, model))
		m = m->next;
	return m;
}

static void
index_models(struct usage_sums *s, struct arena *a)
{
	s->by_name = arena_new(a, struct hash_table);
	s->by_name->arena = a;
	for (struct usage_of_model *m = s->models; m != NULL; m = m->next)
		*hash_put(s->by_name, m->model) = m;
}

static struct usage_of_model *
add(struct usage_sums *s, struct str model, struct arena *a)
{
	struct usage_of_model *m =
	    s->n == 0 ? &s->first : arena_new(a, struct usage_of_model);

	m->model = model;
	*(s->n == 0 ? &s->models : &s->last->next) = m;
	s->last = m;
	if (s->by_name != NULL)
		*hash_put(s->by_name, model) = m;
	if (++s->n == MANY)
		index_models(s, a);
	return m;
}

void
usage_sums_add(struct usage_sums *s, struct str model, const struct usage *u,
    struct arena *a)
{
	struct usage_of_model *m = find(s, model);

	usage_add(m != NULL ? &m->usage : &add(s, model, a)->usage, u);
}

struct usage
usage_sums_total(const struct usage_sums *s, const struct usage_sums *also)
{
	struct usage total = { 0 };
	const struct usage_of_model *m = s->models;

	if (m != NULL) {
		total = m->usage;
		m = m->next;
	}
	for (; m != NULL; m = m->next)
		usage_add(&total, &m->usage);
	for (m = also == NULL ? NULL : also->models; m != NULL; m = m->next)
		usage_add(&total, &m->usage);
	return total;
}

void
usage_sums_merge(
    struct usage_sums *to, const struct usage_sums *from, struct arena *a)
{
	for (const struct usage_of_model *m = from->models; m != NULL;
	     m = m->next)
		usage_sums_add(to, m->model, &m->usage, a);
}

/* Returns whether some tokens were not used by the model, but by one that is
 * known, or by several. */
static bool
has_others(const struct usage_sums *s, struct str model)
{
	const struct usage_of_model *any = NULL;

	for (const struct usage_of_model *m = s->models; m != NULL;
	     m = m->next) {
		if (!usage_has_tokens(&m->usage))
			continue;
		if (any != NULL)
			return true;
		any = m;
	}
	return any != NULL && any->model.n != 0 && !str_eq(any->model, model);
}

static void
put_members(struct out *o, const struct usage_sums *s, struct str model)
{
	usage_write_members(o, &s->usage);
	if (!has_others(s, model))
		return;
	out_member_begin(o, "by_model", '{');
	for (const struct usage_of_model *m = s->models; m != NULL;
	     m = m->next) {
		out_plain_key(o, m->model.s == NULL ? STR("") : m->model);
		usage_write(o, &m->usage);
	}
	out_end(o, '}');
}

/* Makes two sums know the same kinds, except for the cost. */
static void
know_same(struct usage *a, struct usage *b)
{
	unsigned known = (a->known | b->known) & ~(1U << USAGE_COST);

	a->known |= known;
	b->known |= known;
}

void
usage_sums_write(struct out *o, struct usage_sums *counted,
    struct usage_sums *repeated, struct str model)
{
	if (repeated->models != NULL)
		know_same(&counted->usage, &repeated->usage);
	if (counted->models == NULL) /* a cost of nothing is known, too */
		counted->usage.known |= repeated->usage.known;
	if (counted->usage.known == 0)
		return;
	out_member_begin(o, "usage", '{');
	put_members(o, counted, model);
	if (repeated->models != NULL) {
		out_member_begin(o, "repeated", '{');
		put_members(o, repeated, model);
		out_end(o, '}');
	}
	out_end(o, '}');
}
