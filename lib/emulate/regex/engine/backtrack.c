#include "emulate/regex/engine/backtrack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/diag.h"
#include "emulate/regex/tree/text.h"
#include "text/unicode.h"

enum {
	STEPS = 20 * 1000 * 1000,
	STEPS_PER_BYTE = 64,
	/* units of an OP_RUN, which is fast, that cost one step */
	RUN_STEP = 8,
	FRAMES_MAX = 2500 * 1000, /* 60 MB */
};

/* An alternative that is left to be tried, or a slot to be restored before
 * that. */
enum frame_kind {
	FRAME_RETRY, /* continue at `pc` and `at` */
	FRAME_TURN,  /* begin another iteration of the OP_TURN at `pc` */
	FRAME_MANY,  /* end the OP_RUN one unit before `at`, down to `value` */
	/* let the OP_RUN take another unit after `at`, at most `value` */
	FRAME_FEW,
	FRAME_LOOK, /* the OP_LOOK at `pc` was tried from `at` */
	FRAME_SLOT, /* slot `at` was `value` */
};

struct frame {
	enum frame_kind kind;
	uint32_t pc;
	size_t at, value;
};

struct backtracker {
	const struct program *program;
	struct text text;
	size_t at;   /* the position in the text */
	uint32_t pc; /* the next operation */
	size_t *slots;
	struct frame *stack;
	size_t n, size;
	uint64_t steps; /* steps that are left */
	bool gave_up;
};

/* ---- one operation ---- */

static void
spend(struct backtracker *m, uint64_t steps)
{
	if (m->steps < steps)
		m->gave_up = true;
	else
		m->steps -= steps;
}

static void
push(struct backtracker *m, struct frame f)
{
	if (m->n == FRAMES_MAX) {
		m->gave_up = true;
		return;
	}
	if (m->n == m->size) {
		m->size = m->size == 0 ? 64 : m->size * 2;
		m->stack = realloc(m->stack, m->size * sizeof *m->stack);
		if (m->stack == NULL)
			diag_die("out of memory");
	}
	m->stack[m->n++] = f;
}

static void
set_slot(struct backtracker *m, size_t slot, size_t value)
{
	push(m, (struct frame){ FRAME_SLOT, 0, slot, m->slots[slot] });
	m->slots[slot] = value;
}

static uint32_t
number(const struct backtracker *m, const struct op *op)
{
	return (uint32_t)(op - m->program->ops);
}

/* Reads one unit after the position, or before it if `back` is set; returns
 * false at that end of the text. */
static inline bool
read_unit(const struct backtracker *m, bool back, size_t *at, uint32_t *unit)
{
	if (*at == (back ? 0 : m->text.n))
		return false;
	*unit = back ? text_prev(&m->text, at) : text_next(&m->text, at);
	return true;
}

static inline bool
take(struct backtracker *m, const struct op *op)
{
	size_t at = m->at;
	uint32_t unit;

	if (!read_unit(m, op->back, &at, &unit) || !set_has(op->set, unit))
		return false;
	m->at = at;
	return true;
}

static bool
run(struct backtracker *m, const struct op *op)
{
	uint32_t wanted = op->lazy ? op->min : op->max, n = 0;
	size_t least = m->at;

	while (n < wanted && take(m, op))
		if (++n == op->min)
			least = m->at;
	spend(m, n / RUN_STEP);
	if (n < op->min)
		return false;
	if (op->lazy && op->max > op->min)
		push(m,
		    (struct frame){
			FRAME_FEW, number(m, op), m->at, op->max - op->min });
	else if (m->at != least)
		push(m,
		    (struct frame){ FRAME_MANY, number(m, op), m->at, least });
	return true;
}

static unsigned
unit_facts(const struct backtracker *m, const struct op *op, bool back)
{
	size_t at = m->at;
	uint32_t unit;

	if (!read_unit(m, back, &at, &unit))
		return UNIT_NONE;
	return (op->set != NULL && set_has(op->set, unit) ? UNIT_MEMBER : 0) |
	    (at == m->text.n ? UNIT_LAST : 0);
}

static void
reset(struct backtracker *m, const struct op *op)
{
	for (size_t slot = op->min; slot < op->max; slot++)
		if (m->slots[slot] != SIZE_MAX)
			set_slot(m, slot, SIZE_MAX);
}

