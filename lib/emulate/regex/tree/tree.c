#include "emulate/regex/tree/tree.h"

struct tree *
tree_new(struct arena *a, enum tree_kind kind)
{
	struct tree *t = arena_new(a, struct tree);

	t->kind = kind;
	return t;
}

struct tree *
tree_set(struct arena *a, const struct set *set)
{
	struct tree *t = tree_new(a, TREE_SET);

	t->set = set;
	return t;
}

struct tree *
tree_at(struct arena *a, enum tree_at at, const struct set *set)
{
	struct tree *t = tree_new(a, TREE_AT);

	t->at = at;
	t->set = set;
	return t;
}

void
tree_append(struct tree_list *list, struct tree *t)
{
	if (list->first == NULL)
		list->first = t;
	else
		list->last->next = t;
	list->last = t;
}

struct tree *
tree_join(struct arena *a, enum tree_kind kind, const struct tree_list *list)
{
	struct tree *t;

	if (list->first == NULL)
		return tree_new(a, TREE_EMPTY);
	if (list->first == list->last)
		return list->first;
	t = tree_new(a, kind);
	t->child = list->first;
	return t;
}

bool
tree_nullable(const struct tree *t)
{
	switch (t->kind) {
	case TREE_SET:
		return false;
	case TREE_CAT:
		for (tree_each(c, t))
			if (!tree_nullable(c))
				return false;
		return true;
	case TREE_ALT:
		for (tree_each(c, t))
			if (tree_nullable(c))
				return true;
		return false;
	case TREE_REPEAT:
		return t->min == 0 || tree_nullable(t->child);
	case TREE_GROUP:
		return tree_nullable(t->child);
	default:
		return true;
	}
}

/* Adds the units that a match of the tree can begin with. Returns whether the
 * match may also be empty, so that the units after it count too. */
static bool
add_first(struct arena *a, struct set *set, const struct tree *t)
{
	bool choice = t->kind == TREE_ALT || t->kind == TREE_COND;
	bool empty = !choice || t->child->next == NULL;

	switch (t->kind) {
	case TREE_SET:
		set_add_all(a, set, t->set);
		return false;
	case TREE_CAT:
		for (tree_each(c, t))
			if (!add_first(a, set, c))
				return false;
		return true;
	case TREE_ALT:
	case TREE_COND:
		for (tree_each(c, t))
			empty |= add_first(a, set, c);
		return empty;
	case TREE_REPEAT:
		if (t->max > 0)
			empty = add_first(a, set, t->child);
		return empty || t->min == 0;
	case TREE_GROUP:
	case TREE_ATOMIC:
		return add_first(a, set, t->child);
	case TREE_BACKREF:
		set_add(a, set, 0, UINT32_MAX - 1);
		return true;
	default:
		return true;
	}
}

const struct set *
tree_first(struct arena *a, const struct tree *t)
{
	struct set *set = arena_new(a, struct set);

	if (add_first(a, set, t))
		return NULL;
	set_finish(set);
	return set;
}
