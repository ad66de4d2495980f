#include "linear.h"

#include "automaton.h"
#include "text.h"

enum {
	AUTOMATA_MAX = 16,
	WORK = 100 * 1000 * 1000, /* operations followed; half a second */
	WORK_PER_BYTE = 64,
};

struct linear {
	/* Each stands behind those of the lookarounds in it. */
	const struct automaton *automata[AUTOMATA_MAX];
	/* Of each: those of its lookarounds, in their order. */
	size_t looks[AUTOMATA_MAX][PROGRAM_LOOKS_MAX];
	size_t n;
};

/* Adds the automaton of a tree; false if it cannot be one. */
static bool
add(struct linear *l, struct arena *a, const struct pattern *pattern,
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
	l->automata[l->n] = automaton_new(a, p);
	return l->automata[l->n++] != NULL;
}

struct linear *
linear_new(struct arena *a, const struct pattern *pattern)
{
	struct linear *l = arena_new(a, struct linear);

	return add(l, a, pattern, NULL) ? l : NULL;
}

/* One bit for each place of the text. */
struct marks {
	uint64_t *words;
};

static void
mark(struct marks *m, size_t place)
{
	m->words[place / 64] |= UINT64_C(1) << place % 64;
}

static bool
marked(const struct marks *m, size_t place)
{
	return m->words[place / 64] >> place % 64 & 1;
}

struct search {
	const struct linear *linear;
	struct text text;
	size_t last;                      /* where the last unit begins */
	struct marks marks[AUTOMATA_MAX]; /* where each lookaround holds */
	uint64_t work;
};

static unsigned
facts_at(const struct search *s, size_t automaton, size_t place)
{
	const struct automaton *a = s->linear->automata[automaton];
	const size_t *looks = s->linear->looks[automaton];
	unsigned facts = place == s->last ? a->last : 0;

	for (size_t i = 0; i < a->program->nlooks; i++)
		facts |= (unsigned)marked(&s->marks[looks[i]], place) << i;
	return facts;
}

/* The automaton reads the whole text, and notes where it matches, up to the
 * place or from it; but that of the pattern stops at its first match. */
static enum regex_found
read_through(struct search *s, size_t automaton, struct walk *w)
{
	const struct automaton *a = s->linear->automata[automaton];
	bool back = a->program->back, last = automaton + 1 == s->linear->n;
	size_t at = back ? s->text.n : 0, end = s->text.n - at, place;
	struct state *state = walk_begin(w, a, &s->work), *next;

	for (; at != end; state = next) {
		unsigned facts =
		    a->nfacts == 0 ? 0 : facts_at(s, automaton, at);
		uint32_t class;

		place = at;
		class = alphabet_class(&a->alphabet,
		    back ? text_prev(&s->text, &at) : text_next(&s->text, &at));
		next = state->next[automaton_symbol(a, class, facts)];
		if (next == NULL) {
			next = walk_step(w, state, class, facts);
			if (next == NULL)
				return s->work == 0 ? REGEX_LIMIT : REGEX_NO;
			if (last && next->matched)
				return REGEX_YES;
		}
		if (next->matched)
			mark(&s->marks[automaton], place);
	}
	if (!walk_end(w, state, facts_at(s, automaton, at)))
		return REGEX_NO;
	if (!last)
		mark(&s->marks[automaton], at);
	return REGEX_YES;
}

enum regex_found
linear_search(const struct linear *l, struct str text)
{
	struct search s = {
		.linear = l,
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
		struct walk w;

		if (i + 1 < l->n)
			s.marks[i].words =
			    arena_new_n(&a, uint64_t, text.n / 64 + 1);
		found = read_through(&s, i, &w);
		walk_free(&w);
	}
	arena_free(&a);
	return found;
}
