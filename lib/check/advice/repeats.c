/* Assertions that are there twice, that could be one, or that are too many. */
#include "check/advice/set.h"

#include <stdlib.h>

#include "io/out.h"
#include "text/caseless.h"

/* Returns a text that equal values have in common, without these members of an
 * object. */
static struct str
canonical(struct arena *a, const struct json *v, const char *without)
{
	struct str *parts, joined;
	size_t n = 0;

	if (json_is(v, JSON_NUMBER))
		return str_printf(a, "%.17g", json_double(v));
	if (json_is(v, JSON_STRING))
		return out_quote(a, json_text(v, a));
	if (json_count(v) == 0)
		return v->text;
	parts = arena_new_n(a, struct str, json_count(v));
	for (json_each(item, v))
		parts[n++] = canonical(a, item, "");
	for (json_members(key, v)) {
		struct str name = json_text(key, a);

		if (!caseless_is_one_of(name, without))
			parts[n++] = str_printf(a, "%.*s:%.*s",
			    STR_FMT(out_quote(a, name)),
			    STR_FMT(canonical(a, json_value(key), "")));
	}
	if (json_is(v, JSON_OBJECT) && n != 0)
		qsort(parts, n, sizeof *parts, str_compare);
	joined = str_join(a, parts, n, STR(","));
	return str_printf(
	    a, "%c%.*s", json_is(v, JSON_OBJECT) ? '{' : '[', STR_FMT(joined));
}

/* The author's words for a report do not count. */
struct str
advice_key_of(struct arena *a, const struct advice_item *item)
{
	const struct check *c = item->check;
	const struct json *v =
	    item->keys != NULL ? item->keys : c->source.value;

	return str_printf(a, "%.*s %d %zu %.*s", STR_FMT(c->type),
	    (int)c->scope.part, c->scope.turn,
	    STR_FMT(canonical(a, v, "type kind message label name")));
}

/* Adds a note at the second item; but at the first if only that is an addition. */
static void
repeat(struct advice_set *set, const struct advice_item *first,
    const struct advice_item *second)
{
	bool at_first = first->added && !second->added;
	const struct advice_item *at = at_first ? first : second,
				 *other = at_first ? second : first;

	advice_add(set->notes, DUPLICATE, at->check->source.place,
	    "the assertion of line %zu again", other->check->source.place.line);
}

static void
advise_duplicates(struct advice_set *set)
{
	struct hash_table known = { .arena = set->arena };

	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i], *first;
		void **slot;

		if (item->check->source.value == NULL)
			continue;
		slot = hash_put(&known, advice_key_of(set->arena, item));
		first = *slot;
		if (first == NULL)
			*slot = &set->items[i];
		else if (first->check->source.value !=
		    item->check->source.value)
			repeat(set, first, item);
	}
}

enum { ASSERTIONS_MOST = 5 };

/* The assertions of a turn. */
struct turn {
	const struct advice_item *first;
	const struct advice_item *include, *last; /* two content_includes */
	size_t n, includes;
};

/* Counts the item, and adds notes about an addition that is one too many. */
static void
count_item(
    struct advice_set *set, struct turn *t, const struct advice_item *item)
{
	struct place at = item->check->source.place;

	if (t->n++ == 0)
		t->first = item;
	if (item->added && t->n > ASSERTIONS_MOST)
		advice_add(set->notes, TOO_MANY_ASSERTIONS, at, "another one");
	if (!str_is(item->check->type, "content_includes"))
		return;
	if (++t->includes == 1)
		t->include = item;
	else if (t->includes == 2)
		t->last = item;
	if (t->includes == 2 && !item->added && t->include->added)
		advice_add(set->notes, SEPARATE_CHECKS,
		    t->include->check->source.place, "another one");
	if (item->added && t->includes > 1)
		advice_add(set->notes, SEPARATE_CHECKS, at, "another one");
}

static void
advise_turns(struct advice_set *set)
{
	struct turn *turns = arena_new_n(set->arena, struct turn, set->n);
	struct hash_table known = { .arena = set->arena };
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct scope *scope = &set->items[i].check->scope;
		const size_t of[2] = { scope->part, scope->turn };
		void **slot;

		if (scope->part == SCOPE_RUN)
			continue;
		slot = hash_put_copy(
		    &known, (struct str){ (const char *)of, sizeof of });
		if (*slot == NULL)
			*slot = &turns[n++];
		count_item(set, *slot, &set->items[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const struct turn *t = &turns[i];

		if (t->n > ASSERTIONS_MOST)
			advice_add(set->notes, TOO_MANY_ASSERTIONS,
			    t->first->check->source.place,
			    "%zu assertions for a turn", t->n);
		if (t->includes > 1)
			advice_add(set->notes, SEPARATE_CHECKS,
			    t->last->check->source.place,
			    "%zu content_includes for a turn", t->includes);
	}
}

static void
advise_message(struct advice_set *set, const struct advice_item *item)
{
	const struct check_source *s = &item->check->source;

	if (!json_has(s->value, "message") && !json_has(item->keys, "message"))
		advice_add(set->notes, NO_MESSAGE, s->place,
		    "%.*s has no message", STR_FMT(item->check->type));
}

void
advise_repeats(struct advice_set *set)
{
	advise_duplicates(set);
	if (!set->dialect->messages)
		return;
	advise_turns(set);
	for (size_t i = 0; i < set->n; i++)
		advise_message(set, &set->items[i]);
}
