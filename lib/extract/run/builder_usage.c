/* Usage and durations. */
#include "extract/run/builder.h"

#include <math.h>

#include "base/hash.h"

static struct turn_usage *
add_usage(struct builder *b, struct turn *turn, const struct usage *usage,
    bool partial)
{
	struct turn_usage *u = arena_new(&b->run_arena, struct turn_usage);

	turn->thread->open_number = NULL;
	u->usage = *usage;
	u->partial = partial;
	u->next = turn->usages;
	turn->usages = u;
	return u;
}

/* Updates the counts of a message that was counted before; the larger counts
 * win. */
static void
count_again(struct turn_usage *u, const struct usage *usage, bool partial)
{
	usage_max(&u->usage, usage);
	usage_forget(&u->usage, &(struct usage){ .known = u->elsewhere });
	u->partial &= partial;
}

/* Returns the message with the key. */
static struct run_message *
message_of(struct builder *b, struct str key)
{
	const struct thread *t = b->thread;
	void **slot;

	if (str_eq(t->numbered, key))
		return t->named;
	slot = hash_put_copy(&b->messages, key);
	if (*slot == NULL)
		*slot = arena_new(&b->run_arena, struct run_message);
	return *slot;
}

void
builder_usage(
    struct builder *b, struct str key, const struct usage *usage, bool partial)
{
	struct turn_usage *u;
	struct turn *turn;
	struct run_message *m = NULL;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (b->replay)
		return;
	turn = builder_current_turn(b);
	if (key.n != 0)
		m = message_of(b, key);
	if (m != NULL && m->usage != NULL) {
		count_again(m->usage, usage, partial);
		return;
	}
	u = add_usage(b, turn, usage, partial);
	u->model = turn->thread->model;
	if (!(usage->known & 1U << USAGE_LLM_CALLS))
		usage_set(&u->usage, USAGE_LLM_CALLS, 1);
	u->earlier = b->uncounted;
	b->uncounted = u;
	if (m != NULL)
		m->usage = u;
}

void
builder_usage_once(struct builder *b, struct str key)
{
	const struct run_message *m;

	if (b->replay)
		return;
	m = message_of(b, key);
	if (m->usage != NULL)
		m->usage->once = hash_add(HASH_START, key);
}

struct str
builder_usage_key(struct builder *b)
{
	builder_current_run(b);
	return str_printf(&b->run_arena, "message %zu", b->messages.n);
}

void
builder_llm_call(struct builder *b, struct str key)
{
	builder_usage(b, key, &(struct usage){ 0 }, false);
}

void
builder_usage_uncounted(struct builder *b, const struct usage *usage)
{
	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	if (!b->replay)
		add_usage(b, builder_current_turn(b), usage, false);
}

bool
builder_total(struct builder *b, const struct usage *total)
{
	return builder_total_of(b, total, NULL);
}

bool
builder_total_of(
    struct builder *b, const struct usage *total, const struct run_item *model)
{
	struct usage since;

	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	for (; b->uncounted != NULL; b->uncounted = b->uncounted->earlier) {
		usage_forget(&b->uncounted->usage, total);
		b->uncounted->elsewhere = total->known;
		if (total->known & 1U << USAGE_OUTPUT)
			b->uncounted->partial = false;
	}
	since = usage_since(total, &b->total);
	usage_forget(&b->total, total);
	usage_add(&b->total, total);
	if (b->replay || total->known == 0)
		return false;
	add_usage(b, builder_current_turn(b), &since, false)->model = model;
	return usage_any(&since);
}

void
builder_restart_total(struct builder *b)
{
	b->reported |= BUILDER_SAID;
	builder_current_run(b);
	b->total = (struct usage){ 0 };
	b->uncounted = NULL;
}

void
builder_turn_duration(struct builder *b, const struct json *ms)
{
	struct turn *turn;

	b->reported |= BUILDER_SAID;
	if (b->replay || b->run == NULL || b->thread->last == NULL)
		return;
	turn = b->thread->last;
	/* A duration that exceeds the turn covers several turns. */
	if (turn->first.text.s != NULL && b->ts.text.s != NULL &&
	    json_double(ms) > (double)(b->ts.ms - turn->first.ms + 1000))
		return;
	turn->duration = copy_number(&b->run_arena, ms);
}

static struct str
number(struct builder *b, double n)
{
	struct out o;

	out_open_memory(&o);
	out_json_double(&o, n);
	return out_keep(&o, &b->run_arena);
}

void
builder_turn_lasted(struct builder *b, struct turn *turn, double ms)
{
	b->reported |= BUILDER_SAID;
	if (ms >= 0 && !isinf(ms))
		turn->duration = number(b, ms);
}

void
builder_duration(struct builder *b, double ms)
{
	struct run *run = builder_current_run(b);

	b->reported |= BUILDER_SAID;
	run->members[RUN_DURATION] =
	    ms >= 0 && isfinite(ms) ? number(b, ms) : (struct str){ 0 };
}

void
builder_call_duration(struct builder *b, double ms)
{
	if (b->run != NULL && b->call != NULL && !b->replay && ms >= 0 &&
	    isfinite(ms))
		b->call->duration = number(b, ms);
}
