/* Groups and flags of Python's patterns: everything in parentheses. Also the
 * widths of trees, which lookbehinds need. */
#include <string.h>

#include "emulate/lang/py.h"
#include "emulate/regex/flavour/python.h"
#include "text/unicode.h"

/* ---- widths ---- */

#define MANY (UINT64_C(1) << 32) /* or more */

static struct python_width
sum(struct python_width a, struct python_width b)
{
	return (struct python_width){
		a.least + b.least > MANY ? MANY : a.least + b.least,
		a.most + b.most > MANY ? MANY : a.most + b.most
	};
}

static struct python_width
either(struct python_width a, struct python_width b)
{
	return (struct python_width){ a.least < b.least ? a.least : b.least,
		a.most > b.most ? a.most : b.most };
}

static uint64_t
times(uint64_t width, uint64_t n)
{
	return width != 0 && n > MANY / width ? MANY : width * n;
}

static struct python_width
width_of(const struct python *p, const struct tree *t)
{
	struct python_width w = { 0 };

	switch (t->kind) {
	case TREE_SET:
		return (struct python_width){ 1, 1 };
	case TREE_BACKREF:
		return p->groups[t->group].width;
	case TREE_EMPTY:
	case TREE_AT:
	case TREE_LOOK:
		return w;
	default:
		break;
	}
	w = width_of(p, t->child);
	for (const struct tree *c = t->child->next; c != NULL; c = c->next)
		w = t->kind == TREE_CAT ? sum(w, width_of(p, c))
					: either(w, width_of(p, c));
	if (t->kind == TREE_REPEAT)
		w = (struct python_width){ times(w.least, t->min),
			times(w.most, t->max == TREE_FOREVER ? MANY : t->max) };
	return w;
}

/* ---- groups ---- */

/* Returns the text up to the closing character, and skips that character. */
static struct str
until(struct python *p, char close, const char *what)
{
	size_t from = p->at, end;
	uint32_t c;

	do {
		end = p->at;
		c = python_token(p);
	} while (c != PYTHON_END && c != (uint32_t)close);
	if (end == from)
		python_fail(p, from, str_printf(p->arena, "missing %s", what));
	else if (c == PYTHON_END)
		python_fail(p, from,
		    str_printf(
			p->arena, "missing %c, unterminated name", close));
	return str_slice(p->pattern, from, end);
}

static bool
is_identifier(struct str name)
{
	size_t length;

	for (size_t at = 0; at < name.n; at += length) {
		uint32_t c = unicode_decode(str_from(name, at), &length);
		bool good = c == '_' ||
		    (c != '$' &&
			(at == 0 ? unicode_id_start(c)
				 : unicode_id_continue(c)));

		if (!good)
			return false;
	}
	return name.n != 0;
}

/* Returns the group of this name; 0 after an error. */
static size_t
named_group(struct python *p, struct str name, size_t at)
{
	if (p->failed)
		return 0;
	if (!is_identifier(name)) {
		python_fail(p, at,
		    str_printf(p->arena, "bad character in group name %.*s",
			STR_FMT(py_repr(p->arena, name))));
		return 0;
	}
	for (size_t i = 1; i < p->ngroups; i++)
		if (str_eq(p->made->names[i], name))
			return i;
	python_fail(p, at,
	    str_printf(p->arena, "unknown group name '%.*s'", STR_FMT(name)));
	return 0;
}

/* Reports a reference, in a lookbehind, to a group of the same lookbehind,
 * whose width is not known. */
static void
check_not_behind(struct python *p, size_t group)
{
	if (p->behind != 0 && group >= p->behind)
		python_fail_c(p, p->at,
		    "cannot refer to group defined in the same lookbehind "
		    "subpattern");
}

static void
check_closed(struct python *p, size_t group, size_t at)
{
	if (group >= p->ngroups || p->groups[group].open)
		python_fail_c(p, at, "cannot refer to an open group");
}

struct tree *
python_reference(struct python *p, size_t group, size_t at)
{
	struct tree *t = tree_new(p->arena, TREE_BACKREF);

	if (p->failed)
		return t;
	check_closed(p, group, at);
	check_not_behind(p, group);
	t->group = group;
	t->caseless = p->flags & PYTHON_FOLD;
	t->ascii = p->flags & PYTHON_ASCII;
	return t;
}

