#include "base/timestamp.h"

#include <math.h>
#include <stdio.h>

#include "base/date.h"
#include "base/swar.h"

enum { USUAL = 24 }; /* bytes of 2026-03-01T10:15:00.000Z */

/* Reads exactly n digits from the front of the text. */
static inline bool
digits(struct str *t, size_t n, int *value)
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

/* Returns the days since 1970-01-01 in the proleptic Gregorian calendar. Years
 * are counted from March, so that the leap day is the last day of a year, and
 * from 400 years earlier (146097 days), so that no year is negative. */
static inline int
days(int year, int month, int day)
{
	unsigned y = (unsigned)(year + (month <= 2 ? 399 : 400));
	unsigned m = (unsigned)(month <= 2 ? month + 9 : month - 3);
	unsigned n = 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10;

	return (int)n + day - 1 - (719468 + 146097);
}

static inline bool
is_date(int year, int month, int day)
{
	return month >= 1 && month <= 12 && day >= 1 &&
	    (day <= 28 || day <= date_days_in(year, month));
}

static inline bool
is_time(int hour, int minute, int second)
{
	return hour <= 23 && minute <= 59 && second <= 60;
}

static bool
date(struct str *t, int64_t *ms)
{
	int year, month, day;

	if (!digits(t, 4, &year) || !skip(t, '-') || !digits(t, 2, &month) ||
	    !skip(t, '-') || !digits(t, 2, &day) || !is_date(year, month, day))
		return false;
	*ms = days(year, month, day) * INT64_C(86400000);
	return true;
}

static bool
minute_of_day(struct str *t, int64_t *ms)
{
	int hour, minute;

	if (!digits(t, 2, &hour) || !skip(t, ':') || !digits(t, 2, &minute) ||
	    !is_time(hour, minute, 0))
		return false;
	*ms += (hour * 60 + minute) * INT64_C(60000);
	return true;
}

static bool
seconds(struct str *t, int64_t *ms)
{
	int second, digit, weight = 100;

	if (!skip(t, ':') || !digits(t, 2, &second) || !is_time(0, 0, second))
		return false;
	*ms += second * INT64_C(1000);
	if (!skip(t, '.') && !skip(t, ','))
		return true;
	for (; digits(t, 1, &digit); weight /= 10)
		*ms += (int64_t)digit * weight;
	return weight != 100;
}

static bool
offset(struct str *t, int64_t *ms)
{
	int hour, minute, sign = -1;

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
	*ms += INT64_C(60000) * sign * (hour * 60 + minute);
	return true;
}

/*
 * Reads eight bytes at once. Where the form has a zero, s must have a digit;
 * elsewhere s must have the byte of the form, which counts as the value zero.
 * Each byte of the result is the value of two digits: the byte of s at the same
 * index and the byte after it. The bytes of `add` are chosen so that a digit's
 * value plus `add` stays below the top bit, and anything else reaches it, as
 * does any other byte where no digit belongs; these top bits are set in *wrong.
 */
static inline uint64_t
pairs(const char *s, const char *form, const char *add, uint64_t *wrong)
{
	uint64_t value = swar(s) ^ swar(form);

	*wrong |= value | (value + swar(add));
	return value * 10 + (value >> 8);
}

/* Returns the pair that begins at this index. */
static inline int
pair(uint64_t pairs, int at)
{
	return (int)(pairs >> 8 * at & 0xff);
}

/* Returns the milliseconds within the minute from the end of the usual form,
 * :00.000Z. *wrong is as in pairs(), and gets all bits set for a second beyond
 * 60. */
static inline int
of_minute(const char *s, uint64_t *wrong)
{
	uint64_t end = pairs(s, ":00.000Z", "\x7fvv\x7fvvv\x7f", wrong);
	int second = pair(end, 1);

	*wrong |= 0 - (uint64_t)(second > 60);
	return second * 1000 + pair(end, 3) * 100 + pair(end, 5);
}

static inline bool
any_wrong(uint64_t wrong)
{
	return (wrong & UINT64_C(0x8080808080808080)) != 0;
}

/* Reads the form that most times have, 2026-03-01T10:15:00.000Z, eight bytes at
 * a time. Returns false for any other form. */
