/* The JSON writer of io/out.h. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/swar.h"
#include "base/utf8.h"
#include "io/out.h"

static void
separate(struct out *o)
{
	out_written(o, out_next(o, 0));
	o->comma = true;
}

void
out_begin(struct out *o, char bracket)
{
	char *p = out_next(o, 1);

	*p++ = bracket;
	out_written(o, p);
	o->comma = false;
}

void
out_end(struct out *o, char bracket)
{
	out_char(o, bracket);
	o->comma = true;
}

void
out_plain_key(struct out *o, struct str key)
{
	out_written(o, out_member(o, key, 0));
	o->comma = false;
}

void
out_body(struct out *o, struct str body)
{
	char *p;

	if (body.n > OUT_COPY_MAX) {
		out_begin(o, '"');
		out_str(o, body);
		out_end(o, '"');
		return;
	}
	p = out_next(o, body.n + 2);
	*p++ = '"';
	p = out_copy(p, body);
	*p++ = '"';
	out_written(o, p);
	o->comma = true;
}

void
out_key_str(struct out *o, struct str key)
{
	separate(o);
	out_quoted(o, key);
	out_char(o, ':');
	o->comma = false;
}

void
out_key_body(struct out *o, struct str body)
{
	out_body(o, body);
	out_char(o, ':');
	o->comma = false;
}

/* Writes the escape of the character, and returns its end. */
static char *
put_escape(char *to, unsigned char c)
{
	static const char names[] = "btn\0fr"; /* from U+0008 on */
	static const char hex[] = "0123456789abcdef";

	*to++ = '\\';
	if (c == '"' || c == '\\')
		*to++ = (char)c;
	else if (c >= 8 && c <= 13 && names[c - 8] != 0)
		*to++ = names[c - 8];
	else {
		to = str_put(to, "u00", 3);
		*to++ = hex[c >> 4];
		*to++ = hex[c & 15];
	}
	return to;
}

/* Writes the first character of the text in the form of a JSON string, and
 * U+FFFD for an invalid byte. Returns the length of the character in the
 * text. */
static size_t
put_character(char **to, struct str text)
{
	unsigned char c = (unsigned char)text.s[0];
	size_t n = 1;

	if (c >= 0x80) {
		n = utf8_length(text.s, text.n);
		*to = n == 0 ? str_put(*to, "\xef\xbf\xbd", 3)
			     : str_put(*to, text.s, n);
	} else if (c < 0x20 || c == '"' || c == '\\') {
		*to = put_escape(*to, c);
	} else {
		*(*to)++ = (char)c;
	}
	return n + (n == 0);
}

/* Returns how many of the eight bytes at s precede the first byte that is not
 * ASCII, a control character, a quote or a backslash. The subtraction of c sets
 * the top bit of each ASCII byte that is less than c. The borrow may also set
 * the top bits of later bytes, which do not matter. */
static inline size_t
plain_of_eight(const char *s)
{
	const uint64_t ones = swar_times(1);
	uint64_t b = swar(s);
	uint64_t bits =
	    (b | (b - swar_times(0x20)) | ((b ^ swar_times('"')) - ones) |
		((b ^ swar_times('\\')) - ones)) &
	    swar_times(0x80);

	return bits == 0 ? sizeof b : (size_t)__builtin_ctzll(bits) / 8;
}

enum {
	QUOTED = 256, /* bytes of a text for which room is made at a time */
	LONGEST = 6,  /* bytes that a byte of the text may become */
};

void
out_quoted(struct out *o, struct str text)
{
	const size_t swar_more = sizeof(uint64_t);

	out_char(o, '"');
	while (text.n != 0) {
		size_t most = text.n < QUOTED ? text.n : QUOTED, i = 0, n;
		char *p = out_room(o, LONGEST * most + swar_more);

		while (i < most) {
			n = 0;
			if (text.n - i >= swar_more) {
				memcpy(p, text.s + i, swar_more);
				n = plain_of_eight(p);
			}
			p += n;
			i += n;
			if (n != swar_more)
				i += put_character(&p, str_from(text, i));
		}
		out_written(o, p);
		text = str_from(text, i);
	}
	out_char(o, '"');
}

void
out_source(struct out *o, struct str json)
{
	/* A JSON string holds no newline: newlines separate tokens. */
	while (json.s != NULL)
		out_str(o, str_trim(str_cut(&json, '\n')));
}

