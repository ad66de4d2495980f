#include "emulate/metric/treebank.h"

#include "base/ascii.h"
#include "text/unicode.h"
#include "text/unicode_sets.h"

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

/* ---- characters ---- */

/* Returns whether the character has one of the general categories whose names
 * begin with one of the prefixes. */
static bool
has_category(uint32_t c, const char *const prefixes[])
{
	size_t n;
	const struct unicode_set *list = unicode_categories(&n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; prefixes[k] != NULL; k++)
			if (str_starts(str_of(list[i].name), prefixes[k]) &&
			    unicode_listed(list[i].runs, list[i].n, c))
				return true;
	return false;
}

/* Returns the character that ends before i; 0 if there is none, or if it takes
 * two units of UTF-16, of which the last means nothing. */
static uint32_t
before(struct str t, size_t i)
{
	size_t used;
	uint32_t c =
	    i == 0 ? 0 : unicode_decode_last(str_slice(t, 0, i), &used);

	return c > 0xffff ? 0 : c;
}

/* Makes one blank of white space, and drops it at both ends. */
static void
squeeze(struct rewrite *w, bool (*is_space)(uint32_t))
{
	const uint32_t next_line = 0x85;
	struct str t = w->from;
	bool space = true;
	size_t used;

	begin(w);
	for (size_t i = 0; i < t.n; i += used) {
		uint32_t c = unicode_decode(str_from(t, i), &used);
		bool last = space;

		space = c == next_line || is_space(c);
		if (!space)
			put(w, str_slice(t, i, i + used));
		else if (!last)
			put(w, STR(" "));
	}
	end(w);
	w->from = str_trim(w->from);
}

/* ---- quotes ---- */

/* Returns the length of the quotation mark at i: ``, '' or a double quote; 0 if
 * there is none. */
static size_t
mark_at(struct str t, size_t i)
{
	struct str rest = str_from(t, i);

	if (str_starts(rest, "``") || str_starts(rest, "''"))
		return 2;
	return str_starts(rest, "\"") ? 1 : 0;
}

/* Returns whether the mark '' at i, at which no quotation is open, opens one: a
 * word follows, and the next mark is '' again. */
static bool
pairs(struct str t, size_t i)
{
	static const char *const words[] = { "L", "N", "Sc", "Ps", NULL };
	size_t next = i + 2, used;

	if (i == 0 || next >= t.n ||
	    !has_category(unicode_decode(str_from(t, next), &used), words))
		return false;
	while (next < t.n && mark_at(t, next) == 0)
		next++;
	return str_starts(str_from(t, next), "''");
}

/* Returns whether the mark of n bytes at i may open a quotation by what is before
 * and behind it. */
static bool
may_open(struct str t, size_t i, size_t n)
{
	static const char *const brackets[] = { "Ps", NULL };
	static const char *const punctuation[] = { "P", NULL };
	uint32_t c = before(t, i);
	bool blank = c == ' ' || c == '<';

	if (i == 0)
		return true;
	if (i + n == t.n && !blank && !has_category(c, brackets))
		return false;
	return c != '.' && c != '!' && c != '?' &&
	    (blank || has_category(c, punctuation) ||
		str_ends(str_slice(t, 0, i), "``"));
}

/* Replaces each quotation mark by `` or '', as a word. */
static void
quotes(struct rewrite *w)
{
	struct str t = w->from;
	bool open = false;
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		size_t n = mark_at(t, i);

		if (n == 0) {
			put(w, str_slice(t, i, i + 1));
			i++;
			continue;
		}
		open = t.s[i] == '`' ||
		    (!open && may_open(t, i, n) &&
			(t.s[i] == '"' || pairs(t, i)));
		put_apart(w, open ? STR("``") : STR("''"));
		i += n;
	}
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

/* Sets colons and commas apart that no digit follows. */
static void
commas(struct rewrite *w)
{
	static const char *const digits[] = { "Nd", NULL };
	struct str t = w->from;
	size_t used;

	begin(w);
	for (size_t i = 0; i < t.n; i++)
		if (is_one_of(t.s[i], ":,") &&
		    (i + 1 == t.n ||
			!has_category(
			    unicode_decode(str_from(t, i + 1), &used), digits)))
			put_apart(w, str_slice(t, i, i + 1));
		else
			put(w, str_slice(t, i, i + 1));
	end(w);
}

