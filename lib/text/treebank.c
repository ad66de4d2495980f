#include "text/treebank.h"

#include "base/ascii.h"
#include "text/unicode.h"

/* A text that rules rewrite one after another. Each rule reads `from` and
 * appends what becomes of it to `to`. */
struct rewrite {
	struct arena *arena;
	struct str from;
	char *to;
	size_t n, room;
};

static void
put(struct rewrite *w, struct str text)
{
	if (text.n > w->room - w->n) {
		char *old = w->to;

		w->room = 2 * (w->room + text.n);
		w->to = arena_alloc(w->arena, w->room);
		if (w->n != 0)
			memcpy(w->to, old, w->n);
	}
	if (text.n != 0)
		memcpy(w->to + w->n, text.s, text.n);
	w->n += text.n;
}

static void
put_apart(struct rewrite *w, struct str text)
{
	put(w, STR(" "));
	put(w, text);
	put(w, STR(" "));
}

/* Begins a rule. */
static void
begin(struct rewrite *w)
{
	w->room = w->from.n + w->from.n / 4 + 16;
	w->to = arena_alloc(w->arena, w->room);
	w->n = 0;
}

/* Ends a rule: the next rule reads what the rule made. */
static void
end(struct rewrite *w)
{
	w->from = (struct str){ w->to, w->n };
}

static bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* ---- quotes ---- */

static const struct str opening = STR_CONST(" `` ");

/* A double quote at the start, or behind a blank or an opening bracket, opens a
 * quotation. The character before a quote is used up by that quote. */
static void
open_quotes(struct rewrite *w)
{
	struct str t = w->from;
	size_t i = 0;

	begin(w);
	if (str_starts(t, "\"")) {
		put(w, opening);
		t = str_from(t, 1);
		/* Behind the mark stands a blank now. */
		if (str_starts(t, "\"")) {
			put(w, opening);
			i = 1;
		}
	}
	while (i < t.n) {
		put(w, str_slice(t, i, i + 1));
		if (is_one_of(t.s[i], " ([{<") && i + 1 < t.n &&
		    t.s[i + 1] == '"') {
			put(w, opening);
			i++;
		}
		i++;
	}
	end(w);
}

static void
close_quotes(struct rewrite *w)
{
	struct str t = w->from;

	begin(w);
	for (size_t i = 0; i < t.n; i++)
		if (t.s[i] == '"')
			put(w, STR(" '' "));
		else
			put(w, str_slice(t, i, i + 1));
	end(w);
}

/* A single quote behind a word and before a blank is a word. */
static void
single_quotes(struct rewrite *w)
{
	struct str t = w->from;
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		put(w, str_slice(t, i, i + 1));
		if (t.s[i] != '\'' && str_starts(str_from(t, i + 1), "' ")) {
			put(w, STR(" ' "));
			i += 2;
		}
		i++;
	}
	end(w);
}

/* ---- signs ---- */

/* Sets each of these signs apart. */
static void
signs(struct rewrite *w, const char *set)
{
	struct str t = w->from;

	begin(w);
	for (size_t i = 0; i < t.n; i++)
		if (is_one_of(t.s[i], set))
			put_apart(w, str_slice(t, i, i + 1));
		else
			put(w, str_slice(t, i, i + 1));
	end(w);
}

/* Makes one word of two or more of the sign in a row. */
static void
rows(struct rewrite *w, char sign, struct str word)
{
	struct str t = w->from;
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		size_t from = i;

		while (i < t.n && t.s[i] == sign)
			i++;
		if (i - from >= 2) {
			put_apart(w, word);
			continue;
		}
		i = from + 1;
		put(w, str_slice(t, from, i));
	}
	end(w);
}

/* Sets the last full stop apart if only closing marks and white space follow,
 * of which one blank is left. */
static void
final_stop(struct rewrite *w, bool (*is_space)(uint32_t))
{
	struct str t = w->from;
	size_t at = t.n, marks, used;

	while (at != 0 && t.s[at - 1] != '.')
		at--;
	if (at < 2 || t.s[at - 2] == '.')
		return;
	for (marks = at; marks < t.n && is_one_of(t.s[marks], "])}>\"'");)
		marks++;
	for (size_t i = marks; i < t.n; i += used)
		if (!is_space(unicode_decode(str_from(t, i), &used)))
			return;
	begin(w);
	put(w, str_slice(t, 0, at - 1));
	put(w, STR(" "));
	put(w, str_slice(t, at - 1, marks));
	put(w, STR(" "));
	end(w);
}

