/* Decodes the text of JSON strings. */
#include <string.h>

#include "base/swar.h"
#include "text/unicode.h"
#include "json/json.h"

static unsigned
hex4(const char *p)
{
	unsigned value = 0;

	for (int i = 0; i < 4; i++) {
		unsigned char c = (unsigned char)p[i];

		value = value * 16 +
		    (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return value;
}

/* Returns the character for a backslash and this letter; other characters
 * represent themselves. */
static inline char
simple(char letter)
{
	switch (letter) {
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return letter;
	}
}

/* Decodes the escape at *p (a backslash) into buf, and moves *p behind it.
 * Returns the number of bytes. */
static size_t
decode_escape(const char **p, const char *end, char buf[4])
{
	unsigned unit;

	if ((*p)[1] != 'u') {
		buf[0] = simple((*p)[1]);
		*p += 2;
		return 1;
	}
	unit = hex4(*p + 2);
	*p += 6;
	if (unit < 0xd800 || unit > 0xdfff)
		return unicode_encode(unit, buf);
	if (unit < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		unsigned low = hex4(*p + 2);

		if (low >= 0xdc00 && low <= 0xdfff) {
			*p += 6;
			return unicode_encode(
			    0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00,
			    buf);
		}
	}
	return unicode_encode(0xfffd, buf);
}

/* Returns whether the text begins with the escape of a surrogate: \uD and one
 * of these digits. */
static bool
is_surrogate(struct str text, const char *digits)
{
	return text.n >= 6 && text.s[0] == '\\' && text.s[1] == 'u' &&
	    (text.s[2] == 'd' || text.s[2] == 'D') &&
	    strchr(digits, text.s[3]) != NULL;
}

size_t
json_escape_length(struct str text)
{
	if (text.s[1] != 'u')
		return 2;
	return is_surrogate(text, "89abAB") &&
		is_surrogate(str_from(text, 6), "cdefCDEF")
	    ? 12
	    : 6;
}

struct str
json_mend_surrogates(struct arena *a, struct str text)
{
	static const char replacement[] = { 'f', 'f', 'f', 'd' };
	char *mended = arena_room(a, text.n);
	size_t n, i = str_find_char(text, '\\');

	memcpy(mended, text.s, text.n);
	for (; i < text.n; i += str_find_char(str_from(text, i), '\\')) {
		n = json_escape_length(str_from(text, i));
		if (n == 6 && is_surrogate(str_from(text, i), "89abcdefABCDEF"))
			memcpy(mended + i + 2, replacement, sizeof replacement);
		i += n;
	}
	return (struct str){ mended, text.n };
}

enum { BLOCK = 16 };

/* The compiler turns this into one operation where the machine has one. */
struct block {
	unsigned char at __attribute__((vector_size(BLOCK)));
};

/* Copies the bytes before the first backslash, and returns their number. JSON
 * within a string has a backslash every few bytes. */
static inline size_t
copy_plain(char *to, struct str from)
{
	size_t n = 0;

	for (; from.n - n >= BLOCK; n += BLOCK) {
		struct block b;
		uint64_t low, high;

		memcpy(&b, from.s + n, BLOCK);
		memcpy(to + n, &b, BLOCK);
		b.at = b.at == '\\';
		low = swar((const char *)&b);
		high = swar((const char *)&b + sizeof low);
		if (low != 0)
			return n + (size_t)__builtin_ctzll(low) / 8;
		if (high != 0)
			return n + 8 + (size_t)__builtin_ctzll(high) / 8;
	}
	for (; n < from.n && from.s[n] != '\\'; n++)
		to[n] = from.s[n];
	return n;
}

/* Not inlined, since most strings have no escapes. */
static __attribute__((noinline)) struct str
decode(struct str raw, struct arena *a)
{
	const char *p = raw.s, *end = p + raw.n;
	char *copy = arena_room(a, raw.n);
	size_t n = 0;

	while (p < end) {
		size_t plain =
		    copy_plain(copy + n, (struct str){ p, (size_t)(end - p) });

		n += plain;
		p += plain;
		if (p < end)
			n += decode_escape(&p, end, copy + n);
	}
	return (struct str){ copy, n };
}

struct str
json_text(const struct json *v, struct arena *a)
{
	struct str raw = json_raw(v);

	if (raw.s == NULL || !(v->flags & JSON_ESCAPED))
		return raw;
	return decode(raw, a);
}

bool
json_escaped_is(const struct json *v, struct str text)
{
	const char *p = v->text.s + 1, *end = v->text.s + v->text.n - 1;
	char buf[4];

	while (p < end) {
		size_t n = 1;

		if (*p == '\\')
			n = decode_escape(&p, end, buf);
		else
			buf[0] = *p++;
		if (text.n < n || memcmp(text.s, buf, n) != 0)
			return false;
		text = str_from(text, n);
	}
	return text.n == 0;
}
