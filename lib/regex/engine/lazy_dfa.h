/*
 * A program as a finite automaton that reads a text unit by unit. Its states
 * are made when a text first needs them, and all forgotten when they take too
 * much memory.
 */
#pragma once

#include "regex/engine/symbol_classes.h"
#include "regex/tree/types.h"

enum {
	CONDITIONS_MAX = 7,
	STATES_HASH = 512,
};

struct lazy_dfa {
	const struct program *program;
	struct symbol_classes symbol_classes;
	/* The sets that conditions on a place go by, and which of them hold
	 * each class, a bit each. */
	const struct set *conditions[CONDITIONS_MAX];
	size_t nconditions;
	uint8_t *kinds;
	/* What else is to be known of a place: whether each lookaround of the
	 * program holds there, a bit each, and whether it is before the last
	 * unit. */
	unsigned nfacts;
	unsigned last; /* the bit of this; 0 if no condition asks for it */
};

/* NULL if the program has too many conditions or sets. */
struct lazy_dfa *lazy_dfa_new(struct arena *, const struct program *);

/*
 * A place in the text: the operations that can go on from it, before what
 * lies between them and the next unit was followed, since that may hang on
 * this unit; what the unit before was; and whether following at the place
 * before that unit led to a match.
 */
struct state {
	struct state *same_hash;
	uint32_t *ops; /* ascending */
	size_t n;
	uint8_t before;
	bool matched;
	/* by lazy_dfa_symbol; NULL: not known yet */
	struct state *next[];
};

/* A unit of the class at a place with these facts. */
static inline size_t
lazy_dfa_symbol(const struct lazy_dfa *a, uint32_t class, unsigned facts)
{
	return class + (size_t)facts * a->symbol_classes.n;
}

struct walk {
	const struct lazy_dfa *lazy_dfa;
	struct arena states, scratch;
	struct state *hash[STATES_HASH];
	size_t memory;  /* of the states */
	uint64_t *work; /* operations that may still be followed */
	/* Following operations: those reached (in which round), those to come,
	 * and those of the next state; bits that put the last in order. */
	uint64_t *reached, round, *bits;
	uint32_t *stack, *found;
	size_t nstack, nfound;
};

/* The state at one end of the text. */
struct state *walk_begin(
    struct walk *, const struct lazy_dfa *, uint64_t *work);
/* The state after a unit of the class; NULL when there is no more work to be
 * done, or no way to go on. */
struct state *walk_step(
    struct walk *, struct state *, uint32_t class, unsigned facts);
/* Whether following matches at the other end. */
bool walk_end(struct walk *, const struct state *, unsigned facts);
void walk_free(struct walk *);
