/*
 * Finds values in texts: no letter, digit or _ stands next to a value, and a number is
 * not found in a longer one. The entries of a bag that a condition `~ $x` joins with the
 * current call are found by the words of the text and of the value, so that the work
 * grows as the text does.
 */
#include "check/rule/run.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "text/unicode.h"

/* ---- words ---- */

/* Returns the length of the letter, digit or _ at this place; 0: there is none. */
static size_t
letter_at(struct str text, size_t at)
{
	size_t length = 1;
	char c;

	if (at >= text.n)
		return 0;
	c = text.s[at];
	if ((unsigned char)c >= 0x80)
		return unicode_id_continue(
			   unicode_decode(str_from(text, at), &length))
		    ? length
		    : 0;
	return ascii_is_alnum(c) || c == '_';
}

static bool
is_letter_before(struct str text, size_t at)
{
	size_t length;

	if (at == 0)
		return false;
	if ((unsigned char)text.s[at - 1] < 0x80)
		return letter_at(text, at - 1) != 0;
	return unicode_id_continue(
	    unicode_decode_last(str_slice(text, 0, at), &length));
}

static size_t
digits_at(struct str text, size_t at)
{
	size_t n = 0;

	while (at + n < text.n && ascii_is_digit(text.s[at + n]))
		n++;
	return n;
}

/* Returns the index behind the decimals of a number whose whole part ends here, and
 * stores the index behind those that count. */
static size_t
decimals_end(struct str text, size_t at, size_t *counting)
{
	size_t n = at < text.n && text.s[at] == '.' ? digits_at(text, at + 1)
						    : 0,
	       end = at + 1 + n;

	*counting = at;
	if (n == 0)
		return at;
	while (n > 0 && text.s[at + n] == '0')
		n--;
	if (n > 0)
		*counting = at + 1 + n;
	return end;
}

/* Returns whether the text is a number. `number` is the text without zeros that do not
 * count, and `whole` the number's part before the point. */
static bool
is_number(struct str text, struct str *number, struct str *whole)
{
	size_t sign = text.n > 0 && text.s[0] == '-';
	size_t end = sign + digits_at(text, sign), counting;

	if (end == sign || decimals_end(text, end, &counting) != text.n)
		return false;
	*number = str_slice(text, 0, counting);
	*whole = str_slice(text, 0, end);
	return true;
}

/* ---- finding ---- */

/* Returns whether the number, whose whole part is at this place, ends so that it is no
 * part of a longer one. *end is moved behind the number. */
static bool
ends_number(struct str text, size_t at, struct str number, size_t *end)
{
	size_t counting;

	if (at >= 2 && text.s[at - 1] == '.' && ascii_is_digit(text.s[at - 2]))
		return false;
	*end = decimals_end(text, *end, &counting);
	return str_eq(str_slice(text, at, counting), number) &&
	    !(*end < text.n && text.s[*end] == '.' &&
		digits_at(text, *end + 1) > 0);
}

/* Returns whether a value that ends here ends so although the log cut text off. */
static bool
is_sure(struct str text, size_t end)
{
	return end < text.n && (unsigned char)text.s[end] < 0x80 &&
	    text.s[end] != '\n' && text.s[end] != '.';
}

enum rule_fit
rule_text_has(struct str text, struct str value, bool cut)
{
	struct str number = { 0 }, part = value;
	bool numeric = is_number(value, &number, &part);
	enum rule_fit best = cut ? RULE_MAYBE : RULE_NO;

	for (size_t at = 0; at + part.n <= text.n; at++) {
		size_t end;

		at += str_find(str_from(text, at), part);
		end = at + part.n;
		if (end > text.n)
			break;
		if (is_letter_before(text, at) ||
		    (numeric && !ends_number(text, at, number, &end)) ||
		    letter_at(text, end) != 0)
			continue;
		if (!cut || is_sure(text, end))
			return RULE_YES;
	}
	return best;
}

/* Finds the next word at or behind *at, and moves *at behind it. A number with decimals
 * that count is also found as a whole, in *number (else absent). */
