#include "check/advice/pattern.h"

#include <string.h>

#include "base/ascii.h"
#include "io/out.h"

/* A walk along the tokens of a pattern. */
struct walk {
	struct str pattern;
	size_t at; /* of the next token */
	size_t start;
	bool escaped; /* the token is a backslash and a character */
	bool class;   /* the token is a class */
	char c;       /* its first character, or the one behind the backslash */
};

/* Returns the index behind the class that begins at an index. */
static size_t
end_of_class(struct str p, size_t at)
{
	size_t i = at + 1;

	if (i < p.n && p.s[i] == '^')
		i++;
	if (i < p.n && p.s[i] == ']')
		i++;
	for (; i < p.n && p.s[i] != ']'; i++)
		if (p.s[i] == '\\')
			i++;
	return i < p.n ? i + 1 : p.n;
}

/* Goes to the next token; returns false at the end. */
static bool
next(struct walk *w)
{
	struct str p = w->pattern;

	if (w->at >= p.n)
		return false;
	w->start = w->at;
	w->escaped = p.s[w->at] == '\\' && w->at + 1 < p.n;
	w->class = p.s[w->at] == '[';
	w->c = p.s[w->at + w->escaped];
	w->at += 1 + w->escaped;
	if (w->class)
		w->at = end_of_class(p, w->start);
	return true;
}

/* Returns whether the byte at an index is a letter or digit; false outside. */
static bool
is_word(struct str p, size_t at)
{
	return at < p.n && ascii_is_alnum(p.s[at]);
}

static bool
has_letters(struct str p)
{
	for (size_t i = 0; i < p.n; i++)
		if (ascii_is_letter(p.s[i]))
			return true;
	return false;
}

/* Returns the pattern without a group of flags at its start; sets *caseless if
 * one of them is i. */
static struct str
without_flags(struct str p, bool *caseless)
{
	size_t end = str_find_char(p, ')');

	*caseless = false;
	if (!str_starts(p, "(?") || end == p.n)
		return p;
	for (size_t i = 2; i < end; i++)
		if (!ascii_is_letter(p.s[i]))
			return p;
	*caseless = str_find_char(str_slice(p, 2, end), 'i') < end - 2;
	return str_from(p, end + 1);
}

bool
pattern_is_plain(struct str p)
{
	bool caseless;
	struct walk w = { .pattern = without_flags(p, &caseless) };

	while (next(&w))
		if (w.escaped ? ascii_is_alnum(w.c)
			      : ascii_is_among(w.c, "^$.|?*+()[]{}"))
			return false;
	return has_letters(w.pattern);
}

/* Goes to the next dot between letters or digits, or the next $ before something. */
static bool
next_loose(struct walk *w, char c)
{
	struct str p = w->pattern;

	while (next(w)) {
		if (w->escaped || w->c != c || w->class)
			continue;
		if (c == '.' ? w->start > 0 && is_word(p, w->start - 1) &&
			    is_word(p, w->at) &&
			    (w->start < 2 || p.s[w->start - 2] != '\\')
			     : is_word(p, w->at) ||
			    (w->at + 1 < p.n && p.s[w->at] == '\\' &&
				strchr("dw", p.s[w->at + 1]) != NULL))
			return true;
	}
	return false;
}

bool
pattern_has_loose_dot(struct str p)
{
	struct walk w = { .pattern = p };

	return str_is(p, ".") || next_loose(&w, '.');
}

bool
pattern_has_loose_dollar(struct str p)
{
	struct walk w = { .pattern = p };

	return next_loose(&w, '$');
}

struct str
pattern_escaped(struct arena *a, struct str p, char c)
{
	struct walk w = { .pattern = p };
	size_t from = 0;
	struct out o;

	out_open_memory(&o);
	while (next_loose(&w, c)) {
		out_str(&o, str_slice(p, from, w.start));
		out_char(&o, '\\');
		from = w.start;
	}
	out_str(&o, str_from(p, from));
	return out_keep(&o, a);
}

/* Returns whether a class has both cases of a letter, such as [Pp]. */
static bool has_both_cases(struct str class)
{
	for (size_t i = 0; i < class.n; i++)
		if (ascii_is_letter(class.s[i]) &&
		    str_find_char(class, (char)(class.s[i] ^ 0x20)) < class.n)
			return true;
	return false;
}

bool
pattern_counts_case(struct str p)
{
	bool caseless, letters = false;
	struct walk w = { .pattern = without_flags(p, &caseless) };

	while (!caseless && next(&w)) {
		if (w.class &&
		    has_both_cases(str_slice(w.pattern, w.start, w.at)))
			return false;
		letters |= !w.escaped && ascii_is_letter(w.c);
	}
	return letters;
}

static bool
is_repetition(char c)
{
	return c == '*' || c == '+';
}

const char *
pattern_slow(struct str p)
{
	enum { DEPTH = 64 };
	bool repeats[DEPTH] = { false }; /* by the depth of groups */
	struct walk w = { .pattern = p };
	size_t depth = 0;

	while (next(&w)) {
		if (w.escaped || w.class)
			continue;
		if (w.c == '(') {
			if (str_starts(str_from(p, w.at), "?=") ||
			    str_starts(str_from(p, w.at), "?!") ||
			    str_starts(str_from(p, w.at), "?<=") ||
			    str_starts(str_from(p, w.at), "?<!"))
				return "looks around";
			if (++depth < DEPTH)
				repeats[depth] = false;
		} else if (w.c == ')' && depth > 0) {
			bool within = depth < DEPTH && repeats[depth];

			depth--;
			if (within && w.at < p.n && is_repetition(p.s[w.at]))
				return "repeats a repetition";
			if (within && depth < DEPTH)
				repeats[depth] = true;
		} else if (is_repetition(w.c) && depth < DEPTH) {
			repeats[depth] = true;
		}
	}
	return NULL;
}
