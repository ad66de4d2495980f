#include "emulate/jmespath/lex.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"

void
jmespath_fail_at(struct jmespath_lexer *p, size_t offset, const char *why)
{
	if (!p->failed && p->error != NULL)
		*p->error = (struct jmespath_error){ offset, str_of(why) };
	p->failed = true;
	p->token = T_BAD;
}

static int
peek(const struct jmespath_lexer *p, size_t ahead)
{
	return p->at + ahead < p->text.n
	    ? (unsigned char)p->text.s[p->at + ahead]
	    : -1;
}

static bool
is_name(int c)
{
	return ascii_is_letter((uint32_t)c) || c == '_';
}

/* Reads the text up to the closing quote; a backslash protects the next
 * character. */
static struct str
quoted(struct jmespath_lexer *p, char quote)
{
	size_t from = ++p->at;

	while (peek(p, 0) != quote) {
		if (peek(p, 0) < 0) {
			jmespath_fail_at(p, p->offset, "quote without its end");
			return (struct str){ 0 };
		}
		p->at += peek(p, 0) == '\\' && peek(p, 1) >= 0 ? 2 : 1;
	}
	return str_slice(p->text, from, p->at++);
}

/* Returns the text without the backslashes before `quote`. */
static struct str
unescape(struct jmespath_lexer *p, struct str raw, char quote)
{
	char *copy = str_c(p->arena, raw);
	size_t n = 0;

	for (size_t i = 0; i < raw.n; i++) {
		if (raw.s[i] == '\\' && i + 1 < raw.n && raw.s[i + 1] == quote)
			i++;
		copy[n++] = raw.s[i];
	}
	return (struct str){ copy, n };
}

static const struct json *
string_value(struct jmespath_lexer *p, struct str text)
{
	struct jmespath_run run = { .arena = p->arena };

	return jmespath_string(&run, text)->json;
}

/* Returns whether doubles can hold all numbers of the value: Go reads numbers
 * as doubles, and refuses those that are too large. */
static bool
has_doubles(const struct json *v)
{
	for (const struct json *end = v + v->span; v < end; v++)
		if (v->type == JSON_NUMBER && !isfinite(json_double(v)))
			return false;
	return true;
}

/* Reads a literal between backquotes, which is JSON. */
static int
literal(struct jmespath_lexer *p)
{
	struct str text = unescape(p, quoted(p, '`'), '`');

	if (!p->failed)
		p->literal = json_parse(p->arena, str_trim(text));
	if (p->literal == NULL)
		jmespath_fail_at(p, p->offset, "literal is not JSON");
	else if (!has_doubles(p->literal))
		jmespath_fail_at(
		    p, p->offset, "literal has a number that is too large");
	return T_LITERAL;
}

static int
raw_string(struct jmespath_lexer *p)
{
	struct str text = quoted(p, '\'');

	if (!p->failed)
		p->literal = string_value(p, unescape(p, text, '\''));
	return T_LITERAL;
}

static int
quoted_name(struct jmespath_lexer *p)
{
	size_t from = p->at;
	const struct json *name = NULL;

	quoted(p, '"');
	if (!p->failed)
		name = json_parse(p->arena, str_slice(p->text, from, p->at));
	if (name == NULL)
		jmespath_fail_at(
		    p, p->offset, "quoted name is not a JSON string");
	else
		p->name = json_text(name, p->arena);
	return T_QUOTED;
}

static int
number(struct jmespath_lexer *p)
{
	bool minus = peek(p, 0) == '-';
	int64_t value = 0;

	p->at += minus;
	if (!ascii_is_digit(peek(p, 0))) {
		jmespath_fail_at(p, p->offset, "expected a digit after '-'");
		return T_BAD;
	}
	for (; ascii_is_digit(peek(p, 0)); p->at++)
		if (value < INT64_MAX / 16)
			value = value * 10 + (peek(p, 0) - '0');
	p->number = minus ? -value : value;
	return T_NUMBER;
}

static int
name(struct jmespath_lexer *p)
{
	size_t from = p->at;

	while (is_name(peek(p, 0)) || ascii_is_digit(peek(p, 0)))
		p->at++;
	p->name = str_slice(p->text, from, p->at);
	return T_NAME;
}

static int
symbol(struct jmespath_lexer *p)
{
	static const struct {
		char text[3];
		int token;
	} pairs[] = {
		{ "[?", T_FILTER },
		{ "[]", T_FLATTEN },
		{ "||", T_OR },
		{ "&&", T_AND },
		{ "==", T_EQ },
		{ "!=", T_NE },
		{ "<=", T_LE },
		{ ">=", T_GE },
	};
	int c = peek(p, 0);

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		if (c == pairs[i].text[0] && peek(p, 1) == pairs[i].text[1]) {
			p->at += 2;
			return pairs[i].token;
		}
	}
	if (c <= 0 || strchr(".*[](){},:|!<>&@", c) == NULL) {
		jmespath_fail_at(p, p->offset, "unexpected character");
		return T_BAD;
	}
	p->at++;
	return c;
}

void
jmespath_advance(struct jmespath_lexer *p)
{
	int c;

	while ((c = peek(p, 0)) == ' ' || c == '\t' || c == '\n' || c == '\r')
		p->at++;
	p->offset = p->at;
	p->literal = NULL;
	if (p->failed)
		return;
	if (c < 0)
		p->token = T_END;
	else if (is_name(c))
		p->token = name(p);
	else if (ascii_is_digit(c) || c == '-')
		p->token = number(p);
	else if (c == '"')
		p->token = quoted_name(p);
	else if (c == '`')
		p->token = literal(p);
	else if (c == '\'')
		p->token = raw_string(p);
	else
		p->token = symbol(p);
	if (p->failed)
		p->token = T_BAD;
}

bool
jmespath_accept(struct jmespath_lexer *p, int token)
{
	if (p->token != token)
		return false;
	jmespath_advance(p);
	return true;
}

void
jmespath_expect(struct jmespath_lexer *p, int token, const char *why)
{
	if (!jmespath_accept(p, token))
		jmespath_fail_at(p, p->offset, why);
}
