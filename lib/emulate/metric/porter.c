#include "emulate/metric/porter.h"

#include <string.h>

/* A word that steps shorten and change at its end. */
struct word {
	uint16_t *s; /* with room for one unit more than the word had */
	size_t n;
	bool nltk; /* as NLTK carries the algorithm out */
};

static bool
is_vowel(uint16_t u)
{
	return u == 'a' || u == 'e' || u == 'i' || u == 'o' || u == 'u';
}

static bool
ends(struct word w, const char *suffix)
{
	size_t n = strlen(suffix);

	if (w.n < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (w.s[w.n - n + i] != (unsigned char)suffix[i])
			return false;
	return true;
}

static struct word
without(struct word w, size_t units)
{
	w.n -= units;
	return w;
}

/* Replaces a suffix, which the word has, by another one, which is at most one
 * unit longer. */
static void
replace(struct word *w, const char *suffix, const char *by)
{
	w->n -= strlen(suffix);
	for (; *by != '\0'; by++)
		w->s[w->n++] = (unsigned char)*by;
}

/* ---- consonants and vowels ---- */

/* Returns whether the unit sounds as a vowel: a `y` does behind a consonant that
 * is no `y` itself; with NLTK, behind any consonant. */
static bool
sounds(struct word w, size_t i)
{
	size_t k = i;

	if (is_vowel(w.s[i]))
		return true;
	while (w.nltk && k > 0 && w.s[k] == 'y')
		k--;
	if (w.nltk && w.s[i] == 'y')
		return is_vowel(w.s[k]) != ((i - k) % 2 != 0);
	return w.s[i] == 'y' && i != 0 && !is_vowel(w.s[i - 1]) &&
	    w.s[i - 1] != 'y';
}

/*
 * Walks over the groups of consonants and vowels. Stores their number without a
 * first group of consonants and a last group of vowels, which is twice the
 * word's measure. A `y` that is a vowel is a group of its own. Returns whether
 * there is a group of vowels, not counting the last group if `but_last`.
 */
static bool
walk(struct word w, bool but_last, size_t *twice)
{
	size_t groups = 0, vowels = 0;
	char first = '\0', last = '\0';
	bool open = false; /* more vowels join the last group */

	for (size_t i = 0; i < w.n; i++) {
		bool vowel = sounds(w, i);
		char kind = vowel ? 'V' : 'C';

		if (kind == last &&
		    (!vowel || w.nltk || (open && w.s[i] != 'y')))
			continue;
		groups++;
		vowels += vowel;
		if (groups == 1)
			first = kind;
		last = kind;
		open = vowel && w.s[i] != 'y';
	}
	*twice = groups;
	if (first == 'C')
		--*twice;
	if (last == 'V')
		--*twice;
	return vowels > (but_last && last == 'V' ? 1 : 0);
}

/* Returns twice the measure, -1 for an empty word. */
static long
measure(struct word w)
{
	size_t twice;

	if (w.n == 0)
		return -1;
	walk(w, false, &twice);
	return (long)twice;
}

static bool
has_vowel(struct word w, bool but_last)
{
	size_t twice;

	return walk(w, but_last, &twice);
}

/* Returns whether three units from `at` on are consonant, vowel, consonant. */
static bool
is_cvc(struct word w, size_t at)
{
	return at + 3 <= w.n && !sounds(w, at) && sounds(w, at + 1) &&
	    !sounds(w, at + 2);
}

/* Returns whether the word ends with consonant, vowel, consonant, the last of which
 * is not w, x or y; with NLTK, also whether it is a vowel and a consonant. */
static bool
ends_cvc(struct word w)
{
	uint16_t last = w.n == 0 ? 0 : w.s[w.n - 1];

	if (w.nltk && w.n == 2)
		return sounds(w, 0) && !sounds(w, 1);
	return w.n >= 3 && is_cvc(w, w.n - 3) && last != 'w' && last != 'x' &&
	    last != 'y';
}

static bool
ends_doubled(struct word w)
{
	return w.n >= 2 && w.s[w.n - 1] == w.s[w.n - 2] &&
	    !(w.nltk ? sounds(w, w.n - 1) : is_vowel(w.s[w.n - 1]));
}

/* ---- tables of suffixes ---- */

struct suffix {
	const char *from, *to;
};

/* Replaces the first suffix that the word has, if it is behind a measure above 0, as
 * NLTK does. */
static void
replace_first(struct word *w, const struct suffix *list, size_t n)
{
	size_t i = 0;

	while (i < n && !ends(*w, list[i].from))
		i++;
	if (i < n && measure(without(*w, strlen(list[i].from))) > 1)
		replace(w, list[i].from, list[i].to);
}

/* Replaces each suffix in turn that the word, as it was at first, has behind a
 * measure above 0. */
static void
replace_all(struct word *w, const struct suffix *list, size_t n)
{
	struct word before = *w;
	uint16_t end[8]; /* of `before`, which replacements overwrite */
	size_t kept = w->n < 8 ? w->n : 8;

	memcpy(end, w->s + w->n - kept, kept * sizeof end[0]);
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(list[i].from);
		struct word tail = { .s = end, .n = kept };

		if (ends(tail, list[i].from) &&
		    measure(without(before, length)) > 0 &&
		    ends(*w, list[i].from) &&
		    w->n - length + strlen(list[i].to) != 0)
			replace(w, list[i].from, list[i].to);
	}
}

/* ---- steps ---- */

/* Plurals. */
static void
step_1a(struct word *w)
{
	if (ends(*w, "sses") || ends(*w, "ies"))
		w->n -= w->nltk && w->n == 4 && ends(*w, "ies") ? 1 : 2;
	else if (ends(*w, "s") && !ends(*w, "ss") && w->n > 2)
		w->n--;
}