static void
enter_group(struct python *p, size_t open)
{
	if (++p->depth > TREE_DEPTH_MAX)
		python_fail_c(p, open, "nested too deeply");
}

struct tree *
python_within(struct python *p, size_t open)
{
	unsigned flags = p->flags;
	struct tree *t;

	enter_group(p, open);
	t = python_alternation(p);
	p->depth--;
	if (!python_skip(p, ')'))
		python_fail_c(p, open, "missing ), unterminated subpattern");
	p->flags = flags;
	return t;
}

struct tree *
python_capture(struct python *p, size_t open, struct str name, size_t name_at)
{
	struct tree *t = tree_new(p->arena, TREE_GROUP);
	size_t names = p->ngroups;

	for (size_t i = 1; name.s != NULL && i < p->ngroups; i++)
		if (str_eq(p->made->names[i], name))
			python_fail(p, name_at,
			    str_printf(p->arena,
				"redefinition of group name '%.*s' as group "
				"%zu; was group %zu",
				STR_FMT(name), p->ngroups, i));
	t->group = p->ngroups;
	*arena_push(p->arena, p->made->names, names) = name;
	*arena_push(p->arena, p->groups, p->ngroups) =
	    (struct python_group){ .open = true };
	t->child = python_within(p, open);
	p->groups[t->group].open = false;
	if (!p->failed)
		p->groups[t->group].width = width_of(p, t->child);
	return t;
}

static struct tree *
named(struct python *p, size_t open)
{
	size_t at = p->at;
	struct str name = until(p, '>', "group name");

	if (!p->failed && !is_identifier(name))
		python_fail(p, at,
		    str_printf(p->arena, "bad character in group name %.*s",
			STR_FMT(py_repr(p->arena, name))));
	return python_capture(p, open, name, at);
}

struct tree *
python_unknown_extension(struct python *p, size_t open)
{
	p->at = python_back(p, 1);
	python_token(p);
	python_fail(p, open + 1,
	    str_printf(p->arena, "unknown extension %.*s",
		STR_FMT(str_slice(p->pattern, open + 1, p->at))));
	return tree_new(p->arena, TREE_EMPTY);
}

struct tree *
python_unexpected_end(struct python *p)
{
	python_fail_c(p, p->at, "unexpected end of pattern");
	return tree_new(p->arena, TREE_EMPTY);
}

/* The cursor is behind "(?P". */
struct tree *
python_extension(struct python *p, size_t open)
{
	size_t at;
	struct str name;

	if (python_skip(p, '<'))
		return named(p, open);
	if (!python_skip(p, '=')) {
		return python_next(p) == PYTHON_END
		    ? python_unexpected_end(p)
		    : python_unknown_extension(p, open);
	}
	at = p->at;
	name = until(p, ')', "group name");
	return python_reference(p, named_group(p, name, at), at);
}

/* The cursor is behind "(?=", "(?!" or "(?<". */
struct tree *
python_look(struct python *p, size_t open, uint32_t kind)
{
	struct tree *t = tree_new(p->arena, TREE_LOOK);
	size_t behind = p->behind;
	struct python_width width;

	t->behind = kind == '<';
	if (t->behind) {
		kind = python_next(p);
		if (kind == PYTHON_END)
			return python_unexpected_end(p);
		if (kind != '=' && kind != '!')
			return python_unknown_extension(p, open);
		if (p->behind == 0)
			p->behind = p->ngroups;
	}
	t->negate = kind == '!';
	t->child = python_within(p, open);
	p->behind = behind;
	if (p->failed || !t->behind)
		return t;
	width = width_of(p, t->child);
	p->variable_behind |= width.least != width.most;
	return t;
}

/* Reads the group that a condition asks for, which may come later. */
static size_t
asked_group(struct python *p)
{
	size_t at = p->at;
	struct str name = until(p, ')', "group name");
	int64_t number;

	if (p->failed || is_identifier(name) ||
	    !py_int_text(name, &number, p->arena) || number < 0)
		return named_group(p, name, at);
	if (number == 0)
		python_fail_c(p, at, "bad group number");
	*arena_push(p->arena, p->later, p->nlater) =
	    (struct python_later){ (uint64_t)number, at };
	return (size_t)number;
}

