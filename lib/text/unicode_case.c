/*
 * The case mappings of JavaScript and Go. JavaScript's toLowerCase is Unicode's
 * full mapping, in which only U+0130 becomes two characters and only the Greek
 * sigma depends on its neighbours.
 */
#include <string.h>

#include "base/swar.h"
#include "text/unicode.h"

static const struct unicode_case canonicalize[] = {
#include "text/unicode_canonicalize.inc"
};

static const struct unicode_case lower[] = {
#include "text/unicode_lower.inc"
};

/* Lists of characters, as unicode_listed() takes them. */
#define LIST(name, ...) static const uint16_t name[] = { __VA_ARGS__ };
#include "text/unicode_cased.inc"

/* Returns the character that c becomes by the n rows, which ascend. */
static uint32_t
changed(uint32_t c, const struct unicode_case *rows, size_t n)
{
	const struct unicode_case *row;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if ((uint32_t)rows[middle].last < c)
			low = middle + 1;
		else
			high = middle;
	}
	row = &rows[low];
	if (low == n || c < (uint32_t)row->first ||
	    (c - (uint32_t)row->first) % (uint32_t)row->step != 0)
		return c;
	return c + (uint32_t)row->delta;
}

const struct unicode_case *
unicode_case_js(size_t *rows)
{
	*rows = sizeof canonicalize / sizeof canonicalize[0];
	return canonicalize;
}

uint16_t
unicode_canonicalize_js(uint16_t unit)
{
	size_t n;
	const struct unicode_case *rows = unicode_case_js(&n);

	return (uint16_t)changed(unit, rows, n);
}

enum {
	DOTTED_I = 0x130,
	SIGMA = 0x3a3,
	FINAL_SIGMA = 0x3c2,
};

/* Returns whether the character is in a large range of scripts without case, or
 * of punctuation. */
static bool
has_no_case(uint32_t c)
{
	return (c >= 0x2000 && c < 0x2126) || (c > 0x2cf2 && c < 0xa640);
}

static uint32_t
lower_of(uint32_t c)
{
	return has_no_case(c)
	    ? c
	    : changed(c, lower, sizeof lower / sizeof lower[0]);
}

/* Returns 1 for a letter with case, -1 for a character that the search for such
 * a letter skips, and 0 for any other character. */
static int
is_cased(uint32_t c)
{
	if (unicode_listed(case_ignorable,
		sizeof case_ignorable / sizeof case_ignorable[0], c))
		return -1;
	return unicode_listed(cased, sizeof cased / sizeof cased[0], c);
}

/* Returns whether a letter with case precedes the end of the text. */
static bool
cased_before(struct str text)
{
	int found = -1;
	size_t n;

	while (found < 0 && text.n > 0) {
		found = is_cased(unicode_decode_last(text, &n));
		text.n -= n;
	}
	return found > 0;
}

/* Returns whether a letter with case follows the start of the text. */
static bool
cased_after(struct str text)
{
	int found = -1;
	size_t n;

	while (found < 0 && text.n > 0) {
		found = is_cased(unicode_decode(text, &n));
		text = str_from(text, n);
	}
	return found > 0;
}

/* Writes the character at index `at` in lower case, as a single character if
 * `simple` is set. Returns the length of the character in the text. */
static size_t
put_lower(char **to, struct str text, size_t at, bool simple)
{
	size_t n;
	uint32_t c = unicode_decode(str_from(text, at), &n);
	uint32_t to_c = lower_of(c);

	if (!simple && c == SIGMA && cased_before(str_slice(text, 0, at)) &&
	    !cased_after(str_from(text, at + n)))
		to_c = FINAL_SIGMA;
	if (c == DOTTED_I) {
		*to = str_put(*to, "i\xcc\x87", simple ? 1 : 3);
	} else if (to_c == c) {
		*to = str_put(*to, text.s + at, n);
	} else {
		*to += unicode_encode(to_c, *to);
	}
	return n;
}

static bool
may_change(char c)
{
	return (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Copies, in lower case, the bytes before the first character beyond ASCII, and
 * returns their number. */
static size_t
put_ascii(char *to, struct str text)
{
	const uint64_t ones = swar_times(1), high = swar_times(0x80);
	uint64_t word, upper;
	size_t i = 0;

	for (; text.n - i >= sizeof word; i += sizeof word) {
		memcpy(&word, text.s + i, sizeof word);
		if (word & high)
			break;
		upper = (word + ones * (0x80 - 'A')) &
		    ~(word + ones * (0x7f - 'Z')) & high;
		word |= upper >> 2;
		memcpy(to + i, &word, sizeof word);
	}
	for (; i < text.n && (unsigned char)text.s[i] < 0x80; i++) {
		char c = text.s[i];

		to[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	return i;
}

static struct str
lowered(struct arena *a, struct str text, bool simple)
{
	size_t at = 0;
	char *copy, *to;

	while (at < text.n && !may_change(text.s[at]))
		at++;
	if (at == text.n)
		return text;
	/* Two bytes become three at most. */
	copy = arena_room(a, text.n + text.n / 2 + 1);
	to = str_put(copy, text.s, at);
	while (at < text.n) {
		size_t ascii = put_ascii(to, str_from(text, at));

		at += ascii;
		to += ascii;
		if (at < text.n)
			at += put_lower(&to, text, at, simple);
	}
	if (str_eq(text, (struct str){ copy, (size_t)(to - copy) }))
		return text;
	return (struct str){ copy, (size_t)(to - copy) };
}

struct str
unicode_lower_js(struct arena *a, struct str text)
{
	return lowered(a, text, false);
}

struct str
unicode_lower_go(struct arena *a, struct str text)
{
	return lowered(a, text, true);
}
