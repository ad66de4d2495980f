#include "base/suggest.h"

enum { WORD_MAX = 40 };

struct suggest
suggest_for(struct str word)
{
	return (struct suggest){ .word = word, .distance = WORD_MAX };
}

static char
plain(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + ('a' - 'A'));
	return (char)(c == '-' || c == ' ' ? '_' : c);
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Copies the word, of WORD_MAX characters at most, as it is compared: case does not
 * count, and neither does the choice of '-', '_' or a blank between words. */
static struct str
plain_word(char copy[WORD_MAX], struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		copy[i] = plain(word.s[i]);
	return (struct str){ copy, word.n };
}

/* The rows of a table of distances, of which the last three are kept. */
struct rows {
	size_t cells[3][WORD_MAX + 1];
};

/* Makes row i, for the first i characters of a and each beginning of b, from the
 * two rows before. Returns the least number in it. */
static size_t
next_row(struct rows *rows, struct str a, size_t i, struct str b)
{
	size_t *row = rows->cells[i % 3], *last = rows->cells[(i + 2) % 3];
	const size_t *before = rows->cells[(i + 1) % 3];
	char x = a.s[i - 1];
	size_t best = row[0] = i;

	for (size_t j = 1; j <= b.n; j++) {
		char y = b.s[j - 1];

		row[j] = least(
		    last[j - 1] + (x != y), least(last[j], row[j - 1]) + 1);
		if (i > 1 && j > 1 && x == b.s[j - 2] && y == a.s[i - 2])
			row[j] = least(row[j], before[j - 2] + 1);
		best = least(best, row[j]);
	}
	return best;
}

/* Returns a set of the word's characters as they are compared, in which some
 * share a bit. */
static uint64_t
letters(struct str word)
{
	uint64_t set = 0;

	for (size_t i = 0; i < word.n; i++)
		set |= UINT64_C(1) << (plain(word.s[i]) & 63);
	return set;
}

/* Returns whether one word has more letters that the other lacks than the limit
 * permits to change: most words differ as much. */
static bool
is_far(struct str a, struct str b, size_t limit)
{
	uint64_t in_a = letters(a), in_b = letters(b);

	return (size_t)__builtin_popcountll(in_a & ~in_b) > limit ||
	    (size_t)__builtin_popcountll(in_b & ~in_a) > limit;
}

/* Returns the number of characters to change, add, drop or swap with the next
 * one, or a number above the limit if there are more than that. */
static size_t
distance(struct str a, struct str b, size_t limit)
{
	char copies[2][WORD_MAX];
	struct rows rows;
	size_t best = 0, best_before;

	if (is_far(a, b, limit))
		return limit + 1;
	a = plain_word(copies[0], a);
	b = plain_word(copies[1], b);
	for (size_t j = 0; j <= b.n; j++)
		rows.cells[0][j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		best_before = best;
		best = next_row(&rows, a, i, b);
		if (best > limit && best_before > limit)
			return limit + 1;
	}
	return rows.cells[a.n % 3][b.n];
}

/* Returns whether one of the words begins with the other: claude,
 * claude-code. */
static bool
continues(struct str a, struct str b)
{
	enum { LETTERS_MIN = 4 }; /* a shorter word begins too many */
	size_t n = least(a.n, b.n), i = 0;

	while (i < n && plain(a.s[i]) == plain(b.s[i]))
		i++;
	return i == n && n >= LETTERS_MIN;
}

/* Returns whether the words are the same but for their last parts, which mean the
 * same. */
static bool
means(struct str word, struct str candidate)
{
	static const char *const alike[][2] = { { "-some", "-any" },
		{ "-every", "-all" }, { "-each", "-all" } };

	for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
		struct str a = str_of(alike[i][0]), b = str_of(alike[i][1]);

		if (str_ends(word, a) && str_ends(candidate, b) &&
		    str_eq(str_slice(word, 0, word.n - a.n),
			str_slice(candidate, 0, candidate.n - b.n)))
			return true;
	}
	return false;
}

void
suggest_try(struct suggest *s, struct str candidate)
{
	size_t shorter = least(s->word.n, candidate.n);
	/* A word of four letters, half of which differ, is another word. */
	size_t d, limit = 1 + (shorter == 0 ? 0 : shorter - 1) / 4;

	if (s->word.n > WORD_MAX || candidate.n > WORD_MAX)
		return;
	/* Lengths that differ by more than the limit suit only a beginning. */
	if (s->word.n + limit < candidate.n || candidate.n + limit < s->word.n)
		if (s->word.n == 0 || candidate.n == 0 ||
		    plain(*s->word.s) != plain(*candidate.s))
			return;
	d = means(s->word, candidate) ? 1 : distance(s->word, candidate, limit);
	if (d > limit && continues(s->word, candidate))
		d = s->word.n + candidate.n - 2 * least(s->word.n, candidate.n);
	else if (d > limit)
		return;
	if (d < s->distance || str_eq(candidate, s->word)) {
		s->best = candidate;
		s->distance = d;
	}
}

const char *
suggest_text(const struct suggest *s, struct arena *a)
{
	if (s->best.s == NULL)
		return "";
	return str_printf(a, " (did you mean '%.*s'?)", STR_FMT(s->best)).s;
}
