/*
 * A tree compiled to a list of operations. There are two kinds of programs: in
 * those for regex/engine/dfa_search.h repetitions are written out and
 * operations that only capture are left out; in those for
 * regex/engine/backtrack.h repetitions are counted.
 */
#pragma once

#include "emulate/regex/tree/tree.h"

enum op_kind {
	OP_SET,   /* takes one unit of the set */
	OP_SPLIT, /* continues at `to`, and if that fails at `other` */
	OP_JUMP,  /* continues at `to` */
	OP_AT,    /* continues if the condition holds */
	OP_MATCH, /* the match is complete */
	/* for backtracking only */
	OP_RUN,    /* takes min to max units of the set */
	OP_SAVE,   /* stores the position in the slot */
	OP_RESET,  /* unsets the slots min to before max */
	OP_ZERO,   /* begins to count iterations, in the slot */
	OP_TURN,   /* begins another iteration, or continues at `to` */
	OP_TURNED, /* ends an iteration: goes to `to`, its OP_TURN */
	/* tries what follows up to its OP_LOOKED, then `to`; in a DFA continues
	 * if the lookaround holds */
	OP_LOOK,
	OP_LOOKED,  /* the lookaround has matched */
	OP_IF,      /* continues at `to` if the slot is not set */
	OP_BACKREF, /* takes the text between the slot and the next */
};

struct op {
	enum op_kind kind;
	enum tree_at at;
	uint32_t to, other;
	uint32_t min, max;
	/* OP_TURN: two slots, the number of iterations and the start of the
	 * last one; OP_LOOK: the index of its mark on the stack */
	size_t slot;
	const struct set *set;
	bool back; /* reads from right to left */
	bool lazy, negate, caseless;
	bool ascii; /* OP_BACKREF: caseless for ASCII letters only */
	bool keep;  /* OP_LOOK: atomic, the text that it took stays taken */
};

enum {
	PROGRAM_LOOKS_MAX = 5,
};

struct program {
	struct op *ops;
	size_t n;
	/* slots: two for each group, and those of loops */
	size_t groups, slots;
	/* the units that matches begin with; NULL: any, or none */
	const struct set *first;
	bool utf16, anchored;
	bool perl; /* like the pattern's */
	bool back; /* the program reads from right to left */
	/* The lookarounds of a program for a DFA, by OP_LOOK's slot. */
	const struct tree *looks[PROGRAM_LOOKS_MAX];
	size_t nlooks;
};

/* Compiles a pattern for backtracking. */
struct program *program_new(struct arena *, const struct pattern *);

/* Compiles a pattern, or one of its lookarounds (`look`), for a DFA. A
 * lookaround's program reads towards the position where the lookaround holds.
 * Returns NULL if a DFA cannot run the pattern, or if the program would become
 * too large. */
struct program *program_unrolled(
    struct arena *, const struct pattern *, const struct tree *look);

/* The facts about a unit before or after a position. */
enum {
	UNIT_NONE = 1,   /* there is no unit: the text ends */
	UNIT_MEMBER = 2, /* the unit is in the condition's set */
	UNIT_LAST = 4,   /* the unit is the last of the text */
};
bool program_at(const struct op *, unsigned before, unsigned after);
