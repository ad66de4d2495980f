#include "extract/run/usage_sums.h"

void
usage_sums_add(struct usage_sums *s, struct str model, const struct usage *u,
    struct arena *a)
{
	struct usage_of_model **at = &s->models;

	usage_add(&s->usage, u);
	while (*at != NULL && !str_eq((*at)->model, model))
		at = &(*at)->next;
	if (*at == NULL) {
		*at = s->models == NULL ? &s->first
					: arena_new(a, struct usage_of_model);
		(*at)->model = model;
	}
	usage_add(&(*at)->usage, u);
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
