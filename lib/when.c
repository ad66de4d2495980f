#include "when.h"

#include <math.h>
#include <stdio.h>

/* Reads exactly n digits from the front of the text. */
static inline bool
digits(struct str *t, size_t n, int64_t *value)
{
	*value = 0;
	if (t->n < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (t->s[i] < '0' || t->s[i] > '9')
			return false;
		*value = *value * 10 + (t->s[i] - '0');
	}
	t->s += n;
	t->n -= n;
	return true;
}

static inline bool
skip(struct str *t, char c)
{
	if (t->n == 0 || *t->s != c)
		return false;
	t->s++;
	t->n--;
	return true;
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar, by counting
 * years from March, so that the leap day is a year's last. */
static int64_t
days(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day -
	    1 - 719468;
}

static bool
date(struct str *t, int64_t *ms)
{
	int64_t year, month, day;

	if (!digits(t, 4, &year) || !skip(t, '-') || !digits(t, 2, &month) ||
	    !skip(t, '-') || !digits(t, 2, &day) || month < 1 || month > 12 ||
	    day < 1 || day > 31)
		return false;
	*ms = days(year, month, day) * 86400000;
	return true;
}

static bool
time_of_day(struct str *t, int64_t *ms)
{
	int64_t hour, minute, second, digit, weight = 100;

	if (!digits(t, 2, &hour) || !skip(t, ':') || !digits(t, 2, &minute) ||
	    !skip(t, ':') || !digits(t, 2, &second) || hour > 23 ||
	    minute > 59 || second > 60)
		return false;
	*ms += ((hour * 60 + minute) * 60 + second) * 1000;
	if (!skip(t, '.') && !skip(t, ','))
		return true;
	for (; digits(t, 1, &digit); weight /= 10)
		*ms += digit * weight;
	return weight != 100;
}

static bool
offset(struct str *t, int64_t *ms)
{
	int64_t hour, minute, sign = -1;

	if (t->n == 0 || skip(t, 'Z') || skip(t, 'z'))
		return true;
	if (!skip(t, '+')) {
		sign = 1;
		if (!skip(t, '-'))
			return false;
	}
	if (!digits(t, 2, &hour))
		return false;
	skip(t, ':');
	if (!digits(t, 2, &minute))
		return false;
	*ms += sign * (hour * 60 + minute) * 60000;
	return true;
}

bool
when_text(struct str t, int64_t *ms)
{
	return date(&t, ms) &&
	    (skip(&t, 'T') || skip(&t, 't') || skip(&t, ' ')) &&
	    time_of_day(&t, ms) && offset(&t, ms) && t.n == 0;
}

bool
when_number(double n, int64_t *ms)
{
	static const double per_second[] = { 1, 1e3, 1e6, 1e9 };

	for (int i = 0; i < 4; i++) {
		double seconds = n / per_second[i];

		if (seconds >= 1e8 && seconds < 1e10) {
			*ms = (int64_t)floor(seconds * 1000 + 0.5);
			return true;
		}
	}
	return false;
}

struct str
when_print(int64_t ms, char buf[WHEN_SIZE])
{
	int64_t day = ms / 86400000, rest = ms % 86400000;
	int64_t shifted, era, of_era, year, of_year, m;
	int n;

	if (rest < 0) {
		rest += 86400000;
		day--;
	}
	/* The reverse of days(): 400 years are 146097 days. */
	shifted = day + 719468;
	era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	of_era = shifted - era * 146097;
	year =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year + year / 4 - year / 100);
	m = (5 * of_year + 2) / 153;
	n = snprintf(buf, WHEN_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
	    (int)(year + era * 400 + (m >= 10)), (int)(m < 10 ? m + 3 : m - 9),
	    (int)(of_year - (153 * m + 2) / 5 + 1), (int)(rest / 3600000),
	    (int)(rest / 60000 % 60), (int)(rest / 1000 % 60),
	    (int)(rest % 1000));
	return (struct str){ buf, (size_t)n };
}