/* The cursor is behind "(?(". */
struct tree *
python_condition(struct python *p, size_t open)
{
	struct tree *t = tree_new(p->arena, TREE_COND);
	struct tree_list branches = { 0 };

	t->group = asked_group(p);
	if (p->behind != 0) {
		check_closed(p, t->group, p->at);
		check_not_behind(p, t->group);
	}
	enter_group(p, open);
	tree_append(&branches, python_sequence(p, false));
	tree_append(&branches,
	    python_skip(p, '|') ? python_sequence(p, false)
				: tree_new(p->arena, TREE_EMPTY));
	p->depth--;
	if (python_peek(p) == '|')
		python_fail_c(p, p->at,
		    "conditional backref with more than two branches");
	if (!python_skip(p, ')'))
		python_fail_c(p, open, "missing ), unterminated subpattern");
	t->child = branches.first;
	return t;
}

/* ---- flags ---- */

unsigned
python_flag(uint32_t c)
{
	static const struct {
		char letter;
		unsigned flag;
	} flags[] = {
		{ 'a', PYTHON_ASCII },
		{ 'i', PYTHON_FOLD },
		{ 'm', PYTHON_LINES },
		{ 's', PYTHON_DOT_ALL },
		{ 'u', PYTHON_UNICODE },
		{ 'x', PYTHON_VERBOSE },
		{ 'L', PYTHON_LOCALE },
	};

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (c == (uint32_t)flags[i].letter)
			return flags[i].flag;
	return 0;
}

/* Reports a character that is no flag; `missing` is what Python expects
 * there. */
static void
no_flag(struct python *p, uint32_t c, const char *missing)
{
	if (c == PYTHON_END)
		python_fail_c(p, p->at, missing);
	else
		python_fail_c(p, python_back(p, 1),
		    py_isalpha(c) ? "unknown flag" : missing);
}

static const char *
why_not(unsigned flag, unsigned set, bool off)
{
	const unsigned types = PYTHON_ASCII | PYTHON_UNICODE;

	if (off)
		return flag & (types | PYTHON_LOCALE)
		    ? "cannot turn off flags 'a', 'u' and 'L'"
		    : NULL;
	if (flag == PYTHON_LOCALE)
		return "cannot use 'L' flag with a str pattern";
	return (set & types) == types
	    ? "flags 'a', 'u' and 'L' are incompatible"
	    : NULL;
}

/* Reads letters of flags, from c on, that are turned on or off. Returns the
 * character that ends them. */
static uint32_t
letters(struct python *p, uint32_t c, unsigned *set, bool off)
{
	const char *stop = off ? ":" : ")-:", *why;

	for (;;) {
		unsigned flag = python_flag(c);

		*set |= flag;
		why = why_not(flag, *set, off);
		if (why != NULL)
			python_fail(p, p->at,
			    str_printf(p->arena, "bad inline flags: %s", why));
		c = python_next(p);
		if (c < 0x80 && c != 0 && strchr(stop, (int)c) != NULL)
			return c;
		if (python_flag(c) == 0 || p->failed) {
			no_flag(p, c, off ? "missing :" : "missing -, : or )");
			return PYTHON_END;
		}
	}
}

/* Reads flags that are turned off, behind the '-' and up to the ':'. */
static unsigned
flags_off(struct python *p, unsigned on)
{
	unsigned off = 0;
	uint32_t c = python_next(p);

	if (python_flag(c) == 0) {
		no_flag(p, c, "missing flag");
		return 0;
	}
	letters(p, c, &off, true);
	if (on & off)
		python_fail_c(
		    p, p->at - 1, "bad inline flags: flag turned on and off");
	return off;
}

/*
 * The first kind of flags, (?flags), applies to the whole pattern and gives
 * NULL; the other is (?flags:...). The cursor is behind the "(?" and its first
 * letter c.
 */
struct tree *
python_flags(struct python *p, size_t open, uint32_t c, bool first)
{
	unsigned on = 0, off = 0, outside = p->flags;
	struct tree *t;

	if (c != '-')
		c = letters(p, c, &on, false);
	if (c == ')') {
		if (!first)
			python_fail_c(p, open,
			    "global flags not at the start of the expression");
		p->flags |= on;
		return NULL;
	}
	if (c == '-')
		off = flags_off(p, on);
	if (on & PYTHON_ASCII)
		p->flags &= ~(unsigned)PYTHON_UNICODE;
	if (on & PYTHON_UNICODE)
		p->flags &= ~(unsigned)PYTHON_ASCII;
	p->flags = (p->flags | on) & ~off;
	t = python_within(p, open);
	p->flags = outside;
	return t;
}
