#include "extract/format/log_condition.h"

#include <assert.h>
#include <stdlib.h>

/* Reads the path at s. Returns the path's end. */
static const char *
read_path(struct log_path *p, const char *s)
{
	do {
		struct str name = log_condition_word(&s, true);

		if (name.n != 0) {
			assert(p->n < LOG_PATH_NAMES);
			p->any = p->any || str_is(name, "*");
			p->names[p->n++] = name;
		}
	} while (*s++ == '.');
	return s - 1;
}

/* Reads the term at s, and the further paths of the term, into `terms`, and adds
 * their number to *n. `first`: the term begins an alternative with this score. Returns
 * the term's end. */
static const char *
read_term(
    struct log_term *terms, size_t *n, const char *s, bool first, int score)
{
	struct log_term *of = &terms[*n], *t = of;
	bool negate = *s == '!';

	s += negate;
	do {
		assert(*n < LOG_CONDITION_MAX);
		t = &terms[(*n)++];
		*t = (struct log_term){ .negate = negate,
			.next = first && t == of,
			.also = !negate && t != of,
			.score = score };
		s = read_path(&t->path, s + (*s == '|'));
	} while (*s == '|');
	of->other = of->path.n == 1 && str_is(of->path.names[0], "else");
	if (*s == '=') {
		struct str words = { s + 1, strcspn(s + 1, " ,") };

		s = words.s + words.n;
		for (; of <= t; of++)
			of->words = words;
	}
	return s;
}

/* Returns the end of the score at s and sets *score, or returns s. */
static const char *
read_score(const char *s, int *score)
{
	char *end;
	int n;

	if (*s != '-' && !ascii_is_digit((unsigned char)*s))
		return s;
	n = (int)strtol(s, &end, 10);
	if (end == s || *end != ' ')
		return s;
	*score = n;
	return end;
}

/* Reads the terms of the conditions into `terms`; returns their number. */
static size_t
read_terms(struct log_term terms[LOG_CONDITION_MAX], const char *s)
{
	size_t n = 0;
	int score = 0;
	bool first = true;

	while (s != NULL && *s != '\0') {
		if (*s == ' ' || *s == ',') {
			first = first || *s == ',';
			score = *s++ == ',' ? 0 : score;
			continue;
		}
		if (first)
			s = read_score(s, &score);
		if (*s == ' ')
			continue;
		s = read_term(terms, &n, s, first, score);
		first = false;
	}
	return n;
}

const char *
log_condition_first(const char **when)
{
	const char *s = *when, *term;
	int score;

	if (s == NULL || *s == '\0')
		return NULL;
	term = s + (*s == ' ');
	if (*term <= '9')
		do {
			term = read_score(s + (*s == ' '), &score);
			term += *term == ' ';
			s = term + strcspn(term, " ,");
		} while (*term == '!');
	s = strchr(term, ',');
	*when = s == NULL ? NULL : s + 1;
	return term;
}

struct log_condition
log_condition_of(struct arena *a, const char *when)
{
	struct log_term terms[LOG_CONDITION_MAX], *list;
	size_t n = read_terms(terms, when);
	bool rest = true;

	if (n == 0)
		return (struct log_condition){ 0 };
	list = arena_room(a, n * sizeof *list);
	memcpy(list, terms, n * sizeof *list);
	for (size_t i = 0; i < n; i++)
		rest = rest && (!terms[i].next || terms[i].other);
	return (struct log_condition){ list, n, rest };
}

/* Returns whether the string is what the word says. */
static bool
text_fits(struct str word, const struct json *v)
{
	bool begins = word.s[word.n - 1] == '*', ends = *word.s == '*';
	struct str text = json_raw(v);

	if (!begins && !ends)
		return json_str_is(v, word);
	word = str_slice(word, ends, word.n - begins);
	return begins && ends ? str_contains(text, word)
	    : begins          ? str_starts(text, word)
			      : str_ends(text, word);
}

/* Returns whether the value is what the word says. */
static bool
word_fits(struct str word, const struct json *v)
{
	if (str_is(word, "?"))
		return true;
	if (v->type == JSON_TRUE || v->type == JSON_FALSE)
		return str_eq(v->text, word);
	if (str_is(word, "#"))
		return v->type == JSON_NUMBER;
	if (word.n == 1 && !ascii_is_alnum((unsigned char)*word.s) &&
	    *word.s != '*')
		return *v->text.s == *word.s;
	return v->type == JSON_STRING && word.n != 0 && text_fits(word, v);
}

/* Returns whether the value is one of the words of the term. */
static bool
fits(const void *term, const struct json *v)
{
	const struct log_term *t = term;
	struct str rest = t->words;
	bool found = rest.s == NULL && v->type != JSON_NULL;

	while (rest.s != NULL && !found)
		found = word_fits(str_cut(&rest, '|'), v);
	return found;
}

/* A record, and the member that was sought last: alternatives often begin with the same
 * one. */
struct asked {
	const struct json *v, *found;
	struct str name;
	bool other; /* no row before is for the record */
};

static const struct json *
value_at(struct asked *a, const struct log_path *p)
{
	if (p->n != 1)
		return log_path_value(p, a->v);
	if (a->name.s == NULL || !str_eq(a->name, p->names[0])) {
		a->name = p->names[0];
		a->found = log_path_value(p, a->v);
	}
	return a->found;
}

static bool
term_holds(const struct log_term *t, struct asked *a)
{
	const struct json *found;

	if (t->other)
		return a->other;
	if (t->path.any)
		return log_path_any(&t->path, a->v, fits, t) != t->negate;
	found = value_at(a, &t->path);
	return (found != NULL && fits(t, found)) != t->negate;
}

/* Returns the first term of the first alternative that holds, of which `tested`
 * terms do; NULL if none holds. */
static const struct log_term *
find_alternative(const struct log_condition *c, size_t tested,
    const struct json *v, bool other)
{
	const struct log_term *of = c->terms;
	struct asked a = { .v = v, .other = other };
	bool before = tested != 0; /* the terms before the last one hold */
	bool last = true;

	for (size_t i = tested; i < c->n; i++) {
		const struct log_term *t = &c->terms[i];

		if (t->also) {
			last = last || (before && term_holds(t, &a));
			continue;
		}
		before = before && last;
		if (t->next && before)
			return of;
		of = t->next ? t : of;
		before = before || t->next;
		last = before && term_holds(t, &a);
	}
	return before && last ? of : NULL;
}

int
log_condition_score(const struct log_condition *c, const struct json *v)
{
	const struct log_term *t = find_alternative(c, 0, v, true);

	return t == NULL ? 0 : t->score;
}

bool
log_condition_holds(const struct log_condition *c, size_t tested,
    const struct json *v, bool other)
{
	return c->n == 0 ||
	    (!(c->rest && !other) &&
		find_alternative(c, tested, v, other) != NULL);
}

bool
log_rows_holds(const char *when, const struct json *v)
{
	struct log_term terms[LOG_CONDITION_MAX];
	const struct log_condition c = { terms, read_terms(terms, when),
		false };

	return log_condition_holds(&c, 0, v, true);
}
