#include "extract/format/log_condition.h"

#include <assert.h>

enum { TERMS_MAX = 24 }; /* of the conditions of a row */

static struct log_term
term_of(struct str text, bool next)
{
	struct log_term t = { .next = next, .other = str_is(text, "else") };

	t.negate = str_starts(text, "!");
	text = str_from(text, t.negate);
	t.path = log_path_of(str_cut(&text, '='));
	t.words = text;
	return t;
}

/* Reads the terms of the conditions into `terms`; returns their number. */
static size_t
read_terms(struct log_term terms[TERMS_MAX], const char *when)
{
	struct str rest = str_of(when);
	size_t n = 0;

	while (rest.s != NULL) {
		struct str all = str_cut(&rest, ',');
		bool next = true;

		while (all.s != NULL) {
			struct str one = str_cut(&all, ' ');

			if (one.n == 0)
				continue;
			assert(n < TERMS_MAX);
			terms[n++] = term_of(one, next);
			next = false;
		}
	}
	return n;
}

struct log_condition
log_condition_of(struct arena *a, const char *when)
{
	struct log_term terms[TERMS_MAX], *list;
	size_t n = read_terms(terms, when);

	if (n == 0)
		return (struct log_condition){ 0 };
	list = arena_new_n(a, struct log_term, n);
	memcpy(list, terms, n * sizeof *list);
	return (struct log_condition){ list, n };
}

/* Returns whether the value is what the word says. */
static bool
word_fits(struct str word, const struct json *v)
{
	struct str text = json_raw(v);

	if (v->type == JSON_TRUE || v->type == JSON_FALSE)
		return str_eq(v->text, word);
	if (word.n == 1 && !ascii_is_alnum((unsigned char)*word.s) &&
	    *word.s != '*')
		return *v->text.s == *word.s;
	if (v->type != JSON_STRING || word.n == 0)
		return false;
	if (word.s[word.n - 1] == '*')
		return str_starts(text, str_slice(word, 0, word.n - 1));
	if (*word.s == '*')
		return str_ends(text, str_from(word, 1));
	return str_eq(text, word);
}

static bool
term_holds(const struct log_term *t, const struct json *v)
{
	const struct json *found = log_path_at(&t->path, v);
	struct str rest = t->words;
	bool holds = found != NULL && rest.s == NULL;

	while (found != NULL && rest.s != NULL && !holds)
		holds = word_fits(str_cut(&rest, '|'), found);
	return holds != t->negate;
}

bool
log_condition_holds(const struct log_condition *c, size_t tested,
    const struct json *v, bool other)
{
	bool all = tested != 0 || c->n == 0;

	for (size_t i = tested; i < c->n; i++) {
		const struct log_term *t = &c->terms[i];

		if (t->next && all)
			return true;
		all = (t->next || all) && (t->other ? other : term_holds(t, v));
	}
	return all;
}

bool
log_rows_holds(const char *when, const struct json *v)
{
	struct log_term terms[TERMS_MAX];
	const struct log_condition c = { terms, read_terms(terms, when) };

	return log_condition_holds(&c, 0, v, true);
}