static inline bool
usual(struct str t, int64_t *ms)
{
	uint64_t date, time, wrong = 0;
	int year, minutes, rest;

	if (t.n != USUAL)
		return false;
	date = pairs(t.s, "0000-00-", "vvvv\x7fvv\x7f", &wrong);
	time = pairs(t.s + 8, "00T00:00", "vv\x7fvv\x7fvv", &wrong);
	rest = of_minute(t.s + 16, &wrong);
	if (any_wrong(wrong))
		return false;
	year = pair(date, 0) * 100 + pair(date, 2);
	minutes = pair(time, 3) * 60 + pair(time, 6);
	*ms = days(year, pair(date, 5), pair(time, 0)) * INT64_C(86400000) +
	    minutes * INT64_C(60000) + rest;
	return is_date(year, pair(date, 5), pair(time, 0)) &&
	    is_time(pair(time, 3), pair(time, 6), 0);
}

static __attribute__((noinline)) bool
unusual(struct str t, int64_t *ms)
{
	return date(&t, ms) &&
	    (skip(&t, 'T') || skip(&t, 't') || skip(&t, ' ')) &&
	    minute_of_day(&t, ms) && seconds(&t, ms) && offset(&t, ms) &&
	    t.n == 0;
}

bool
timestamp_text(struct str t, int64_t *ms)
{
	return usual(t, ms) || unusual(t, ms);
}

/* Reads a time, and stores the minute as it is written, taken as UTC. */
static __attribute__((noinline)) bool
another_minute(struct str t, struct timestamp_minute *minute, int64_t *ms)
{
	const size_t n = sizeof minute->text;
	char begin[USUAL];
	int64_t began;

	if (!timestamp_text(t, ms))
		return false;
	memcpy(begin, t.s, n);
	memcpy(begin + n, ":00.000Z", USUAL - n);
	if (usual((struct str){ begin, USUAL }, &began)) {
		memcpy(minute->text, t.s, n);
		minute->ms = began;
	}
	return true;
}

static __attribute__((noinline)) bool
unusual_rest(struct str t, int64_t *ms)
{
	return seconds(&t, ms) && offset(&t, ms) && t.n == 0;
}

bool
timestamp_text_near(struct str t, struct timestamp_minute *minute, int64_t *ms)
{
	const size_t n = sizeof minute->text;
	uint64_t wrong = 0;

	if (t.n < n || minute->text[0] == '\0' ||
	    memcmp(t.s, minute->text, n) != 0)
		return another_minute(t, minute, ms);
	*ms = minute->ms;
	if (t.n == USUAL) {
		*ms += of_minute(t.s + n, &wrong);
		if (!any_wrong(wrong))
			return true;
		*ms = minute->ms;
	}
	return unusual_rest(str_from(t, n), ms);
}

bool
timestamp_number(double n, int64_t *ms)
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

/* Writes the last n digits of a value that is not negative, and the character
 * `after`. Returns the end. */
static char *
put(char *to, int64_t value, int n, char after)
{
	to[n] = after;
	for (int i = n; i-- > 0; value /= 10)
		to[i] = (char)('0' + value % 10);
	return to + n + 1;
}

/* Writes the seconds at `to`, behind the minute and its colon, and returns the
 * text from the start of buf. */
static struct str
put_seconds(const char *buf, char *to, int ms)
{
	to = put(to, ms / 1000, 2, '.');
	to = put(to, ms % 1000, 3, 'Z');
	*to = '\0';
	return (struct str){ buf, (size_t)(to - buf) };
}

struct str
timestamp_print(int64_t ms, char buf[TIMESTAMP_SIZE])
{
	int64_t day = ms / 86400000, rest = ms % 86400000;
	int64_t shifted, era, of_era, year, of_year, m;
	char *to = buf;

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
	year += era * 400 + (m >= 10);
	if (year >= 0 && year <= 9999)
		to = put(to, year, 4, '-');
	else
		to += snprintf(to, TIMESTAMP_SIZE, "%04d-", (int)year);
	to = put(to, m < 10 ? m + 3 : m - 9, 2, '-');
	to = put(to, of_year - (153 * m + 2) / 5 + 1, 2, 'T');
	to = put(to, rest / 3600000, 2, ':');
	to = put(to, rest / 60000 % 60, 2, ':');
	return put_seconds(buf, to, (int)(rest % 60000));
}

struct str
timestamp_print_near(
    int64_t ms, struct timestamp_minute *minute, char buf[TIMESTAMP_SIZE])
{
	const size_t n = sizeof minute->text;
	int64_t rest = ms - minute->ms;
	struct str text;

	if (minute->text[0] != '\0' && rest >= 0 && rest < 60000) {
		memcpy(buf, minute->text, n);
		buf[n] = ':';
		return put_seconds(buf, buf + n + 1, (int)rest);
	}
	text = timestamp_print(ms, buf);
	if (ms >= 0 && text.n == USUAL) {
		memcpy(minute->text, text.s, n);
		minute->ms = ms - ms % 60000;
	}
	return text;
}
