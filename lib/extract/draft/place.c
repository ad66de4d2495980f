#include "extract/draft/place.h"

enum {
	ENOUGH = 4, /* the score from which a shape is that of calls */
	LISTS_MOST = 16,
	DEPTH_MOST = 2, /* objects in a step, within which results are sought */
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

/* Returns whether some steps of this kind are of the class. */
static bool
has_class(const struct shape *kind, enum draft_class c)
{
	for (size_t i = 0; kind != NULL && i < kind->n_values; i++)
		if (draft_class_of(kind->values[i]) == c)
			return true;
	return false;
}

/* Returns the member other than the kind that says who speaks, or NULL. */
static struct shape *
role_of(struct shape *s, const struct shape *kind)
{
	for (struct shape *m = s->first; m != NULL; m = m->next)
		if (m != kind && !m->more && m->spaced == 0 &&
		    has_class(m, DRAFT_IS_PROMPT) &&
		    has_class(m, DRAFT_IS_TEXT))
			return m;
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

/* Returns how much the members of the shape look like those of a call. */
static int
call_score(struct shape *s)
{
	struct draft_found tool = draft_find(s, DRAFT_TOOL);
	struct draft_found args = draft_find(s, DRAFT_ARGS);
	struct draft_found result = draft_find(s, DRAFT_RESULT);
	int score = 0;

	if (tool.at == NULL)
		return 0;
	for (struct shape *m = tool.at->parent->first; m != NULL; m = m->next)
		if (str_is(m->name, "description") && result.at == NULL &&
		    draft_find(s, DRAFT_CALL_ID).sure != DRAFT_STRONG)
			return 0; /* the definition of a tool */
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

bool
draft_is_wanted(const struct shape *s)
{
	for (; s != NULL; s = s->parent)
		if (draft_is_expected(s->name))
			return true;
	return false;
}

/* Returns whether what is expected stands beside the shape. */
static bool
is_beside_expected(const struct shape *s)
{
	for (; s->parent != NULL; s = s->parent)
		for (const struct shape *m = s->parent->first; m != NULL;
		     m = m->next)
			if (m != s && draft_is_expected(m->name))
				return true;
	return false;
}

/* Finds the element, or the record, with the highest score above *most. */
static void
find_best(struct shape *s, int (*score_of)(struct shape *), struct shape **best,
    int *most)
{
	int score = (s->element || s->parent == NULL) && !draft_is_wanted(s)
	    ? score_of(s)
	    : 0;

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

/* Returns whether the element's own members name a run. */
static bool
names_run(struct shape *s)
{
	return draft_find_here(s, DRAFT_SESSION).at != NULL ||
	    draft_find_here(s, DRAFT_SCENARIO).at != NULL;
}

/* Chooses the runs and turns among the elements around the steps. */
static void
choose_runs(struct draft_places *p, struct shape *record)
{
	struct shape *around[LISTS_MOST] = { NULL }; /* innermost first */
	struct shape *outer, *own, *again;
	size_t n = 0;

	for (struct shape *s = p->steps; s->parent != NULL && n < LISTS_MOST;
	     s = shape_element(s->parent))
		if (s->element && s != p->last)
			around[n++] = s;
	p->runs = record;
	if (n == 0)
		return;
	if (n == 1) {
		/* A list of steps is a run, unless each step names its run. */
		if (p->last == NULL &&
		    (record->items == p->steps || p->steps->parent->table))
			p->runs = p->steps;
		return;
	}
	outer = around[n - 1];
	if (draft_find(around[1], DRAFT_PROMPT).at != NULL &&
	    !names_run(around[1]) && around[1] != record->items)
		p->turns = around[1];
	/* A record that has a prompt of its own is one run, whose prompt each step
	 * may repeat. */
	own = draft_find_here(record, DRAFT_PROMPT).at;
	if (own != NULL && outer != record->items && !names_run(outer)) {
		again = draft_find_here(around[1], DRAFT_PROMPT).at;
		if (again != NULL && str_eq(again->name, own->name))
			p->turns = NULL;
		return;
	}
	if (n > 2 || p->turns == NULL)
		p->runs = outer;
}

/* Returns whether the list holds the results of calls. */
static bool
holds_results(struct shape *list, const struct draft_places *p)
{
	struct shape *s = list->items;

	return s != NULL && s != p->calls && s->first != NULL &&
	    draft_class_of(list->name) == DRAFT_IS_RESULT &&
	    draft_find(s, DRAFT_ARGS).at == NULL;
}

/* Looks for a list of results in a step whose calls are in another list. */
static void
find_results(struct draft_places *p, struct shape *in, int depth)
{
	for (struct shape *m = in->first; m != NULL; m = m->next) {
		if (p->results == NULL && holds_results(m, p))
			p->results = m->items;
		if (depth < DEPTH_MOST)
			find_results(p, m, depth + 1);
	}
}

/* Adds a choice of steps and of the calls in them, unless the choice is there. */
static void
add_choice(
    struct draft_choices *to, struct shape *record, struct draft_places p)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->list[i].steps == p.steps &&
		    to->list[i].calls == p.calls && to->list[i].last == p.last)
			return;
	if (to->n == DRAFT_CHOICES_MOST)
		return;
	choose_runs(&p, record);
	p.kind = kind_of(p.steps);
	if (!has_class(p.kind, DRAFT_IS_PROMPT))
		p.role =
		    role_of(p.kind == NULL ? p.steps : p.kind->parent, p.kind);
	if (p.calls != p.steps) {
		p.calls_kind = kind_of(p.calls);
		find_results(&p, p.steps, 0);
	}
	p.beside = is_beside_expected(p.calls);
	to->list[to->n++] = p;
}

/* Adds the choice, and those in which only the last element of a list around the steps
 * is read: each element may repeat the history of the one before. */
static void
add_choices(struct draft_choices *to, struct shape *record, struct shape *steps,
    struct shape *calls)
{
	add_choice(to, record,
	    (struct draft_places){ .steps = steps, .calls = calls });
	for (struct shape *s = steps->parent; s != NULL; s = s->parent)
		if (s->element && s->n > s->parent->n)
			add_choice(to, record,
			    (struct draft_places){
				.steps = steps, .calls = calls, .last = s });
}

/* Adds the choices for each element that looks like a call or a message. */
static void
add_all(struct draft_choices *to, struct shape *record, struct shape *s)
{
	bool place = (s->element || s->parent == NULL) && !draft_is_wanted(s);
	struct shape *text;

	if (place && call_score(s) >= ENOUGH) {
		if (s->parent != NULL)
			add_choices(to, record, shape_element(s->parent), s);
		add_choices(to, record, s, s);
	} else if (place && talk_score(s) > 0) {
		text = draft_find(s, DRAFT_TEXT).at;
		if (text->items != NULL && kind_of(text->items) != NULL)
			add_choices(to, record, s, text->items);
		add_choices(to, record, s, s);
	}
	for (struct shape *m = s->first; m != NULL; m = m->next)
		add_all(to, record, m);
	if (s->items != NULL)
		add_all(to, record, s->items);
}

void
draft_places(struct shape *record, struct draft_choices *to)
{
	struct shape *calls = NULL, *talk = NULL, *steps, *above;
	int least = ENOUGH - 1, most = 0;

	find_best(record, call_score, &calls, &least);
	find_best(record, talk_score, &talk, &most);
	steps = calls != NULL ? calls : talk;
	if (steps == NULL)
		return;
	if (calls != NULL && calls->parent != NULL) {
		above = shape_element(calls->parent);
		if (is_message(above, calls))
			steps = above;
	}
	add_choices(to, record, steps, calls != NULL ? calls : steps);
	add_all(to, record, record);
}

const char *
draft_looks_like(struct shape *s, bool in_steps)
{
	if (call_score(s) >= ENOUGH)
		return "calls";
	return !in_steps && talk_score(s) > 1 ? "messages" : NULL;
}
