/* JMESPath's functions that put values in order. */
#include <stdlib.h>

#include "query/jmespath/tree.h"

struct sortable {
	const struct jmespath_value *value;
	const struct json *key; /* a number or a string */
	struct str text;        /* the key's, if it is a string */
	size_t place;           /* keeps the sort stable */
};

static int
compare_keys(const struct sortable *a, const struct sortable *b)
{
	double x, y;

	if (json_is(a->key, JSON_STRING))
		return str_cmp(a->text, b->text);
	x = json_double(a->key);
	y = json_double(b->key);
	return (x > y) - (x < y);
}

static int
compare_sortable(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;
	int order = compare_keys(x, y);

	return order != 0 ? order
			  : (x->place > y->place) - (x->place < y->place);
}

/*
 * The list's values with their keys: themselves, or what the second argument
 * makes of each. The keys must all be numbers or all strings; at that of a value
 * that is alone go-jmespath does not look.
 */
static struct sortable *
keyed(struct jmespath_call *c, const struct jmespath_value *list)
{
	struct sortable *rows =
	    arena_new_n(c->run->arena, struct sortable, list->n);

	for (size_t i = 0; i < list->n; i++) {
		const struct jmespath_value *key = list->items[i].value;

		rows[i].value = key;
		rows[i].place = i;
		if (list->n == 1)
			break;
		if (c->n == 2)
			key = jmespath_eval(c->run, c->args[1]->ref, key);
		rows[i].key = key->json;
		rows[i].text = json_text(key->json, c->run->arena);
		if ((!json_is(rows[i].key, JSON_NUMBER) &&
			!json_is(rows[i].key, JSON_STRING)) ||
		    rows[i].key->type != rows[0].key->type) {
			jmespath_fail(c->run, c->node,
			    "keys must be all numbers or all strings");
			return NULL;
		}
	}
	return rows;
}

const struct jmespath_value *
jmespath_sort(struct jmespath_call *c)
{
	struct jmespath_value list = jmespath_open(c->run, c->args[0]);
	struct sortable *rows = keyed(c, &list);
	struct jmespath_item *items =
	    arena_new_n(c->run->arena, struct jmespath_item, list.n);

	if (rows == NULL)
		return jmespath_null(c->run);
	if (list.n != 0)
		qsort(rows, list.n, sizeof *rows, compare_sortable);
	for (size_t i = 0; i < list.n; i++)
		items[i].value = rows[i].value;
	return jmespath_list(c->run, items, list.n);
}

/* The first value whose key no other's exceeds in the sign's direction. */
static const struct jmespath_value *
extreme(struct jmespath_call *c, int sign)
{
	struct jmespath_value list = jmespath_open(c->run, c->args[0]);
	struct sortable *rows = keyed(c, &list), *best = rows;

	if (rows == NULL || list.n == 0)
		return jmespath_null(c->run);
	for (size_t i = 1; i < list.n; i++)
		if (compare_keys(&rows[i], best) * sign > 0)
			best = &rows[i];
	return best->value;
}

const struct jmespath_value *
jmespath_max(struct jmespath_call *c)
{
	return extreme(c, 1);
}

const struct jmespath_value *
jmespath_min(struct jmespath_call *c)
{
	return extreme(c, -1);
}