/* Mends the word that is left when -ed or -ing is gone. */
static void
mend(struct word *w)
{
	size_t twice;
	uint16_t last = w->s[w->n - 1];

	if (ends(*w, "at") || ends(*w, "bl") || ends(*w, "iz")) {
		w->s[w->n++] = 'e';
		return;
	}
	walk(*w, false, &twice);
	if (ends_doubled(*w) && last != 'l' && last != 's' && last != 'z')
		w->n--;
	else if (twice == 2 && ends_cvc(*w))
		w->s[w->n++] = 'e';
}

static void
step_1b(struct word *w)
{
	size_t n = ends(*w, "ed") ? 2 : ends(*w, "ing") ? 3 : 0;

	if (w->nltk && ends(*w, "ied")) {
		w->n -= w->n == 4 ? 1 : 2;
		return;
	}
	if (ends(*w, "eed")) {
		if (measure(without(*w, 3)) > 0)
			w->n--;
		return;
	}
	if (n == 0 || w->n == n || !has_vowel(without(*w, n), false))
		return;
	w->n -= n;
	mend(w);
}

static void
step_1c(struct word *w)
{
	if (ends(*w, "y") &&
	    (w->nltk ? w->n > 2 && !sounds(*w, w->n - 2) : has_vowel(*w, true)))
		w->s[w->n - 1] = 'i';
}

static void
step_2(struct word *w)
{
	static const struct suffix list[] = { { "ational", "ate" },
		{ "tional", "tion" }, { "enci", "ence" }, { "anci", "ance" },
		{ "izer", "ize" }, { "abli", "able" }, { "bli", "ble" },
		{ "alli", "al" }, { "entli", "ent" }, { "eli", "e" },
		{ "ousli", "ous" }, { "ization", "ize" }, { "ation", "ate" },
		{ "ator", "ate" }, { "alism", "al" }, { "iveness", "ive" },
		{ "fulness", "ful" }, { "ousness", "ous" }, { "aliti", "al" },
		{ "iviti", "ive" }, { "biliti", "ble" }, { "logi", "log" } };

	if (!w->nltk) {
		replace_all(w, list, sizeof list / sizeof list[0]);
		return;
	}
	if (ends(*w, "alli") && measure(without(*w, 4)) > 1)
		w->n -= 2;
	if (ends(*w, "fulli") && measure(without(*w, 5)) > 1)
		w->n -= 2;
	else if (ends(*w, "logi") && measure(without(*w, 3)) > 1)
		w->n--;
	else if (ends(*w, "bli") && measure(without(*w, 3)) > 1)
		w->s[w->n - 1] = 'e';
	else if (!ends(*w, "bli") && !ends(*w, "logi"))
		replace_first(w, list, sizeof list / sizeof list[0]);
}

static void
step_3(struct word *w)
{
	static const struct suffix list[] = { { "icate", "ic" },
		{ "ative", "" }, { "alize", "al" }, { "iciti", "ic" },
		{ "ical", "ic" }, { "ful", "" }, { "ness", "" } };

	(w->nltk ? replace_first : replace_all)(
	    w, list, sizeof list / sizeof list[0]);
}

/* Drops the longest of these suffixes if the measure before it is above 1. */
static void
step_4(struct word *w)
{
	static const char *const list[] = { "ement", "ance", "ence", "able",
		"ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive",
		"ize", "al", "er", "ic", "ou" };

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
		size_t n = strlen(list[i]);

		if (!ends(*w, list[i]) || w->n == n)
			continue;
		if (measure(without(*w, n)) > 2) {
			w->n -= n;
			return;
		}
		break;
	}
	if (w->n > 4 && (ends(*w, "sion") || ends(*w, "tion")) &&
	    measure(without(*w, 3)) > 2)
		w->n -= 3;
}

static void
step_5(struct word *w)
{
	struct word left = *w;
	long twice;

	if (ends(*w, "e"))
		left.n--;
	twice = measure(left);
	if (ends(*w, "e") &&
	    (twice > 2 ||
		(twice == 2 &&
		    !(w->n < 4 && !w->nltk ? is_cvc(*w, 0) : ends_cvc(left)))))
		w->n--;
	if (measure(*w) > 2 && ends(*w, "ll"))
		w->n--;
}

static struct utf16
stem(struct arena *a, struct utf16 word, bool nltk)
{
	struct word w = { .n = word.n, .nltk = nltk };

	if (word.n < 3)
		return word;
	w.s = arena_new_n(a, uint16_t, word.n + 1);
	memcpy(w.s, word.units, word.n * sizeof w.s[0]);
	step_1a(&w);
	step_1b(&w);
	step_1c(&w);
	step_2(&w);
	step_3(&w);
	step_4(&w);
	step_5(&w);
	return (struct utf16){ w.s, w.n };
}

struct utf16
porter_stem(struct arena *a, struct utf16 word)
{
	return stem(a, word, false);
}

struct str
porter_stem_nltk(struct arena *a, struct str word)
{
	static const char *const odd[][2] = { { "skies", "sky" },
		{ "dying", "die" }, { "lying", "lie" }, { "tying", "tie" },
		{ "innings", "inning" }, { "outings", "outing" },
		{ "cannings", "canning" } };

	struct utf16 found;
	char *text;

	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		if (str_is(word, odd[i][0]))
			return str_of(odd[i][1]);
	if (str_is_one_of(word,
		"sky news inning outing canning howe proceed exceed succeed"))
		return word;
	found = stem(a, utf16_of(a, word), true);
	text = arena_new_n(a, char, found.n + 1);
	for (size_t i = 0; i < found.n; i++)
		text[i] = (char)found.units[i];
	return (struct str){ text, found.n };
}
