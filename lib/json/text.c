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

/* The character for a backslash and each letter; 0 for u. */
static const char simple[256] = {
	['"'] = '"',
	['\\'] = '\\',
	['/'] = '/',
	['b'] = '\b',
	['f'] = '\f',
	['n'] = '\n',
	['r'] = '\r',
	['t'] = '\t',
};

/* Decodes the escape at *p (a backslash) into buf, and moves *p behind it.
 * Returns the number of bytes. */
static size_t
decode_escape(const char **p, const char *end, char buf[4])
{
	unsigned unit;

	if ((*p)[1] != 'u') {
		buf[0] = simple[(unsigned char)(*p)[1]];
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

#if defined(__SSE2__)
enum { BLOCK = 16 };
typedef char block __attribute__((vector_size(BLOCK)));

/* Copies a block, and returns a bit for each backslash in the block. */
static inline unsigned
copy_block(char *to, const char *from)
{
	block b;

	memcpy(&b, from, BLOCK);
	memcpy(to, &b, BLOCK);
	return (unsigned)__builtin_ia32_pmovmskb128((block)(b == '\\'));
}

/* Returns the index of the first backslash by the result of copy_block. */
static inline size_t
first_of(unsigned found)
{
	return (size_t)__builtin_ctz(found);
}
#else
enum { BLOCK = 8 };

static inline uint64_t
copy_block(char *to, const char *from)
{
	uint64_t differs = swar(from) ^ swar_times('\\');

	memcpy(to, from, BLOCK);
	/* The lowest bit is exact. */
	return (differs - swar_times(1)) & ~differs & swar_times(0x80);
}

static inline size_t
first_of(uint64_t found)
{
	return (size_t)__builtin_ctzll(found) / 8;
}
#endif

/* Copies bytes up to the first backslash, a block at a time, and returns their number;
 * bytes behind are written, too. Stops where less than a block is left. */
static inline size_t
copy_plain(char *to, const char *from, const char *end)
{
	size_t n = 0;

	for (; (size_t)(end - from) - n >= BLOCK; n += BLOCK) {
		__typeof__(copy_block(to, from)) found =
		    copy_block(to + n, from + n);

		if (found != 0)
			return n + first_of(found);
	}
	return n;
}

/* Like copy_plain, of less than a block. */
static inline size_t
copy_rest(char *to, const char *from, const char *end)
{
	const char *found = memchr(from, '\\', (size_t)(end - from));
	size_t n = (size_t)((found == NULL ? end : found) - from);

	memcpy(to, from, n);
	return n;
}

/* Decodes the text that is not all plain. JSON within a string has an escape every few
 * bytes. Not inlined, since most strings have no escapes. */
static __attribute__((noinline)) struct str
decode(struct str raw, struct arena *a)
{
	const char *p = raw.s, *end = p + raw.n;
	char *copy = arena_room(a, raw.n), *to = copy;

	while (p < end) {
		size_t n = end - p < BLOCK ? copy_rest(to, p, end)
					   : copy_plain(to, p, end);

		to += n;
		for (p += n; p < end && *p == '\\';) {
			*to = simple[(unsigned char)p[1]];
			if (*to != '\0') {
				to++;
				p += 2;
			} else {
				to += decode_escape(&p, end, to);
			}
		}
	}
	return (struct str){ copy, (size_t)(to - copy) };
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