/* Sets each occurrence of the text apart. */
static void
apart(struct rewrite *w, struct str word)
{
	struct str t = w->from;
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		bool there = str_starts(str_from(t, i), word);

		if (there)
			put_apart(w, word);
		else
			put(w, str_slice(t, i, i + 1));
		i += there ? word.n : 1;
	}
	end(w);
}

static bool
is_letter(struct str t, size_t i)
{
	return ascii_is_letter((unsigned char)t.s[i]);
}

/* Returns whether the full stop at i ends an abbreviation such as e.g. */
static bool
is_abbreviated(struct str t, size_t i)
{
	return i >= 3 && is_letter(t, i - 1) && t.s[i - 2] == '.' &&
	    is_letter(t, i - 3) &&
	    (i == 3 ||
		!(ascii_is_alnum((unsigned char)t.s[i - 4]) ||
		    t.s[i - 4] == '_'));
}

/* Sets the last full stop apart if only closing marks and blanks follow, unless
 * it is a part of an abbreviation. */
static void
final_stop(struct rewrite *w)
{
	struct str t = w->from;
	size_t at = t.n;

	while (at != 0 && is_one_of(t.s[at - 1], "])}>' "))
		at--;
	if (at < 2 || t.s[at - 1] != '.' || t.s[at - 2] == '.' ||
	    is_abbreviated(t, at - 1))
		return;
	begin(w);
	put(w, str_slice(t, 0, at - 1));
	put(w, STR(" "));
	put(w, str_from(t, at - 1));
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

/* Returns whether the character can be a part of a name. */
static bool
is_part(uint32_t c)
{
	return unicode_id_continue(c) || c == 0x200c || c == 0x200d;
}

/* A contraction of two words, which is a word of its own. */
struct contraction {
	const char *first, *second;
	bool blank; /* only before a blank */
};

static bool
is_at(struct str t, size_t i, const struct contraction *c)
{
	size_t a = strlen(c->first), n = a + strlen(c->second), used;
	struct str rest = str_from(t, i + n);

	if (!str_starts(str_from(t, i), c->first) ||
	    !str_starts(str_from(t, i + a), c->second))
		return false;
	if (i != 0 && is_part(unicode_decode_last(str_slice(t, 0, i), &used)))
		return false;
	if (rest.n == 0)
		return !c->blank;
	return c->blank ? rest.s[0] == ' '
			: !is_part(unicode_decode(rest, &used));
}

/* Divides the contraction wherever it occurs. */
static void
divide(struct rewrite *w, const struct contraction *c)
{
	struct str t = w->from, first = str_of(c->first),
		   second = str_of(c->second);
	size_t i = 0;

	begin(w);
	while (i < t.n) {
		if (!is_at(t, i, c)) {
			put(w, str_slice(t, i, i + 1));
			i++;
			continue;
		}
		put_apart(w, first);
		put(w, second);
		put(w, STR(" "));
		i += first.n + second.n;
	}
	end(w);
}

static const struct contraction contractions[] = { { "can", "not", false },
	{ "d", "'ye", false }, { "gim", "me", false }, { "gon", "na", false },
	{ "got", "ta", false }, { "lem", "me", false }, { "more", "'n", false },
	{ "wan", "na", true }, { "'t", "is", false }, { "'t", "was", false } };

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

	squeeze(&w, is_space);
	if (w.from.n == 0)
		return (struct str_list){ 0 };
	quotes(&w);
	apart(&w, STR("..."));
	commas(&w);
	signs(&w, ";@#$%&");
	final_stop(&w);
	signs(&w, "?!");
	signs(&w, "[](){}<>");
	apart(&w, STR("--"));
	begin(&w);
	put_apart(&w, w.from);
	end(&w);
	single_quotes(&w);
	endings(&w, possessive);
	endings(&w, verbs);
	for (size_t i = 0; i < sizeof contractions / sizeof contractions[0];
	     i++)
		divide(&w, &contractions[i]);
	return words(a, w.from);
}
