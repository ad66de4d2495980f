#include "emulate/regex/engine/program.h"

enum {
	OPS_MAX = 50 * 1000, /* with repetitions written out */
};

struct compiler {
	struct arena *arena;
	struct program *program;
	bool for_dfa;
	bool back; /* within a lookbehind */
	bool failed;
};

static void compile(struct compiler *, const struct tree *);

/* Appends an operation and returns its number. When the program is too large,
 * each new operation replaces the last one. */
static uint32_t
add(struct compiler *c, struct op op)
{
	struct program *p = c->program;

	if (c->for_dfa && p->n == OPS_MAX) {
		c->failed = true;
		p->n--;
	}
	op.back = c->back;
	*arena_push(c->arena, p->ops, p->n) = op;
	return (uint32_t)p->n - 1;
}

static uint32_t
here(const struct compiler *c)
{
	return (uint32_t)c->program->n;
}

static size_t
new_slots(struct compiler *c, size_t n)
{
	c->program->slots += n;
	return c->program->slots - n;
}

/* From right to left, the last child is read first. */
static void
compile_cat(struct compiler *c, const struct tree *t)
{
	const struct tree **list = NULL;
	size_t n = 0;

	for (tree_each(child, t))
		*arena_push(c->arena, list, n) = child;
	for (size_t i = 0; i < n; i++)
		compile(c, list[c->back ? n - 1 - i : i]);
}

/* Each alternative but the last begins with a split and ends with a jump behind
 * all alternatives. Until that target is known, `to` of a jump is the number of
 * the previous jump. */
static void
compile_alt(struct compiler *c, const struct tree *t)
{
	struct op *ops;
	uint32_t jump = UINT32_MAX, split;

	for (tree_each(child, t)) {
		if (child->next == NULL) {
			compile(c, child);
			break;
		}
		split = add(c, (struct op){ .kind = OP_SPLIT });
		c->program->ops[split].to = split + 1;
		compile(c, child);
		jump = add(c, (struct op){ .kind = OP_JUMP, .to = jump });
		c->program->ops[split].other = here(c);
	}
	ops = c->program->ops;
	while (jump != UINT32_MAX && !c->failed) {
		uint32_t before = ops[jump].to;

		ops[jump].to = here(c);
		jump = before;
	}
}

/* Appends a split between the operation behind it and a target that is set
 * later. */
static uint32_t
split(struct compiler *c, bool lazy)
{
	struct op op = { .kind = OP_SPLIT, .lazy = lazy };

	*(lazy ? &op.other : &op.to) = here(c) + 1;
	return add(c, op);
}

static void
set_skip(struct compiler *c, uint32_t split, uint32_t to)
{
	struct op *op = &c->program->ops[split];

	*(op->lazy ? &op->to : &op->other) = to;
}

static void
turn(struct compiler *c, const struct tree *t)
{
	if (!c->for_dfa && t->first_group < t->end_group)
		add(c,
		    (struct op){ .kind = OP_RESET,
			.min = (uint32_t)(2 * t->first_group),
			.max = (uint32_t)(2 * t->end_group) });
	compile(c, t->child);
}

/* Compiles x?, x* and x+, where no iteration needs a check that it took
 * something. */
static void
compile_simple(struct compiler *c, const struct tree *t, bool plus)
{
	uint32_t skip = plus ? UINT32_MAX : split(c, t->lazy);
	uint32_t start = here(c), again;

	turn(c, t);
	if (t->max == TREE_FOREVER) {
		again = add(c, (struct op){ .kind = OP_SPLIT });
		c->program->ops[again].to = t->lazy ? again + 1 : start;
		c->program->ops[again].other = t->lazy ? start : again + 1;
	}
	if (skip != UINT32_MAX)
		set_skip(c, skip, here(c));
}

static void
unroll(struct compiler *c, const struct tree *t)
{
	uint32_t at_least = t->max == TREE_FOREVER ? t->min - 1 : t->min;
	uint32_t last = UINT32_MAX, start = here(c);

	for (uint32_t i = 0; i < at_least && !c->failed; i++) {
		turn(c, t);
		if (here(c) == start) /* takes nothing, however often */
			return;
	}
	if (t->max == TREE_FOREVER) {
		compile_simple(c, t, true);
		return;
	}
	for (uint32_t i = t->min; i < t->max && !c->failed; i++) {
		uint32_t next = split(c, t->lazy);

		set_skip(c, next, last);
		last = next;
		turn(c, t);
	}
	while (last != UINT32_MAX && !c->failed) {
		const struct op *op = &c->program->ops[last];
		uint32_t before = op->lazy ? op->to : op->other;

		set_skip(c, last, here(c));
		last = before;
	}
}

static void
compile_counted(struct compiler *c, const struct tree *t)
{
	size_t slot = new_slots(c, 2);
	struct op op = {
		.slot = slot, .min = t->min, .max = t->max, .lazy = t->lazy
	};
	uint32_t start;

	op.kind = OP_ZERO;
	add(c, op);
	op.kind = OP_TURN;
	start = add(c, op);
	turn(c, t);
	op.kind = OP_TURNED;
	op.to = start;
	add(c, op);
	c->program->ops[start].to = here(c);
}

static void
compile_repeat(struct compiler *c, const struct tree *t)
{
	bool simple = (t->min <= 1 && t->max == TREE_FOREVER) ||
	    (t->min == 0 && t->max == 1);

	if (t->max == 0)
		return;
	if (!c->for_dfa && t->child->kind == TREE_SET)
		add(c,
		    (struct op){ .kind = OP_RUN,
			.set = t->child->set,
			.min = t->min,
			.max = t->max,
			.lazy = t->lazy });
	else if (simple && (c->for_dfa || !tree_nullable(t->child)))
		compile_simple(c, t, t->min == 1);
	else if (c->for_dfa)
		unroll(c, t);
	else
		compile_counted(c, t);
}