static bool
next_word(struct str text, size_t *at, struct str *word, struct str *number)
{
	size_t from = *at, to, n, counting;

	while (from < text.n && letter_at(text, from) == 0)
		from++;
	if (from >= text.n)
		return false;
	for (to = from; (n = letter_at(text, to)) != 0;)
		to += n;
	*at = to;
	*word = str_slice(text, from, to);
	*number = (struct str){ 0 };
	if (digits_at(text, from) != to - from)
		return true;
	(void)decimals_end(text, to, &counting);
	if (counting > to)
		*number = str_slice(text, from, counting);
	return true;
}

/* ---- entries by words ---- */

/* An entry of a part, and its place in the order in which they were added. */
struct indexed {
	struct rule_entry *entry;
	size_t place;
};

/* The entries that have a word. */
struct posting {
	struct indexed *list;
	size_t n;
	size_t scan; /* the last one that found them */
};

/* The entries of a part, by the values of a variable or by the texts of conditions that
 * wait for the variable. */
struct rule_index {
	struct rule_index *next; /* of another variable */
	int variable;
	struct hash_table words;  /* to struct posting */
	struct posting others;    /* entries that are tested by every scan */
	struct rule_entry *known; /* the newest one that is in the index */
	size_t n, scans;
};

static void
post(struct posting *p, struct rule_entry *e, size_t place, struct arena *a)
{
	if (p->n == 0 || p->list[p->n - 1].entry != e)
		*arena_push(a, p->list, p->n) = (struct indexed){ e, place };
}

static struct posting *
posting_of(struct rule_index *index, struct str word)
{
	void **slot = hash_put(&index->words, word);

	if (*slot == NULL)
		*slot = arena_new(index->words.arena, struct posting);
	return *slot;
}

/* Returns the text of a variable's value, and its number without a sign, if it is
 * one; else an absent text. */
static struct str
value_text(const struct rule_value *v, struct str *number, struct arena *a)
{
	struct str text = rule_text_of(v->json, false, a), whole;

	if (!is_number(text, number, &whole))
		*number = (struct str){ 0 };
	else if (number->s[0] == '-')
		*number = str_from(*number, 1);
	return text;
}

/* Returns the posting of the word of the value that has the fewest entries; NULL: the
 * value has no word. */
static struct posting *
rarest(struct rule_index *index, const struct rule_value *v, struct arena *a)
{
	struct posting *best = NULL, *p;
	struct str number, word, ignored, text = value_text(v, &number, a);

	if (number.s != NULL)
		return posting_of(index, number);
	for (size_t at = 0; next_word(text, &at, &word, &ignored);) {
		p = posting_of(index, word);
		if (best == NULL || p->n < best->n)
			best = p;
	}
	return best;
}

/* A function that uses the postings of an index. */
struct user {
	struct rule_index *index;
	void (*use)(struct rule_index *, struct posting *, void *arg);
	void *arg;
};

static void
use_word(const struct user *u, struct str word)
{
	u->use(u->index, posting_of(u->index, word), u->arg);
}

/* Uses the posting of each word of the text that the condition looks at. Returns false
 * if the text is not known in full. */
static bool
each_word(struct rule_run *run, const struct rule_cond *c, size_t call,
    const struct user *u)
{
	struct rule_subject s = { .call = call };
	const struct json **list = NULL;
	const char *lacking;
	struct str text, word, number;
	size_t n = 1;

	if (!rule_find_subject(run, c, &s, &lacking) || s.cut)
		return false;
	if (c->several)
		n = rule_subjects(run, c, call, &list);
	for (size_t i = 0; i < n; i++) {
		if (list != NULL)
			s.value = list[i];
		text = rule_subject_text(run, c, &s);
		run->work += text.n / 8;
		for (size_t at = 0; next_word(text, &at, &word, &number);) {
			use_word(u, word);
			if (number.s != NULL)
				use_word(u, number);
		}
	}
	return true;
}

/* Returns whether the condition looks for the value of the variable. */
static bool
looks_for(const struct rule_cond *c, int variable)
{
	return c->variable == variable && c->test == RULE_WITHIN && !c->negate;
}

/* An entry that is added to an index. */
struct adding {
	struct arena *arena;
	struct rule_entry *entry;
	size_t place;
};

