/*
 * Text as a slice: where it starts and how many bytes it has. A slice is
 * passed by value and never owns what it points at. It may hold any byte, NUL
 * too, and has no terminator.
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

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

/* For printf's "%.*s"; what exceeds an int is not printed. */
#define STR_FMT(text) str_fmt_len(text), (text).s == NULL ? "" : (text).s
int str_fmt_len(struct str);

struct str str_of(const char *); /* NULL gives the absent text */
bool str_eq(struct str, struct str);
bool str_is(struct str, const char *);
bool str_eq_ascii_nocase(struct str, struct str);
int str_cmp(struct str, struct str); /* by bytes, as memcmp and length */
bool str_starts(struct str, struct str prefix);
bool str_ends(struct str, struct str suffix);

/* Where needle begins in the text; the text's length if nowhere. */
size_t str_find(struct str, struct str needle);
size_t str_find_char(struct str, char);
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

/* The text, or as many of its first `most` bytes as are whole characters, and
 * three dots. */
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
struct str str_printf(struct arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
