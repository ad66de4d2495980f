#include "emulate/regex/engine/lazy_dfa.h"

#include <string.h>

#include "base/hash.h"

enum {
	EDGE =
	    1 << CONDITIONS_MAX, /* in place of a unit: the end of the text */
	STATES_MEMORY = 8 << 20, /* bytes, before all states are freed */
};

/* The position that operations are followed at: the units around it, and its
 * facts. */
struct place {
	uint8_t before, after;
	unsigned facts;
	bool end;         /* there is no unit to be read */
	uint32_t example; /* else some unit of the class */
};

static size_t
condition(const struct lazy_dfa *a, const struct set *set)
{
	size_t i = 0;

	while (i < a->nconditions && !set_eq(a->conditions[i], set))
		i++;
	return i;
}

/* Returns a bit for each condition's set that has the unit. */
static uint8_t
kinds_of(const struct lazy_dfa *a, uint32_t unit)
{
	uint8_t kinds = 0;

	for (size_t i = 0; i < a->nconditions; i++)
		kinds |= (uint8_t)(set_has(a->conditions[i], unit) << i);
	return kinds;
}

/* Adds the set of a condition. Returns false if there is no room for it. */
static bool
note_condition(struct lazy_dfa *a, const struct op *op)
{
	if (op->at == AT_LAST_END)
		a->last = 1U << a->program->nlooks;
	if (op->set == NULL || condition(a, op->set) < a->nconditions)
		return true;
	if (a->nconditions == CONDITIONS_MAX)
		return false;
	a->conditions[a->nconditions++] = op->set;
	return true;
}

struct lazy_dfa *
lazy_dfa_new(struct arena *arena, const struct program *p)
{
	struct lazy_dfa *a = arena_new(arena, struct lazy_dfa);

	a->program = p;
	a->symbol_classes = symbol_classes_of(arena, p);
	if (a->symbol_classes.n == 0)
		return NULL;
	for (size_t i = 0; i < p->n; i++)
		if (p->ops[i].kind == OP_AT && !note_condition(a, &p->ops[i]))
			return NULL;
	a->nfacts = (unsigned)p->nlooks + (a->last != 0);
	a->kinds = arena_new_n(arena, uint8_t, a->symbol_classes.n);
	for (uint32_t c = 0; c < a->symbol_classes.n; c++)
		a->kinds[c] = kinds_of(a, a->symbol_classes.examples[c]);
	return a;
}

static unsigned
unit_facts(uint8_t kinds, size_t condition)
{
	if (kinds & EDGE)
		return UNIT_NONE;
	return kinds >> condition & 1 ? UNIT_MEMBER : 0;
}

static bool
holds(const struct lazy_dfa *a, const struct op *op, const struct place *p)
{
	size_t i = op->set == NULL ? 0 : condition(a, op->set);
	unsigned before = unit_facts(p->before, i);
	unsigned after = unit_facts(p->after, i);

	if (a->program->back)
		return program_at(
		    op, after, before | (p->facts & a->last ? UNIT_LAST : 0));
	return program_at(
	    op, before, after | (p->facts & a->last ? UNIT_LAST : 0));
}

static void
reach(struct walk *w, uint32_t op)
{
	if (w->reached[op] == w->round)
		return;
	w->reached[op] = w->round;
	w->stack[w->nstack++] = op;
}

/* Follows all operations from the state to those that take the next unit.
 * Returns whether one of them is a match. */
static bool
follow(struct walk *w, const struct state *state, const struct place *place)
{
	const struct program *p = w->lazy_dfa->program;
	bool matched = false;

	w->round++;
	w->nstack = w->nfound = 0;
	for (size_t i = 0; i < state->n; i++)
		reach(w, state->ops[i]);
	if (!p->anchored)
		reach(w, 0);
	for (; w->nstack > 0; *w->work -= *w->work > 0) {
		uint32_t i = w->stack[--w->nstack];
		const struct op *op = &p->ops[i];

		if (op->kind == OP_MATCH) {
			matched = true;
		} else if (op->kind == OP_SET) {
			if (!place->end && set_has(op->set, place->example))
				w->found[w->nfound++] = i + 1;
		} else if (op->kind == OP_LOOK) {
			if ((place->facts >> op->slot & 1) != op->negate)
				reach(w, i + 1);
		} else if (op->kind == OP_AT) {
			if (holds(w->lazy_dfa, op, place))
				reach(w, i + 1);
		} else {
			reach(w, op->to);
			if (op->kind == OP_SPLIT)
				reach(w, op->other);
		}
	}
	return matched;
}

