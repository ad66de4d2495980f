/* The values of JSON numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "json/json.h"

/* Reads a number that consists of digits only, and fits. Most numbers do. */
static bool
short_integer(struct str text, int64_t *value)
{
	uint64_t n = 0;

	if (text.n > 19)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
		n = n * 10 + (unsigned)(text.s[i] - '0');
	}
	if (n > INT64_MAX)
		return false;
	*value = (int64_t)n;
	return true;
}

/* Reads any number with strtod, which needs a terminated string. */
static __attribute__((noinline)) double
number(struct str text)
{
	char digits[64], *copy = digits;
	double value;

	if (text.n >= sizeof digits) {
		copy = malloc(text.n + 1);
		if (copy == NULL)
			diag_die("out of memory");
	}
	memcpy(copy, text.s, text.n);
	copy[text.n] = '\0';
	value = strtod(copy, NULL);
	if (copy != digits)
		free(copy);
	return value;
}

double
json_double(const struct json *v)
{
	int64_t integer;

	if (!json_is(v, JSON_NUMBER))
		return NAN;
	return short_integer(v->text, &integer) ? (double)integer
						: number(v->text);
}

/* The number digits * 10^exponent. */
struct scaled {
	uint64_t digits; /* without zeros at the end */
	int64_t exponent;
	bool negative;
	bool large; /* there are more digits than fit */
};

static bool
append(uint64_t *n, unsigned digit)
{
	if (*n > (UINT64_MAX - digit) / 10)
		return false;
	*n = *n * 10 + digit;
	return true;
}

static int64_t
exponent_of(struct str text)
{
	const int64_t enough = INT64_C(1) << 40; /* longer than any text */
	bool negative = text.s[0] == '-';
	int64_t value = 0;

	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] >= '0' && value < enough)
			value = value * 10 + (text.s[i] - '0');
	return negative ? -value : value;
}

static struct scaled
read_scaled(struct str text)
{
	struct scaled d = { .negative = text.s[0] == '-' };
	int64_t zeros = 0; /* zeros that are not in digits yet */
	bool point = false;

	for (size_t i = d.negative ? 1 : 0; i < text.n; i++) {
		char c = text.s[i];

		if ((c | 0x20) == 'e') {
			d.exponent += exponent_of(str_from(text, i + 1));
			break;
		}
		if (c == '.') {
			point = true;
			continue;
		}
		d.exponent -= point ? 1 : 0;
		zeros++;
		for (; c != '0' && zeros > 0 && !d.large; zeros--)
			d.large = !append(
			    &d.digits, zeros == 1 ? (unsigned)(c - '0') : 0);
	}
	d.exponent += zeros;
	return d;
}

bool
json_int(const struct json *v, int64_t *value)
{
	struct scaled d;

	if (!json_is(v, JSON_NUMBER))
		return false;
	if (short_integer(v->text, value))
		return true;
	d = read_scaled(v->text);
	if (d.digits == 0)
		d.exponent = 0;
	if (d.large || d.exponent < 0)
		return false;
	for (; d.exponent > 0; d.exponent--)
		if (!append(&d.digits, 0))
			return false;
	if (d.digits > (uint64_t)INT64_MAX + (d.negative ? 1 : 0))
		return false;
	*value = d.negative ? (int64_t)(0 - d.digits) : (int64_t)d.digits;
	return true;
}
