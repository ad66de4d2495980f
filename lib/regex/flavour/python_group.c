/* What stands in parentheses in Python's patterns. */
#include "lang/py.h"
#include "regex/flavour/python.h"
#include "text/unicode.h"

/* The text up to the closing character, which is stepped over. */
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

/* The group of that name; 0 after a mistake. */
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

/* A lookbehind knows no group whose width it would have to know. */
static void
see_behind(struct python *p, size_t group)
{
	if (p->behind != 0 && group >= p->behind)
		python_fail_c(p, p->at,
		    "cannot refer to group defined in the same lookbehind "
		    "subpattern");
}

static void
see_closed(struct python *p, size_t group, size_t at)
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
	see_closed(p, group, at);
	see_behind(p, group);
	t->group = group;
	t->caseless = p->flags & PYTHON_FOLD;
	t->ascii = p->flags & PYTHON_ASCII;
	return t;
}

static void
go_deeper(struct python *p, size_t open)
{
	if (++p->depth > TREE_DEPTH_MAX)
		python_fail_c(p, open, "nested too deeply");
}

struct tree *
python_within(struct python *p, size_t open)
{
	unsigned flags = p->flags;
	struct tree *t;

	go_deeper(p, open);
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
		p->groups[t->group].width = python_width(p, t->child);
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

/* Behind "(?P". */
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

/* Behind "(?=", "(?!" or "(?<". */
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
	width = python_width(p, t->child);
	p->variable_behind |= width.least != width.most;
	return t;
}

/* The group that a condition asks for, which may come later. */
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

/* Behind "(?(". */
struct tree *
python_condition(struct python *p, size_t open)
{
	struct tree *t = tree_new(p->arena, TREE_COND);
	struct tree_list branches = { 0 };

	t->group = asked_group(p);
	if (p->behind != 0) {
		see_closed(p, t->group, p->at);
		see_behind(p, t->group);
	}
	go_deeper(p, open);
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
