/* Changes of assertions, and the review of what is added and changed. */
#include "check/advice/additions.h"

/* ---- changes ---- */

/* Writes the value with the changes of its members. */
static void
put_changed(struct out *o, const struct json *v, const struct edit_changes *m)
{
	const char *between = "{";

	if (!json_is(v, JSON_OBJECT)) {
		out_source(o, v->text);
		return;
	}
	for (json_members(key, v)) {
		struct edit_change c = { 0 };

		for (size_t i = 0; i < m->n; i++)
			if (m->list[i].key == key)
				c = m->list[i];
		out_printf(o, "%s", between);
		if (c.name.s != NULL)
			out_printf(o, "\"%.*s\"", STR_FMT(c.name));
		else
			out_str(o, key->text);
		out_text(o, ": ");
		if (c.value.s != NULL)
			out_str(o, c.value);
		else
			put_changed(o, json_value(key), m);
		between = ", ";
	}
	for (size_t i = 0; i < m->n; i++) {
		if (m->list[i].key != NULL || m->list[i].object != v)
			continue;
		out_printf(o, "%s\"%.*s\": %.*s", between,
		    STR_FMT(m->list[i].name), STR_FMT(m->list[i].value));
		between = ", ";
	}
	out_text(o, *between == '{' ? "{}" : "}");
}

void
additions_change(
    struct additions *all, size_t of, const struct edit_changes *members)
{
	const struct check *old = all->set->items[of].check;
	const struct json *v = old->source.value;
	struct change *one =
	    arena_push(all->arena, all->changes, all->nchanges);
	struct out o;

	*one = (struct change){ .of = of,
		.members = *members,
		.check = arena_new(all->arena, struct check) };
	out_open_memory(&o);
	if (json_is(v, JSON_STRING)) { /* the name beside its keys */
		struct str name = v->text;

		for (size_t i = 0; i < members->n; i++)
			if (members->list[i].key == v)
				name = out_quote(
				    all->arena, members->list[i].name);
		out_printf(&o, "{%.*s: ", STR_FMT(name));
		put_changed(&o, old->source.keys, members);
		out_char(&o, '}');
	} else {
		put_changed(&o, v, members);
	}
	one->check->scope = old->scope;
	additions_set_item(
	    all, out_keep(&o, all->arena), false, one->check, &one->item);
}

/* ---- the review ---- */

/* The files of the places of additions and changes, whose lines are numbers from 1. */
static const char added[] = "additions";
static const char changed[] = "changes";

/* Returns the set with the changes in place, and the additions behind its items. */
static struct advice_set
with_additions(struct additions *all, struct advice_notes *notes)
{
	struct advice_set both = *all->set;

	both.notes = notes;
	both.items =
	    arena_new_n(all->arena, struct advice_item, both.n + all->n);
	for (size_t i = 0; i < all->set->n; i++)
		both.items[i] = all->set->items[i];
	for (size_t i = 0; i < all->nchanges; i++) {
		all->changes[i].check->source.place =
		    (struct place){ .file = changed, .line = i + 1 };
		both.items[all->changes[i].of] = all->changes[i].item;
	}
	for (size_t i = 0; i < all->n; i++) {
		all->list[i].check->source.place =
		    (struct place){ .file = added, .line = i + 1 };
		both.items[both.n++] = all->list[i].item;
	}
	return both;
}

_Static_assert(ADVICE_COUNT <= 64, "each id has a bit");

/* Returns what advice says of an item alone, as bits of the ids. */
static uint64_t
advice_on(const struct additions *all, const struct advice_item *item)
{
	struct advice_notes notes = { .arena = all->arena };
	struct advice_set one = *all->set;
	struct advice_item copy = *item;
	uint64_t ids = 0;

	one.notes = &notes;
	one.items = &copy;
	one.n = 1;
	advise_strictness(&one);
	advise_texts(&one);
	advise_judges(&one);
	advise_limits(&one);
	for (size_t i = 0; i < notes.n; i++)
		ids |= (uint64_t)1 << notes.list[i].id;
	return ids;
}

/* Returns whether advice would say something of the changed assertion that it did not
 * say before. */
static bool
is_worse(const struct additions *all, const struct change *c)
{
	return (advice_on(all, &c->item) &
		   ~advice_on(all, &all->set->items[c->of])) != 0;
}

static bool
has_new_type(const struct additions *all, const struct change *c)
{
	return !str_eq(c->check->type, all->set->items[c->of].check->type);
}

/* Removes the additions that these notes are about, and the changes that repeat or
 * contradict another assertion. */
static void
remove_noted(struct additions *all, const struct advice_notes *notes)
{
	bool *bad = arena_new_n(all->arena, bool, all->n),
	     *worse = arena_new_n(all->arena, bool, all->nchanges);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < notes->n; i++) {
		const struct advice_note *note = &notes->list[i];

		if (note->at.file == added)
			bad[note->at.line - 1] = true;
		else if (note->at.file == changed &&
		    (note->id == CONTRADICTION || note->id == DUPLICATE ||
			(note->id == SEPARATE_CHECKS &&
			    has_new_type(
				all, &all->changes[note->at.line - 1]))))
			worse[note->at.line - 1] = true;
	}
	for (size_t i = 0; i < all->n; i++)
		if (!bad[i])
			all->list[n++] = all->list[i];
	for (size_t i = 0; i < all->nchanges; i++)
		if (!worse[i])
			all->changes[kept++] = all->changes[i];
	all->n = n;
	all->nchanges = kept;
}

/* Returns whether an addition about arguments, outputs or an order requires the tool of
 * this one. */
static bool
is_implied(const struct additions *all, const struct addition *one)
{
	struct advice_set others = *all->set;

	if (one->form != FORM_TOOL || one->item.texts.n == 0)
		return false;
	others.items = arena_new_n(all->arena, struct advice_item, all->n);
	others.n = 0;
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].form != FORM_TOOL)
			others.items[others.n++] = all->list[i].item;
	return advice_requires(&others, one->item.texts.list[0]);
}

static void
remove_implied(struct additions *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (!is_implied(all, &all->list[i]))
			all->list[n++] = all->list[i];
	all->n = n;
}

/* Removes what advice complains of once. */
static void
review(struct additions *all)
{
	struct advice_notes notes = { .arena = all->arena },
			    repeats = { .arena = all->arena };
	struct advice_set both = with_additions(all, &notes);

	advise_strictness(&both);
	advise_texts(&both);
	advise_limits(&both);
	advise_conflicts(&both);
	remove_noted(all, &notes);
	/* An addition that was removed does not count as one of too many. */
	both = with_additions(all, &repeats);
	advise_repeats(&both);
	remove_noted(all, &repeats);
}

void
additions_review(struct additions *all)
{
	size_t kept = 0, before;

	for (size_t i = 0; i < all->nchanges; i++)
		if (!is_worse(all, &all->changes[i]))
			all->changes[kept++] = all->changes[i];
	all->nchanges = kept;
	/* Without its change an assertion is what it was, which an addition
	 * or another change may contradict. */
	do {
		before = all->nchanges;
		review(all);
	} while (all->nchanges != before);
	remove_implied(all);
}
