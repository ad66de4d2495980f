/* Turns and prompts, and the assistant's texts. */
#include "extract/run/builder.h"

#include "extract/run/builder_internal.h"
#include "extract/value/fields.h"

/* ---- turns ---- */

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
	t->message_text = t->open_text = NULL;
	if (b->node != NULL)
		b->node->turn = turn;
	if (t == &b->run->main)
		b->run->has_main = true;
	return turn;
}

struct turn *
builder_current_turn(struct builder *b)
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

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	t = b->thread;
	if (b->replay)
		return;
	if (!t->went_back)
		t->back = t->last;
	for (; turns != 0 && t->back != NULL; turns--)
		t->back = t->back->before;
	t->went_back = t->last != NULL;
	if (t == &b->run->main) /* the answer belonged to a turn that was taken
				 * back */
		b->run->members[RUN_FINAL] = (struct str){ 0 };
}

/* Returns whether the thread's current turn has begun and is still empty, apart
 * from its prompt. */
static bool
is_fresh(const struct builder *b)
{
	const struct turn *turn = b->thread->last;

	return turn != NULL && turn->steps == NULL && turn->usages == NULL;
}

void
builder_turn(struct builder *b)
{
	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	if (!is_fresh(b))
		add_turn(b);
	b->thread->turn_opened = true;
	b->thread->open_number = NULL;
	builder_current_turn(b);
}

void
builder_input(struct builder *b)
{
	builder_turn(b);
	if (!b->replay)
		builder_current_turn(b)->by_input = true;
}

void
builder_prompt_body(struct builder *b, struct str body)
{
	struct turn *turn;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	if (!b->in_prompt &&
	    !(b->thread->turn_opened && is_fresh(b) &&
		b->thread->last->prompt.s == NULL))
		add_turn(b);
	b->in_prompt = true;
	b->thread->open_number = NULL;
	turn = builder_current_turn(b);
	text_append_line(&b->run_arena, &turn->prompt, body);
	b->cut = &turn->cut;
}

void
builder_prompt(struct builder *b, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		builder_prompt_body(b, json_raw(v));
	else if (json_is(v, JSON_ARRAY) && json_first(v) != NULL)
		builder_prompt_body(b, STR("")); /* the prompt may consist of
						  * images */
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

	b->reported |= BUILDER_SAID;
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

/* ---- the system prompt ---- */

static void
add_system(struct arena *a, struct text *to, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		text_append_line(a, to, json_raw(v));
	else if (json_is(v, JSON_OBJECT))
		add_system(a, to, field_find(v, "text content parts"));
	for (json_each(block, v))
		add_system(a, to, block);
}

void
builder_system(struct builder *b, const struct json *v)
{
	struct text text = { 0 };
	struct run *run;

	if (json_count(v) == 0 && json_raw(v).n == 0)
		return;
	b->reported |= BUILDER_SAID;
	run = builder_current_run(b);
	if (b->replay || b->thread != &run->main ||
	    b->options.trace.no_system ||
	    (run->system.n != 0 && run->main.turns != NULL))
		return;
	add_system(&b->run_arena, &text, v);
	if (!str_eq((struct str){ text.s, text.n },
		(struct str){ run->system.s, run->system.n }))
		text_append_line(&b->run_arena, &run->system,
		    (struct str){ text.s, text.n });
}

void
builder_system_message(struct builder *b, const struct json *v)
{
	if (builder_current_run(b)->main.turns == NULL)
		builder_system(b, v);
}

/* ---- texts ---- */

struct step *
builder_add_step(struct builder *b)
{
	struct turn *turn = builder_current_turn(b);
	struct step *s = arena_new(&b->run_arena, struct step);

	s->turn = turn;
	s->agent = turn->thread->speaker;
	b->in_prompt = false;
	turn->thread->text_ended = true;
	turn->ended = NULL;
	if (turn->last_step == NULL)
		turn->steps = s;
	else
		turn->last_step->next = s;
	turn->last_step = s;
	return s;
}

void
builder_text(struct builder *b, const struct json *v)
{
	struct turn *turn;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay || json_raw(v).n == 0)
		return;
	turn = builder_current_turn(b);
	if (b->thread->message_text == NULL ||
	    b->thread->message_text->turn != turn)
		b->thread->message_text = b->thread->open_text =
		    builder_add_step(b);
	b->thread->text_ended = false;
	builder_number_step(b, b->thread->message_text);
	text_append_line(
	    &b->run_arena, &b->thread->message_text->text, json_raw(v));
	b->cut = &b->thread->message_text->cut;
}

