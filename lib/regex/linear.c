#include "linear.h"

#include <stdlib.h>
#include <string.h>

#include "../hash.h"
#include "alphabet.h"
#include "text.h"

enum {
	CONDITIONS_MAX = 7,
	EDGE =
	    1 << CONDITIONS_MAX, /* in place of a unit: none, the text ends */
	HASH_SIZE = 512,
	STATES_MEMORY = 8 << 20,  /* bytes, before all are forgotten */
	WORK = 100 * 1000 * 1000, /* operations followed; half a second */
	WORK_PER_BYTE = 64,
};

struct linear {
	const struct program *program;
	struct alphabet alphabet;
	/* The sets that conditions on a place go by, and which of them hold
	 * each class, a bit each. */
	const struct set *conditions[CONDITIONS_MAX];
	size_t nconditions;
	uint8_t *kinds;
};

/*
 * A place in the text: the operations that can go on from it, before what
 * lies between them and the next unit was followed, since that may hang on
 * this unit; and what the unit before was.
 */
struct state {
	struct state *same_hash;
	uint32_t *ops; /* ascending */
	size_t n;
	uint8_t before;
	struct state *next[]; /* by class; NULL: not known yet */
};

struct search {
	const struct linear *linear;
	struct arena states, scratch;
	struct state *hash[HASH_SIZE];
	size_t memory; /* of the states */
	uint64_t work; /* that may still be done */
	/* Following operations: those reached (in which round), those to come,
	 * and those of the next state. */
	uint64_t *reached, round;
	uint32_t *stack, *found;
	size_t nstack, nfound;
	enum regex_found verdict; /* when there is no next state */
};

/* A bit for each condition's set that has the unit. */
static uint8_t
kinds_of(const struct linear *l, uint32_t unit)
{
	uint8_t kinds = 0;

	for (size_t i = 0; i < l->nconditions; i++)
		kinds |= (uint8_t)(set_has(l->conditions[i], unit) << i);
	return kinds;
}

static size_t
condition(const struct linear *l, const struct set *set)
{
	size_t i = 0;

	while (i < l->nconditions && !set_eq(l->conditions[i], set))
		i++;
	return i;
}

struct linear *
linear_new(struct arena *a, const struct pattern *pattern)
{
	struct linear *l = arena_new(a, struct linear);
	const struct program *p = program_new(a, pattern, true);

	if (p == NULL)
		return NULL;
	l->program = p;
	l->alphabet = alphabet_of(a, p);
	for (size_t i = 0; i < p->n; i++) {
		const struct op *op = &p->ops[i];

		if (op->kind != OP_AT || op->set == NULL ||
		    condition(l, op->set) < l->nconditions)
			continue;
		if (l->nconditions == CONDITIONS_MAX)
			return NULL;
		l->conditions[l->nconditions++] = op->set;
	}
	l->kinds = arena_new_n(a, uint8_t, l->alphabet.n);
	for (uint32_t c = 0; c < l->alphabet.n; c++)
		l->kinds[c] = kinds_of(l, l->alphabet.examples[c]);
	return l;
}

static unsigned
about(uint8_t kinds, size_t condition)
{
	if (kinds & EDGE)
		return UNIT_NONE;
	return kinds >> condition & 1 ? UNIT_MEMBER : 0;
}

static bool
holds(
    const struct linear *l, const struct op *op, uint8_t before, uint8_t after)
{
	size_t i = op->set == NULL ? 0 : condition(l, op->set);

	return program_at(op, about(before, i), about(after, i));
}

static void
reach(struct search *s, uint32_t op)
{
	if (s->reached[op] == s->round)
		return;
	s->reached[op] = s->round;
	s->stack[s->nstack++] = op;
}

/* Follows all operations from the state to those that take the unit, which is
 * of the class, or past the end of the text is none. True at a match. */
