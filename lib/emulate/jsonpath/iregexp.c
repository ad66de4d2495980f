#include "emulate/jsonpath/iregexp.h"

#include <stdbool.h>
#include <string.h>

enum {
	DEPTH_MAX = 200,
	ROOM = sizeof "[^\\n\\r]", /* the most bytes that one byte becomes */
};

struct reader {
	struct str pattern;
	size_t at, depth;
	char *made;
	size_t n;
	const char *why;
};

static bool
fail(struct reader *r, const char *why)
{
	if (r->why == NULL)
		r->why = why;
	return false;
}

static char
peek(const struct reader *r)
{
	return (char)(r->at < r->pattern.n ? r->pattern.s[r->at] : '\0');
}

/* Returns whether the next character is one of these. */
static bool
next_is(const struct reader *r, const char *characters)
{
	return r->at < r->pattern.n && peek(r) != '\0' &&
	    strchr(characters, peek(r)) != NULL;
}

static void
put(struct reader *r, const char *text)
{
	size_t n = strlen(text);

	memcpy(r->made + r->n, text, n);
	r->n += n;
}

/* Copies the next byte unchanged. */
static void
copy(struct reader *r)
{
	r->made[r->n++] = r->pattern.s[r->at++];
}

/* Reads \p{Lu}: a general category, or all categories that begin with its
 * letter. */
static bool
category(struct reader *r)
{
	static const char *const families[] = { "Llmotu", "Mcen", "Ndlo",
		"Pcdefios", "Zlps", "Sckmo", "Ccfno" };

	copy(r);
	copy(r);
	if (!next_is(r, "{"))
		return fail(r, "expected '{' after \\p");
	copy(r);
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		if (peek(r) != families[i][0])
			continue;
		copy(r);
		if (next_is(r, families[i] + 1))
			copy(r);
		if (!next_is(r, "}"))
			break;
		copy(r);
		return true;
	}
	return fail(r, "no such category");
}

static bool
escape(struct reader *r)
{
	char c =
	    (char)(r->at + 1 < r->pattern.n ? r->pattern.s[r->at + 1] : '\0');

	if (c == 'p' || c == 'P')
		return category(r);
	if (c == '\0' || strchr("()*+-.?[\\]^nrt{|}", c) == NULL)
		return fail(r,
		    "no escape of I-Regexp (RFC 9485), which has no \\d, \\s "
		    "or \\w");
	copy(r);
	copy(r);
	return true;
}

static bool
class_character(struct reader *r)
{
	if (r->at >= r->pattern.n)
		return fail(r, "expected ']'");
	if (next_is(r, "\\"))
		return escape(r);
	if (next_is(r, "[]-"))
		return fail(r, "in a class this needs a backslash");
	if (next_is(r, "^"))
		put(r, "\\");
	copy(r);
	return true;
}

static bool
is_category(const struct reader *r)
{
	struct str rest = str_from(r->pattern, r->at);

	return str_starts(rest, "\\p") || str_starts(rest, "\\P");
}

/* Reads a character, a category, or a range of characters. */
static bool
class_item(struct reader *r)
{
	bool single = !is_category(r);

	if (!class_character(r))
		return false;
	if (!single || !next_is(r, "-") ||
	    str_starts(str_from(r->pattern, r->at), "-]"))
		return true;
	copy(r);
	if (is_category(r))
		return fail(r, "a range ends in a character");
	return class_character(r);
}

static bool class(struct reader *r)
{
	copy(r);
	if (next_is(r, "^"))
		copy(r);
	for (bool first = true; first || !next_is(r, "]"); first = false) {
		bool minus = next_is(r, "-");

		if (!minus && !class_item(r))
			return false;
		if (minus) {
			put(r, "\\");
			copy(r);
		}
		if (minus && !first && !next_is(r, "]"))
			return fail(r, "'-' within a class needs a backslash");
	}
	copy(r);
	return true;
}

static bool branches(struct reader *);

static bool
atom(struct reader *r)
{
	if (next_is(r, "("))
		return branches(r);
	if (next_is(r, "["))
		return class(r);
	if (next_is(r, "\\"))
		return escape(r);
	if (next_is(r, ".")) {
		r->at++;
		put(r, "[^\\n\\r]");
		return true;
	}
	if (next_is(r, "*+?{"))
		return fail(r, "nothing to repeat");
	if (next_is(r, "]}"))
		return fail(r, "this needs a backslash");
	copy(r);
	return true;
}

static bool
number(struct reader *r)
{
	if (!next_is(r, "0123456789"))
		return fail(r, "expected a number");
	while (next_is(r, "0123456789"))
		copy(r);
	return true;
}

static bool
quantifier(struct reader *r)
{
	if (next_is(r, "*+?")) {
		copy(r);
		return true;
	}
	if (!next_is(r, "{"))
		return true;
	copy(r);
	if (!number(r))
		return false;
	if (next_is(r, ","))
		copy(r);
	if (!next_is(r, "}") && !number(r))
		return false;
	if (!next_is(r, "}"))
		return fail(r, "expected '}'");
	copy(r);
	return true;
}

/* Reads a group in parentheses, or the whole pattern. */
static bool
branches(struct reader *r)
{
	bool group = r->depth > 0;

	if (++r->depth > DEPTH_MAX)
		return fail(r, "nested too deeply");
	if (group)
		copy(r);
	while (r->at < r->pattern.n && !(group && next_is(r, ")"))) {
		if (next_is(r, ")"))
			return fail(r, "')' without '('");
		if (next_is(r, "|"))
			copy(r);
		else if (!atom(r) || !quantifier(r))
			return false;
	}
	r->depth--;
	if (!group)
		return true;
	if (r->at >= r->pattern.n)
		return fail(r, "expected ')'");
	copy(r);
	return true;
}

/*
 * The grammar treats ^ and $ as ordinary characters, but the standard's own
 * translations leave them to the engine, where they are anchors; this one does
 * the same.
 */
struct regex *
iregexp_compile(
    struct arena *a, struct str pattern, bool whole, struct regex_error *error)
{
	struct reader r = { .pattern = pattern };

	r.made = arena_alloc_n(a, pattern.n + 2, ROOM);
	if (whole)
		put(&r, "\\A(?:");
	if (!branches(&r)) {
		*error = (struct regex_error){ .offset = r.at,
			.why = str_of(r.why) };
		return NULL;
	}
	if (whole)
		put(&r, ")\\z");
	return regex_compile(
	    a, REGEX_RE2, (struct str){ r.made, r.n }, 0, error);
}
