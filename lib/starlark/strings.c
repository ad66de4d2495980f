/* String tokens to their values: escapes, raw strings, f-strings. */
#include "base/ascii.h"
#include "starlark/parser.h"
#include "text/unicode.h"

/* A string's text between the quotes, and the copy without escapes. */
struct body {
	struct starlark_parser *p;
	struct str text;
	size_t at;
	bool raw;
	char *to;
};

/* Reads up to `most` digits as the code of a character. */
static bool
read_code(struct body *b, size_t least, size_t most, int base)
{
	uint32_t code = 0;
	size_t n = 0;

	for (; n < most && b->at < b->text.n; n++, b->at++) {
		int digit = ascii_hex((unsigned char)b->text.s[b->at]);

		if (digit < 0 || digit >= base)
			break;
		code = code * (uint32_t)base + (uint32_t)digit;
	}
	if (n < least || code > UNICODE_MAX || code >> 11 == 0xd800 >> 11)
		return false;
	b->to += unicode_encode(code, b->to);
	return true;
}

/* Reads what stands behind a backslash. */
static bool
read_escape(struct body *b)
{
	static const char names[] = "nrtabfv\"'\\";
	static const char values[] = "\n\r\t\a\b\f\v\"'\\";
	char c = b->text.s[b->at++];
	const char *name = c == '\0' ? NULL : strchr(names, c);

	if (name != NULL)
		*b->to++ = values[name - names];
	else if (c == 'x' || c == 'u' || c == 'U') {
		size_t n = c == 'x' ? 2 : c == 'u' ? 4 : 8;

		return read_code(b, n, n, 16);
	} else if (c >= '0' && c <= '7') {
		b->at--;
		return read_code(b, 1, 3, 8);
	} else if (c == '\r' && b->at < b->text.n && b->text.s[b->at] == '\n')
		b->at++;
	else if (c != '\n') {
		*b->to++ = '\\';
		*b->to++ = c;
	}
	return true;
}

/* Copies the character that is next, as the string means it. */
static void
read_character(struct body *b)
{
	char c = b->text.s[b->at++];
	bool last = b->at == b->text.n;

	if (c == '\r')
		return;
	if (c != '\\' || last) {
		*b->to++ = c;
		return;
	}
	if (b->raw) {
		c = b->text.s[b->at++];
		if (c != '"' && c != '\'')
			*b->to++ = '\\';
		*b->to++ = c;
	} else if (!read_escape(b))
		starlark_expected(
		    b->p, "a string with the escapes of Starlark");
}

/* Adds the expression in braces to a formatted string. */
static void
read_braces(struct body *b, struct starlark_node *formatted)
{
	struct starlark_parser *p = b->p, saved = *p;
	struct starlark_node *value;

	p->text =
	    str_slice(p->text, 0, (size_t)(b->text.s - p->text.s) + b->text.n);
	p->at = (size_t)(b->text.s - p->text.s) + b->at;
	p->brackets = 1;
	starlark_advance(p);
	value = starlark_node(p, NODE_ARGUMENT);
	starlark_add(value, starlark_test(p));
	starlark_add(formatted, value);
	if (starlark_take(p, "!")) {
		value->text = p->now.text;
		if (!str_is_one_of(p->now.text, "s r"))
			starlark_expected(p, "s or r");
		starlark_advance(p);
	}
	if (!starlark_is(p, "}"))
		starlark_expected(p, "}");
	b->at = p->at - (size_t)(b->text.s - p->text.s);
	saved.names = p->names;
	saved.nnames = p->nnames;
	saved.bound = p->bound;
	if (p->s->wrong.s == NULL)
		*p = saved;
}

/* Returns whether the two next bytes are this brace twice. */
static bool
is_doubled(const struct body *b, char brace)
{
	return b->at + 1 < b->text.n && b->text.s[b->at] == brace &&
	    b->text.s[b->at + 1] == brace;
}

static void
add_text(struct body *b, struct starlark_node *formatted, char **start)
{
	struct starlark_node *text = starlark_node(b->p, NODE_STRING);

	text->text = (struct str){ *start, (size_t)(b->to - *start) };
	*start = b->to;
	starlark_add(formatted, text);
}

static struct starlark_node *
formatted_string(struct body *b)
{
	struct starlark_node *n = starlark_node(b->p, NODE_FORMATTED);
	char *start = b->to;

	while (b->at < b->text.n && b->p->s->wrong.s == NULL) {
		char c = b->text.s[b->at];

		if (is_doubled(b, '{') || is_doubled(b, '}')) {
			*b->to++ = c;
			b->at += 2;
		} else if (c == '{') {
			add_text(b, n, &start);
			b->at++;
			read_braces(b, n);
		} else if (c == '}')
			starlark_expected(
			    b->p, "a string with braces in pairs");
		else
			read_character(b);
	}
	add_text(b, n, &start);
	return n;
}

struct starlark_node *
starlark_string(struct starlark_parser *p)
{
	struct str t = p->now.text;
	size_t quote = t.s[0] == '"' || t.s[0] == '\'' ? 0 : 1;
	size_t quotes, n;
	struct starlark_node *node;
	struct body b = { .p = p, .raw = t.s[0] == 'r' };

	if (quote == 1 && t.s[1] == 'r') {
		b.raw = true;
		quote = 2;
	}
	quotes = t.n - quote >= 6 && t.s[quote + 1] == t.s[quote] &&
		t.s[quote + 2] == t.s[quote]
	    ? 3
	    : 1;
	b.text = str_slice(t, quote + quotes, t.n - quotes);
	/* No escape is shorter than its character. */
	n = b.text.n;
	b.to = arena_room(p->s->arena, n + 1);
	if (t.s[0] == 'f')
		node = formatted_string(&b);
	else {
		char *start = b.to;

		node = starlark_node(p, NODE_STRING);
		while (b.at < n && p->s->wrong.s == NULL)
			read_character(&b);
		node->text = (struct str){ start, (size_t)(b.to - start) };
	}
	starlark_advance(p);
	return node;
}
