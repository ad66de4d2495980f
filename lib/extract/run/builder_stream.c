/* Texts and arguments that a log tells in pieces. */
#include "extract/run/builder.h"

void
builder_append_text(struct builder *b, const struct json *v)
{
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay || json_raw(v).n == 0)
		return;
	if (t->said == NULL || t->breaks) {
		builder_text(b, v);
		return;
	}
	builder_turn_now(b);
	text_more(&b->run_arena, &t->said->text, json_raw(v));
	b->cut = &t->said->cut;
}

void
builder_text_value(struct builder *b, const struct json *v)
{
	struct arena *a = &b->run_arena;

	if (v != NULL)
		builder_text(b, builder_str(b, copy_escaped(a, v->text)));
}

void
builder_text_ends(struct builder *b)
{
	builder_current_run(b);
	b->thread->breaks = true;
}

/* The call with that id; else the one told last, or NULL. */
static struct step *
call_of(struct builder *b, const struct json *id)
{
	struct step *s = call_matching_find(&b->call_matching, json_raw(id));

	return s != NULL ? s : b->call;
}

void
builder_append_args(
    struct builder *b, const struct json *id, const struct json *v)
{
	struct step *s;

	builder_current_run(b);
	if (b->replay || !json_is(v, JSON_STRING))
		return;
	s = call_of(b, id);
	if (s == NULL)
		return;
	text_more(&b->run_arena, &s->text, json_raw(v));
	b->args_come = true;
}

void
builder_args(struct builder *b, const struct json *id, const struct json *v)
{
	struct step *s;

	builder_current_run(b);
	s = b->replay || v == NULL ? NULL : call_of(b, id);
	if (s != NULL)
		s->args = copy_value(&b->run_arena, v);
}

/* An empty text stands for no arguments. */
static void
settle(struct builder *b, struct step *s)
{
	if (s->is_call && s->text.n != 0)
		s->args = builder_decode(
		    b, builder_str(b, (struct str){ s->text.s, s->text.n }));
}

static void
settle_thread(struct builder *b, const struct thread *t)
{
	for (const struct turn *n = t->turns; n != NULL; n = n->next)
		for (struct step *s = n->steps; s != NULL; s = s->next)
			settle(b, s);
}

void
builder_close_args(struct builder *b)
{
	if (!b->args_come)
		return;
	settle_thread(b, &b->run->main);
	for (struct thread *t = b->run->threads; t != NULL; t = t->next)
		settle_thread(b, t);
}

/* Of what the model had to say some is missing: it came to a limit, or a filter
 * took the rest away. */
static const char *const broken_off[] = { "length", "max_tokens", "MAX_TOKENS",
	"max_output_tokens", "model_length", "model_context_window_exceeded",
	"insufficient_system_resource", "incomplete", "ERROR_LIMIT",
	"content_filter", "content-filter", "content_filtered", "ERROR_TOXIC",
	"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT",
	"SPII", NULL };
/* It says no more, of its own accord or since it failed. */
static const char *const given_up[] = { "refusal", "guardrail_intervened",
	"error", "ERROR", "OTHER", "MALFORMED_FUNCTION_CALL",
	"UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE",
	"malformed_model_output", "malformed_tool_use", NULL };

static bool
is_any(const struct json *v, const char *const *words)
{
	for (; *words != NULL; words++)
		if (json_str_is(v, str_of(*words)))
			return true;
	return false;
}

void
builder_stop_reason(struct builder *b, const struct json *reason)
{
	bool broken;
	struct thread *t = b->thread;

	if (!json_is(reason, JSON_STRING))
		return;
	broken = is_any(reason, broken_off);
	if (!broken && !is_any(reason, given_up))
		return;
	builder_meta(b, "incomplete", reason);
	if (broken && t != NULL && t->said != NULL &&
	    t->said->turn == t->last && t->last->last_step == t->said)
		t->said->cut = true;
}
