#include "regex/engine/backtrack.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "regex/engine/backtrack_step.h"

enum {
	STEPS = 20 * 1000 * 1000,
	STEPS_PER_BYTE = 64,
};

uint64_t
backtrack_steps(struct str text)
{
	return STEPS + STEPS_PER_BYTE * (uint64_t)text.n;
}

static bool
backtrack(struct machine *m)
{
	while (m->n > 0)
		if (machine_resume(m, m->stack[--m->n]))
			return true;
	return false;
}

/* Tries for a match that begins at m->at. */
static enum regex_found
try_here(struct machine *m)
{
	const struct op *ops = m->program->ops;

	m->pc = 0;
	m->n = 0;
	while (ops[m->pc].kind != OP_MATCH) {
		machine_spend(m, 1);
		if (m->gave_up)
			return REGEX_LIMIT;
		if (!machine_operate(m, &ops[m->pc++]) && !backtrack(m))
			return REGEX_NO;
	}
	return REGEX_YES;
}

/* Moves on to a place where a match can begin. */
static bool
next_start(const struct machine *m, size_t *at)
{
	const struct set *first = m->program->first;

	for (size_t next = *at; next < m->text.n; *at = next)
		if (set_has(first, text_next(&m->text, &next)))
			return true;
	return false;
}

static enum regex_found
try_all(struct machine *m, size_t *start)
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
	struct machine m = {
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
