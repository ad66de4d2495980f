#include "emulate/lang/js.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "text/unicode.h"

/* ---- numbers to text ---- */

static double
decimal_value(const struct js_decimal *d)
{
	char text[JS_DIGITS_MAX + 16];

	snprintf(text, sizeof text, "0.%se%d", d->digits, d->point);
	return strtod(text, NULL);
}

/* Adds one to the last digit. */
static void
decimal_step(struct js_decimal *d)
{
	int i = d->n - 1;

	while (i >= 0 && d->digits[i] == '9')
		d->digits[i--] = '0';
	if (i >= 0) {
		d->digits[i]++;
		return;
	}
	d->digits[0] = '1';
	d->point++;
}

/*
 * Between doubles below a power of two the distance is smaller than above: the
 * nearest decimal of a length may fail to read back, while the next decimal up
 * does read back. So both are tried.
 */
struct js_decimal
js_shortest(double value)
{
	struct js_decimal d;

	for (int n = 1;; n++) {
		char text[JS_DIGITS_MAX + 16];

		snprintf(text, sizeof text, "%.*e", n - 1, value);
		d.n = n;
		d.digits[0] = text[0];
		memcpy(d.digits + 1, text + 2, (size_t)(n - 1));
		d.digits[n] = '\0';
		d.point = 1 + (int)strtol(strchr(text, 'e') + 1, NULL, 10);
		if (n == JS_DIGITS_MAX || decimal_value(&d) == value)
			return d;
		decimal_step(&d);
		if (decimal_value(&d) == value)
			return d;
	}
}

static int
print_decimal(const struct js_decimal *d, char *buf)
{
	const char *digits = d->digits;
	int n = d->n, point = d->point;

	if (point > 21 || point <= -6)
		return snprintf(buf, JS_NUMBER_SIZE - 1, "%.1s%s%se%+d", digits,
		    n > 1 ? "." : "", digits + 1, point - 1);
	if (point <= 0)
		return snprintf(buf, JS_NUMBER_SIZE - 1, "0.%.*s%s", -point,
		    "00000", digits);
	if (point >= n)
		return snprintf(buf, JS_NUMBER_SIZE - 1, "%s%.*s", digits,
		    point - n, "00000000000000000000");
	return snprintf(
	    buf, JS_NUMBER_SIZE - 1, "%.*s.%s", point, digits, digits + point);
}

struct str
js_number(double value, char buf[JS_NUMBER_SIZE])
{
	char *p = buf;
	struct js_decimal d;

	if (isnan(value))
		return STR("NaN");
	if (value == 0)
		return STR("0");
	if (isinf(value))
		return value < 0 ? STR("-Infinity") : STR("Infinity");
	if (value < 0)
		*p++ = '-';
	d = js_shortest(fabs(value));
	return (struct str){ buf,
		(size_t)(p - buf) + (size_t)print_decimal(&d, p) };
}

bool
js_is_space(uint32_t c)
{
	return c == 0xfeff || (c != 0x85 && unicode_is_space(c));
}

struct str
js_trim(struct str text)
{
	return unicode_trim(text, js_is_space);
}

struct str_list
js_split_space(struct arena *a, struct str text)
{
	struct str *list = NULL;
	size_t n = 0, from = 0, used;
	bool space = false;

	for (size_t i = 0; i < text.n; i += used) {
		bool last = space;

		space = js_is_space(unicode_decode(str_from(text, i), &used));
		if (space && !last)
			*arena_push(a, list, n) = str_slice(text, from, i);
		if (space)
			from = i + used;
	}
	*arena_push(a, list, n) = str_from(text, from);
	return (struct str_list){ list, n };
}

/* ---- text to numbers ---- */

/* Moves *p past digits; returns whether there were any. */
static bool
skip_digits(const char **p)
{
	const char *from = *p;

	while (**p >= '0' && **p <= '9')
		++*p;
	return *p > from;
}

/* Returns whether the text is a StrDecimalLiteral other than Infinity. */
static bool
is_decimal(const char *p)
{
	bool whole, part = false;

	if (*p == '+' || *p == '-')
		p++;
	whole = skip_digits(&p);
	if (*p == '.') {
		p++;
		part = skip_digits(&p);
	}
	if (!whole && !part)
		return false;
	if (*p == 'e' || *p == 'E') {
		p++;
		if (*p == '+' || *p == '-')
			p++;
		if (!skip_digits(&p))
			return false;
	}
	return *p == '\0';
}

/*
 * Reads digits of 1, 3 or 4 bits each. The first 64 significant bits are kept.
 * The bits after them only set the last kept bit if one of them is 1, which is
 * all that rounding to 53 bits needs.
 */
static bool
read_bits(struct str digits, int width, double *number)
{
	uint64_t kept = 0;
	int lost = 0;

	for (size_t i = 0; i < digits.n; i++) {
		int value = ascii_hex(digits.s[i]);

		if (value < 0 || value >= 1 << width)
			return false;
		for (int bit = width - 1; bit >= 0; bit--) {
			uint64_t one = (uint64_t)(value >> bit & 1);

			if (kept >> 63 == 0) {
				kept = kept << 1 | one;
			} else {
				kept |= one;
				lost += lost < 4096;
			}
		}
	}
	*number = ldexp((double)kept, lost);
	return digits.n != 0;
}

bool
js_to_number(struct str text, double *number, struct arena *a)
{
	struct str t = js_trim(text), digits = str_from(t, 2);
	bool minus = str_starts(t, "-");
	int radix = t.n >= 2 && t.s[0] == '0' ? t.s[1] | 0x20 : '0';

	*number = 0;
	if (t.n == 0)
		return true;
	if (radix == 'x')
		return read_bits(digits, 4, number);
	if (radix == 'o')
		return read_bits(digits, 3, number);
	if (radix == 'b')
		return read_bits(digits, 1, number);
	if (str_is(str_from(t, minus || t.s[0] == '+'), "Infinity")) {
		*number = minus ? -INFINITY : INFINITY;
		return true;
	}
	if (memchr(t.s, '\0', t.n) != NULL || !is_decimal(str_c(a, t)))
		return false;
	*number = strtod(str_c(a, t), NULL);
	return true;
}

size_t
js_length(struct str source)
{
	size_t n = 0;

	for (size_t i = 0; i < source.n; i++) {
		unsigned char c = (unsigned char)source.s[i];

		if (c == '\\')
			i += source.s[i + 1] == 'u' ? 5 : 1;
		n += c >= 0xf0 ? 2 : (c & 0xc0) != 0x80;
	}
	return n;
}
