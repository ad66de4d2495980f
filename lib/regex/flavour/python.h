/* Python's patterns: what the parser's files share. */
#pragma once

#include "regex/flavour/parse.h"

enum {
	PYTHON_FOLD = REGEX_CASELESS,
	PYTHON_LINES = REGEX_MULTILINE,
	PYTHON_DOT_ALL = REGEX_DOTALL,
	PYTHON_ASCII = 1 << 8,
	PYTHON_UNICODE = 1 << 9,
	PYTHON_VERBOSE = 1 << 10,
	PYTHON_LOCALE = 1 << 11,
};

/* How many characters a tree can match. */
struct python_width {
	uint64_t least, most;
};

/* A group that the cursor is in (open), or lies behind. */
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
	size_t behind; /* in a lookbehind: its groups are from this number on */
	bool variable_behind; /* some lookbehind has no fixed width */
	struct python_later *later;
	size_t nlater;
	struct regex_error *error;
	bool failed;
};

/* The first mistake is kept, in Python's words, with its place in characters.
 * The cursor goes to the end. */
void python_fail(struct python *, size_t at, struct str why);
void python_fail_plain(struct python *, size_t at, struct str why);
void python_fail_c(struct python *, size_t at, const char *why);

/* The character at the cursor, or PYTHON_END; python_next steps over it. */
#define PYTHON_END UINT32_MAX
uint32_t python_peek(const struct python *);
uint32_t python_next(struct python *);
bool python_skip(struct python *, char);
/* As python_next, but an escape is one step, and its backslash is returned. */
uint32_t python_token(struct python *);

/* The place so many characters before the cursor. */
size_t python_back(const struct python *, size_t characters);

/* Returns whether the character is an octal digit. */
static inline bool
python_is_octal(uint32_t c)
{
	return c >= '0' && c <= '7';
}

/* Up to n more octal digits; `value` is what the first ones say. */
uint32_t python_octal(struct python *, size_t from, uint32_t value, int n);
/* An escape that is one character, inside a class or out; the cursor is
 * behind its first letter. */
uint32_t python_escaped(struct python *, size_t from, uint32_t letter);
/* \d, \s, \w and what they leave; NULL for another letter. */
struct set *python_shorthand(struct python *, uint32_t letter);
/* The set when all is in it, with what flag I adds; inverted, if asked. */
const struct set *python_complete(struct python *, struct set *, bool invert);
/* The class whose '[' is at the cursor. */
const struct set *python_class(struct python *);
const struct set *python_character(struct python *, uint32_t);
const struct set *python_dot(struct python *);
const struct set *python_newline(struct python *);
/* A reference to the group; a mistake, said to be at `at`, if it is open or
 * in the same lookbehind. */
struct tree *python_reference(struct python *, size_t group, size_t at);

struct tree *python_alternation(struct python *);
/* `first`: at the start of the pattern. */
struct tree *python_sequence(struct python *, bool first);

/* Groups that begin at `open`, each from behind what tells its kind: "(",
 * "(?P", "(?=" and the like (kind is the '=', '!' or '<'), "(?(". */
struct tree *python_capture(
    struct python *, size_t open, struct str name, size_t name_at);
struct tree *python_extension(struct python *, size_t open);
struct tree *python_look(struct python *, size_t open, uint32_t kind);
struct tree *python_condition(struct python *, size_t open);
struct tree *python_unknown_extension(struct python *, size_t open);
struct tree *python_unexpected_end(struct python *);

/* What stands within the group that was opened there, up to its end. */
struct tree *python_within(struct python *, size_t open);
/* The flag that the letter stands for, or 0. */
unsigned python_flag(uint32_t c);
/*
 * Flags behind "(?" and their first letter, with the group that they hold for,
 * or NULL if that is the whole pattern; then they must stand first.
 */
struct tree *python_flags(struct python *, size_t open, uint32_t c, bool first);
