#include "extract/draft/place.h"

enum {
	ENOUGH = 4, /* the score from which a shape is that of calls */
	LISTS_MOST = 16,
};

static int
known_kinds(const struct shape *m)
{
	int n = 0;

	for (size_t i = 0; i < m->n_values; i++)
		n += draft_class_of(m->values[i]) != DRAFT_IS_UNKNOWN;
	return n;
}

/* Looks for the member whose values are the most known kinds; a member with the
 * name of a kind may have any. */
static void
find_kind(struct shape *of, int depth, struct shape **best, int *most)
{
	for (struct shape *m = of->first; m != NULL; m = m->next) {
		int n = m->more || m->spaced != 0 || m->n_values == 0
		    ? 0
		    : known_kinds(m);

		if (n > *most) {
			*best = m;
			*most = n;
		}
		if (depth == 0 && m->items == NULL)
			find_kind(m, depth + 1, best, most);
	}
}

/* Returns the member of a step that names its kind, or NULL. */
static struct shape *
kind_of(struct shape *s)
{
	struct shape *best = NULL;
	int most = 0;

	find_kind(s, 0, &best, &most);
	if (most >= 2 || (best != NULL && draft_find(s, DRAFT_KIND).at == best))
		return best;
	return NULL;
}

/* Returns how many kinds of a conversation the shape has. */
static int
talk_score(struct shape *s)
{
	struct shape *kind = kind_of(s);

	return kind != NULL && draft_find(s, DRAFT_TEXT).at != NULL
	    ? known_kinds(kind)
	    : 0;
}

/* Returns whether some steps of this kind are of the class. */
static bool
has_class(const struct shape *kind, enum draft_class c)
{
	for (size_t i = 0; kind != NULL && i < kind->n_values; i++)
		if (draft_class_of(kind->values[i]) == c)
			return true;
	return false;
}

/* Returns how much the members of the shape look like those of a call. */
static int
call_score(struct shape *s)
{
	struct draft_found tool = draft_find(s, DRAFT_TOOL);
	struct draft_found args = draft_find(s, DRAFT_ARGS);
	struct draft_found result = draft_find(s, DRAFT_RESULT);
	int score = 0;

	for (struct shape *m = s->first; m != NULL; m = m->next)
		if (str_is(m->name, "description"))
			return 0; /* the definition of a tool */
	if (tool.at == NULL)
		return 0;
	score = tool.sure == DRAFT_STRONG ? 4 : 1;
	if (args.at != NULL)
		score += args.sure == DRAFT_STRONG ? 3 : 2;
	if (result.at != NULL)
		score += result.sure == DRAFT_STRONG ? 2 : 1;
	/* Blocks that say that they are calls are better than a member with
	 * the name of a tool, which results have, too. */
	if (s->element && has_class(kind_of(s), DRAFT_IS_CALL))
		score += 4;
	return score;
}

/* Finds the element, or the record, with the highest score above *most. */
static void
find_best(struct shape *s, int (*score_of)(struct shape *), struct shape **best,
    int *most)
{
	int score = s->element || s->parent == NULL ? score_of(s) : 0;

	if (score > *most) {
		*best = s;
		*most = score;
	}
	for (struct shape *m = s->first; m != NULL; m = m->next)
		find_best(m, score_of, best, most);
	if (s->items != NULL)
		find_best(s->items, score_of, best, most);
}

/* Returns whether the element is a message that holds a list of calls, or of
 * blocks of text and calls. */
static bool
is_message(struct shape *s, struct shape *calls)
{
	const struct shape *kind = kind_of(s), *inner = kind_of(calls);

	if (has_class(inner, DRAFT_IS_PROMPT))
		return false;
	return has_class(kind, DRAFT_IS_PROMPT) ||
	    (has_class(kind, DRAFT_IS_TEXT) &&
		!has_class(inner, DRAFT_IS_TEXT));
}

static void
choose_steps(struct draft_places *p, struct shape *record)
{
	struct shape *talk = NULL, *above;
	int least = ENOUGH - 1, most = 0;

	find_best(record, call_score, &p->calls, &least);
	find_best(record, talk_score, &talk, &most);
	p->steps = p->calls != NULL ? p->calls : talk;
	if (p->calls == NULL || p->calls->parent == NULL)
		return;
	above = shape_element(p->calls->parent);
	if (is_message(above, p->calls))
		p->steps = above;
}

/* Chooses the runs and turns among the elements around the steps. */
static void
choose_runs(struct draft_places *p, struct shape *record)
{
	struct shape *around[LISTS_MOST] = { NULL }; /* innermost first */
	size_t n = 0;

	for (struct shape *s = p->steps; s->parent != NULL && n < LISTS_MOST;
	     s = shape_element(s->parent))
		if (s->element)
			around[n++] = s;
	p->runs = record;
	if (n == 0)
		return;
	if (n == 1) {
		/* A list of steps is a run, unless each step names its run. */
		if (record->items == p->steps || p->steps->parent->table)
			p->runs = p->steps;
		return;
	}
	if (draft_find(around[1], DRAFT_PROMPT).at != NULL &&
	    draft_find(around[1], DRAFT_SESSION).at == NULL)
		p->turns = around[1];
	if (n > 2 || p->turns == NULL)
		p->runs = around[n - 1];
}

struct draft_places
draft_places(struct shape *record)
{
	struct draft_places p = { 0 };

	choose_steps(&p, record);
	if (p.steps == NULL)
		return p;
	if (p.calls == NULL)
		p.calls = p.steps;
	choose_runs(&p, record);
	p.kind = kind_of(p.steps);
	if (p.calls != p.steps)
		p.calls_kind = kind_of(p.calls);
	return p;
}
