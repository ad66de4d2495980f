/*
 * A tree as a list of operations. There are two ways to write one: for the
 * automaton of linear.h repetitions are written out and what only captures is
 * left out; for the machine of backtrack.h repetitions are counted.
 */
#pragma once

#include "regex/tree/tree.h"

enum op_kind {
	OP_SET,   /* takes one unit of the set */
	OP_SPLIT, /* goes to `to`, and if that fails to `other` */
	OP_JUMP,  /* goes to `to` */
	OP_AT,    /* goes on if the condition holds */
	OP_MATCH, /* all is found */
	/* for the backtracking machine alone */
	OP_RUN,     /* takes min to max units of the set */
	OP_SAVE,    /* notes the place in the slot */
	OP_RESET,   /* empties the slots min to before max */
	OP_ZERO,    /* begins to count turns, in the slot */
	OP_TURN,    /* takes another turn, or goes to `to` */
	OP_TURNED,  /* after a turn: goes to `to`, its OP_TURN */
	OP_LOOK,    /* tries what follows up to its OP_LOOKED, then `to`; in
	             * an automaton goes on if the lookaround holds */
	OP_LOOKED,  /* that matched */
	OP_IF,      /* goes to `to` unless the slot was noted */
	OP_BACKREF, /* takes what is between the slot and the next */
};

struct op {
	enum op_kind kind;
	enum tree_at at;
	uint32_t to, other;
	uint32_t min, max;
	size_t slot; /* OP_TURN: two, how many turns and where the last began;
	              * OP_LOOK: where its mark is on the stack */
	const struct set *set;
	bool back; /* reads from right to left */
	bool lazy, negate, caseless;
	bool ascii; /* OP_BACKREF: caseless of ASCII alone */
	bool keep;  /* OP_LOOK: what it takes is taken */
};

enum {
	PROGRAM_LOOKS_MAX = 5,
};

struct program {
	struct op *ops;
	size_t n;
	size_t groups, slots;    /* slots: two a group and those of loops */
	const struct set *first; /* what matches begin with; NULL: anything,
	                          * or nothing */
	bool utf16, anchored;
	bool perl; /* as the pattern's */
	bool back; /* it reads from right to left */
	/* The lookarounds of a program for automata, by OP_LOOK's slot. */
	const struct tree *looks[PROGRAM_LOOKS_MAX];
	size_t nlooks;
};

/* For the backtracking machine. */
struct program *program_new(struct arena *, const struct pattern *);

/* For an automaton: of the pattern, or of one of its lookarounds, read from
 * that end that lies away from the place. NULL if the pattern is not for it,
 * or the program would become too large. */
struct program *program_unrolled(
    struct arena *, const struct pattern *, const struct tree *look);

/* What is known of the units before and after a place. */
enum {
	UNIT_NONE = 1,   /* there is none, the text ends */
	UNIT_MEMBER = 2, /* it is in the condition's set */
	UNIT_LAST = 4,   /* it is there, and the text ends behind it */
};
bool program_at(const struct op *, unsigned before, unsigned after);