/* ---- endings and contractions ---- */

/* Returns the length of the ending with an apostrophe at i that a blank
 * follows; 0 if there is none. */
static size_t
ending(struct str t, size_t i, const char *const list[])
{
	for (; *list != NULL; list++) {
		size_t n = strlen(*list);

		if (str_starts(str_from(t, i), *list) && i + n < t.n &&
		    t.s[i + n] == ' ')
			return n;
	}
	return 0;
}

/* Sets these endings apart. */
static void
endings(struct rewrite *w, const char *const list[])
{
	struct str t = w->from;
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		size_t n = ending(t, i, list);

		if (n == 0) {
			put(w, str_slice(t, i, i + 1));
			i++;
			continue;
		}
		put_apart(w, str_slice(t, i, i + n));
		i += n + 1;
	}
	end(w);
}

static bool
is_word(struct str t, size_t i)
{
	return i < t.n &&
	    (ascii_is_alnum((unsigned char)t.s[i]) || t.s[i] == '_');
}

/* A contraction of two words. It begins and ends a word, unless a blank is a part
 * of the contraction. */
struct contraction {
	const char *first, *second;
};

/* Returns whether the contraction is at i, with the limits of words that its
 * parts ask for. */
static bool
is_at(struct str t, size_t i, const struct contraction *c)
{
	size_t a = strlen(c->first), n = a + strlen(c->second);

	if (!str_starts(str_from(t, i), c->first) ||
	    !str_starts(str_from(t, i + a), c->second))
		return false;
	if (c->first[0] != ' ' && i != 0 && is_word(t, i - 1))
		return false;
	return t.s[i + n - 1] == ' ' || !is_word(t, i + n);
}

/* Divides the first of the contraction's occurrences. */
static void
divide(struct rewrite *w, const struct contraction *c)
{
	struct str t = w->from, first = str_of(c->first),
		   second = str_of(c->second);
	size_t i = 0;

	while (i < t.n && !is_at(t, i, c))
		i++;
	if (i == t.n)
		return;
	begin(w);
	put(w, str_slice(t, 0, i));
	put_apart(w, str_trim(first));
	put(w, str_trim(second));
	put(w, STR(" "));
	put(w, str_from(t, i + first.n + second.n));
	end(w);
}

static const struct contraction contractions[] = { { "can", "not" },
	{ "d", "'ye" }, { "gim", "me" }, { "gon", "na" }, { "got", "ta" },
	{ "lem", "me" }, { "more", "'n" }, { "wan", "na " }, { " 't", "is" },
	{ " 't", "was" } };

/* Returns what is between blanks, of which several in a row are one, and which
 * do not count at both ends. */
static struct str_list
words(struct arena *a, struct str t)
{
	struct str rest, *list = NULL;
	size_t from = 0, to = t.n, n = 0;

	while (from < to && t.s[from] == ' ')
		from++;
	while (to > from && t.s[to - 1] == ' ')
		to--;
	rest = str_slice(t, from, to);
	*arena_push(a, list, n) = str_cut(&rest, ' ');
	while (rest.s != NULL) {
		struct str word = str_cut(&rest, ' ');

		if (word.n != 0)
			*arena_push(a, list, n) = word;
	}
	return (struct str_list){ list, n };
}

struct str_list
treebank_words(struct arena *a, struct str text, bool (*is_space)(uint32_t))
{
	static const char *const possessive[] = { "'s", "'m", "'d", NULL };
	static const char *const verbs[] = { "'ll", "'re", "'ve", "n't", NULL };
	struct rewrite w = { .arena = a, .from = text };

	if (text.n == 0)
		return (struct str_list){ 0 };
	open_quotes(&w);
	rows(&w, '.', STR("..."));
	signs(&w, ";@#$%&");
	final_stop(&w, is_space);
	signs(&w, ",?!");
	signs(&w, "[](){}<>");
	rows(&w, '-', STR("--"));
	begin(&w);
	put_apart(&w, w.from);
	end(&w);
	close_quotes(&w);
	single_quotes(&w);
	endings(&w, possessive);
	endings(&w, verbs);
	for (size_t i = 0; i < sizeof contractions / sizeof contractions[0];
	     i++)
		divide(&w, &contractions[i]);
	return words(a, w.from);
}
