#include "base/date.h"

static bool
is_digit(struct str text, size_t i)
{
	return i < text.n && text.s[i] >= '0' && text.s[i] <= '9';
}

/* Takes a number of 1 to `most` digits off the front of the text. Returns the
 * number, or -1 if the text begins with no digit. */
static int
take(struct str *text, size_t most)
{
	int value = 0;
	size_t n = 0;

	for (; n < most && is_digit(*text, n); n++)
		value = value * 10 + (text->s[n] - '0');
	*text = str_from(*text, n);
	return n == 0 ? -1 : value;
}

/* Like take(), but the number must follow the character `mark`. */
static int
take_after(struct str *text, char mark, size_t most)
{
	if (text->n == 0 || *text->s != mark)
		return -1;
	*text = str_from(*text, 1);
	return take(text, most);
}

int
date_days_in(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool
read_date(struct date *t, struct str *text)
{
	size_t n = text->n;

	t->year = take(text, 4);
	if (n - text->n != 4)
		return false;
	t->month = take_after(text, '-', 2);
	t->day = take_after(text, '-', 2);
	return t->month >= 1 && t->month <= 12 && t->day >= 1 &&
	    t->day <= date_days_in(t->year, t->month);
}

static bool
read_clock(struct date *t, struct str *text)
{
	size_t n = 1;

	t->hour = take(text, 2);
	t->minute = take_after(text, ':', 2);
	t->second = take_after(text, ':', 2);
	if (text->n > 1 && (*text->s == '.' || *text->s == ',') &&
	    is_digit(*text, 1)) {
		while (is_digit(*text, n))
			n++;
		t->fraction = str_slice(*text, 1, n < 10 ? n : 10);
		*text = str_from(*text, n);
		while (str_ends(t->fraction, "0"))
			t->fraction.n--;
	}
	return t->hour >= 0 && t->hour < 24 && t->minute >= 0 &&
	    t->minute < 60 && t->second >= 0 && t->second < 60;
}

/* Reads the zone, which is all of the text: Z, or +HH:MM or -HH:MM. */
static bool
read_zone(struct date *t, struct str *text)
{
	struct str zone = *text;
	int sign = zone.n != 0 && *zone.s == '-' ? -1 : 1, hours, minutes;

	*text = str_from(zone, zone.n);
	if (str_is(zone, "Z"))
		return true;
	if (zone.n != 6 || (*zone.s != '+' && *zone.s != '-'))
		return false;
	zone = str_from(zone, 1);
	hours = take(&zone, 2);
	minutes = take_after(&zone, ':', 2);
	t->offset = sign * (hours * 60 + minutes);
	return zone.n == 0 && hours >= 0 && hours <= 24 && minutes >= 0 &&
	    minutes <= 60;
}

bool
date_read(struct date *t, struct str text)
{
	char mark;

	*t = (struct date){ 0 };
	if (!read_date(t, &text))
		return false;
	if (text.n == 0)
		return true;
	mark = *text.s;
	text = str_from(text, 1);
	if (mark != 'T' && mark != 't' && mark != ' ')
		return false;
	while (mark == ' ' && text.n != 0 && *text.s == ' ')
		text = str_from(text, 1);
	return read_clock(t, &text) && (mark == ' ' || read_zone(t, &text)) &&
	    text.n == 0;
}

struct str
date_print(struct arena *a, const struct date *t)
{
	int minutes = t->offset < 0 ? -t->offset : t->offset;
	struct str zone = minutes == 0
	    ? STR("Z")
	    : str_printf(a, "%c%02d:%02d", t->offset < 0 ? '-' : '+',
		  minutes / 60, minutes % 60);

	return str_printf(a, "%04d-%02d-%02dT%02d:%02d:%02d%s%.*s%.*s", t->year,
	    t->month, t->day, t->hour, t->minute, t->second,
	    t->fraction.n == 0 ? "" : ".", STR_FMT(t->fraction), STR_FMT(zone));
}
