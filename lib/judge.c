#include "judge.h"

static bool
is_pending(const struct json *result)
{
	return json_str_is(json_get(result, STR("status")), STR("pending")) &&
	    json_is(json_get(result, STR("judge")), JSON_OBJECT);
}

size_t
judge_pending(const struct trace *t)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += is_pending(result);
	return n;
}

static struct pending
pending_of(const struct json *result, struct arena *a)
{
	const struct json *judge = json_get(result, STR("judge"));
	const struct json *rubric = json_get(judge, STR("rubric"));
	const struct json *least = json_get(judge, STR("min_score"));
	struct pending p = { .result = result,
		.min_score = json_double(least) };

	p.ask.score = json_is(least, JSON_NUMBER);
	p.ask.reasoned =
	    json_is(json_get(judge, STR("require_reasoning")), JSON_TRUE);
	if (json_get(judge, STR("criteria")) != NULL)
		criteria_read(&p.criteria, a, judge, &p.why);
	else if (json_is(rubric, JSON_STRING))
		p.ask.rubric = rubric->text;
	else
		p.why = STR("no rubric to judge by");
	return p;
}

/* The batch that is shown this evidence; a new one if there is none. */
static struct batch *
batch_for(struct judge *j, const struct evidence *e)
{
	struct batch **at = &j->batches;

	while (*at != NULL && !evidence_same(&(*at)->evidence, e))
		at = &(*at)->next;
	if (*at == NULL) {
		*at = arena_new(j->arena, struct batch);
		(*at)->evidence = *e;
	}
	return *at;
}

static void
assign(struct judge *j, struct pending *p)
{
	const struct criteria *c = &p->criteria;
	struct evidence e;
	struct batch *b;

	if (p->why.s != NULL ||
	    !evidence_read(&e, j->arena, p->result, &p->why))
		return;
	b = p->batch = batch_for(j, &e);
	p->index = b->n;
	if (c->n == 0)
		*arena_push(j->arena, b->checks, b->n) = p->ask;
	for (size_t i = 0; i < c->n; i++)
		*arena_push(j->arena, b->checks, b->n) = c->list[i].ask;
}

struct judge *
judge_ask(struct arena *a, const struct trace *t, struct place at,
    struct asker *asker)
{
	struct judge *j = arena_new(a, struct judge);

	*j = (struct judge){ .arena = a, .trace = *t, .at = at };
	for (json_each(result, t->member[TRACE_CHECK_RESULTS])) {
		if (is_pending(result)) {
			struct pending *p = arena_push(a, j->list, j->n);

			*p = pending_of(result, a);
			assign(j, p);
		}
	}
	for (struct batch *b = j->batches; b != NULL; b = b->next) {
		struct str data = evidence_write(&b->evidence, a, t, &b->why);

		b->question.arena = a;
		b->question.done = b->why.s != NULL;
		b->question.prompt = prompt_make(a, b->checks, b->n, data);
		if (!b->question.done)
			asker_put(asker, &b->question);
	}
	return j;
}

bool
judge_is_done(const struct judge *j)
{
	for (const struct batch *b = j->batches; b != NULL; b = b->next)
		if (!b->question.done)
			return false;
	return true;
}