void
builder_text_blocks(struct builder *b, const struct json *v)
{
	builder_text(b, v);
	for (json_each(block, v))
		builder_text(b, json_get(block, "text"));
}

void
builder_empty_text(struct builder *b)
{
	struct step *s;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	s = builder_add_step(b);
	builder_number_step(b, s);
	text_append_line(&b->run_arena, &s->text, STR(""));
	b->thread->message_text = b->thread->open_text = s;
	b->cut = &s->cut;
}

void
builder_text_is_interim(struct builder *b)
{
	if (b->run != NULL && !b->replay && b->thread->open_text != NULL)
		b->thread->open_text->interim = true;
}

void
builder_append_text(struct builder *b, const struct json *v)
{
	struct thread *t;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	t = b->thread;
	if (b->replay || json_raw(v).n == 0)
		return;
	if (t->open_text == NULL || t->text_ended) {
		builder_text(b, v);
		return;
	}
	builder_current_turn(b);
	text_append(&b->run_arena, &t->open_text->text, json_raw(v));
	b->cut = &t->open_text->cut;
}

void
builder_text_value(struct builder *b, const struct json *v)
{
	struct arena *a = &b->run_arena;

	if (v != NULL)
		builder_text(b, builder_str(b, copy_escaped(a, v->text)));
}

void
builder_end_text(struct builder *b)
{
	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	b->thread->text_ended = true;
}

/* ---- why an answer ended ---- */

/* The words of the models' APIs, in lower case and without other characters than
 * letters, for an answer that the model did not end by itself, and what a record
 * says of it; NULL: only `meta` has the word. */
static const struct {
	struct str word;
	const char *ended;
} stops[] = {
	{ STR_CONST("length"), "length" },
	{ STR_CONST("maxtokens"), "length" },
	{ STR_CONST("maxoutputtokens"), "length" },
	{ STR_CONST("maxcompletiontokens"), "length" },
	{ STR_CONST("modellength"), "length" },
	{ STR_CONST("modelcontextwindowexceeded"), "length" },
	{ STR_CONST("errorlimit"), "length" },
	{ STR_CONST("incomplete"), "length" },
	{ STR_CONST("budgetexceeded"), "length" },
	{ STR_CONST("contentfilter"), "filter" },
	{ STR_CONST("contentfiltered"), "filter" },
	{ STR_CONST("errortoxic"), "filter" },
	{ STR_CONST("guardrailintervened"), "filter" },
	{ STR_CONST("safety"), "filter" },
	{ STR_CONST("imagesafety"), "filter" },
	{ STR_CONST("recitation"), "filter" },
	{ STR_CONST("language"), "filter" },
	{ STR_CONST("blocklist"), "filter" },
	{ STR_CONST("prohibitedcontent"), "filter" },
	{ STR_CONST("spii"), "filter" },
	{ STR_CONST("refusal"), "refusal" },
	{ STR_CONST("insufficientsystemresource"), NULL },
	{ STR_CONST("error"), NULL },
	{ STR_CONST("other"), NULL },
	{ STR_CONST("malformedfunctioncall"), NULL },
	{ STR_CONST("unexpectedtoolcall"), NULL },
	{ STR_CONST("toomanytoolcalls"), NULL },
	{ STR_CONST("malformedresponse"), NULL },
	{ STR_CONST("malformedmodeloutput"), NULL },
	{ STR_CONST("malformedtooluse"), NULL },
};

/* Writes the letters of the word in lower case to `letters`, from its last dot on,
 * as Python prints enumerations. Returns them; empty if they are too many. */
static struct str
letters_of(struct str word, char letters[32])
{
	size_t n = 0;

	for (size_t i = 0; i < word.n; i++) {
		char c = (char)(word.s[i] | 0x20);

		if (word.s[i] == '.')
			n = 0;
		else if (c >= 'a' && c <= 'z' && n++ < 32)
			letters[n - 1] = c;
	}
	return (struct str){ letters, n > 32 ? 0 : n };
}

void
builder_stop_reason(struct builder *b, const struct json *reason)
{
	char room[32];
	struct str word = { 0 };

	if (json_is(reason, JSON_STRING) && !b->replay)
		word = letters_of(json_raw(reason), room);
	for (size_t i = 0; word.n != 0 && i < sizeof stops / sizeof stops[0];
	     i++) {
		if (!str_eq(stops[i].word, word))
			continue;
		builder_meta(b, "incomplete", reason);
		if (stops[i].ended != NULL)
			builder_current_turn(b)->ended = stops[i].ended;
		return;
	}
}

void
builder_refused(struct builder *b)
{
	if (!b->replay)
		builder_current_turn(b)->ended = "refusal";
}