/* Sorts the operations found, by a bit for each operation: a sort by comparison
 * would take longer than all the work before it. */
static void
put_in_order(struct walk *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->nfound; i++)
		w->bits[w->found[i] / 64] |= UINT64_C(1) << w->found[i] % 64;
	for (size_t word = 0; n < w->nfound; word++) {
		uint64_t bits = w->bits[word];

		for (; bits != 0; bits &= bits - 1)
			w->found[n++] = (uint32_t)(word * 64) +
			    (uint32_t)__builtin_ctzll(bits);
		w->bits[word] = 0;
	}
}

/* Frees all states if they take too much memory. Returns whether it did. */
static bool
make_room(struct walk *w, size_t size)
{
	w->memory += size;
	if (w->memory <= STATES_MEMORY)
		return false;
	arena_reset(&w->states);
	memset(w->hash, 0, sizeof w->hash);
	w->memory = size;
	return true;
}

static struct str
bytes_of(const uint32_t *ops, size_t n)
{
	return (struct str){ (const char *)ops, n * sizeof *ops };
}

/* Returns the state of the operations found, an old one or a new one. */
static struct state *
state_of(struct walk *w, uint8_t before, bool matched, bool *forgot)
{
	const struct lazy_dfa *a = w->lazy_dfa;
	struct str key = bytes_of(w->found, w->nfound);
	size_t slot =
	    (hash_add(HASH_START, key) + before + matched) % STATES_HASH;
	size_t size = sizeof(struct state) +
	    ((size_t)a->symbol_classes.n << a->nfacts) * sizeof(struct state *);
	struct state *s = w->hash[slot];

	while (s != NULL &&
	    (s->before != before || s->matched != matched ||
		!str_eq(bytes_of(s->ops, s->n), key)))
		s = s->same_hash;
	if (s != NULL)
		return s;
	*forgot = make_room(w, size + key.n);
	s = arena_alloc(&w->states, size);
	s->before = before;
	s->matched = matched;
	s->n = w->nfound;
	s->ops = arena_new_n(&w->states, uint32_t, w->nfound);
	if (w->nfound > 0)
		memcpy(s->ops, w->found, key.n);
	s->same_hash = w->hash[slot];
	return w->hash[slot] = s;
}

struct state *
walk_begin(struct walk *w, const struct lazy_dfa *a, uint64_t *work)
{
	const struct program *p = a->program;
	bool forgot;

	*w = (struct walk){ .lazy_dfa = a };
	w->work = work;
	w->reached = arena_new_n(&w->scratch, uint64_t, p->n);
	w->stack = arena_new_n(&w->scratch, uint32_t, p->n);
	w->found = arena_new_n(&w->scratch, uint32_t, p->n);
	w->bits = arena_new_n(&w->scratch, uint64_t, p->n / 64 + 1);
	w->nfound = p->anchored;
	return state_of(w, EDGE, false, &forgot);
}

struct state *
walk_step(struct walk *w, struct state *state, uint32_t class, unsigned facts)
{
	const struct lazy_dfa *a = w->lazy_dfa;
	struct place place = {
		.before = state->before,
		.after = a->kinds[class],
		.facts = facts,
		.example = a->symbol_classes.examples[class],
	};
	bool matched = follow(w, state, &place), forgot = false;
	struct state *next;

	if (*w->work == 0 ||
	    (a->program->anchored && w->nfound == 0 && !matched))
		return NULL;
	put_in_order(w);
	next = state_of(w, place.after, matched, &forgot);
	if (!forgot)
		state->next[lazy_dfa_symbol(a, class, facts)] = next;
	return next;
}

bool
walk_end(struct walk *w, const struct state *state, unsigned facts)
{
	struct place place = {
		.before = state->before,
		.after = EDGE,
		.facts = facts,
		.end = true,
	};

	return follow(w, state, &place);
}

void
walk_free(struct walk *w)
{
	arena_free(&w->states);
	arena_free(&w->scratch);
}
