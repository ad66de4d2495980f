#include "base/str.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/utf8.h"

int
str_fmt_len(struct str text)
{
	return text.n > INT_MAX ? INT_MAX : (int)text.n;
}

bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && str_same(a.s, b.s, a.n);
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
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += !utf8_is_within(text.s[i]);
	return n;
}

struct str
str_whole(struct str text, size_t most)
{
	if (text.n <= most)
		return text;
	while (most > 0 && utf8_is_within(text.s[most]))
		most--;
	return str_slice(text, 0, most);
}

struct str
str_begin(struct arena *a, struct str text, size_t most)
{
	return text.n <= most ? text
			      : str_cat(a, str_whole(text, most), STR("..."));
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
str_join(struct arena *a, const struct str *list, size_t n, struct str between)
{
	size_t total = 0;
	char *copy, *p;

	for (size_t i = 0; i < n; i++)
		total += list[i].n + (i == 0 ? 0 : between.n);
	p = copy = arena_room(a, total + 1);
	for (size_t i = 0; i < n; i++) {
		if (i != 0 && between.n != 0)
			p = mempcpy(p, between.s, between.n);
		if (list[i].n != 0)
			p = mempcpy(p, list[i].s, list[i].n);
	}
	*p = '\0';
	return (struct str){ copy, total };
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
