/* The parser of Python's patterns: python.c (terms) and python_group.c (groups
 * and flags), which call each other, use python_class.c (sets and escapes of
 * one character) and python_cursor.c. */
#pragma once

#include "emulate/regex/flavour/parse.h"

enum {
	PYTHON_FOLD = REGEX_CASELESS,
	PYTHON_LINES = REGEX_MULTILINE,
	PYTHON_DOT_ALL = REGEX_DOTALL,
	PYTHON_ASCII = 1 << 8,
	PYTHON_UNICODE = 1 << 9,
	PYTHON_VERBOSE = 1 << 10,
	PYTHON_LOCALE = 1 << 11,
};

/* The number of characters that a tree can match. */
struct python_width {
	uint64_t least, most;
};

/* A group whose opening parenthesis was read. */
struct python_group {
	bool open;
	struct python_width width;
};

/* A condition on a group that may come later. */
struct python_later {
	uint64_t group; /* as it was written */
	size_t at;
};

struct python {
	struct arena *arena;
	struct str pattern;
	size_t at;
	unsigned flags;
	int depth;
	struct pattern *made;
	struct python_group *groups; /* by number; 0 is not used */
	size_t ngroups;
	/* in a lookbehind: its groups have this number or a higher one */
	size_t behind;
	bool variable_behind; /* some lookbehind has no fixed width */
	struct python_later *later;
	size_t nlater;
	struct regex_error *error;
	bool failed;
};

/* Records the first error, in Python's words, with its position in characters
 * (python_fail_plain: without it). Moves the cursor to the end. */
void python_fail(struct python *, size_t at, struct str why);
void python_fail_plain(struct python *, size_t at, struct str why);
void python_fail_c(struct python *, size_t at, const char *why);

/* Returns the character at the cursor, or PYTHON_END; python_next also skips
 * it. */
#define PYTHON_END UINT32_MAX
uint32_t python_peek(const struct python *);
uint32_t python_next(struct python *);
bool python_skip(struct python *, char);
/* Like python_next, but an escape is one step, and its backslash is
 * returned. */
uint32_t python_token(struct python *);

/* Returns the offset of the given number of characters before the cursor. */
size_t python_back(const struct python *, size_t characters);

/* Returns whether the character is an octal digit. */
static inline bool
python_is_octal(uint32_t c)
{
	return c >= '0' && c <= '7';
}

/* Reads up to n more octal digits; `value` is the number that the first digits
 * make. */
uint32_t python_octal(struct python *, size_t from, uint32_t value, int n);
/* Reads an escape of one character, inside a class or out; the cursor is behind
 * its first letter, and the escape begins at `from`. */
uint32_t python_escaped(struct python *, size_t from, uint32_t letter);
/* Returns the set of \d, \s, \w or their complements; NULL for another
 * letter. */
struct set *python_shorthand(struct python *, uint32_t letter);
/* Parses the class whose '[' is at the cursor. */
const struct set *python_class(struct python *);
const struct set *python_character(struct python *, uint32_t);
const struct set *python_dot(struct python *);
const struct set *python_newline(struct python *);
/* Returns a reference to the group. It is an error, reported at `at`, if the
 * group is still open or is in the same lookbehind. */
struct tree *python_reference(struct python *, size_t group, size_t at);

struct tree *python_alternation(struct python *);
/* `first` is set at the start of the pattern. */
struct tree *python_sequence(struct python *, bool first);

/* Parse a group that begins at `open`, from behind the characters that
 * determine its kind: "(", "(?P", "(?=" and the like (`kind` is the '=', '!' or
 * '<'), "(?(". */
struct tree *python_capture(
    struct python *, size_t open, struct str name, size_t name_at);
struct tree *python_extension(struct python *, size_t open);
struct tree *python_look(struct python *, size_t open, uint32_t kind);
struct tree *python_condition(struct python *, size_t open);
struct tree *python_unknown_extension(struct python *, size_t open);
struct tree *python_unexpected_end(struct python *);

/* Parses the content of the group that begins at `open`, and its ")". */
struct tree *python_within(struct python *, size_t open);
/* Returns the flag of the letter, or 0. */
unsigned python_flag(uint32_t c);
/*
 * Parses flags behind "(?" and their first letter c, with the group that they
 * apply to. Returns NULL for flags of the whole pattern, which must be at its
 * start (`first`).
 */
struct tree *python_flags(struct python *, size_t open, uint32_t c, bool first);
