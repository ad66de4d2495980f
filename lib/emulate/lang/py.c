#include "emulate/lang/py.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"
#include "text/unicode_sets.h"
#include "json/decimal.h"
#include "json/keys.h"

/* ---- equality ---- */

static bool
is_number(const struct json *v)
{
	return json_is(v, JSON_NUMBER) || json_is(v, JSON_TRUE) ||
	    json_is(v, JSON_FALSE);
}

/* Returns a number's text; in Python, True is 1. */
static struct str
digits_of(const struct json *v)
{
	if (v->type == JSON_NUMBER)
		return v->text;
	return v->type == JSON_TRUE ? STR("1") : STR("0");
}

static bool
is_float(struct str number)
{
	return !decimal_is_plain(number);
}

static bool
same_digits(struct str a, struct str b, struct arena *memory)
{
	struct decimal x = decimal_of(memory, a), y = decimal_of(memory, b);

	return decimal_compare(&x, &y) == 0;
}

/* Returns whether the integer is exactly the value of the double. */
static bool
is_double(struct str integer, double d, struct arena *a)
{
	if (!isfinite(d) || d != trunc(d))
		return false;
	return same_digits(integer, str_printf(a, "%.0f", d), a);
}

static bool
numbers_equal(const struct json *x, const struct json *y, struct arena *a)
{
	struct str m = digits_of(x), n = digits_of(y);

	if (is_float(m) && is_float(n))
		return json_double(x) == json_double(y);
	if (is_float(m))
		return is_double(n, json_double(x), a);
	if (is_float(n))
		return is_double(m, json_double(y), a);
	return same_digits(m, n, a);
}

bool
py_equal(const struct json *a, const struct json *b, struct arena *memory)
{
	if (is_number(a) && is_number(b))
		return numbers_equal(a, b, memory);
	if (a == NULL || b == NULL || a->type != b->type)
		return false;
	switch (a->type) {
	case JSON_ARRAY:
		return json_lists_equal(a, b, py_equal, memory);
	case JSON_OBJECT:
		return json_keys_equal(a, b, py_equal, memory);
	default:
		return json_equal(a, b);
	}
}

/* ---- fields ---- */

/* Returns the value of a decimal digit of any script, or -1. The ten digits of
 * a script are adjacent. */
static int
digit_value(uint32_t character)
{
	size_t n;
	const struct unicode_set *set = unicode_categories(&n);
	uint32_t from = 0;

	while (strcmp(set->name, "Nd") != 0)
		set++;
	for (size_t i = 0; i + 1 < set->n; i += 2) {
		from += set->runs[i];
		if (character < from)
			return -1;
		if (character - from < set->runs[i + 1])
			return (int)((character - from) % 10);
		from += set->runs[i + 1];
	}
	return -1;
}

/* Trims the text, and turns the digits of every script into ASCII digits. */
static struct str
in_ascii(struct str text, struct arena *a)
{
	char *copy = arena_alloc(a, text.n);
	size_t n = 0, length;

	text = unicode_trim(text, unicode_is_space);
	for (size_t i = 0; i < text.n; i += length) {
		int value =
		    digit_value(unicode_decode(str_from(text, i), &length));

		if (value >= 0)
			copy[n++] = (char)('0' + value);
		else
			for (size_t j = 0; j < length; j++)
				copy[n++] = text.s[i + j];
	}
	return (struct str){ copy, n };
}

static bool
is_digit(struct str text, size_t i)
{
	return i < text.n && text.s[i] >= '0' && text.s[i] <= '9';
}

static bool
is_between_digits(struct str text, size_t i)
{
	return i != 0 && is_digit(text, i - 1) && is_digit(text, i + 1);
}

/* Removes underscores; the result is absent if one is not allowed by `may`. */
static struct str
without(struct str text, bool (*may)(struct str, size_t), struct arena *a)
{
	char *copy = arena_alloc(a, text.n);
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] != '_')
			copy[n++] = text.s[i];
		else if (!may(text, i))
			return (struct str){ 0 };
	}
	return (struct str){ copy, n };
}

/* Removes underscores as Python does: each must be between two digits. */
static struct str
joined(struct str text, struct arena *a)
{
	return without(text, is_between_digits, a);
}

static size_t
skip_sign(struct str text)
{
	return text.n != 0 && (text.s[0] == '-' || text.s[0] == '+');
}

static size_t
skip_digits(struct str text, size_t i, char most)
{
	while (i < text.n && text.s[i] >= '0' && text.s[i] <= most)
		i++;
	return i;
}

/* Returns the text if it is digits with an optional sign (without a '+'); else
 * absent. */
