#include "emulate/regex/engine/symbol_classes.h"

#include <stdlib.h>

#include "base/hash.h"

enum {
	/* sets times runs; a few hundredths of a second */
	WORK_MAX = 4 * 1000 * 1000,
};

static int
by_value(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}

struct sets {
	const struct set **list;
	size_t n;
};

static struct sets
distinct_sets(struct arena *arena, const struct program *p)
{
	struct hash_table seen = { .arena = arena };
	struct sets sets = { 0 };

	for (size_t i = 0; i < p->n; i++) {
		const struct set *set = p->ops[i].set;
		void **place;

		if (set == NULL || set->n == 0)
			continue;
		place = hash_put(&seen,
		    (struct str){ (const char *)set->ranges,
			set->n * sizeof *set->ranges });
		if (*place == NULL)
			*arena_push(arena, sets.list, sets.n) = set;
		*place = set->ranges;
	}
	return sets;
}

/* Finds the units where some set begins or ends, in order and without
 * duplicates, beginning with 0. */
static void
find_starts(
    struct arena *arena, struct symbol_classes *a, const struct sets *sets)
{
	size_t n = 0, kept = 1;

	*arena_push(arena, a->starts, n) = 0;
	for (size_t i = 0; i < sets->n; i++) {
		const struct set *set = sets->list[i];

		for (size_t j = 0; j < set->n; j++) {
			*arena_push(arena, a->starts, n) = set->ranges[j].low;
			*arena_push(arena, a->starts, n) =
			    set->ranges[j].high + 1;
		}
	}
	qsort(a->starts, n, sizeof *a->starts, by_value);
	for (size_t i = 1; i < n; i++)
		if (a->starts[i] != a->starts[kept - 1])
			a->starts[kept++] = a->starts[i];
	a->nruns = kept;
}

/* Splits each class into the part that the set holds and the rest. */
static void
split_by(struct symbol_classes *a, const struct set *set, uint32_t *renamed)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < 2 * a->n; i++)
		renamed[i] = UINT32_MAX;
	for (size_t i = 0; i < a->nruns; i++) {
		uint32_t *name =
		    &renamed[2 * a->classes[i] + set_has(set, a->starts[i])];

		if (*name == UINT32_MAX)
			*name = n++;
		a->classes[i] = *name;
	}
	a->n = n;
}

uint32_t
symbol_classes_wide(const struct symbol_classes *a, uint32_t unit)
{
	size_t low = 0, high = a->nruns;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (a->starts[middle] <= unit)
			low = middle;
		else
			high = middle;
	}
	return a->classes[low];
}

struct symbol_classes
symbol_classes_of(struct arena *arena, const struct program *p)
{
	struct symbol_classes a = { .n = 1 };
	struct sets sets = distinct_sets(arena, p);
	uint32_t *renamed;

	find_starts(arena, &a, &sets);
	if (sets.n * a.nruns > WORK_MAX)
		return (struct symbol_classes){ 0 };
	a.classes = arena_new_n(arena, uint32_t, a.nruns);
	renamed = arena_new_n(arena, uint32_t, 2 * a.nruns);
	for (size_t i = 0; i < sets.n; i++)
		split_by(&a, sets.list[i], renamed);
	a.examples = arena_new_n(arena, uint32_t, a.n);
	for (size_t i = 0; i < a.nruns; i++)
		a.examples[a.classes[i]] = a.starts[i];
	for (uint32_t unit = 0; unit < 128; unit++)
		a.ascii[unit] = symbol_classes_wide(&a, unit);
	return a;
}
