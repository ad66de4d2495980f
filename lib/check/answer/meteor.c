#include <math.h>

#include "base/hash.h"
#include "check/answer/answer_kinds.h"
#include "emulate/lang/js.h"
#include "emulate/metric/porter.h"
#include "text/unicode.h"

/* The words of a text, or their stems, that no stage matched so far. */
struct words {
	struct str *list; /* of stems the bytes of their UTF-16 units */
	size_t *places;   /* of each word in the text */
	size_t n;
};

/* A text's words as the matches see them. */
struct matches {
	size_t *of; /* place of the reference's word + 1, by the candidate's */
	size_t n;   /* the number of matches */
};

/* Returns the words of a text without full stops at their ends. */
static struct words
words_of(struct arena *a, struct str text)
{
	struct str_list split = js_split_space(a, text);
	struct words w = { .list = arena_new_n(a, struct str, split.n),
		.places = arena_new_n(a, size_t, split.n),
		.n = split.n };

	for (size_t i = 0; i < split.n; i++) {
		w.list[i] = split.list[i];
		w.places[i] = i;
		while (str_ends(w.list[i], "."))
			w.list[i].n--;
	}
	return w;
}

static void
to_stems(struct arena *a, struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct utf16 stem = porter_stem(a, utf16_of(a, w->list[i]));

		w->list[i] = (struct str){ (const char *)stem.units,
			stem.n * sizeof stem.units[0] };
	}
}

/* ---- matches ---- */

/* The places where a word of the reference is left, the last first. */
struct spot {
	size_t at;
	struct spot *before;
};

/* Keeps the words that are not matched. */
static void
keep(struct words *w, const bool *matched)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (matched[i])
			continue;
		w->list[n] = w->list[i];
		w->places[n++] = w->places[i];
	}
	w->n = n;
}

/* Matches equal words, from the last word of the candidate to the first, each
 * with the last word of the reference that is left. */
static void
match(struct arena *a, struct words *c, struct words *r, struct matches *m)
{
	struct hash_table left = { .arena = a };
	struct spot *places = arena_new_n(a, struct spot, r->n + 1);
	bool *of_c = arena_new_n(a, bool, c->n + 1);
	bool *of_r = arena_new_n(a, bool, r->n + 1);

	for (size_t i = 0; i < r->n; i++) {
		void **slot = hash_put(&left, r->list[i]);

		places[i] = (struct spot){ i, *slot };
		*slot = &places[i];
	}
	for (size_t i = c->n; i-- != 0;) {
		struct spot *place = hash_get(&left, c->list[i]);

		if (place == NULL)
			continue;
		*hash_put(&left, c->list[i]) = place->before;
		of_c[i] = of_r[place->at] = true;
		m->of[c->places[i]] = r->places[place->at] + 1;
		m->n++;
	}
	keep(c, of_c);
	keep(r, of_r);
}

/* Returns the number of runs of matches that are neighbours in both texts. */
static size_t
chunks(const struct matches *m, size_t n)
{
	size_t count = 0, last = 0;

	for (size_t i = 0; i < n; i++) {
		count += m->of[i] != 0 && (last == 0 || m->of[i] != last + 1);
		last = m->of[i];
	}
	return count;
}

/* ---- synonyms ---- */

/* Returns whether a stem could be a word of WordNet without blanks: all of its
 * units are letters or digits of ASCII, or signs that words there have. */
static bool
may_be_known(struct str stem)
{
	for (size_t i = 0; i < stem.n; i += sizeof(uint16_t)) {
		uint16_t u;

		memcpy(&u, stem.s + i, sizeof u);
		if (!(u >= 'a' && u <= 'z') && !(u >= '0' && u <= '9') &&
		    u != '\'' && u != '-' && u != '.' && u != '/')
			return false;
	}
	return stem.n != 0;
}

static size_t
known(const struct words *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += may_be_known(w->list[i]);
	return n;
}

/* ---- scores ---- */

/* The lengths of both texts. */
struct lengths {
	double candidate, reference;
};

static double
rate(const struct metric_want *w, struct lengths n, size_t matches,
    size_t chunks)
{
	double precision = (double)matches / n.candidate;
	double recall = (double)matches / n.reference;
	double by = w->alpha * precision + (1 - w->alpha) * recall;

	if (matches == 0 || by == 0)
		return 0;
	return (1 - w->gamma * pow((double)chunks / (double)matches, w->beta)) *
	    (precision * recall / by);
}

static void
widen(struct metric_range *r, double score)
{
	r->low = fmin(r->low, score);
	r->high = fmax(r->high, score);
}

/* Returns the range for up to `more` matches beyond those that were found: each
 * makes at most one chunk, or joins two chunks. */
static struct metric_range
range(const struct metric_want *w, struct lengths n, size_t found,
    size_t chunks, size_t more)
{
	double score = rate(w, n, found, chunks);
	struct metric_range r = { score, score };

	for (size_t i = 1; i <= more; i++) {
		widen(&r, rate(w, n, found + i, chunks + i));
		widen(&r, rate(w, n, found + i, chunks > i ? chunks - i : 1));
	}
	return r;
}

static struct metric_range
by_reference(struct arena *a, const struct metric_want *w, struct str candidate,
    struct str reference)
{
	struct words c = words_of(a, candidate), r = words_of(a, reference);
	struct lengths n = { (double)c.n, (double)r.n };
	size_t length = c.n, of_c, of_r;
	struct matches m = { .of = arena_new_n(a, size_t, length) };

	match(a, &c, &r, &m);
	to_stems(a, &c);
	to_stems(a, &r);
	match(a, &c, &r, &m);
	of_c = known(&c);
	of_r = known(&r);
	return range(w, n, m.n, chunks(&m, length), of_c < of_r ? of_c : of_r);
}

struct metric_range
meteor_score(struct arena *a, const struct metric_want *w, struct str candidate)
{
	struct metric_range best = { -INFINITY, -INFINITY };

	for (size_t i = 0; i < w->references.n; i++) {
		struct metric_range r = by_reference(a, w, candidate,
		    unicode_lower_js(a, w->references.list[i]));

		best.low = fmax(best.low, r.low);
		best.high = fmax(best.high, r.high);
	}
	return best;
}