static bool
follow(struct search *s, const struct state *state, bool end, uint32_t class)
{
	const struct linear *l = s->linear;
	uint8_t after = end ? EDGE : l->kinds[class];

	while (s->nstack > 0) {
		uint32_t i = s->stack[--s->nstack];
		const struct op *op = &l->program->ops[i];

		s->work -= s->work > 0;
		if (op->kind == OP_MATCH)
			return true;
		if (op->kind == OP_SET) {
			if (!end &&
			    set_has(op->set, l->alphabet.examples[class]))
				s->found[s->nfound++] = i + 1;
		} else if (op->kind == OP_AT) {
			if (holds(l, op, state->before, after))
				reach(s, i + 1);
		} else {
			reach(s, op->to);
			if (op->kind == OP_SPLIT)
				reach(s, op->other);
		}
	}
	return false;
}

static int
by_value(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}

/* Forgets all states when they take too much memory. */
static bool
make_room(struct search *s, size_t size)
{
	s->memory += size;
	if (s->memory <= STATES_MEMORY)
		return false;
	arena_reset(&s->states);
	memset(s->hash, 0, sizeof s->hash);
	s->memory = size;
	return true;
}

/* The state of what was found, new or known. */
static struct state *
state_of(struct search *s, uint8_t before, bool *forgot)
{
	struct str key = { (const char *)s->found,
		s->nfound * sizeof *s->found };
	size_t size = sizeof(struct state) +
	    s->linear->alphabet.n * sizeof(struct state *);
	size_t slot = (hash_add(HASH_START, key) + before) % HASH_SIZE;
	struct state *state = s->hash[slot];

	while (state != NULL &&
	    (state->before != before ||
		!str_eq(key,
		    (struct str){ (const char *)state->ops,
			state->n * sizeof *state->ops })))
		state = state->same_hash;
	if (state != NULL)
		return state;
	*forgot = make_room(s, size + key.n);
	state = arena_alloc(&s->states, size);
	state->before = before;
	state->n = s->nfound;
	state->ops = arena_new_n(&s->states, uint32_t, s->nfound);
	if (s->nfound > 0)
		memcpy(state->ops, s->found, key.n);
	state->same_hash = s->hash[slot];
	return s->hash[slot] = state;
}

/* What comes after the state and a unit of the class, or the end: NULL if
 * that decides the search. */
static struct state *
step(struct search *s, struct state *state, bool end, uint32_t class)
{
	bool anchored = s->linear->program->anchored, forgot = false;
	struct state *next;

	s->round++;
	s->nstack = s->nfound = 0;
	for (size_t i = 0; i < state->n; i++)
		reach(s, state->ops[i]);
	if (!anchored)
		reach(s, 0);
	if (follow(s, state, end, class)) {
		s->verdict = REGEX_YES;
		return NULL;
	}
	s->verdict = REGEX_NO;
	if (end || (anchored && s->nfound == 0))
		return NULL;
	s->verdict = REGEX_LIMIT;
	if (s->work == 0)
		return NULL;
	if (s->nfound > 1)
		qsort(s->found, s->nfound, sizeof *s->found, by_value);
	next = state_of(s, s->linear->kinds[class], &forgot);
	if (!forgot)
		state->next[class] = next;
	return next;
}

static enum regex_found
read_through(struct search *s, const struct text *t)
{
	const struct alphabet *alphabet = &s->linear->alphabet;
	bool forgot;
	struct state *state, *next;

	s->nfound = s->linear->program->anchored;
	state = state_of(s, EDGE, &forgot);
	for (size_t at = 0; at < t->n; state = next) {
		uint32_t class = alphabet_class(alphabet, text_next(t, &at));

		next = state->next[class];
		if (next == NULL)
			next = step(s, state, false, class);
		if (next == NULL)
			return s->verdict;
	}
	step(s, state, true, 0);
	return s->verdict;
}

enum regex_found
linear_search(const struct linear *l, struct str text)
{
	struct search s = {
		.linear = l,
		.work = WORK + WORK_PER_BYTE * (uint64_t)text.n,
	};
	struct text t = { (const unsigned char *)text.s, text.n,
		l->program->utf16 };
	enum regex_found found;

	s.reached = arena_new_n(&s.scratch, uint64_t, l->program->n);
	s.stack = arena_new_n(&s.scratch, uint32_t, l->program->n);
	s.found = arena_new_n(&s.scratch, uint32_t, l->program->n);
	found = read_through(&s, &t);
	arena_free(&s.states);
	arena_free(&s.scratch);
	return found;
}
