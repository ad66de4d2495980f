/* How many characters parts of a pattern match: lookbehinds ask. */
#include "regex/flavour/python.h"

#define MANY (UINT64_C(1) << 32) /* or more */

static struct python_width
sum(struct python_width a, struct python_width b)
{
	return (struct python_width){
		a.least + b.least > MANY ? MANY : a.least + b.least,
		a.most + b.most > MANY ? MANY : a.most + b.most
	};
}

static struct python_width
either(struct python_width a, struct python_width b)
{
	return (struct python_width){ a.least < b.least ? a.least : b.least,
		a.most > b.most ? a.most : b.most };
}

static uint64_t
times(uint64_t width, uint64_t n)
{
	return width != 0 && n > MANY / width ? MANY : width * n;
}

struct python_width
python_width(const struct python *p, const struct tree *t)
{
	struct python_width w = { 0 };

	switch (t->kind) {
	case TREE_SET:
		return (struct python_width){ 1, 1 };
	case TREE_BACKREF:
		return p->groups[t->group].width;
	case TREE_EMPTY:
	case TREE_AT:
	case TREE_LOOK:
		return w;
	default:
		break;
	}
	w = python_width(p, t->child);
	for (const struct tree *c = t->child->next; c != NULL; c = c->next)
		w = t->kind == TREE_CAT ? sum(w, python_width(p, c))
					: either(w, python_width(p, c));
	if (t->kind == TREE_REPEAT)
		w = (struct python_width){ times(w.least, t->min),
			times(w.most, t->max == TREE_FOREVER ? MANY : t->max) };
	return w;
}