static void
add_word(struct rule_index *index, struct posting *p, void *arg)
{
	const struct adding *add = arg;

	(void)index;
	post(p, add->entry, add->place, add->arena);
}

/* Adds an entry whose condition waits, by its text, or an entry by its value. */
static void
add_entry(struct rule_run *run, struct rule_index *index, struct rule_entry *e)
{
	struct adding add = { run->arena, e, index->n++ };
	struct user u = { index, add_word, &add };
	const struct rule_waiting *w = e->waiting;
	struct posting *p = NULL;

	while (w != NULL && !looks_for(w->cond, index->variable))
		w = w->next;
	if (w != NULL) {
		if (each_word(run, w->cond, w->call, &u))
			return;
	} else if (e->waiting == NULL) {
		p = rarest(
		    index, &e->bound.values[index->variable], run->arena);
	}
	post(p != NULL ? p : &index->others, e, add.place, run->arena);
}

/* Returns the index of the part by the variable, which has all of the part's entries. */
static struct rule_index *
index_of(struct rule_run *run, struct rule_part *part, int variable)
{
	struct rule_index *index = part->index;
	struct rule_entry **fresh = NULL;
	size_t n = 0;

	while (index != NULL && index->variable != variable)
		index = index->next;
	if (index == NULL) {
		index = arena_new(run->arena, struct rule_index);
		index->next = part->index;
		index->variable = variable;
		index->words.arena = run->arena;
		part->index = index;
	}
	for (struct rule_entry *e = part->list; e != index->known; e = e->next)
		*arena_push(run->arena, fresh, n) = e;
	index->known = part->list;
	while (n > 0)
		add_entry(run, index, fresh[--n]);
	return index;
}

/* ---- scans ---- */

/* The entries that a scan found. */
struct finds {
	struct arena *arena;
	struct indexed *list;
	size_t n;
};

static void
take(struct rule_index *index, struct posting *p, void *arg)
{
	struct finds *f = arg;

	if (p->scan == index->scans)
		return;
	p->scan = index->scans;
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].entry->gone)
			*arena_push(f->arena, f->list, f->n) = p->list[i];
}

static int
by_place(const void *one, const void *other)
{
	const struct indexed *a = one, *b = other;

	return a->place < b->place ? -1 : a->place > b->place;
}

/* Returns a variable by which the entries of the part are found in the text of a
 * condition of the current call, which is stored, or by the value of the current call
 * (*cond NULL); -1: there is none. */
static int
variable_of(const struct rule_scan *s, const struct rule_part *part,
    const struct rule_cond **cond)
{
	const struct rule_call *call = s->call;

	*cond = NULL;
	for (size_t i = 0; i < call->nconds && !part->waiting; i++) {
		int v = call->conds[i].variable;

		if (v >= 0 && looks_for(&call->conds[i], v) &&
		    part->known & ~s->match->known & 1U << v) {
			*cond = &call->conds[i];
			return v;
		}
	}
	if (!part->waiting || part->list == NULL)
		return -1;
	for (const struct rule_waiting *w = part->list->waiting; w != NULL;
	     w = w->next)
		if (looks_for(w->cond, w->cond->variable) &&
		    s->match->known & 1U << w->cond->variable)
			return w->cond->variable;
	return -1;
}

bool
rule_index_find(struct rule_scan *s, struct rule_part *part)
{
	struct rule_run *run = s->run;
	struct finds f = { .arena = run->arena };
	const struct rule_cond *cond;
	int v = variable_of(s, part, &cond);
	struct rule_index *index;
	struct posting *p;

	if (v < 0)
		return false;
	index = index_of(run, part, v);
	index->scans++;
	if (cond != NULL) {
		struct user u = { index, take, &f };

		if (!each_word(run, cond, run->at, &u))
			return false;
	} else {
		p = rarest(index, &s->match->values[v], run->arena);
		if (p == NULL)
			return false;
		take(index, p, &f);
	}
	take(index, &index->others, &f);
	if (f.n > 1)
		qsort(f.list, f.n, sizeof *f.list, by_place);
	s->found = arena_new_n(run->arena, struct rule_entry *, f.n + 1);
	s->nfound = f.n;
	for (size_t i = 0; i < f.n; i++)
		s->found[i] = f.list[i].entry;
	return true;
}
