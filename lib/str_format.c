/*
 * What printf would make, as a text. Nearly all messages consist of texts and
 * whole numbers, for which libc takes a thousand instructions each.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "str.h"

/* Of a text: the directives', and those between. */
enum { PARTS = 24 };

struct parts {
	struct str list[PARTS];
	char digits[PARTS][STR_DIGITS]; /* of those that are numbers */
	size_t n;
};

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

static bool
skip(const char **format, const char *directive)
{
	size_t n = strlen(directive);
	bool found = strncmp(*format, directive, n) == 0;

	if (found)
		*format += n;
	return found;
}

/* Of the directive that begins there; absent if it is for libc. */
static struct str
value_of(const char **format, va_list *args, char *room)
{
	const struct str libc = { 0 };

	if (skip(format, "%.*s")) {
		int most = va_arg(*args, int);
		const char *text = va_arg(*args, const char *);

		if (most == 0)
			return STR("");
		return most < 0 || text == NULL
		    ? libc
		    : (struct str){ text, strnlen(text, (size_t)most) };
	}
	if (skip(format, "%s"))
		return str_of(va_arg(*args, const char *));
	if (skip(format, "%zu")) {
		size_t n = va_arg(*args, size_t);

		return n > INT64_MAX ? libc : digits_of(room, (int64_t)n);
	}
	if (skip(format, "%lld"))
		return digits_of(room, va_arg(*args, long long));
	if (skip(format, "%d"))
		return digits_of(room, va_arg(*args, int));
	return libc;
}

/* False: it takes libc. */
static bool
take_apart(struct parts *p, const char *format, va_list *args)
{
	for (p->n = 0; *format != '\0'; p->n++) {
		if (p->n == PARTS)
			return false;
		if (*format == '%') {
			p->list[p->n] =
			    value_of(&format, args, p->digits[p->n]);
			if (p->list[p->n].s == NULL)
				return false;
		} else {
			p->list[p->n].s = format;
			p->list[p->n].n = strcspn(format, "%");
			format += p->list[p->n].n;
		}
	}
	return true;
}

static struct str
by_libc(struct arena *a, const char *format, va_list args)
{
	char *text;
	int n = vasprintf(&text, format, args);
	struct str copy;

	if (n < 0)
		diag_die("out of memory");
	copy = str_dup(a, (struct str){ text, (size_t)n });
	free(text);
	return copy;
}

struct str
str_vprintf(struct arena *a, const char *format, va_list args)
{
	struct parts parts;
	va_list copy;
	bool known;

	va_copy(copy, args);
	known = take_apart(&parts, format, &copy);
	va_end(copy);
	return known ? str_join(a, parts.list, parts.n, STR(""))
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
