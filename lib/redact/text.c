#include "redact/text.h"

#include <stdlib.h>

#include "io/out.h"
#include "text/ngrams.h"
#include "text/unicode.h"

static const struct str opening = { "[redacted: ", 11 };

/* A part of a text that is redacted. */
struct span {
	size_t from, to;
	struct redact_class *class;
};

struct spans {
	struct span *list;
	size_t n;
};

struct redaction
redaction_begin(struct redact *rules, struct arena *a)
{
	return (
	    struct redaction){ .rules = rules, .arena = a, .numbers.arena = a };
}

struct redaction
redaction_branch(const struct redaction *from)
{
	struct redaction r = *from;

	r.numbers = hash_copy(&from->numbers);
	return r;
}

/* ---- marks ---- */

/* Returns the class of the mark at the start of the text, or NULL if there is
 * none. */
static struct redact_class *
mark_class(const struct redact *rules, struct str text, size_t *length)
{
	struct str inner = str_from(text, opening.n), class;
	size_t end =
	    str_find_char(str_slice(inner, 0, REDACT_CLASS_MAX + 22), ']');

	if (!str_starts(text, opening) || end == inner.n || inner.s[end] != ']')
		return NULL;
	*length = opening.n + end + 1;
	inner = str_slice(inner, 0, end);
	class = str_cut(&inner, ' ');
	for (size_t i = 0; i < inner.n; i++)
		if (inner.s[i] < '0' || inner.s[i] > '9')
			return NULL;
	return redact_class(rules, class);
}

/* Returns the length of the mark at the start of the text, or 0. */
static size_t
mark_length(const struct redact *rules, struct str text)
{
	size_t length;

	return mark_class(rules, text, &length) == NULL ? 0 : length;
}

void
redact_count(const struct redact *rules, struct str text)
{
	size_t length;

	while (str_find(text, opening) < text.n) {
		struct redact_class *class;

		text = str_from(text, str_find(text, opening));
		class = mark_class(rules, text, &length);
		if (class != NULL)
			class->n++;
		text = str_from(text, opening.n);
	}
}

/* Returns the slot of a number by name. The number is 0 if the name is new. */
static size_t *
number_slot(struct redaction *r, struct str name)
{
	void **slot = hash_put(&r->numbers, name);

	if (*slot == NULL)
		*slot = arena_new(r->arena, size_t);
	return *slot;
}

/* Returns the number of a text in its class: the number that the text already
 * has, or the class's next one, from 1. A count in the table is replaced, never
 * changed, so that a branch keeps its own. */
static size_t
number_of(
    struct redaction *r, const struct redact_class *class, struct str text)
{
	struct str key =
	    hash_key(r->arena, (struct str[]){ class->name, text }, 2);
	size_t *number = number_slot(r, key), *count;

	if (*number == 0) {
		count = arena_new(r->arena, size_t);
		*count = *number_slot(r, class->name) + 1;
		*hash_put(&r->numbers, class->name) = count;
		*number = *count;
	}
	return *number;
}

static void
put_mark(struct redaction *r, struct out *o, struct str text,
    struct redact_class *class)
{
	size_t n = number_of(r, class, text);

	out_str(o, opening);
	out_str(o, class->name);
	if (n > 1)
		out_printf(o, " %zu", n);
	out_char(o, ']');
	class->n += !r->uncounted;
	r->marks++;
}

struct str
redact_whole(struct redaction *r, struct str text, struct redact_class *class)
{
	struct out o;

	if (text.n == 0 || mark_length(r->rules, text) == text.n)
		return text;
	out_open_memory(&o);
	put_mark(r, &o, text, class);
	return out_keep(&o, r->arena);
}

/* ---- what is to go ---- */

/* Returns whether the span is within a mark. */
static bool
is_marked(const struct redact *rules, struct str text, const struct span *s)
{
	size_t most = opening.n + REDACT_CLASS_MAX + 22;
	size_t least = s->to < most ? 0 : s->to - most;

	for (size_t i = s->from + 1; i-- > least;)
		if (text.s[i] == '[')
			return i + mark_length(rules, str_from(text, i)) >=
			    s->to;
	return false;
}

static void
put_span(struct redaction *r, struct spans *spans, struct str text,
    const struct span *s)
{
	if (!is_marked(r->rules, text, s))
		*arena_push(r->arena, spans->list, spans->n) = *s;
}

