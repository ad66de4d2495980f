/*
 * A program run as a finite automaton that reads a text unit by unit. States
 * are built when a text first needs them, and all are freed when they take too
 * much memory.
 */
#pragma once

#include "emulate/regex/engine/symbol_classes.h"
#include "emulate/regex/tree/types.h"

enum {
	CONDITIONS_MAX = 7,
	STATES_HASH = 512,
};

struct lazy_dfa {
	const struct program *program;
	struct symbol_classes symbol_classes;
	/* The sets that conditions on a position depend on, and for each class
	 * a bit for each of these sets that holds the class. */
	const struct set *conditions[CONDITIONS_MAX];
	size_t nconditions;
	uint8_t *kinds;
	/* The number of facts of a position, which are a bit each: whether each
	 * lookaround of the program holds there, and whether it is before the
	 * last unit. */
	unsigned nfacts;
	unsigned last; /* the bit of the latter; 0 if no condition needs it */
};

/* Returns NULL if the program has too many conditions or sets. */
struct lazy_dfa *lazy_dfa_new(struct arena *, const struct program *);

/*
 * A state at a position of the text: the operations with which the program can
 * continue there; the kind of the unit that was read last; and whether the program
 * had reached a match before that unit. Operations behind these that take no unit
 * are followed when the next unit is known, on which conditions may depend.
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

/* Returns the symbol of a unit of the class at a position with these facts. */
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
	/* Buffers of a step: the operations reached (in which round), those to
	 * be followed, and those of the next state; `bits` sorts the latter. */
	uint64_t *reached, round, *bits;
	uint32_t *stack, *found;
	size_t nstack, nfound;
};

/* Returns the state where reading begins: the end of the text if the program reads
 * backwards. *work is the number of operations that may be followed; the walk
 * decreases it, and *work must outlive the walk. */
struct state *walk_begin(
    struct walk *, const struct lazy_dfa *, uint64_t *work);
/* Returns the state after a unit of the class; NULL if the work is used up, or
 * if no match is possible any more. */
struct state *walk_step(
    struct walk *, struct state *, uint32_t class, unsigned facts);
/* Returns whether there is a match at the other end of the text. */
bool walk_end(struct walk *, const struct state *, unsigned facts);
void walk_free(struct walk *);
