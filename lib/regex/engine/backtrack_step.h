/*
 * The backtracking machine within: its state, and what one operation does to
 * it. backtrack.c drives it.
 */
#pragma once

#include "regex/engine/program.h"
#include "regex/tree/text.h"

/* What is left to be tried, or to be restored before that. */
enum frame_kind {
	FRAME_RETRY, /* go on at `pc` and `at` */
	FRAME_TURN,  /* take another turn of the OP_TURN at `pc` */
	FRAME_MANY,  /* end the OP_RUN one unit before `at`, down to `value` */
	FRAME_FEW,   /* let the OP_RUN take one more after `at`, of `value` */
	FRAME_LOOK,  /* the OP_LOOK at `pc` was tried from `at` */
	FRAME_SLOT,  /* slot `at` was `value` */
};

struct frame {
	enum frame_kind kind;
	uint32_t pc;
	size_t at, value;
};

struct machine {
	const struct program *program;
	struct text text;
	size_t at;   /* the place in the text */
	uint32_t pc; /* the operation to come */
	size_t *slots;
	struct frame *stack;
	size_t n, size;
	uint64_t steps; /* that are left */
	bool gave_up;
};

/* One operation, at m->pc - 1. False if it fails: something else is to be
 * tried. */
bool machine_operate(struct machine *, const struct op *);
/* Takes up what is left to be tried of a frame that was taken off the stack;
 * false if that is nothing. */
bool machine_resume(struct machine *, struct frame);

void machine_spend(struct machine *, uint64_t steps);