static struct str
int_text(struct str text)
{
	size_t sign;

	if (text.s == NULL)
		return text;
	sign = skip_sign(text);
	if (sign == text.n || skip_digits(text, sign, '9') != text.n)
		return (struct str){ 0 };
	return text.s[0] == '+' ? str_from(text, 1) : text;
}

/* Like int_text, for text that may end with a point and one zero or more.
 * Underscores are allowed before the point only. */
static struct str
whole_text(struct str text, struct arena *a)
{
	size_t point = str_find_char(text, '.');

	if (point + 1 == text.n ||
	    skip_digits(text, point + (point < text.n), '0') != text.n)
		return (struct str){ 0 };
	return int_text(joined(str_slice(text, 0, point), a));
}

static int64_t
saturated(const struct decimal *d)
{
	int64_t places = d->exponent + (int64_t)d->digits.n, value = 0;
	int64_t limit = d->sign < 0 ? INT64_MIN : INT64_MAX;

	if (places > 19)
		return limit;
	for (int64_t i = 0; i < places; i++) {
		int digit = i < (int64_t)d->digits.n ? d->digits.s[i] - '0' : 0;

		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(
			value, d->sign < 0 ? -digit : digit, &value))
			return limit;
	}
	return value;
}

static bool
read_int(struct str digits, int64_t *value, struct arena *a)
{
	struct decimal d;

	if (digits.s == NULL)
		return false;
	d = decimal_of(a, digits);
	*value = saturated(&d);
	return decimal_is_integer(&d);
}

bool
py_int_text(struct str text, int64_t *value, struct arena *a)
{
	return read_int(int_text(joined(in_ascii(text, a), a)), value, a);
}

/* Reads a float as an integer, if int64_t holds it. */
static bool
read_whole(double d, int64_t *value)
{
	bool whole = d == trunc(d) && fabs(d) < 0x1p63;

	*value = whole ? (int64_t)d : 0;
	return whole;
}

bool
py_int(const struct json *v, int64_t *value, struct arena *a)
{
	struct str text = { 0 };

	if (json_is(v, JSON_NUMBER) && is_float(v->text))
		return read_whole(json_double(v), value);
	if (json_is(v, JSON_STRING))
		text = whole_text(
		    unicode_trim(json_text(v, a), unicode_is_space), a);
	else if (is_number(v))
		text = digits_of(v);
	return read_int(text, value, a);
}

/* Returns whether the text has only characters of a decimal number, or is a
 * word that strtod reads as Python does. */
static bool
is_float_text(struct str text)
{
	static const char *const words[] = { "inf", "infinity", "nan" };
	struct str rest = str_from(text, skip_sign(text));

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (str_eq_ascii_nocase(rest, str_of(words[i])))
			return true;
	for (size_t i = 0; i < rest.n; i++)
		if (str_find_char(STR("0123456789.eE+-"), rest.s[i]) == 15)
			return false;
	return rest.n != 0;
}

static bool
read_float(struct str text, double *value, struct arena *a)
{
	const char *copy;
	char *end;

	if (text.s == NULL || !is_float_text(text))
		return false;
	copy = str_c(a, text);
	*value = strtod(copy, &end);
	return end == copy + text.n;
}

bool
py_float_text(struct str text, double *value, struct arena *a)
{
	return read_float(joined(in_ascii(text, a), a), value, a);
}

/* pydantic removes underscores from a float anywhere but at the ends and next
 * to each other, if there are no blanks around the text. */
static bool
is_within(struct str text, size_t i)
{
	return i != 0 && i + 1 < text.n && text.s[i - 1] != '_';
}

bool
py_float(const struct json *v, double *value, struct arena *a)
{
	struct str text;

	if (json_is(v, JSON_NUMBER)) {
		*value = json_double(v);
		return true;
	}
	if (is_number(v)) {
		*value = json_is(v, JSON_TRUE);
		return true;
	}
	text = json_text(v, a);
	return read_float(unicode_trim(text, unicode_is_space), value, a) ||
	    read_float(without(text, is_within, a), value, a);
}

bool
py_bool(const struct json *v, bool *value, struct arena *a)
{
	static const char *const words[] = { "false", "true", "no", "yes",
		"off", "on", "f", "t", "n", "y", "0", "1" };
	struct str text = json_text(v, a);
	double number;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (str_eq_ascii_nocase(text, str_of(words[i]))) {
			*value = i % 2;
			return true;
		}
	}
	if (!is_number(v) || !py_float(v, &number, a))
		return false;
	*value = number != 0;
	return number == 0 || number == 1;
}
