#include "extract/format/log_table.h"

#include <assert.h>

#include "extract/value/lookup.h"

enum {
	ROWS_MAX = 64, /* of a table: a bit for each */
	FEW = 2,       /* rows, before which no look at the names pays */
};

/* Returns whether the row can be chosen by the value of a member, since the
 * first condition of the row's only alternative asks for certain strings. */
static bool
asks_for_words(const struct log_condition *c)
{
	const struct log_term *t = c->terms;

	if (c->n == 0 || t->negate || t->other || t->path.n != 1 ||
	    t->words.s == NULL || str_contains(t->words, STR("*")))
		return false;
	for (size_t i = 1; i < c->n; i++)
		if (c->terms[i].next || (i == 1 && c->terms[i].also))
			return false;
	return ascii_is_alnum((unsigned char)*t->words.s) || t->words.n != 1;
}

/* Returns a bit for the ending of each name of which the value must have one, so that
 * the conditions may hold; 0 if the value need not have any. */
static uint64_t
endings_of(const struct log_condition *c)
{
	uint64_t all = 0, one = 0; /* of the alternative */
	bool chosen = false;       /* the last term is of `one` */

	for (size_t i = 0; i < c->n; i++) {
		const struct log_term *t = &c->terms[i];
		struct str name = t->path.n == 0 ? STR("0") : t->path.names[0];
		bool named =
		    !t->negate && !t->other && *name.s != '0' && *name.s != '*';

		if (t->next && i != 0 && one == 0)
			return 0;
		all |= t->next ? one : 0;
		one = t->next || (t->also && chosen && !named) ? 0 : one;
		chosen = named && (t->also ? chosen : one == 0);
		one |= chosen ? UINT64_C(1) << lookup_ending(name) : 0;
	}
	return one == 0 ? 0 : all | one;
}

/* Enters the word, which is none of the same row, but may be one of the first
 * `others`. */
static void
add_word(struct arena *a, struct log_rows *t, size_t others, struct str text,
    size_t row)
{
	size_t i = 0;

	while (i < others && !str_eq(t->words[i].text, text))
		i++;
	if (i == others) {
		i = t->n_words;
		arena_push(a, t->words, t->n_words)->text = text;
	}
	t->words[i].rows |= UINT64_C(1) << row;
}

/* Enters the row in the choice by the key's value. */
static void
index_row(struct arena *a, struct log_rows *t, size_t i)
{
	struct row *r = &t->list[i];
	size_t others = t->n_words;
	const struct log_term *first = r->when.terms;
	bool asks = first != NULL && asks_for_words(&r->when);
	struct str rest;

	if (asks && t->key.s == NULL)
		t->key = first->path.names[0];
	if (!asks || !str_eq(t->key, first->path.names[0])) {
		uint64_t endings = endings_of(&r->when);

		*(endings == 0 ? &t->always : &t->any_name) |= UINT64_C(1) << i;
		for (; endings != 0; endings &= endings - 1)
			t->named[__builtin_ctzll(endings)] |= UINT64_C(1) << i;
		return;
	}
	for (rest = first->words; rest.s != NULL;)
		add_word(a, t, others, str_cut(&rest, '|'), i);
	r->tested = 1;
}

static const struct log_paths **
counts_of(struct log_compiled *c, const char *const *counts)
{
	const struct log_paths **list =
	    arena_new_n(c->arena, const struct log_paths *, USAGE_COUNT);

	for (int i = 0; i < USAGE_COUNT; i++)
		list[i] = log_paths_of(c, counts[i]);
	return list;
}

static struct row
row_of(struct log_compiled *c, const struct log_row *of)
{
	struct row r = {
		.of = of,
		.each = log_paths_of(c, of->each),
		.value = log_paths_of(c, of->of),
		.id = log_paths_of(c, of->id),
		.tool = log_paths_of(c, of->tool),
		.server = log_paths_of(c, of->server),
		.tool_name = log_paths_of(c, of->tool_name),
		.args = log_paths_of(c, of->args),
		.task = log_paths_of(c, of->task),
		.result = log_paths_of(c, of->result),
		.is_error = log_paths_of(c, of->is_error),
		.ok = log_paths_of(c, of->ok),
		.duration = log_paths_of(c, of->duration),
		.seconds = log_paths_of(c, of->seconds),
		.counts = of->counts == NULL ? NULL : counts_of(c, of->counts),
		.rows = of->rows == NULL || of->apart
		    ? NULL
		    : log_rows_compile(c, of->rows),
	};

	if (of->jsonpath) {
		r.test = log_expression_of(c, of->when);
		r.fails = log_expression_of(c, of->failed);
	} else {
		r.when = log_condition_of(c->arena, of->when);
		r.failed = log_condition_of(c->arena, of->failed);
	}
	return r;
}

const struct log_rows *
log_rows_compile(struct log_compiled *c, const struct log_row *of)
{
	struct log_rows *t = arena_new(c->arena, struct log_rows);

	while (t->n < ROWS_MAX && of[t->n].what != LOG_ROWS_END)
		t->n++;
	if (t->n == ROWS_MAX && of[t->n].what != LOG_ROWS_END)
		t->more = log_rows_compile(c, of + t->n);
	t->list = arena_new_n(c->arena, struct row, t->n);
	for (size_t i = 0; i < t->n; i++) {
		t->list[i] = row_of(c, &of[i]);
		index_row(c->arena, t, i);
	}
	if (__builtin_popcountll(t->any_name) <= FEW) {
		t->always |= t->any_name;
		t->any_name = 0;
	}
	return t;
}

const struct log_rows *
log_rows_of(struct arena *a, const struct log_row *of)
{
	struct log_compiled c = { .arena = a };

	return log_rows_compile(&c, of);
}

uint64_t
log_table_rows(const struct log_rows *t, const struct json *v)
{
	const struct json *key = t->key.s == NULL ? NULL : json_get(v, t->key);
	struct str text = json_is(key, JSON_STRING) ? json_raw(key)
	    : key != NULL                           ? key->text
						    : (struct str){ 0 };
	uint64_t rows = t->always;

	if (t->any_name != 0)
		for (json_members(member, v))
			rows |= member->flags & JSON_ESCAPED
			    ? t->any_name
			    : t->named[lookup_ending(json_raw(member))];
	for (size_t i = 0; key != NULL && i < t->n_words; i++)
		if (str_eq(t->words[i].text, text))
			return rows | t->words[i].rows;
	return rows;
}

const struct row *
log_table_take(
    const struct log_rows *t, uint64_t *set, const struct json *v, bool other)
{
	const struct row *r = &t->list[__builtin_ctzll(*set)];

	*set &= *set - 1;
	if (r->when.n == r->tested)
		return r;
	return log_condition_holds(&r->when, r->tested, v, other) ? r : NULL;
}

const struct log_row *
log_rows_find(const struct log_rows *t, const struct json *v)
{
	const struct row *r = NULL;

	for (; t != NULL && r == NULL; t = t->more)
		for (uint64_t set = log_table_rows(t, v);
		     set != 0 && r == NULL;) {
			r = log_table_take(t, &set, v, true);
			if (r != NULL && log_row_is_aside(r->of->what))
				r = NULL;
		}
	return r == NULL ? NULL : r->of;
}
