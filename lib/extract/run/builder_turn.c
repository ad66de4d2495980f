/* Turns: where one begins, what it was asked, and going back before it. */
#include "extract/run/builder.h"

static struct turn *
add_turn(struct builder *b)
{
	struct thread *t = b->thread;
	struct turn *turn = arena_new(&b->run_arena, struct turn);

	turn->thread = t;
	turn->line = b->line;
	turn->before = b->root                          ? NULL
	    : b->after != NULL && b->after->thread == t ? b->after->turn
	    : t->went_back                              ? t->back
							: t->last;
	t->went_back = false;
	if (t->last == NULL)
		t->turns = turn;
	else
		t->last->next = turn;
	t->last = turn;
	t->n++;
	t->text = t->said = NULL;
	if (b->node != NULL)
		b->node->turn = turn;
	if (t == &b->run->main)
		b->run->told = true;
	return turn;
}

struct turn *
builder_turn_now(struct builder *b)
{
	struct turn *turn;

	builder_current_run(b);
	turn = b->thread->last != NULL ? b->thread->last : add_turn(b);
	if (b->ts.text.s == NULL)
		return turn;
	if (turn->first.text.s == NULL || b->ts.ms < turn->first.ms)
		turn->first = b->ts;
	if (turn->last.text.s == NULL || b->ts.ms > turn->last.ms)
		turn->last = b->ts;
	return turn;
}

void
builder_rewind(struct builder *b, size_t turns)
{
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay)
		return;
	if (!t->went_back)
		t->back = t->last;
	for (; turns != 0 && t->back != NULL; turns--)
		t->back = t->back->before;
	t->went_back = t->last != NULL;
	if (t == &b->run->main) /* it was the answer of what is taken back */
		b->run->members[RUN_FINAL] = (struct str){ 0 };
}

/* Whether the thread's turn began, by itself or with its prompt, and nothing
 * happened in it yet. */
static bool
is_fresh(const struct builder *b)
{
	const struct turn *turn = b->thread->last;

	return turn != NULL && turn->steps == NULL && turn->usages == NULL;
}

void
builder_turn(struct builder *b)
{
	builder_current_run(b);
	if (b->replay)
		return;
	if (!is_fresh(b))
		add_turn(b);
	b->thread->fresh = true;
	builder_turn_now(b);
}

void
builder_input(struct builder *b)
{
	builder_turn(b);
	if (!b->replay)
		builder_turn_now(b)->begun = true;
}

void
builder_prompt_body(struct builder *b, struct str body)
{
	struct turn *turn;

	builder_current_run(b);
	if (b->replay)
		return;
	if (!b->in_prompt &&
	    !(b->thread->fresh && is_fresh(b) &&
		b->thread->last->prompt.s == NULL))
		add_turn(b);
	b->in_prompt = true;
	turn = builder_turn_now(b);
	text_add(&b->run_arena, &turn->prompt, body);
	b->cut = &turn->cut;
}

void
builder_prompt(struct builder *b, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		builder_prompt_body(b, json_raw(v));
	else if (json_is(v, JSON_ARRAY) && json_first(v) != NULL)
		builder_prompt_body(b, STR("")); /* perhaps of images alone */
	for (json_each(block, v)) {
		const struct json *text = json_get(block, "text");

		if (json_is(text, JSON_STRING))
			builder_prompt_body(b, json_raw(text));
	}
}

void
builder_replace_prompt(struct builder *b, const struct json *v)
{
	struct turn *turn;

	builder_current_run(b);
	turn = b->thread->last;
	if (!b->replay && turn != NULL && turn->steps == NULL) {
		turn->prompt = (struct text){ 0 };
		b->in_prompt = true;
	}
	builder_prompt(b, v);
}

bool
builder_has_prompt(const struct builder *b)
{
	return b->run != NULL && b->thread->last != NULL &&
	    b->thread->last->prompt.s != NULL;
}
