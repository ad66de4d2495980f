#include "judge/sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"

/* ---- doubt ---- */

static double
number_of(const struct json *v)
{
	return json_is(v, JSON_NUMBER) ? json_double(v) : 0;
}

/* Returns the doubt of several votes: 1 if they are split evenly. */
static double
split(const struct json *votes)
{
	double pass = number_of(json_get(votes, "pass"));
	double fail = number_of(json_get(votes, "fail"));
	double unsure = number_of(json_get(votes, "unsure"));
	double all = pass + fail + unsure;

	return all <= 0 ? 0 : (2 * fmin(pass, fail) + unsure) / all;
}

/* Returns the doubt of a score: 1 if the score is the least that passes. */
static double
nearness(const struct json *score, const struct json *least)
{
	double limit = json_double(least), near;

	if (!json_is(score, JSON_NUMBER) || !json_is(least, JSON_NUMBER))
		return 0;
	near = 1 - fabs(json_double(score) - limit) / fmax(limit, 1 - limit);
	return near > 0 ? near * near : 0;
}

static double
lack_of(const struct json *confidence)
{
	return json_is(confidence, JSON_NUMBER)
	    ? fmin(1, fmax(0, 1 - json_double(confidence)))
	    : 0;
}

/* The doubt of a verdict that quotes something that the judge was not shown. */
static const double misquoted = 0.5;

static double
doubt_of(const struct json *judge)
{
	double doubt = json_str_is(json_get(judge, "verdict"), "unsure");

	doubt = fmax(doubt, split(json_get(judge, "votes")));
	doubt = fmax(doubt,
	    nearness(json_get(judge, "score"), json_get(judge, "min_score")));
	doubt = fmax(doubt, lack_of(json_get(judge, "confidence")));
	for (json_each(score, json_get(judge, "scores")))
		doubt = fmax(doubt, lack_of(json_get(score, "confidence")));
	for (json_each(quote, json_get(judge, "quotes")))
		if (json_is(json_get(quote, "found"), JSON_FALSE))
			doubt = fmax(doubt, misquoted);
	return doubt;
}

/* ---- the draw ---- */

/* Orders by doubt, then by rank. */
static int
compare(const void *one, const void *other)
{
	const struct sample_check *a = one, *b = other;

	if (a->doubt != b->doubt)
		return a->doubt > b->doubt ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return label_compare(&a->check, &b->check);
}

static uint64_t
rank_of(const struct sample *s, const struct label *l)
{
	const struct str texts[] = { l->id, l->label, l->at, l->turn };
	char digits[STR_DIGITS];
	uint64_t hash = hash_add(HASH_START,
	    (struct str){ digits,
		(size_t)(str_digits(digits, (int64_t)s->seed) - digits) });

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		hash = hash_add(hash, texts[i]);
	return hash;
}

void
sample_draw(struct sample *s)
{
	size_t kept = 0;

	if (s->n != 0)
		qsort(s->list, s->n, sizeof *s->list, compare);
	for (size_t i = 0; i < s->n && kept < s->wanted; i++)
		if (kept == 0 || compare(&s->list[kept - 1], &s->list[i]) != 0)
			s->list[kept++] = s->list[i];
	s->n = kept;
}

/* Drops the checks that will not be drawn, when these are many. */
static void
shrink(struct sample *s)
{
	if (s->n < 2 * s->wanted + 64)
		return;
	sample_draw(s);
	s->full = s->n == s->wanted;
	if (s->full)
		s->last = s->list[s->n - 1];
}

/* Copies the texts of a check that may be drawn; those of its record are copied
 * once for all checks of the record. */
static void
take(struct sample *s, struct sample_check *c, const struct trace *t,
    struct str *record)
{
	struct str *const texts[] = { &c->check.id, &c->check.label,
		&c->check.at, &c->check.turn };

	if (record->s == NULL)
		*record = str_dup(s->arena, t->record->text);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (texts[i]->s != NULL)
			*texts[i] = str_dup(s->arena, *texts[i]);
	c->record = *record;
	*arena_push(s->arena, s->list, s->n) = *c;
	shrink(s);
}

static bool
is_answered(const struct sample *s, const struct json *judge)
{
	const struct json *verdict = json_get(judge, "verdict");

	return json_str_is(verdict, "pass") || json_str_is(verdict, "fail") ||
	    (s->uncertain && json_str_is(verdict, "unsure"));
}

void
sample_add(struct sample *s, const struct trace *t)
{
	struct arena moment = { 0 };
	struct str id = json_text(t->member[TRACE_ID], &moment), record = { 0 };
	size_t next = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS])) {
		const struct json *judge = json_get(result, "judge");
		struct sample_check c = { .index = next++ };

		if (!is_answered(s, judge))
			continue;
		s->answered++;
		label_of_check(&c.check, &moment, id, result);
		c.rank = rank_of(s, &c.check);
		c.doubt = s->uncertain ? doubt_of(judge) : 0;
		c.known = labels_find(s->labels, &c.check);
		if (!s->full || compare(&c, &s->last) < 0)
			take(s, &c, t, &record);
	}
	arena_free(&moment);
}
