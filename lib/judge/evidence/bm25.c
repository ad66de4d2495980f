#include "judge/evidence/bm25.h"

#include <math.h>

#include "base/ascii.h"
#include "emulate/metric/porter.h"
#include "text/unicode.h"
#include "json/json.h"

enum {
	WORD_MAX = 64,      /* bytes; the rest of a longer word is dropped */
	STEMMED_LEAST = 3,  /* letters; a shorter word is its own stem */
	BEGINS = 256 * 256, /* values of two bytes */
};

struct bm25_term {
	size_t passages;  /* that have the term */
	size_t last, hit; /* number of the passage that had it last, from 1, and
			   * the index of the hit there */
};

/* A term in a passage. */
struct bm25_hit {
	struct bm25_term *term;
	size_t passage, count;
};

/* ---- words ---- */

struct words {
	struct str text;
	size_t at;
	char word[WORD_MAX];
	size_t n;
	bool plain; /* the word has only the letters a to z */
};

/* Returns the character at the place, 0 if an escape stands for no letter, and
 * stores its length in bytes. */
static uint32_t
char_at(struct str text, size_t at, size_t *length)
{
	struct str rest = str_from(text, at);
	uint32_t c = 0;

	*length = 1;
	if (*rest.s != '\\')
		return (unsigned char)*rest.s < 0x80
		    ? (uint32_t)*rest.s
		    : unicode_decode(rest, length);
	*length = rest.n < 2 ? rest.n : 2;
	if (rest.n < 6 || rest.s[1] != 'u')
		return 0;
	*length = 6;
	for (size_t i = 2; i < 6; i++)
		c = c << 4 | (uint32_t)(ascii_hex((uint32_t)rest.s[i]) & 0xf);
	return c >= 0xd800 && c < 0xe000 ? 0 : c;
}

/* Returns whether the character is a word by itself: Chinese, Japanese, Korean,
 * Thai, Lao, Khmer and Burmese are written without blanks. */
static bool
is_word(uint32_t c)
{
	if (c < 0xe00)
		return false;
	return c < 0xf00 || (c >= 0x1000 && c < 0x10a0) ||
	    (c >= 0x1780 && c < 0x1800) || (c >= 0x3040 && c < 0xd800) ||
	    (c >= 0xf900 && c < 0xfb00) || c >= 0x20000;
}

static bool
is_letter(uint32_t c)
{
	if (c < 0x80)
		return ascii_is_alnum((char)c);
	return c >= 0xc0 && c != 0xd7 && c != 0xf7 &&
	    !(c >= 0x2000 && c < 0x2c00) && !(c >= 0x2e00 && c < 0x3040) &&
	    !(c >= 0xff00 && c < 0xff10);
}

static bool
is_capital(uint32_t c)
{
	return c >= 'A' && c <= 'Z';
}

static void
add_char(struct words *w, uint32_t c)
{
	char bytes[4];
	size_t n = unicode_encode(is_capital(c) ? c + ('a' - 'A') : c, bytes);

	w->plain &= is_capital(c) || (c >= 'a' && c <= 'z');
	for (size_t i = 0; i < n && w->n + n - i <= WORD_MAX; i++)
		w->word[w->n++] = bytes[i];
}

/* Finds the next word. A capital behind a small letter begins a word. */
static bool
next_word(struct words *w)
{
	bool small = false;
	size_t length;

	w->n = 0;
	w->plain = true;
	for (; w->at < w->text.n; w->at += length) {
		uint32_t c = char_at(w->text, w->at, &length);

		if (!is_letter(c)) {
			if (w->n != 0)
				return true;
			continue;
		}
		if (w->n != 0 && ((small && is_capital(c)) || is_word(c)))
			return true;
		add_char(w, c);
		small = c >= 'a' && c <= 'z';
		if (is_word(c)) {
			w->at += length;
			return true;
		}
	}
	return w->n != 0;
}

