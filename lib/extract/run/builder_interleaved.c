/* Runs whose records are interleaved with records of other runs: a run that may
 * continue is suspended while another run is open. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "extract/run/builder.h"
#include "extract/run/builder_internal.h"

enum {
	RUN_PART = offsetof(struct builder, run_arena),
	/* At most this many runs are suspended. If there are more, the least
	 * recently used run ends. */
	SUSPENDED_MAX = 64,
	SUSPENDED_BYTES_MAX = 32 * 1024 * 1024,
	SUSPENDED_SMALL = 4, /* suspended however large they are */
};

/* Moves the run's part of the builder. Pointers into that part become valid
 * again when the part is moved back. */
static void
move_run(struct builder *to, struct builder *from)
{
	memcpy((char *)to + RUN_PART, (char *)from + RUN_PART,
	    sizeof *to - RUN_PART);
	memset((char *)from + RUN_PART, 0, sizeof *from - RUN_PART);
}

static void
suspend_open(struct builder *b)
{
	struct builder *to = calloc(1, sizeof *to);

	if (to == NULL)
		diag_die("out of memory");
	if (b->suspended == NULL)
		b->suspended =
		    arena_new_n(&b->arena, struct builder *, SUSPENDED_MAX + 1);
	move_run(to, b);
	b->suspended[b->n_suspended++] = to;
	b->suspended_bytes += arena_size(&to->run_arena);
}

static struct builder *
take_off(struct builder *b, size_t i)
{
	struct builder *from = b->suspended[i];

	b->n_suspended--;
	memmove(&b->suspended[i], &b->suspended[i + 1],
	    (b->n_suspended - i) * sizeof(struct builder *));
	b->suspended_bytes -= arena_size(&from->run_arena);
	return from;
}

/* Moves the run in `from` into the builder and frees `from`. No run may be
 * open. */
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
	return b->mark.n != 0 || b->mark.id != 0 || b->mark.session != NULL;
}

/* Returns whether the least recently used run must end. */
static bool
is_over(const struct builder *b)
{
	return b->n_suspended > SUSPENDED_MAX ||
	    (b->n_suspended > SUSPENDED_SMALL &&
		b->suspended_bytes > SUSPENDED_BYTES_MAX) ||
	    (b->n_suspended != 0 && !may_go_on(b->suspended[0]));
}

void
builder_suspend(struct builder *b)
{
	if (b->run == NULL)
		return;
	if (b->n_suspended == 0 && !may_go_on(b)) {
		builder_finish(b);
		return;
	}
	suspend_open(b);
	while (is_over(b)) {
		open_again(b, take_off(b, 0));
		builder_finish(b);
	}
}

bool
builder_had_record(struct builder *b, uint64_t id)
{
	size_t n = b->records.n;

	b->records.arena = &b->run_arena;
	hash_set_add(&b->records, id);
	return b->records.n == n;
}

struct builder_mark *
builder_mark(struct builder *b)
{
	builder_current_run(b);
	return &b->mark;
}

const struct builder_mark *
builder_mark_at(const struct builder *b, size_t i)
{
	if (i < b->n_suspended)
		return &b->suspended[i]->mark;
	return i == b->n_suspended && b->run != NULL ? &b->mark : NULL;
}

void
builder_resume(struct builder *b, size_t i)
{
	struct builder *from;

	b->cut_before = false;
	if (i == b->n_suspended)
		return;
	from = take_off(b, i);
	builder_suspend(b);
	if (from->torn != 0)
		builder_tear(from, from->torn);
	b->interleaved = true;
	open_again(b, from);
}

void
builder_end_suspended(struct builder *b)
{
	struct builder open = { 0 };

	move_run(&open, b);
	while (b->n_suspended != 0) {
		open_again(b, take_off(b, 0));
		builder_finish(b);
	}
	arena_free(&b->run_arena);
	move_run(b, &open);
}