static void
begin_turn(struct backtracker *m, const struct op *op)
{
	set_slot(m, op->slot, m->slots[op->slot] + 1);
	set_slot(m, op->slot + 1, m->at);
}

static void
turn(struct backtracker *m, const struct op *op)
{
	size_t turns = m->slots[op->slot];
	bool may_skip = turns >= op->min;
	bool may_turn = op->max == TREE_FOREVER || turns < op->max;

	if (!may_turn || (may_skip && op->lazy)) {
		if (may_turn)
			push(m,
			    (struct frame){
				FRAME_TURN, number(m, op), m->at, 0 });
		m->pc = op->to;
		return;
	}
	if (may_skip)
		push(m, (struct frame){ FRAME_RETRY, op->to, m->at, 0 });
	begin_turn(m, op);
}

/* Ends an iteration. An optional iteration that took nothing is undone, or, as
 * in Perl, is the last. */
static bool
turned(struct backtracker *m, const struct op *op)
{
	bool optional = m->slots[op->slot] > op->min;
	bool idle = optional && m->at == m->slots[op->slot + 1];

	m->pc = idle ? m->program->ops[op->to].to : op->to;
	return !idle || m->program->perl;
}

static void
look(struct backtracker *m, const struct op *op)
{
	set_slot(m, op->slot, m->n + 1);
	push(m, (struct frame){ FRAME_LOOK, number(m, op), m->at, 0 });
}

/* Ends a lookaround or atomic group. Nothing inside is tried again: the
 * alternatives left inside are dropped, and, for a negative lookaround, its
 * captures too. */
static bool
looked(struct backtracker *m, const struct op *op)
{
	size_t mark = m->slots[op->slot], end = m->n;

	assert(m->stack != NULL && mark < end);
	if (!op->keep)
		m->at = m->stack[mark].at;
	if (op->negate) {
		while (m->n > mark)
			if (m->stack[--m->n].kind == FRAME_SLOT)
				m->slots[m->stack[m->n].at] =
				    m->stack[m->n].value;
		return false;
	}
	m->n = mark;
	for (size_t i = mark + 1; i < end; i++)
		if (m->stack[i].kind == FRAME_SLOT)
			m->stack[m->n++] = m->stack[i];
	return true;
}

/* Compares the lower case of two characters, each alone, as Python does. This
 * lower case is always one character: that of U+0130 is "i", without the dot
 * that lower() adds. */
static bool
same_lower(uint32_t one, uint32_t two)
{
	struct arena a = { 0 };
	char first[4], second[4];
	size_t n = unicode_encode(one, first), m = unicode_encode(two, second);
	bool same = str_eq(unicode_lower_go(&a, (struct str){ first, n }),
	    unicode_lower_go(&a, (struct str){ second, m }));

	arena_free(&a);
	return same;
}

static bool
same_unit(const struct backtracker *m, const struct op *op, uint32_t one,
    uint32_t two)
{
	if (one == two || !op->caseless)
		return one == two;
	if (op->ascii)
		return (one ^ two) == 0x20 && ascii_is_letter(one);
	if (!m->text.utf16)
		return same_lower(one, two);
	return unicode_canonicalize_js((uint16_t)one) ==
	    unicode_canonicalize_js((uint16_t)two);
}

static bool
backref(struct backtracker *m, const struct op *op)
{
	size_t from = m->slots[op->slot], to = m->slots[op->slot + 1];
	uint32_t one, two;

	if (from == SIZE_MAX || to == SIZE_MAX)
		return !m->program->perl;
	spend(m, (to - from) / RUN_STEP);
	while (from < to) {
		one = op->back ? text_prev(&m->text, &to)
			       : text_next(&m->text, &from);
		if (!read_unit(m, op->back, &m->at, &two) ||
		    !same_unit(m, op, one, two))
			return false;
	}
	return true;
}

