/*
 * Text as a slice: where it starts and how many bytes it has. A slice is
 * passed by value and never owns what it points at. It may hold any byte, NUL
 * too, and has no terminator.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct str {
	const char *s; /* NULL: no text at all (which has length 0) */
	size_t n;
};

struct str_list {
	const struct str *list;
	size_t n;
};

/* The slice of a string literal. */
#define STR(literal) ((struct str){ ("" literal), sizeof(literal) - 1 })

/* clang-format off */
/* The same in a table of constants. */
#define STR_CONST(literal) { ("" literal), sizeof(literal) - 1 }
/* clang-format on */

/* For printf's "%.*s"; what exceeds an int is not printed. */
#define STR_FMT(text) str_fmt_len(text), (text).s == NULL ? "" : (text).s
int str_fmt_len(struct str);

/* Whether n bytes are the same. Most are few: names, and words. */
static inline bool
str_same(const char *a, const char *b, size_t n)
{
	uint64_t a8, b8;
	uint32_t a4, b4;

	if (n > 16)
		return memcmp(a, b, n) == 0;
	/* The first half and the last one, which may share bytes. */
	if (n >= sizeof a8) {
		memcpy(&a8, a, sizeof a8);
		memcpy(&b8, b, sizeof b8);
		if (a8 != b8)
			return false;
		memcpy(&a8, a + n - sizeof a8, sizeof a8);
		memcpy(&b8, b + n - sizeof b8, sizeof b8);
		return a8 == b8;
	}
	if (n >= sizeof a4) {
		memcpy(&a4, a, sizeof a4);
		memcpy(&b4, b, sizeof b4);
		if (a4 != b4)
			return false;
		memcpy(&a4, a + n - sizeof a4, sizeof a4);
		memcpy(&b4, b + n - sizeof b4, sizeof b4);
		return a4 == b4;
	}
	/* The first, the middle and the last one of three or less. */
	return n == 0 ||
	    (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

/* NULL gives the absent text. */
static inline struct str
str_of(const char *s)
{
	return (struct str){ s, s == NULL ? 0 : strlen(s) };
}

bool str_eq(struct str, struct str);

/* Inline, since most are names that the compiler knows. */
static inline bool
str_is(struct str a, const char *s)
{
	struct str b = str_of(s);

	return a.n == b.n && str_same(a.s, b.s, a.n);
}

static inline bool
str_starts(struct str text, struct str prefix)
{
	return text.n >= prefix.n && str_same(text.s, prefix.s, prefix.n);
}

static inline bool
str_ends(struct str text, struct str suffix)
{
	return suffix.n == 0 ||
	    (text.n >= suffix.n &&
		str_same(text.s + text.n - suffix.n, suffix.s, suffix.n));
}

bool str_eq_ascii_nocase(struct str, struct str);
int str_cmp(struct str, struct str); /* by bytes, as memcmp and length */
int str_compare(
    const void *, const void *); /* the same for qsort: of structs */

/* Where needle begins in the text; the text's length if nowhere. */
size_t str_find(struct str, struct str needle);
size_t str_find_char(struct str, char);
size_t str_count_char(struct str, char);
bool str_contains(struct str, struct str needle);

/* The text from byte `from` up to `to`; both are held to its length. */
static inline struct str
str_slice(struct str text, size_t from, size_t to)
{
	if (text.n == 0)
		return text;
	if (to > text.n)
		to = text.n;
	if (from > to)
		from = to;
	return (struct str){ text.s + from, to - from };
}

static inline struct str
str_from(struct str text, size_t from)
{
	return str_slice(text, from, text.n);
}

/* How many characters there are in what is UTF-8. */
size_t str_characters(struct str);
/* The text, or as many of its first `most` bytes as are whole characters. */
struct str str_whole(struct str, size_t most);
/* The same, and three dots if that is not all. */
struct str str_begin(struct arena *, struct str, size_t most);

/* Without the ASCII white space at both ends. */
struct str str_trim(struct str);

/* The same with each run of white space as one blank; in the arena. */
struct str str_squeeze(struct arena *, struct str);

/* Cuts off and returns what stands before sep; *rest becomes what follows it.
 * Without sep it returns all, and *rest becomes absent (s is NULL). */
struct str str_cut(struct str *rest, char sep);

/* Copies, in the arena. str_c's copy ends in NUL. */
struct str str_dup(struct arena *, struct str);
char *str_c(struct arena *, struct str);
struct str str_cat(struct arena *, struct str, struct str);
struct str str_join(
    struct arena *, const struct str *list, size_t n, struct str between);
/* With each `from`, which is not empty, replaced by `to`. */
struct str str_replace(
    struct arena *, struct str text, struct str from, struct str to);
struct str str_int(struct arena *, int64_t); /* in decimal */
/* Writes it where there is room for so many bytes; where it ends. */
enum { STR_DIGITS = 20 };
char *str_digits(char *to, int64_t);
struct str str_printf(struct arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str str_vprintf(struct arena *, const char *format, va_list)
    __attribute__((format(printf, 2, 0)));

/* What printf would make of a few texts and plain numbers: those, and what
 * stands between them. Good as long as the arguments, and not copied. */
enum { STR_PARTS = 24 };
struct str_parts {
	struct str list[STR_PARTS];
	char digits[STR_PARTS][STR_DIGITS]; /* of those that are numbers */
	size_t n;
};

/* False: there is more to it, for libc. */
bool str_take_apart(struct str_parts *, const char *format, va_list)
    __attribute__((format(printf, 2, 0)));
/* What libc makes of it, n bytes, to be freed. */
char *str_by_libc(const char *format, va_list, size_t *n)
    __attribute__((format(printf, 1, 0)));

/*
 * Returns the slice of a string literal or of a struct str, so that a function
 * below takes either: str_starts(text, "http"). A function that is defined
 * outside its header has its name in parentheses there, which keeps the macro
 * of that name away.
 */
#define AS_STR(text) \
	_Generic((text), struct str: str_itself, char *: str_of, \
	    const char *: str_of)(text)

static inline struct str
str_itself(struct str text)
{
	return text;
}

#define str_starts(text, ...) str_starts((text), AS_STR((__VA_ARGS__)))
#define str_ends(text, ...) str_ends((text), AS_STR((__VA_ARGS__)))
#define str_find(text, ...) str_find((text), AS_STR((__VA_ARGS__)))
#define str_contains(text, ...) str_contains((text), AS_STR((__VA_ARGS__)))
