#include "json/decimal.h"

#include <assert.h>

enum { EXPONENT_MAX = 1000 * 1000 * 1000, WORD_DIGITS = 18 };

static int64_t
exponent_of(struct str text)
{
	bool minus = str_starts(text, "-");
	int64_t value = 0;

	for (size_t i = minus || str_starts(text, "+"); i < text.n; i++)
		if (value < EXPONENT_MAX)
			value = value * 10 + (text.s[i] - '0');
	return minus ? -value : value;
}

struct decimal
decimal_of(struct arena *a, struct str number)
{
	bool minus = str_starts(number, "-");
	struct str rest = str_from(number, minus);
	size_t e = str_find_char(rest, 'e'), n = 0, zeros = 0;
	struct decimal d = { .sign = minus ? -1 : 1 };
	char *digits = arena_alloc(a, number.n + 1);
	bool fraction = false;

	if (e == rest.n)
		e = str_find_char(rest, 'E');
	if (e < rest.n)
		d.exponent = exponent_of(str_from(rest, e + 1));
	for (size_t i = 0; i < e; i++) {
		if (rest.s[i] == '.') {
			fraction = true;
			continue;
		}
		d.exponent -= fraction;
		if (n != 0 || rest.s[i] != '0')
			digits[n++] = rest.s[i];
	}
	while (zeros < n && digits[n - 1 - zeros] == '0')
		zeros++;
	d.digits = (struct str){ digits, n - zeros };
	d.exponent += (int64_t)zeros;
	if (n == 0)
		d = (struct decimal){ .digits = STR("") };
	return d;
}

bool
decimal_is_plain(struct str number)
{
	for (size_t i = 0; i < number.n; i++)
		if (number.s[i] == '.' || (number.s[i] | 0x20) == 'e')
			return false;
	return true;
}

bool
decimal_is_integer(const struct decimal *d)
{
	return d->exponent >= 0;
}

/* Returns the exponent of the smallest power of ten above the number. */
static int64_t
magnitude(const struct decimal *d)
{
	return d->exponent + (int64_t)d->digits.n;
}

int
decimal_compare(const struct decimal *a, const struct decimal *b)
{
	int64_t x = magnitude(a), y = magnitude(b);
	int order;

	if (a->sign != b->sign)
		return a->sign < b->sign ? -1 : 1;
	order = x != y ? (x > y) - (x < y) : str_cmp(a->digits, b->digits);
	return order < 0 ? -a->sign : order > 0 ? a->sign : 0;
}

/* Returns a * b modulo m, all below 2^62, without a wider integer type. */
static uint64_t
multiply(uint64_t a, uint64_t b, uint64_t m)
{
	uint64_t product = 0;

	assert(m != 0);
	for (a %= m; b != 0; b /= 2) {
		if (b & 1)
			product = (product + a) % m;
		a = a * 2 % m;
	}
	return product;
}

/* Returns 10^n modulo m, by squaring. */
static uint64_t
power_of_ten(uint64_t n, uint64_t m)
{
	uint64_t power, square;

	assert(m != 0);
	power = 1 % m;
	square = 10 % m;

	for (; n != 0; n /= 2) {
		if (n & 1)
			power = multiply(power, square, m);
		square = multiply(square, square, m);
	}
	return power;
}

bool
decimal_is_multiple(const struct decimal *a, const struct decimal *b)
{
	uint64_t divisor = 0, rest = 0;

	if (a->sign == 0 || b->sign == 0)
		return a->sign == 0 && b->sign != 0;
	if (b->digits.n > WORD_DIGITS)
		return str_eq(a->digits, b->digits) &&
		    a->exponent >= b->exponent;
	if (a->exponent < b->exponent)
		return false;
	for (size_t i = 0; i < b->digits.n; i++)
		divisor = divisor * 10 + (uint64_t)(b->digits.s[i] - '0');
	for (size_t i = 0; i < a->digits.n; i++)
		rest = (multiply(rest, 10, divisor) +
			   (uint64_t)(a->digits.s[i] - '0')) %
		    divisor;
	return multiply(rest,
		   power_of_ten((uint64_t)(a->exponent - b->exponent), divisor),
		   divisor) == 0;
}
