/* Assertions that are there twice, that could be one, or that are too many. */
#include "check/advice/set.h"

#include "text/caseless.h"

/* Returns the members of an assertion that decide, as a key; the author's words
 * for a report do not count. */
static struct str
key_of(struct arena *a, const struct advice_item *item)
{
	const struct json *v =
	    item->keys != NULL ? item->keys : item->check->source.value;
	struct str key =
	    str_printf(a, "%.*s %d %zu", STR_FMT(item->check->type),
		(int)item->check->scope.part, item->check->scope.turn);

	if (!json_is(v, JSON_OBJECT))
		return str_printf(
		    a, "%.*s %.*s", STR_FMT(key), STR_FMT(v->text));
	for (json_members(name, v)) {
		struct str written = json_raw(name);

		if (caseless_is_one_of(written, "type kind message label name"))
			continue;
		key = str_printf(a, "%.*s %.*s:%.*s", STR_FMT(key),
		    STR_FMT(written), STR_FMT(json_value(name)->text));
	}
	return key;
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
		slot = hash_put(&known, key_of(set->arena, item));
		first = *slot;
		if (first == NULL)
			*slot = &set->items[i];
		else if (first->check->source.value !=
		    item->check->source.value)
			advice_add(set->notes, DUPLICATE,
			    item->check->source.place,
			    "the assertion of line %zu again",
			    first->check->source.place.line);
	}
}

enum { ASSERTIONS_MOST = 5 };

/* Advises on a turn, whose first item is given. */
static void
advise_turn(struct advice_set *set, size_t first)
{
	const struct advice_item *start = &set->items[first];
	size_t n = 0, includes = 0, last = first;

	for (size_t i = first; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (!advice_same_part(item, start))
			continue;
		n++;
		if (str_is(item->check->type, "content_includes") &&
		    ++includes == 2)
			last = i;
	}
	if (n > ASSERTIONS_MOST)
		advice_add(set->notes, TOO_MANY_ASSERTIONS,
		    start->check->source.place, "%zu assertions for a turn", n);
	if (includes > 1)
		advice_add(set->notes, SEPARATE_CHECKS,
		    set->items[last].check->source.place,
		    "%zu content_includes for a turn", includes);
}

static bool
is_first_of_turn(const struct advice_set *set, size_t at)
{
	if (set->items[at].check->scope.part == SCOPE_RUN)
		return false;
	return at == 0 ||
	    !advice_same_part(&set->items[at - 1], &set->items[at]);
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
	for (size_t i = 0; set->dialect->messages && i < set->n; i++) {
		if (is_first_of_turn(set, i))
			advise_turn(set, i);
		advise_message(set, &set->items[i]);
	}
}
