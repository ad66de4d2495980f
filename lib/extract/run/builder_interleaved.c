/* Runs whose records stand among those of others. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "extract/run/builder.h"

enum {
	OF_RUN = offsetof(struct builder, run_arena),
	/* More are not set aside: the one that was told the longest time ago
	 * ends. */
	RUNS_MOST = 64,
	BYTES_MOST = 4 * 1024 * 1024,
	RUNS_FEW = 4, /* ... however large they are: so many may well go on */
};

/* What points into a run's part of a builder holds again once that is back. */
static void
move_run(struct builder *to, struct builder *from)
{
	memcpy((char *)to + OF_RUN, (char *)from + OF_RUN, sizeof *to - OF_RUN);
	memset((char *)from + OF_RUN, 0, sizeof *from - OF_RUN);
}

static void
set_aside(struct builder *b)
{
	struct builder *to = calloc(1, sizeof *to);

	if (to == NULL)
		diag_die("out of memory");
	if (b->aside == NULL)
		b->aside =
		    arena_new_n(&b->arena, struct builder *, RUNS_MOST + 1);
	move_run(to, b);
	b->aside[b->n_aside++] = to;
	b->bytes_aside += arena_size(&to->run_arena);
}

static struct builder *
take_off(struct builder *b, size_t i)
{
	struct builder *from = b->aside[i];

	b->n_aside--;
	memmove(&b->aside[i], &b->aside[i + 1],
	    (b->n_aside - i) * sizeof(struct builder *));
	b->bytes_aside -= arena_size(&from->run_arena);
	return from;
}

/* No run may be open. */
static void
open_again(struct builder *b, struct builder *from)
{
	arena_free(&b->run_arena);
	move_run(b, from);
	free(from);
}

static bool
may_go_on(const struct builder *b)
{
	return b->mark.n != 0 || b->mark.id != 0;
}

/* Whether the run that was told the longest time ago is to end. */
static bool
is_over(const struct builder *b)
{
	return b->n_aside > RUNS_MOST ||
	    (b->n_aside > RUNS_FEW && b->bytes_aside > BYTES_MOST) ||
	    (b->n_aside != 0 && !may_go_on(b->aside[0]));
}

void
builder_suspend(struct builder *b)
{
	if (b->run == NULL)
		return;
	if (b->n_aside == 0 && !may_go_on(b)) {
		builder_finish(b);
		return;
	}
	set_aside(b);
	while (is_over(b)) {
		open_again(b, take_off(b, 0));
		builder_finish(b);
	}
}

struct builder_mark *
builder_mark(struct builder *b)
{
	builder_current_run(b);
	return &b->mark;
}

const struct builder_mark *
builder_mark_of(const struct builder *b, size_t i)
{
	if (i < b->n_aside)
		return &b->aside[i]->mark;
	return i == b->n_aside && b->run != NULL ? &b->mark : NULL;
}

void
builder_resume(struct builder *b, size_t i)
{
	struct builder *from;

	if (i == b->n_aside)
		return;
	from = take_off(b, i);
	builder_suspend(b);
	open_again(b, from);
}

void
builder_end_suspended(struct builder *b)
{
	struct builder open = { 0 };

	move_run(&open, b);
	while (b->n_aside != 0) {
		open_again(b, take_off(b, 0));
		builder_finish(b);
	}
	arena_free(&b->run_arena);
	move_run(b, &open);
}
