#include "text/unicode.h"

#include "base/utf8.h"

/* Lists of characters, as unicode_listed() takes them. */
#define LIST(name, ...) static const uint16_t name[] = { __VA_ARGS__ };
#include "text/unicode_id.inc"
#include "text/unicode_width.inc"

uint32_t
unicode_decode(struct str text, size_t *length)
{
	const unsigned char *s = (const unsigned char *)text.s;
	size_t n = utf8_length(text.s, text.n);
	uint32_t c;

	*length = n == 0 ? 1 : n;
	if (n == 0)
		return UNICODE_REPLACEMENT;
	if (n == 1)
		return s[0];
	c = s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3fU);
	return c;
}

uint32_t
unicode_decode_last(struct str text, size_t *length)
{
	size_t last = text.n - 1, n;

	while (last > 0 && utf8_is_within(text.s[last]))
		last--;
	*length = text.n - last;
	return unicode_decode(str_from(text, last), &n);
}

size_t
unicode_encode(uint32_t c, char buf[4])
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		buf[i] = (char)(0x80 | (c & 0x3f));
	buf[0] = (char)(n == 1 ? c : (0xf00U >> n & 0xff) | c);
	return n;
}

static size_t
valid_length(struct str text)
{
	size_t at = 0, n;

	while (at < text.n && (n = utf8_length(text.s + at, text.n - at)) != 0)
		at += n;
	return at;
}

struct str
unicode_repair(struct arena *a, struct str text)
{
	struct str *parts = NULL;
	size_t n = 0, valid = valid_length(text);

	if (valid == text.n)
		return text;
	while (text.n != 0) {
		valid = valid_length(text);
		*arena_push(a, parts, n) = str_slice(text, 0, valid);
		if (valid < text.n)
			*arena_push(a, parts, n) = STR("\xef\xbf\xbd");
		text = str_from(text, valid + (valid < text.n));
	}
	return str_join(a, parts, n, STR(""));
}

bool
unicode_is_space(uint32_t c)
{
	return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xa0 ||
	    c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
	    c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

struct str
unicode_trim(struct str text, bool (*is_space)(uint32_t))
{
	size_t n;

	while (text.n > 0 && is_space(unicode_decode(text, &n)))
		text = str_from(text, n);
	while (text.n > 0 && is_space(unicode_decode_last(text, &n)))
		text.n -= n;
	return text;
}

bool
unicode_listed(const uint16_t *list, size_t n, uint32_t character)
{
	uint32_t at = 0;

	for (size_t i = 0; i < n; i++) {
		at += list[i];
		if (character < at)
			return i % 2 == 1;
	}
	return false;
}

#define IN(list, c) \
	unicode_listed((list), sizeof(list) / sizeof((list)[0]), (c))

bool
unicode_id_start(uint32_t character)
{
	return IN(id_start, character);
}

bool
unicode_id_continue(uint32_t character)
{
	return IN(id_start, character) || IN(id_continue_only, character);
}

int
unicode_width(uint32_t character)
{
	if (IN(zero_width, character))
		return 0;
	return IN(wide, character) ? 2 : 1;
}
