/*
 * Text as a slice: a pointer and a number of bytes. A slice is passed by value
 * and never owns the text. The text may hold any byte, also NUL, and has no
 * terminator. A text whose pointer is NULL is called absent; it has length 0.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct str {
	const char *s; /* NULL: the text is absent */
	size_t n;
};

struct str_list {
	const struct str *list;
	size_t n;
};

/* Appends a text to a list, which no other function allocated. */
void str_list_add(struct arena *, struct str_list *, struct str);

/* Expands to the slice of a string literal. */
#define STR(literal) ((struct str){ ("" literal), sizeof(literal) - 1 })

/* clang-format off */
/* Like STR, for the initializer of a constant table. */
#define STR_CONST(literal) { ("" literal), sizeof(literal) - 1 }
/* clang-format on */

/* Expands to the two arguments of printf's "%.*s", and evaluates the text three
 * times. Bytes beyond INT_MAX are not printed. */
#define STR_FMT(text) str_fmt_len(text), (text).s == NULL ? "" : (text).s
int str_fmt_len(struct str);

/* Copies n bytes, and returns the place after the copy. */
static inline char *
str_put(char *to, const char *bytes, size_t n)
{
	memcpy(to, bytes, n);
	return to + n;
}

/* Returns whether n bytes are equal. The function is fast for few bytes, since
 * most texts are names and words. */
static inline bool
str_same(const char *a, const char *b, size_t n)
{
	uint64_t a8, b8;
	uint32_t a4, b4;

	if (n > 16)
		return memcmp(a, b, n) == 0;
	/* Compares the first and the last bytes, which may overlap. */
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
	/* At most three bytes: the first, the middle and the last. */
	return n == 0 ||
	    (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

/* Returns the slice of a C string. NULL gives the absent text. */
static inline struct str
str_of(const char *s)
{
	return (struct str){ s, s == NULL ? 0 : strlen(s) };
}

/* Like str_same, as a call: most texts that str_eq compares differ in length. */
bool str_eq_bytes(const char *a, const char *b, size_t n);

/* Returns whether the texts are equal. An absent text equals an empty one. */
static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && str_eq_bytes(a.s, b.s, a.n);
}

/* Returns whether the text equals the C string s. The function is inline, since
 * most strings are literals whose length the compiler knows. */
static inline bool
str_is(struct str a, const char *s)
{
	struct str b = str_of(s);

	return a.n == b.n && str_same(a.s, b.s, a.n);
}

/* Returns whether the text begins with the prefix. */
static inline bool
str_starts(struct str text, struct str prefix)
{
	return text.n >= prefix.n && str_same(text.s, prefix.s, prefix.n);
}

/* Returns whether the text ends with the suffix. */
static inline bool
str_ends(struct str text, struct str suffix)
{
	return suffix.n == 0 ||
	    (text.n >= suffix.n &&
		str_same(text.s + text.n - suffix.n, suffix.s, suffix.n));
}

/* Returns whether the texts are equal but for the case of ASCII letters. */
bool str_eq_ascii_nocase(struct str, struct str);
/* Compares by bytes like memcmp, and a prefix is less than the longer text. */
int str_cmp(struct str, struct str);
/* Like str_cmp, for qsort of an array of struct str. */
int str_compare(const void *, const void *);

/* Return the index of the needle in the text, or the text's length if the text
 * lacks the needle. */
size_t str_find(struct str, struct str needle);
size_t str_find_char(struct str, char);
/* Returns the number of times that the character occurs. */
size_t str_count_char(struct str, char);
bool str_contains(struct str, struct str needle);

/* Returns the bytes from index `from` up to, but not including, `to`. Indices
 * beyond the text's length are reduced to it. */
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

/* Returns the text without its first `from` bytes. */
static inline struct str
str_from(struct str text, size_t from)
{
	return str_slice(text, from, text.n);
}

/* Returns the number of characters of a text that is UTF-8. */
size_t str_characters(struct str);
/* Returns the text, or of a longer text as many of its first `most` bytes as
 * form whole characters. */
struct str str_truncate(struct str, size_t most);
/* Like str_truncate, but appends three dots, in the arena, to a text that is
 * cut. */
struct str str_ellipsize(struct arena *, struct str, size_t most);

/* Return the path up to and with its last slash, and what follows that. */
struct str str_folder(struct str path);
struct str str_file_name(struct str path);

/* Returns the text without the ASCII white space at both ends. */
struct str str_trim(struct str);

/* Returns a copy in the arena without the white space at both ends, and with
 * one blank for each run of white space within. */
struct str str_squeeze(struct arena *, struct str);

/* Returns whether the text is one of the words (separated by blanks; NULL: none); no
 * empty text is. */
bool str_is_one_of(struct str text, const char *words);

/* Returns whether the text ends with one of the words, which are separated by blanks. */
bool str_ends_with_one_of(struct str text, const char *words);

/* Cuts off and returns the text before the first sep; *rest becomes the text
 * after sep. Without a sep the function returns all of *rest, which becomes
 * absent. */
struct str str_cut(struct str *rest, char sep);

/* The functions below return copies in the arena. The copy of str_c ends in
 * NUL. */
struct str str_dup(struct arena *, struct str);
char *str_c(struct arena *, struct str);
struct str str_cat(struct arena *, struct str, struct str);
struct str str_cat3(struct arena *, struct str, struct str, struct str);
struct str str_join(
    struct arena *, const struct str *list, size_t n, struct str between);
/* Like str_join, for a list with ", " between its texts. */
struct str str_list_text(struct arena *, struct str_list);
/* Replaces each `from`, which must not be empty, by `to`. */
struct str str_replace(
    struct arena *, struct str text, struct str from, struct str to);
struct str str_int(struct arena *, int64_t);
/* Writes the number in decimal at `to`, where there must be STR_DIGITS bytes of
 * room. Returns the end of the digits. */
enum { STR_DIGITS = 20 };
char *str_digits(char *to, int64_t);
struct str str_printf(struct arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str str_vprintf(struct arena *, const char *format, va_list)
    __attribute__((format(printf, 2, 0)));

/* The output of a printf-like call as a list of parts: the arguments and the
 * pieces of the format between them. The texts are not copied and are valid as
 * long as the arguments. */
enum { STR_PARTS = 24 };
struct str_parts {
	struct str list[STR_PARTS];
	char digits[STR_PARTS][STR_DIGITS]; /* of the parts that are numbers */
	size_t n;
};

/* Splits a call with plain directives into its parts. Returns false if the
 * format needs libc, or has too many parts. */
bool str_take_apart(struct str_parts *, const char *format, va_list)
    __attribute__((format(printf, 2, 0)));
/* Returns libc's output, of *n bytes, which the caller frees. Lack of memory
 * ends the program. */
char *str_by_libc(const char *format, va_list, size_t *n)
    __attribute__((format(printf, 1, 0)));

/*
 * Converts a string literal or a struct str to a struct str, so that a function
 * below takes both: str_starts(text, "http"). A function that is defined
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
