#include "emulate/regex/engine/dfa_search.h"

#include "emulate/regex/engine/lazy_dfa.h"
#include "emulate/regex/tree/text.h"

enum {
	AUTOMATA_MAX = 16,
	WORK = 100 * 1000 * 1000, /* operations followed; half a second */
	WORK_PER_BYTE = 64,
};

struct dfa_search {
	/* Each automaton comes after those of its lookarounds. */
	const struct lazy_dfa *automata[AUTOMATA_MAX];
	/* For each automaton: the indices of those of its lookarounds, in
	 * order. */
	size_t looks[AUTOMATA_MAX][PROGRAM_LOOKS_MAX];
	size_t n;
};

/* Adds the automaton of the pattern, or of one lookaround; returns false if it
 * has none. */
static bool
add(struct dfa_search *l, struct arena *a, const struct pattern *pattern,
    const struct tree *look)
{
	size_t looks[PROGRAM_LOOKS_MAX];
	const struct program *p = program_unrolled(a, pattern, look);

	for (size_t i = 0; p != NULL && i < p->nlooks; i++) {
		if (!add(l, a, pattern, p->looks[i]))
			return false;
		looks[i] = l->n - 1;
	}
	if (p == NULL || l->n == AUTOMATA_MAX)
		return false;
	for (size_t i = 0; i < p->nlooks; i++)
		l->looks[l->n][i] = looks[i];
	l->automata[l->n] = lazy_dfa_new(a, p);
	return l->automata[l->n++] != NULL;
}

struct dfa_search *
dfa_search_new(struct arena *a, const struct pattern *pattern)
{
	struct dfa_search *l = arena_new(a, struct dfa_search);

	return add(l, a, pattern, NULL) ? l : NULL;
}

/* One bit for each position of the text. */
struct marks {
	uint64_t *words;
};

static void
mark(struct marks *m, size_t place)
{
	m->words[place / 64] |= UINT64_C(1) << place % 64;
}

static bool
is_marked(const struct marks *m, size_t place)
{
	return m->words[place / 64] >> place % 64 & 1;
}

struct search {
	const struct dfa_search *dfa;
	struct text text;
	size_t last;                      /* where the last unit begins */
	struct marks marks[AUTOMATA_MAX]; /* where each lookaround holds */
	uint64_t work;
};

static unsigned
facts_at(const struct search *s, size_t number, size_t place)
{
	const struct lazy_dfa *a = s->dfa->automata[number];
	const size_t *looks = s->dfa->looks[number];
	unsigned facts = place == s->last ? a->last : 0;

	for (size_t i = 0; i < a->program->nlooks; i++)
		facts |= (unsigned)is_marked(&s->marks[looks[i]], place) << i;
	return facts;
}

/* One automaton that reads the text. */
struct pass {
	struct search *search;
	size_t number; /* of the automaton */
	const struct lazy_dfa *lazy_dfa;
	struct walk walk;
	struct state *state;
	size_t at;
	/* this is the pattern's automaton, which stops at its first match */
	bool main;
};

/* Reads ASCII units as long as they lead to states that exist already. */
static void
read_known(struct pass *p)
{
	const struct text *t = &p->search->text;
	const uint32_t *classes = p->lazy_dfa->symbol_classes.ascii;
	struct state *state = p->state;
	size_t at = p->at;

	for (; at < t->n && t->s[at] < 0x80; at++) {
		struct state *next = state->next[classes[t->s[at]]];

		if (next == NULL)
			break;
		state = next;
	}
	p->state = state;
	p->at = at;
}

/* Reads one unit. Returns false if p->state becomes NULL, or if the match is
 * found. */
static bool
read_one(struct pass *p)
{
	const struct lazy_dfa *a = p->lazy_dfa;
	const struct text *t = &p->search->text;
	size_t place = p->at;
	unsigned facts = facts_at(p->search, p->number, place);
	uint32_t unit =
	    a->program->back ? text_prev(t, &p->at) : text_next(t, &p->at);
	uint32_t class = symbol_classes_class(&a->symbol_classes, unit);
	struct state *next = p->state->next[lazy_dfa_symbol(a, class, facts)];

	if (next == NULL)
		next = walk_step(&p->walk, p->state, class, facts);
	p->state = next;
	if (next == NULL || !next->matched)
		return next != NULL;
	if (!p->main)
		mark(&p->search->marks[p->number], place);
	return !p->main;
}

/* Lets one automaton read the text. The automaton of a lookaround reads the
 * whole text and marks each position up to which (or from which) it matches;
 * the pattern's automaton stops at its first match. */
static enum regex_found
read_through(struct search *s, size_t number)
{
	const struct lazy_dfa *a = s->dfa->automata[number];
	struct pass p = {
		.search = s,
		.number = number,
		.lazy_dfa = a,
		.at = a->program->back ? s->text.n : 0,
		.main = number + 1 == s->dfa->n,
	};
	size_t end = s->text.n - p.at;
	bool going = true, matched;

	p.state = walk_begin(&p.walk, a, &s->work);
	while (going && p.at != end) {
		if (p.main && a->nfacts == 0)
			read_known(&p);
		if (p.at != end)
			going = read_one(&p);
	}
	matched = going ? walk_end(&p.walk, p.state, facts_at(s, number, p.at))
			: p.state != NULL;
	if (matched && !p.main)
		mark(&s->marks[number], p.at);
	walk_free(&p.walk);
	if (p.state == NULL && s->work == 0)
		return REGEX_LIMIT;
	return matched ? REGEX_YES : REGEX_NO;
}

enum regex_found
dfa_search_run(const struct dfa_search *l, struct str text)
{
	struct search s = {
		.dfa = l,
		.text = { (const unsigned char *)text.s, text.n,
		    l->automata[0]->program->utf16 },
		.last = text.n,
		.work = WORK + WORK_PER_BYTE * (uint64_t)text.n,
	};
	struct arena a = { 0 };
	enum regex_found found = REGEX_NO;

	if (text.n > 0)
		text_prev(&s.text, &s.last);
	for (size_t i = 0; i < l->n && found != REGEX_LIMIT; i++) {
		if (i + 1 < l->n)
			s.marks[i].words =
			    arena_new_n(&a, uint64_t, text.n / 64 + 1);
		found = read_through(&s, i);
	}
	arena_free(&a);
	return found;
}