static bool
operate(struct backtracker *m, const struct op *op)
{
	switch (op->kind) {
	case OP_SET:
		return take(m, op);
	case OP_SPLIT:
		push(m, (struct frame){ FRAME_RETRY, op->other, m->at, 0 });
		/* fallthrough */
	case OP_JUMP:
		m->pc = op->to;
		return true;
	case OP_AT:
		return program_at(
		    op, unit_facts(m, op, true), unit_facts(m, op, false));
	case OP_RUN:
		return run(m, op);
	case OP_SAVE:
		set_slot(m, op->slot, m->at);
		return true;
	case OP_RESET:
		reset(m, op);
		return true;
	case OP_ZERO:
		set_slot(m, op->slot, 0);
		return true;
	case OP_TURN:
		turn(m, op);
		return true;
	case OP_TURNED:
		return turned(m, op);
	case OP_LOOK:
		look(m, op);
		return true;
	case OP_LOOKED:
		return looked(m, op);
	case OP_IF:
		if (m->slots[op->slot] == SIZE_MAX)
			m->pc = op->to;
		return true;
	case OP_BACKREF:
		return backref(m, op);
	case OP_MATCH:
		break;
	}
	return true;
}

static bool
resume(struct backtracker *m, struct frame f)
{
	const struct op *op = &m->program->ops[f.pc];
	uint32_t unit;

	m->pc = f.pc + 1;
	m->at = f.at;
	switch (f.kind) {
	case FRAME_RETRY:
		m->pc = f.pc;
		return true;
	case FRAME_TURN:
		begin_turn(m, op);
		return true;
	case FRAME_MANY:
		read_unit(m, !op->back, &m->at, &unit);
		if (m->at != f.value)
			push(m,
			    (struct frame){ FRAME_MANY, f.pc, m->at, f.value });
		return true;
	case FRAME_FEW:
		if (!take(m, op))
			return false;
		if (f.value > 1)
			push(m,
			    (struct frame){
				FRAME_FEW, f.pc, m->at, f.value - 1 });
		return true;
	case FRAME_LOOK:
		m->pc = op->to;
		return op->negate;
	case FRAME_SLOT:
		m->slots[f.at] = f.value;
		break;
	}
	return false;
}

/* ---- the search ---- */

uint64_t
backtrack_steps(struct str text)
{
	return STEPS + STEPS_PER_BYTE * (uint64_t)text.n;
}

static bool
backtrack(struct backtracker *m)
{
	while (m->n > 0)
		if (resume(m, m->stack[--m->n]))
			return true;
	return false;
}

/* Tries to match from m->at. */
static enum regex_found
try_here(struct backtracker *m)
{
	const struct op *ops = m->program->ops;

	m->pc = 0;
	m->n = 0;
	while (ops[m->pc].kind != OP_MATCH) {
		spend(m, 1);
		if (m->gave_up)
			return REGEX_LIMIT;
		if (!operate(m, &ops[m->pc++]) && !backtrack(m))
			return REGEX_NO;
	}
	return REGEX_YES;
}

/* Moves to the next position where a match can begin; returns false if there is
 * none. */
static bool
next_start(const struct backtracker *m, size_t *at)
{
	const struct set *first = m->program->first;

	for (size_t next = *at; next < m->text.n; *at = next)
		if (set_has(first, text_next(&m->text, &next)))
			return true;
	return false;
}

static enum regex_found
try_all(struct backtracker *m, size_t *start)
{
	const struct program *p = m->program;
	enum regex_found found;
	size_t from = *start;

	for (;;) {
		if (p->first != NULL && !next_start(m, start))
			return REGEX_NO;
		if (p->anchored && *start != from)
			return REGEX_NO;
		m->at = *start;
		found = try_here(m);
		if (found != REGEX_NO || *start == m->text.n)
			return found;
		text_next(&m->text, start);
	}
}

enum regex_found
backtrack_search(const struct program *p, struct str text, size_t from,
    size_t *spans, uint64_t steps)
{
	struct backtracker m = {
		.program = p,
		.text = { (const unsigned char *)text.s, text.n, p->utf16 },
		.slots = malloc(p->slots * sizeof *m.slots),
		.steps = steps,
	};
	enum regex_found found;
	size_t start = from;

	if (m.slots == NULL)
		diag_die("out of memory");
	for (size_t i = 0; i < p->slots; i++)
		m.slots[i] = SIZE_MAX;
	found = try_all(&m, &start);
	if (found == REGEX_YES && spans != NULL) {
		memcpy(spans, m.slots, 2 * p->groups * sizeof *spans);
		spans[0] = start;
		spans[1] = m.at;
	}
	free(m.stack);
	free(m.slots);
	return found;
}
