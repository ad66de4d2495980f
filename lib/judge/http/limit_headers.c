#include "judge/http/limit_headers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"

static const char *const kinds[LIMIT_COUNT] = {
	[LIMIT_REQUESTS] = "requests",
	[LIMIT_TOKENS] = "tokens",
	[LIMIT_INPUT_TOKENS] = "input-tokens",
	[LIMIT_OUTPUT_TOKENS] = "output-tokens",
};

/* ---- values ---- */

/* Returns the length in seconds of a unit of a Go duration; 0: unknown
 * unit. */
static double
unit(struct str name)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "h", 3600 }, { "m", 60 }, { "s", 1 }, { "ms", 1e-3 },
		{ "us", 1e-6 }, { "\xc2\xb5s", 1e-6 }, { "\xce\xbcs", 1e-6 },
		{ "ns", 1e-9 } };

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (str_is(name, units[i].name))
			return units[i].seconds;
	return 0;
}

static bool
is_of_number(char c)
{
	return (c >= '0' && c <= '9') || c == '.';
}

/* Removes the number at the start of *text and returns it; negative: there is
 * no number. */
static double
take_number(struct str *text)
{
	char digits[32], *end;
	double number;
	size_t n = 0;

	while (n < text->n && n + 1 < sizeof digits && is_of_number(text->s[n]))
		n++;
	memcpy(digits, text->s, n);
	digits[n] = '\0';
	number = strtod(digits, &end);
	*text = str_from(*text, n);
	return n == 0 || *end != '\0' ? -1 : number;
}

static double
duration(struct str text)
{
	double sum = 0, number;
	size_t n;

	if (text.n == 0)
		return -1;
	while (text.n > 0) {
		number = take_number(&text);
		if (number < 0)
			return -1;
		if (text.n == 0 && sum == 0)
			return number; /* a number without a unit: seconds */
		for (n = 0; n < text.n && !is_of_number(text.s[n]); n++)
			continue;
		number *= unit(str_slice(text, 0, n));
		if (unit(str_slice(text, 0, n)) == 0)
			return -1;
		sum += number;
		text = str_from(text, n);
	}
	return sum;
}

double
limit_headers_seconds(struct str text, int64_t now)
{
	int64_t ms;

	if (timestamp_text(text, &ms))
		return fmax(0, (double)(ms - now) / 1000);
	return duration(text);
}

/* ---- headers ---- */

/* Removes `end` from the end of *name. Returns false if *name does not end
 * with it. */
static bool
cut_end(struct str *name, struct str end)
{
	size_t n = name->n;

	if (n < end.n || !str_eq_ascii_nocase(str_from(*name, n - end.n), end))
		return false;
	*name = str_slice(*name, 0, n - end.n);
	return true;
}

/* Returns whether `name` is the header for `what` ("remaining" or "reset") of
 * the kind. */
static bool
is_named(struct str name, struct str what, enum limit_kind kind)
{
	struct str rest = name;

	if (cut_end(&rest, str_of(kinds[kind])) && cut_end(&rest, STR("-")) &&
	    cut_end(&rest, what) &&
	    str_eq_ascii_nocase(rest, STR("x-ratelimit-")))
		return true;
	return cut_end(&name, what) && cut_end(&name, STR("-")) &&
	    cut_end(&name, str_of(kinds[kind])) &&
	    str_eq_ascii_nocase(name, STR("anthropic-ratelimit-"));
}

void
limit_headers_read(
    struct limit_headers *l, struct str name, struct str value, int64_t now)
{
	double seconds = limit_headers_seconds(value, now);

	if (seconds < 0)
		return;
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (is_named(name, STR("remaining"), (enum limit_kind)i)) {
			l->kind[i].known = true;
			l->kind[i].left = seconds; /* a number without a unit */
		} else if (is_named(name, STR("reset"), (enum limit_kind)i)) {
			l->kind[i].reset = seconds;
		}
	}
}

double
limit_headers_rest(const struct limit_headers *l, double tokens)
{
	double rest = 0;

	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		double need = i == LIMIT_REQUESTS ? 1 : tokens;

		if (i == LIMIT_OUTPUT_TOKENS)
			need = 1;
		if (l->kind[i].known && l->kind[i].left < need)
			rest = fmax(rest, l->kind[i].reset);
	}
	return rest;
}
