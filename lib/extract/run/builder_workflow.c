/* Guardrails and the states of a workflow. */
#include "extract/run/builder.h"
#include "extract/run/put_member.h"

/* Ends the object in `o` and appends it to the list. */
static void
add_object(struct builder *b, struct text *list, struct out *o)
{
	out_end(o, '}');
	if (list->n != 0)
		text_append(&b->run_arena, list, STR(","));
	text_append(&b->run_arena, list, out_memory(o));
	out_close(o);
}

static void
put_member(struct out *o, const char *key, const struct json *v)
{
	put_json(o, key, json_is(v, JSON_NULL) ? NULL : v);
}

static void
begin_object(struct out *o)
{
	out_open_memory(o);
	out_begin(o, '{');
}

void
builder_add_guardrail(struct builder *b, const struct builder_guardrail *g)
{
	struct out o;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	begin_object(&o);
	put_member(&o, "name", g->name);
	put_member(&o, "passed", g->passed);
	put_member(&o, "details", g->details);
	add_object(b, &builder_current_turn(b)->guardrails, &o);
}

void
builder_guardrails_logged(struct builder *b)
{
	struct turn *turn;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	turn = builder_current_turn(b);
	if (turn->guardrails.s == NULL)
		text_append(&b->run_arena, &turn->guardrails, STR(""));
}

void
builder_state(struct builder *b, const struct json *state, bool complete)
{
	struct str body;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	body = copy_body(&b->run_arena, state);
	if (b->replay || body.n == 0)
		return;
	builder_current_turn(b)->state = body;
	b->run->state = body;
	b->run->complete = complete;
}

void
builder_keep_state(struct builder *b)
{
	builder_current_run(b);
	if (!b->replay && b->run->state.n != 0)
		builder_current_turn(b)->state = b->run->state;
}

/* Sets the state of the earlier turns, which the first transition reveals. */
static void
began_in(struct builder *b, const struct json *state)
{
	struct str body = copy_body(&b->run_arena, state);

	for (struct turn *t = b->run->main.turns; t != NULL && t->next != NULL;
	     t = t->next)
		if (t->state.n == 0)
			t->state = body;
}

void
builder_transition(struct builder *b, const struct json *from,
    const struct json *to, const struct json *event)
{
	struct out o;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	if (b->run->transitions.n == 0)
		began_in(b, from);
	begin_object(&o);
	put_member(&o, "from", from);
	put_member(&o, "to", to);
	put_member(&o, "event", event);
	out_member_size(
	    &o, "turn", b->run->main.n == 0 ? 0 : b->run->main.n - 1);
	add_object(b, &b->run->transitions, &o);
	builder_state(b, to, b->run->complete);
}
