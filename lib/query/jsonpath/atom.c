#include "query/jsonpath/atom.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

const struct script *
jsonpath_atom_fail(struct script_reader *r, size_t at, const char *why)
{
	jsonpath_fail(r->p, at, "%s", why);
	return NULL;
}

struct script *
jsonpath_atom_new(struct script_reader *r, enum script_kind kind)
{
	struct script *s = arena_new(r->p->arena, struct script);

	if (++r->size > SCRIPT_SIZE_MAX)
		jsonpath_atom_fail(r, r->p->at, "the script is too long");
	s->kind = kind;
	return s;
}

const struct script *
jsonpath_atom_value(struct script_reader *r, struct value value)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_VALUE);

	s->value = value;
	return s;
}

/* ---- words ---- */

struct str
jsonpath_atom_word(struct script_reader *r)
{
	struct path_parser *p = r->p;
	size_t from = p->at;

	for (; p->at < p->text.n; p->at++) {
		char c = jsonpath_peek(p);

		if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '_' &&
		    c != '$' && (unsigned char)c < 0x80 &&
		    (!ascii_is_digit(c) || p->at == from))
			break;
	}
	return str_slice(p->text, from, p->at);
}

bool
jsonpath_atom_take_word(struct script_reader *r, const char *text)
{
	size_t before = r->p->at;

	if (str_is(jsonpath_atom_word(r), text))
		return true;
	r->p->at = before;
	return false;
}

const struct script *
jsonpath_atom_context(struct script_reader *r)
{
	static const struct {
		const char *name;
		enum script_context context;
	} names[] = {
		{ "", CONTEXT_THIS },
		{ "property", CONTEXT_PROPERTY },
		{ "parent", CONTEXT_PARENT },
		{ "parentProperty", CONTEXT_PARENT_PROPERTY },
		{ "root", CONTEXT_ROOT },
		{ "path", CONTEXT_PATH },
	};
	size_t at = r->p->at++;
	struct str name = jsonpath_atom_word(r);
	struct script *s = jsonpath_atom_new(r, SCRIPT_CONTEXT);

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (str_is(name, names[i].name)) {
			s->context = names[i].context;
			return s;
		}
	return jsonpath_atom_fail(r, at,
	    "after '@' expected '.', property, parent, parentProperty, root "
	    "or path");
}

/* ---- literals ---- */

bool
jsonpath_atom_is_number(const struct script_reader *r)
{
	struct str rest = str_from(r->p->text, r->p->at);

	if (str_starts(rest, "."))
		rest = str_from(rest, 1);
	return rest.n > 0 && ascii_is_digit(*rest.s);
}

const struct script *
jsonpath_atom_number(struct script_reader *r)
{
	struct path_parser *p = r->p;
	size_t from = p->at;
	struct str digits;

	while (ascii_is_digit(jsonpath_peek(p)))
		p->at++;
	if (jsonpath_take(p, "."))
		while (ascii_is_digit(jsonpath_peek(p)))
			p->at++;
	if (jsonpath_take(p, "e") || jsonpath_take(p, "E")) {
		if (!jsonpath_take(p, "+"))
			jsonpath_take(p, "-");
		if (!ascii_is_digit(jsonpath_peek(p)))
			return jsonpath_atom_fail(r, from, "expected a number");
		while (ascii_is_digit(jsonpath_peek(p)))
			p->at++;
	}
	digits = str_slice(p->text, from, p->at);
	if (jsonpath_atom_word(r).n > 0)
		return jsonpath_atom_fail(r, from, "expected a number");
	return jsonpath_atom_value(
	    r, script_value_number(strtod(str_c(p->arena, digits), NULL)));
}

const struct script *
jsonpath_atom_text(struct script_reader *r)
{
	static const char from[] = "nrtbfv", to[] = "\n\r\t\b\f\v";
	struct path_parser *p = r->p;
	size_t at = p->at, n = 0;
	char quote = p->text.s[p->at++];
	char *copy = arena_alloc(p->arena, p->text.n - p->at);

	for (; p->at < p->text.n && p->text.s[p->at] != quote; p->at++) {
		char c = p->text.s[p->at];
		const char *escape = NULL;

		if (c == '\\' && p->at + 1 < p->text.n) {
			c = p->text.s[++p->at];
			escape = c == '\0' ? NULL : strchr(from, c);
		}
		copy[n++] = (char)(escape == NULL ? c : to[escape - from]);
	}
	if (p->at >= p->text.n)
		return jsonpath_atom_fail(r, at, "quotes without end");
	p->at++;
	return jsonpath_atom_value(
	    r, script_value_text((struct str){ copy, n }));
}

const struct script *
jsonpath_atom_pattern(struct script_reader *r, size_t at, struct str pattern,
    unsigned flags, bool global)
{
	struct regex_error error;
	struct value v = {
		.type = VALUE_REGEX, .text = pattern, .global = global
	};

	v.regex = jsonpath_keep_regex(
	    r->p, regex_compile(r->p->arena, REGEX_JS, pattern, flags, &error));
	if (v.regex != NULL)
		return jsonpath_atom_value(r, v);
	jsonpath_fail(r->p, at + error.offset, "the pattern is wrong: %.*s",
	    STR_FMT(error.why));
	return NULL;
}

static bool
regex_flags(struct script_reader *r, unsigned *flags, bool *global)
{
	size_t at = r->p->at;
	struct str letters = jsonpath_atom_word(r);

	*flags = 0;
	*global = false;
	for (size_t i = 0; i < letters.n; i++) {
		char c = letters.s[i];

		if (c == 'i')
			*flags |= REGEX_CASELESS;
		else if (c == 'm')
			*flags |= REGEX_MULTILINE;
		else if (c == 's')
			*flags |= REGEX_DOTALL;
		else if (c == 'y')
			*flags |= REGEX_STICKY;
		else if (c == 'g')
			*global = true;
		else if (c != 'd') /* no verdict hangs on it */
			return jsonpath_fail(r->p, at + i,
			    "the pattern's flag %c is unknown here", c);
	}
	return true;
}

const struct script *
jsonpath_atom_regex(struct script_reader *r)
{
	struct path_parser *p = r->p;
	size_t from = ++p->at;
	bool class = false, global;
	struct str pattern;
	unsigned flags;

	for (; p->at < p->text.n; p->at++) {
		char c = p->text.s[p->at];

		if (c == '/' && !class)
			break;
		if (c == '\\')
			p->at++;
		else if (c == '[')
			class = true;
		else if (c == ']')
			class = false;
	}
	if (p->at >= p->text.n)
		return jsonpath_atom_fail(r, from - 1, "a pattern without end");
	pattern = str_slice(p->text, from, p->at++);
	return regex_flags(r, &flags, &global)
	    ? jsonpath_atom_pattern(r, from, pattern, flags, global)
	    : NULL;
}