/* Finds the first match at or after *from, and stores the match or its first
 * group in *s. Moves *from behind the match. If the search exceeds its limits,
 * the whole text is redacted. */
static bool
next_match(const struct redact_rule *rule, struct str text, size_t *from,
    struct span *s, struct arena *a)
{
	struct regex_match m;
	enum regex_found found =
	    regex_search_from(rule->regex, text, *from, &m, a);
	struct str part;

	*s = (struct span){ 0, text.n, rule->class };
	if (found == REGEX_LIMIT)
		*from = text.n;
	if (found != REGEX_YES)
		return found == REGEX_LIMIT;
	part = m.n > 1 && m.groups[1].s != NULL ? m.groups[1] : m.groups[0];
	s->from = (size_t)(part.s - text.s);
	s->to = s->from + part.n;
	*from = (size_t)(m.groups[0].s - text.s) + m.groups[0].n;
	return true;
}

/* The n-grams of a text, which show quickly that most texts contain no match of
 * a rule. */
struct text_ngrams {
	struct str lower;
	struct ngrams fours, pairs;
};

static struct text_ngrams
ngrams_in(struct arena *a, struct str text)
{
	struct str lower = unicode_lower_go(a, text);

	return (struct text_ngrams){ lower, ngrams_of(a, lower, NGRAMS_OF_4),
		ngrams_of(a, lower, NGRAMS_OF_2) };
}

static bool
may_hold(const struct text_ngrams *text, struct str factor)
{
	if (factor.n >= NGRAMS_OF_4)
		return ngrams_may_hold(&text->fours, factor);
	return ngrams_may_hold(&text->pairs, factor) &&
	    str_find(text->lower, factor) < text->lower.n;
}

static bool
may_match(const struct text_ngrams *text, const struct regex *regex)
{
	struct str_list factors = regex_literals(regex);
	bool may = factors.n == 0;

	for (size_t i = 0; i < factors.n && !may; i++)
		may = may_hold(text, factors.list[i]);
	return may;
}

static void
find_by_regex(struct redaction *r, const struct redact_rule *rule,
    struct str text, struct spans *spans)
{
	struct span s;
	size_t from = 0, before, length;

	if (regex_search(rule->regex, text, NULL, NULL) == REGEX_NO)
		return;
	while (from < text.n) {
		before = from;
		if (!next_match(rule, text, &from, &s, r->arena))
			return;
		if (from == before) { /* an empty match */
			unicode_decode(str_from(text, from), &length);
			from += length;
		}
		if (s.from < s.to &&
		    (rule->accepts == NULL ||
			rule->accepts(text, s.from, s.to)))
			put_span(r, spans, text, &s);
	}
}

static void
find_by_function(struct redaction *r, const struct redact_rule *rule,
    struct str text, struct spans *spans)
{
	struct span s = { .class = rule->class };

	while (rule->find(text, &s.from, &s.to)) {
		put_span(r, spans, text, &s);
		s.from = s.to;
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to < y->to) - (x->to > y->to);
}

/* Joins spans that overlap; the result has the class of the first. */
static void
merge(struct spans *spans)
{
	size_t n = 0;

	qsort(spans->list, spans->n, sizeof *spans->list, by_place);
	for (size_t i = 0; i < spans->n; i++) {
		const struct span *next = &spans->list[i];
		struct span *last = n == 0 ? NULL : &spans->list[n - 1];

		if (last == NULL || next->from >= last->to)
			spans->list[n++] = *next;
		else if (next->to > last->to)
			last->to = next->to;
	}
	spans->n = n;
}

struct str
redact_text(struct redaction *r, struct str text)
{
	struct text_ngrams of = ngrams_in(r->arena, text);
	struct spans spans = { 0 };
	size_t from = 0;
	struct out o;

	for (const struct redact_rule *rule = r->rules->rules; rule != NULL;
	     rule = rule->next)
		if (rule->regex == NULL)
			find_by_function(r, rule, text, &spans);
		else if (may_match(&of, rule->regex))
			find_by_regex(r, rule, text, &spans);
	if (spans.n == 0)
		return text;
	merge(&spans);
	out_open_memory(&o);
	for (size_t i = 0; i < spans.n; i++) {
		const struct span *s = &spans.list[i];

		out_str(&o, str_slice(text, from, s->from));
		put_mark(r, &o, str_slice(text, s->from, s->to), s->class);
		from = s->to;
	}
	out_str(&o, str_from(text, from));
	return out_keep(&o, r->arena);
}