/* Returns the stem of the word, in the arena. */
static struct str
stem_of(const struct words *w, struct arena *a)
{
	struct str word = str_dup(a, (struct str){ w->word, w->n });
	struct utf16 stem;
	char *to;

	if (!w->plain)
		return unicode_lower_go(a, word);
	if (word.n < STEMMED_LEAST)
		return word;
	stem = porter_stem(a, utf16_of(a, word));
	to = arena_room(a, stem.n + 1);
	for (size_t i = 0; i < stem.n; i++)
		to[i] = (char)stem.units[i];
	return (struct str){ to, stem.n };
}

/* Returns a number below BEGINS. Words with the same stem begin alike; so do all
 * letters beyond ASCII here, which may differ in case. */
static size_t
begin_of(struct str word)
{
	unsigned char first = (unsigned char)word.s[0];
	unsigned char second = word.n < 2 ? 0 : (unsigned char)word.s[1];

	if (first >= 0x80)
		return 0x80 << 8;
	return (size_t)first << 8 | (second < 0x80 ? second : 0x80);
}

/* ---- the query ---- */

static const char empty_words[] =
    "a an the this that these those it its of to in on at by for from with as "
    "and or but not no nor so than then if when while where which who whom "
    "whose "
    "what how why is are was were be been being am do does did done has have "
    "had "
    "having will would shall should can could may might must there here they "
    "them their he she his her we our us you your i me my any all each every "
    "some both either neither only also very too just about into over under "
    "out "
    "up down s t";

void
bm25_query(struct bm25 *b, struct str json)
{
	struct words w = { .text = json };
	void **term;

	b->terms.arena = b->words.arena = b->arena;
	if (b->begins == NULL)
		b->begins = arena_new_n(b->arena, bool, BEGINS);
	while (next_word(&w)) {
		struct str stem = stem_of(&w, b->arena);

		if (str_is_one_of((struct str){ w.word, w.n }, empty_words))
			continue;
		b->begins[begin_of((struct str){ w.word, w.n })] = true;
		term = hash_put(&b->terms, stem);
		if (*term == NULL)
			*term = arena_new(b->arena, struct bm25_term);
	}
}

/* ---- the passages ---- */

void
bm25_passage(struct bm25 *b)
{
	*arena_push(b->arena, b->lengths, b->n) = 0;
}

/* Returns the query's term for the word; NULL: it has none. The words that were
 * looked up before are remembered: stems take time. */
static struct bm25_term *
term_of(struct bm25 *b, const struct words *w)
{
	static char nothing;
	struct str word = { w->word, w->n };
	void **known;

	if (!b->begins[begin_of(word)])
		return NULL;
	known = hash_put_copy(&b->words, word);
	if (*known == NULL)
		*known = hash_get(&b->terms, stem_of(w, b->arena));
	if (*known == NULL)
		*known = &nothing;
	return *known == &nothing ? NULL : *known;
}

/* Counts the term in the passage that was begun last. */
static void
count_term(struct bm25 *b, struct bm25_term *term)
{
	if (term->last != b->n) {
		struct bm25_hit *hit = arena_push(b->arena, b->hits, b->n_hits);

		hit->term = term;
		hit->passage = b->n - 1;
		term->last = b->n;
		term->passages++;
		term->hit = b->n_hits - 1;
	}
	b->hits[term->hit].count++;
}

void
bm25_text(struct bm25 *b, struct str json)
{
	struct words w = { .text = json };

	while (b->begins != NULL && next_word(&w)) {
		struct bm25_term *term = term_of(b, &w);

		b->lengths[b->n - 1]++;
		if (term != NULL)
			count_term(b, term);
	}
}

double *
bm25_scores(const struct bm25 *b)
{
	const double k1 = 1.2, share = .75;
	double *scores = arena_new_n(b->arena, double, b->n + 1);
	double all = (double)b->n, mean = 1;

	for (size_t i = 0; i < b->n; i++)
		mean += (double)b->lengths[i] / all;
	for (size_t i = 0; i < b->n_hits; i++) {
		const struct bm25_hit *hit = &b->hits[i];
		double has = (double)hit->term->passages;
		double n = (double)hit->count;
		double length = (double)b->lengths[hit->passage] / mean;
		double rare = log(1 + (all - has + .5) / (has + .5));

		scores[hit->passage] += rare * n * (k1 + 1) /
		    (n + k1 * (1 - share + share * length));
	}
	return scores;
}