void
out_json_str(struct out *o, struct str text)
{
	separate(o);
	out_quoted(o, text);
}

struct str
out_quote(struct arena *a, struct str text)
{
	struct out o;

	out_open_memory(&o);
	out_quoted(&o, text);
	return out_keep(&o, a);
}

void
out_json_strs(struct out *o, struct str_list texts)
{
	out_begin(o, '[');
	for (size_t i = 0; i < texts.n; i++)
		out_json_str(o, texts.list[i]);
	out_end(o, ']');
}

void
out_json_raw(struct out *o, struct str json)
{
	separate(o);
	out_source(o, json);
}

void
out_json_int(struct out *o, int64_t value)
{
	out_written(o, str_digits(out_next(o, STR_DIGITS), value));
	o->comma = true;
}

enum { PLACES = 12 };
#define TRILLION INT64_C(1000000000000)

/* Returns the value in trillionths, if the value has no more digits after the
 * point and, as amounts of money, at most 15 digits in all, so that a double
 * keeps each digit. Returns 0 otherwise. */
static int64_t
trillionths(double value)
{
	double n = round(value * (double)TRILLION);

	return value >= 1e-4 && value < 1000 && n / (double)TRILLION == value
	    ? (int64_t)n
	    : 0;
}

static void
put_decimal(struct out *o, int64_t n)
{
	char *point =
	    str_digits(out_next(o, STR_DIGITS + 1 + PLACES), n / TRILLION);
	int places = PLACES;

	*point = '.';
	for (int i = PLACES; i > 0; i--, n /= 10)
		point[i] = (char)('0' + n % 10);
	while (point[places] == '0')
		places--;
	out_written(o, point + places + 1);
	o->comma = true;
}

void
out_json_double(struct out *o, double value)
{
	char digits[32];
	bool whole = fabs(value) < 1e15 && value == (double)(int64_t)value;
	/* 15 digits are exact for a value that was read from at most 15; a
	 * subnormal value has fewer. */
	int precision = fabs(value) < DBL_MIN ? 1 : 15;
	int64_t n;

	if (whole && (value != 0 || !signbit(value))) { /* this is faster */
		out_json_int(o, (int64_t)value);
		return;
	}
	n = trillionths(value);
	if (n != 0) {
		put_decimal(o, n);
		return;
	}
	separate(o);
	if (!isfinite(value)) {
		out_text(o, "null");
		return;
	}
	do
		snprintf(digits, sizeof digits, "%.*g", precision, value);
	while (strtod(digits, NULL) != value && ++precision <= 17);
	out_text(o, digits);
}

void
out_json_bool(struct out *o, bool value)
{
	separate(o);
	out_text(o, value ? "true" : "false");
}

void
out_json_null(struct out *o)
{
	separate(o);
	out_text(o, "null");
}

void
out_open_json(struct out *o, char bracket)
{
	out_open_memory(o);
	out_begin(o, bracket);
}

struct str
out_keep_json(struct out *o, char bracket, struct arena *a)
{
	out_end(o, bracket);
	return out_keep(o, a);
}

void
out_member_str(struct out *o, const char *plain_key, struct str text)
{
	if (text.s != NULL)
		out_member_text(o, plain_key, text);
}

void
out_member_text(struct out *o, const char *plain_key, struct str text)
{
	out_key(o, plain_key);
	out_json_str(o, text);
}

void
out_member_strs(struct out *o, const char *plain_key, struct str_list list)
{
	out_key(o, plain_key);
	out_json_strs(o, list);
}

void
out_member_raw(struct out *o, const char *plain_key, struct str json)
{
	out_key(o, plain_key);
	out_json_raw(o, json);
}

void
out_member_number(struct out *o, struct str plain_key, int64_t n)
{
	out_written(o, str_digits(out_member(o, plain_key, STR_DIGITS), n));
	o->comma = true;
}

void
out_member_size(struct out *o, const char *plain_key, size_t n)
{
	out_member_int(o, plain_key, (int64_t)n);
}

void
out_member_bool(struct out *o, const char *plain_key, bool value)
{
	out_key(o, plain_key);
	out_json_bool(o, value);
}

void
out_member_double(struct out *o, const char *plain_key, double value)
{
	out_key(o, plain_key);
	out_json_double(o, value);
}

void
out_member_line_slow(struct out *o, struct str plain_key, struct str json)
{
	out_plain_key(o, plain_key);
	out_str(o, json);
	o->comma = true;
}
