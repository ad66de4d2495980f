#include "base/str.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/swar.h"
#include "base/utf8.h"

int
str_fmt_len(struct str text)
{
	return text.n > INT_MAX ? INT_MAX : (int)text.n;
}

bool
str_eq_bytes(const char *a, const char *b, size_t n)
{
	return str_same(a, b, n);
}

bool
str_eq_ascii_nocase(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || strncasecmp(a.s, b.s, a.n) == 0);
}

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n == 0 ? 0 : memcmp(a.s, b.s, n);

	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

int
str_compare(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

size_t(str_find)(struct str text, struct str needle)
{
	const char *at;

	if (needle.n == 0)
		return 0;
	if (text.n < needle.n)
		return text.n;
	at = memmem(text.s, text.n, needle.s, needle.n);
	return at == NULL ? text.n : (size_t)(at - text.s);
}

size_t
str_find_char(struct str text, char c)
{
	const char *at = text.n == 0 ? NULL : memchr(text.s, c, text.n);

	return at == NULL ? text.n : (size_t)(at - text.s);
}

size_t
str_count_char(struct str text, char c)
{
	size_t n = 0;

	for (size_t i = 0; (i += str_find_char(str_from(text, i), c)) < text.n;
	     i++)
		n++;
	return n;
}

bool(str_contains)(struct str text, struct str needle)
{
	return needle.n == 0 || str_find(text, needle) < text.n;
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t
str_characters(struct str text)
{
	size_t n = 0, i = 0;

	for (; i + 8 <= text.n; i += 8) {
		uint64_t bytes = swar(text.s + i);

		/* Within a character, the top bits of a byte are 1 and 0. The
		 * product has the sum of all bytes in its top byte. */
		bytes = (bytes & ~(bytes << 1) & swar_times(0x80)) >> 7;
		n += 8 - (size_t)(bytes * swar_times(1) >> 56);
	}
	for (; i < text.n; i++)
		n += !utf8_is_within(text.s[i]);
	return n;
}

struct str
str_truncate(struct str text, size_t most)
{
	if (text.n <= most)
		return text;
	while (most > 0 && utf8_is_within(text.s[most]))
		most--;
	return str_slice(text, 0, most);
}

struct str
str_ellipsize(struct arena *a, struct str text, size_t most)
{
	return text.n <= most
	    ? text
	    : str_cat(a, str_truncate(text, most), STR("..."));
}

struct str
str_folder(struct str path)
{
	while (path.n != 0 && path.s[path.n - 1] != '/')
		path.n--;
	return path;
}

struct str
str_file_name(struct str path)
{
	return str_from(path, str_folder(path).n);
}

struct str
str_trim(struct str text)
{
	size_t from = 0;

	while (from < text.n && is_space(text.s[from]))
		from++;
	while (text.n > from && is_space(text.s[text.n - 1]))
		text.n--;
	return str_from(text, from);
}

struct str
str_squeeze(struct arena *a, struct str text)
{
	char *copy;
	size_t n = 0;

	text = str_trim(text);
	copy = arena_alloc(a, text.n + 1);
	for (size_t i = 0; i < text.n; i++) {
		if (!is_space(text.s[i]))
			copy[n++] = text.s[i];
		else if (!is_space(text.s[i - 1]))
			copy[n++] = ' ';
	}
	return (struct str){ copy, n };
}

bool
str_is_one_of(struct str text, const char *words)
{
	for (; text.n != 0 && words != NULL; words = strchr(words, ' ')) {
		words += *words == ' ';
		if (*words == *text.s && strcspn(words, " ") == text.n &&
		    str_same(words, text.s, text.n))
			return true;
	}
	return false;
}

bool
str_ends_with_one_of(struct str text, const char *words)
{
	struct str rest = str_of(words);

	while (rest.s != NULL)
		if (str_ends(text, str_cut(&rest, ' ')))
			return true;
	return false;
}

struct str
str_cut(struct str *rest, char sep)
{
	struct str all = *rest;
	size_t at = str_find_char(all, sep);

	*rest = at < all.n ? str_from(all, at + 1) : (struct str){ 0 };
	return str_slice(all, 0, at);
}

char *
str_c(struct arena *a, struct str text)
{
	char *copy = arena_room(a, text.n + 1);

	if (text.n != 0)
		memcpy(copy, text.s, text.n);
	copy[text.n] = '\0';
	return copy;
}

struct str
str_dup(struct arena *a, struct str text)
{
	return (struct str){ str_c(a, text), text.n };
}

struct str
str_cat(struct arena *a, struct str one, struct str two)
{
	return str_join(a, (struct str[]){ one, two }, 2, (struct str){ 0 });
}

struct str
str_cat3(struct arena *a, struct str one, struct str two, struct str three)
{
	return str_join(
	    a, (struct str[]){ one, two, three }, 3, (struct str){ 0 });
}

struct str
str_join(struct arena *a, const struct str *list, size_t n, struct str between)
{
	size_t total = 0;
	char *copy, *p;

	for (size_t i = 0; i < n; i++)
		total += list[i].n + (i == 0 ? 0 : between.n);
	p = copy = arena_room(a, total + 1);
	for (size_t i = 0; i < n; i++) {
		if (i != 0 && between.n != 0)
			p = str_put(p, between.s, between.n);
		if (list[i].n != 0)
			p = str_put(p, list[i].s, list[i].n);
	}
	*p = '\0';
	return (struct str){ copy, total };
}

struct str
str_list_text(struct arena *a, struct str_list list)
{
	return str_join(a, list.list, list.n, STR(", "));
}

void
str_list_add(struct arena *a, struct str_list *list, struct str text)
{
	struct str *grown;

	/* The list was allocated here, and is constant for others alone. */
	memcpy(&grown, &list->list, sizeof grown);
	*arena_push(a, grown, list->n) = text;
	list->list = grown;
}

struct str
str_replace(struct arena *a, struct str text, struct str from, struct str to)
{
	struct str *parts = NULL;
	size_t n = 0, at;

	while ((at = str_find(text, from)) < text.n) {
		*arena_push(a, parts, n) = str_slice(text, 0, at);
		text = str_from(text, at + from.n);
	}
	*arena_push(a, parts, n) = text;
	return str_join(a, parts, n, to);
}

/* ---- formatted texts ---- */

/*
 * Nearly all formats consist of texts and plain numbers, for which libc takes
 * one to two thousand instructions each. The code below takes such a format
 * apart, and leaves all others to libc.
 */

char *
str_digits(char *to, int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char *end;

	if (value < 0)
		*to++ = '-';
	end = to + 1;
	for (uint64_t more = 10; more <= rest; more *= 10)
		end++;
	to = end;
	do
		*--to = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	return end;
}

static struct str
digits_of(char *room, int64_t value)
{
	return (struct str){ room, (size_t)(str_digits(room, value) - room) };
}

enum { DECIMALS = 6 }; /* at most */

/* Returns the value with this number of decimals, or the absent text for a
 * value that libc must round: one that is negative, large, or nearly half-way
 * between two results. */
static struct str
fixed(char *room, double value, int decimals)
{
	int64_t unit = 1, n;
	double scaled, rest;
	char *p;

	for (int i = 0; i < decimals; i++)
		unit *= 10;
	scaled = value * (double)unit;
	if (signbit(value) || !(scaled < 1e9))
		return (struct str){ 0 };
	n = (int64_t)scaled;
	rest = scaled - (double)n;
	if (fabs(rest - 0.5) < 1e-6)
		return (struct str){ 0 };
	n += rest > 0.5;
	p = str_digits(room, n / unit);
	if (decimals != 0)
		*p++ = '.';
	while ((unit /= 10) != 0)
		*p++ = (char)('0' + n / unit % 10);
	return (struct str){ room, (size_t)(p - room) };
}

/* Skips the directive if the format begins with it. */
static bool
skip(const char **format, const char *directive)
{
	size_t n = strlen(directive);
	bool found = strncmp(*format, directive, n) == 0;

	if (found)
		*format += n;
	return found;
}

/* Skips "%.*f", or "%.1f" with any digit, and stores the number of decimals. */
static bool
skip_fixed(const char **format, va_list *args, int *decimals)
{
	const char *f = *format;

	if (skip(format, "%.*f")) {
		*decimals = va_arg(*args, int);
	} else {
		if (f[1] != '.' || f[2] < '0' || f[2] > '9' || f[3] != 'f')
			return false;
		*decimals = f[2] - '0';
		*format += 4;
	}
	return *decimals >= 0 && *decimals <= DECIMALS;
}

/* Returns the text up to a NUL, but at most `most` bytes. */
static struct str
text_of(int most, const char *text)
{
	if (most == 0)
		return STR("");
	if (most < 0 || text == NULL)
		return (struct str){ 0 };
	return (struct str){ text, strnlen(text, (size_t)most) };
}

/* Takes the directive that the format begins with and its argument. Returns the
 * output, or the absent text if the directive needs libc. */
static struct str
value_of(const char **format, va_list *args, char *room)
{
	struct str none = { 0 };
	uint64_t size;
	int n;

	switch ((*format)[1]) {
	case 's':
		*format += 2;
		return str_of(va_arg(*args, const char *));
	case 'd':
		*format += 2;
		return digits_of(room, va_arg(*args, int));
	case '%':
		*format += 2;
		return STR("%");
	case 'z':
		if (!skip(format, "%zu"))
			return none;
		size = va_arg(*args, size_t);
		return size > INT64_MAX ? none : digits_of(room, (int64_t)size);
	case 'l':
		return skip(format, "%lld")
		    ? digits_of(room, va_arg(*args, long long))
		    : none;
	case '.':
		if (skip(format, "%.*s")) {
			n = va_arg(*args, int);
			return text_of(n, va_arg(*args, const char *));
		}
		return skip_fixed(format, args, &n)
		    ? fixed(room, va_arg(*args, double), n)
		    : none;
	default:
		return none;
	}
}

static bool
take_apart(struct str_parts *p, const char *format, va_list *args)
{
	for (p->n = 0; *format != '\0'; p->n++) {
		if (p->n == STR_PARTS)
			return false;
		if (*format == '%') {
			p->list[p->n] =
			    value_of(&format, args, p->digits[p->n]);
			if (p->list[p->n].s == NULL)
				return false;
		} else {
			p->list[p->n].s = format;
			while (*format != '\0' && *format != '%')
				format++;
			p->list[p->n].n = (size_t)(format - p->list[p->n].s);
		}
	}
	return true;
}

bool
str_take_apart(struct str_parts *p, const char *format, va_list args)
{
	va_list copy;
	bool known;

	va_copy(copy, args);
	known = take_apart(p, format, &copy);
	va_end(copy);
	return known;
}

char *
str_by_libc(const char *format, va_list args, size_t *n)
{
	char *text;
	int length = vasprintf(&text, format, args);

	if (length < 0)
		diag_die("out of memory");
	*n = (size_t)length;
	return text;
}

static __attribute__((format(printf, 2, 0))) struct str
by_libc(struct arena *a, const char *format, va_list args)
{
	size_t n;
	char *text = str_by_libc(format, args, &n);
	struct str copy = str_dup(a, (struct str){ text, n });

	free(text);
	return copy;
}

struct str
str_vprintf(struct arena *a, const char *format, va_list args)
{
	struct str_parts parts;

	return str_take_apart(&parts, format, args)
	    ? str_join(a, parts.list, parts.n, STR(""))
	    : by_libc(a, format, args);
}

struct str
str_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	struct str text;

	va_start(args, format);
	text = str_vprintf(a, format, args);
	va_end(args);
	return text;
}

struct str
str_int(struct arena *a, int64_t value)
{
	char room[STR_DIGITS];

	return str_dup(a, digits_of(room, value));
}