static void
compile_group(struct compiler *c, const struct tree *t)
{
	size_t slot = 2 * t->group;

	if (!c->for_dfa)
		add(c, (struct op){ .kind = OP_SAVE, .slot = slot + c->back });
	compile(c, t->child);
	if (!c->for_dfa)
		add(c, (struct op){ .kind = OP_SAVE, .slot = slot + !c->back });
}

/* Refers to a lookaround, for which a DFA has a program of its own. */
static void
refer_to_look(struct compiler *c, const struct tree *t)
{
	struct program *p = c->program;
	size_t i = 0;

	while (i < p->nlooks && p->looks[i] != t)
		i++;
	if (i == PROGRAM_LOOKS_MAX) {
		c->failed = true;
		return;
	}
	p->looks[i] = t;
	p->nlooks += i == p->nlooks;
	add(c, (struct op){ .kind = OP_LOOK, .negate = t->negate, .slot = i });
}

static void
compile_look(struct compiler *c, const struct tree *t)
{
	struct op op = { .kind = OP_LOOK,
		.negate = t->negate,
		.keep = t->kind == TREE_ATOMIC,
		.slot = new_slots(c, 1) };
	bool back = c->back;
	uint32_t look = add(c, op);

	if (!op.keep)
		c->back = t->behind;
	compile(c, t->child);
	op.kind = OP_LOOKED;
	add(c, op);
	c->back = back;
	c->program->ops[look].to = here(c);
}

static void
compile_cond(struct compiler *c, const struct tree *t)
{
	struct op op = { .kind = OP_IF, .slot = 2 * t->group + 1 };
	uint32_t jump, skip = add(c, op);

	compile(c, t->child);
	jump = add(c, (struct op){ .kind = OP_JUMP });
	c->program->ops[skip].to = here(c);
	if (t->child->next != NULL)
		compile(c, t->child->next);
	c->program->ops[jump].to = here(c);
}

static void
compile(struct compiler *c, const struct tree *t)
{
	if (c->for_dfa &&
	    (t->kind == TREE_BACKREF || t->kind == TREE_ATOMIC ||
		t->kind == TREE_COND))
		c->failed = true;
	if (c->failed)
		return;
	switch (t->kind) {
	case TREE_EMPTY:
		break;
	case TREE_SET:
		add(c, (struct op){ .kind = OP_SET, .set = t->set });
		break;
	case TREE_CAT:
		compile_cat(c, t);
		break;
	case TREE_ALT:
		compile_alt(c, t);
		break;
	case TREE_REPEAT:
		compile_repeat(c, t);
		break;
	case TREE_GROUP:
		compile_group(c, t);
		break;
	case TREE_AT:
		add(c,
		    (struct op){ .kind = OP_AT,
			.at = t->at,
			.set = t->set,
			.negate = t->negate });
		break;
	case TREE_LOOK:
		(c->for_dfa ? refer_to_look : compile_look)(c, t);
		break;
	case TREE_BACKREF:
		add(c,
		    (struct op){ .kind = OP_BACKREF,
			.slot = 2 * t->group,
			.caseless = t->caseless,
			.ascii = t->ascii });
		break;
	case TREE_ATOMIC:
		compile_look(c, t);
		break;
	case TREE_COND:
		compile_cond(c, t);
	}
}

static struct program *
program_of(
    struct compiler *c, const struct pattern *pattern, const struct tree *root)
{
	struct program *p = arena_new(c->arena, struct program);

	p->groups = pattern->groups;
	p->slots = 2 * pattern->groups;
	p->utf16 = pattern->unit_max == UNIT_MAX_UTF16;
	p->perl = pattern->perl;
	p->back = c->back;
	c->program = p;
	compile(c, root);
	add(c, (struct op){ .kind = OP_MATCH });
	return p;
}

struct program *
program_new(struct arena *a, const struct pattern *pattern)
{
	struct compiler c = { .arena = a };
	struct program *p = program_of(&c, pattern, pattern->root);

	p->anchored = pattern->anchored;
	p->first = tree_first(a, pattern->root);
	return p;
}

struct program *
program_unrolled(
    struct arena *a, const struct pattern *pattern, const struct tree *look)
{
	struct compiler c = { .arena = a, .for_dfa = true };
	struct program *p;

	c.back = look != NULL && !look->behind;
	p = program_of(&c, pattern, look == NULL ? pattern->root : look->child);
	p->anchored = look == NULL && pattern->anchored;
	return c.failed ? NULL : p;
}

bool
program_at(const struct op *op, unsigned before, unsigned after)
{
	const unsigned last = UNIT_MEMBER | UNIT_LAST;

	switch (op->at) {
	case AT_START:
		return before & UNIT_NONE;
	case AT_END:
		return after & UNIT_NONE;
	case AT_LINE_START:
		return before & (UNIT_NONE | UNIT_MEMBER);
	case AT_LINE_END:
		return after & (UNIT_NONE | UNIT_MEMBER);
	case AT_LAST_END:
		return after & UNIT_NONE || (after & last) == last;
	case AT_EDGE:
		return (before ^ after) & UNIT_MEMBER;
	case AT_NO_EDGE:
		return !((before ^ after) & UNIT_MEMBER) &&
		    !(op->negate && before & after & UNIT_NONE);
	}
	return false;
}
