/* String tokens to their values: escapes, raw strings, formatted strings. */
#include "base/ascii.h"
#include "starlark/syntax.h"
#include "text/unicode.h"

/* A string's text between the quotes, and the copy without escapes. */
struct body {
	struct sl_parser *p;
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

	if (c == '\r')
		return;
	if (c != '\\' || b->at == b->text.n)
		*b->to++ = c;
	else if (b->raw) {
		c = b->text.s[b->at++];
		if (c != '"' && c != '\'')
			*b->to++ = '\\';
		*b->to++ = c;
	} else if (!read_escape(b))
		sl_expected(b->p, "a string with the escapes of Starlark");
}

/* Adds the expression in braces to a formatted string. */
static void
read_braces(struct body *b, struct sl_node *formatted)
{
	struct sl_parser *p = b->p, saved = *p;
	size_t start = (size_t)(b->text.s - p->text.s);
	struct sl_node *value;

	p->text = str_slice(p->text, 0, start + b->text.n);
	p->at = start + b->at;
	p->brackets = 1;
	sl_advance(p);
	value = sl_test(p);
	if (sl_take(p, "!")) {
		value = sl_node(p, SL_OTHER);
		value->text = STR("a conversion in a string");
		sl_advance(p);
	}
	sl_add(formatted, value);
	if (!sl_is(p, "}"))
		sl_expected(p, "}");
	b->at = p->at - start;
	saved.line = p->line;
	saved.line_start = p->line_start;
	saved.counted = p->counted;
	saved.names = p->names;
	saved.nnames = p->nnames;
	saved.bound = p->bound;
	if (p->s->wrong.s == NULL)
		*p = saved;
}

/* Adds the text since the last expression. */
static void
add_text(struct body *b, struct sl_node *formatted, char **start)
{
	struct sl_node *text = sl_node(b->p, SL_STRING);

	text->text = (struct str){ *start, (size_t)(b->to - *start) };
	*start = b->to;
	sl_add(formatted, text);
}

static void
read_formatted(struct body *b, struct sl_node *n)
{
	char *start = b->to;

	while (b->at < b->text.n && b->p->s->wrong.s == NULL) {
		struct str two = str_slice(b->text, b->at, b->at + 2);

		if (str_is_one_of(two, "{{ }}")) {
			*b->to++ = two.s[0];
			b->at += 2;
		} else if (two.s[0] == '{') {
			add_text(b, n, &start);
			b->at++;
			read_braces(b, n);
		} else if (two.s[0] == '}')
			sl_expected(b->p, "a string with braces in pairs");
		else
			read_character(b);
	}
	add_text(b, n, &start);
}

struct sl_node *
sl_string(struct sl_parser *p)
{
	struct str t = p->token;
	size_t letters = 0, quotes = 1;
	bool formatted = t.s[0] == 'f';
	struct sl_node *n = sl_node(p, formatted ? SL_FORMATTED : SL_STRING);
	struct body b = { .p = p };
	char *start;

	for (; ascii_is_letter(t.s[letters]); letters++)
		b.raw = b.raw || t.s[letters] == 'r';
	if (t.n - letters >= 6 && t.s[letters + 1] == t.s[letters] &&
	    t.s[letters + 2] == t.s[letters])
		quotes = 3;
	b.text = str_slice(t, letters + quotes, t.n - quotes);
	/* No escape is shorter than its character. */
	b.to = start = arena_room(p->s->arena, b.text.n + 1);
	if (formatted)
		read_formatted(&b, n);
	while (b.at < b.text.n && p->s->wrong.s == NULL)
		read_character(&b);
	if (!formatted)
		n->text = (struct str){ start, (size_t)(b.to - start) };
	sl_advance(p);
	return n;
}
