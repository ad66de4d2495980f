/* Text to tokens: names, numbers, strings, signs, lines and their indentation. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "starlark/parser.h"

static const char keywords[] =
    "and break continue def elif else for if in lambda "
    "load not or pass return";
static const char reserved[] = "as assert async await class del except finally "
			       "from global import is nonlocal "
			       "raise try while with yield";

void
starlark_wrong(struct starlark_parser *p, struct place place, const char *why)
{
	starlark_refuse(p->s, place, "%s", why);
	p->now = (struct starlark_token){ .kind = TOKEN_END, .place = place };
}

/* Returns the text of the token, as messages name it. */
static struct str
shown(const struct starlark_parser *p)
{
	static const char *const names[] = {
		[TOKEN_END] = "the end of the file",
		[TOKEN_NEWLINE] = "the end of the line",
		[TOKEN_INDENT] = "a line that is indented",
		[TOKEN_DEDENT] = "the end of the indented lines",
		[TOKEN_SIGN] = NULL,
	};
	const struct starlark_token *t = &p->now;

	if (t->kind < TOKEN_NAME)
		return str_of(names[t->kind]);
	return str_ellipsize(p->s->arena, t->text, 40);
}

void
starlark_expected(struct starlark_parser *p, const char *what)
{
	struct str found = shown(p);

	starlark_refuse(p->s, p->now.place, "expected %s, found %.*s", what,
	    STR_FMT(found));
	starlark_wrong(p, p->now.place, "");
}

/* Returns the place of a byte at or behind the byte of the call before. */
static struct place
place_of(struct starlark_parser *p, size_t at)
{
	const char *nl, *end = p->text.s + at;

	while (p->counted < at &&
	    (nl = memchr(p->text.s + p->counted, '\n', at - p->counted)) !=
		NULL &&
	    nl < end) {
		p->line++;
		p->counted = p->line_start = (size_t)(nl - p->text.s) + 1;
	}
	p->counted = at;
	return (struct place){ .file = p->s->file,
		.line = p->line + 1,
		.column = at - p->line_start + 1 };
}

static char
byte(const struct starlark_parser *p, size_t ahead)
{
	return p->at + ahead < p->text.n ? p->text.s[p->at + ahead] : '\0';
}

static void
skip_comment(struct starlark_parser *p)
{
	while (p->at < p->text.n && p->text.s[p->at] != '\n')
		p->at++;
}

/* Skips blank lines and comments. Returns the indentation of the next line. */
static size_t
indentation(struct starlark_parser *p)
{
	size_t n = 0;

	for (; p->at < p->text.n; p->at++) {
		char c = p->text.s[p->at];

		if (c == '#') {
			skip_comment(p);
			if (p->at == p->text.n)
				return 0;
			c = '\n';
		}
		if (c == '\n')
			n = 0;
		else if (c == ' ')
			n++;
		else if (c == '\t') {
			starlark_wrong(p, place_of(p, p->at),
			    "expected blanks, found a tab outside a string");
			return 0;
		} else if (c != '\r')
			return n;
	}
	return 0;
}

static void
set(struct starlark_parser *p, enum starlark_token_kind kind, size_t length)
{
	p->now = (struct starlark_token){ .kind = kind,
		.text = str_slice(p->text, p->at, p->at + length),
		.place = place_of(p, p->at) };
	p->at += length;
}

/* Begins a line: makes a token if the indentation changes. */
static bool
begin_line(struct starlark_parser *p)
{
	size_t indent = indentation(p);
	size_t now = p->nindents == 0 ? 0 : p->indents[p->nindents - 1];

	p->line_begins = false;
	if (p->s->wrong.s != NULL)
		return true;
	if (indent > now) {
		if (p->nindents == STARLARK_LEVELS) {
			starlark_wrong(p, place_of(p, p->at),
			    "lines are indented too deeply");
			return true;
		}
		p->indents[p->nindents++] = indent;
		set(p, TOKEN_INDENT, 0);
		return true;
	}
	while (p->nindents > 0 && p->indents[p->nindents - 1] > indent) {
		p->nindents--;
		p->dedents++;
	}
	if (indent != (p->nindents == 0 ? 0 : p->indents[p->nindents - 1]))
		starlark_wrong(p, place_of(p, p->at),
		    "expected the indentation of a line above, found another");
	return p->s->wrong.s != NULL;
}

/* Skips blanks, comments, and in brackets line ends. */
static void
skip_blanks(struct starlark_parser *p)
{
	for (;;) {
		char c = byte(p, 0);
		size_t ahead = c == '\\' ? 1 : 0;

		if (byte(p, ahead) == '\r' && byte(p, ahead + 1) == '\n')
			ahead++;
		if (p->at >= p->text.n)
			return;
		if (c == '#')
			skip_comment(p);
		else if (c == ' ')
			p->at++;
		else if (byte(p, ahead) == '\n' &&
		    (c == '\\' || p->brackets > 0))
			p->at += ahead + 1;
		else
			return;
	}
}

/* Reads a string. Backslashes take the next byte with them. */
static void
read_string(struct starlark_parser *p, size_t prefix)
{
	char quote = byte(p, prefix);
	bool triple =
	    byte(p, prefix + 1) == quote && byte(p, prefix + 2) == quote;
	size_t quotes = 0, i = prefix + (triple ? 3 : 1);

	if (!triple && byte(p, prefix + 1) == quote) {
		set(p, TOKEN_STRING, prefix + 2);
		return;
	}
	for (; p->at + i < p->text.n; i++) {
		char c = byte(p, i);

		quotes = c == quote ? quotes + 1 : 0;
		if (quotes == (triple ? 3 : 1)) {
			set(p, TOKEN_STRING, i + 1);
			return;
		}
		if (c == '\n' && !triple)
			break;
		if (c == '\\') {
			if (byte(p, i + 1) == '\r')
				i++;
			i++;
		}
	}
	starlark_wrong(p, place_of(p, p->at),
	    "expected a quote that ends the string, found none");
}

static size_t
name_length(const struct starlark_parser *p)
{
	size_t n = 0;

	while (ascii_is_alnum(byte(p, n)) || byte(p, n) == '_')
		n++;
	return n;
}

static size_t
digits(const struct starlark_parser *p, size_t i)
{
	while (ascii_is_digit(byte(p, i)))
		i++;
	return i;
}

static void
read_number(struct starlark_parser *p)
{
	size_t whole = digits(p, 0), n = whole, e;

	if (byte(p, 0) == '0' &&
	    str_is_one_of(
		str_slice(p->text, p->at + 1, p->at + 2), "x X o O b B")) {
		set(p, TOKEN_INT, name_length(p));
		return;
	}
	if (byte(p, n) == '.')
		n = digits(p, n + 1);
	if (byte(p, n) == 'e' || byte(p, n) == 'E') {
		e = n + 1;
		if (byte(p, e) == '+' || byte(p, e) == '-')
			e++;
		if (ascii_is_digit(byte(p, e)))
			n = digits(p, e);
	}
	set(p, n > whole ? TOKEN_FLOAT : TOKEN_INT, n);
	if (n == whole && n > 1 && p->now.text.s[0] == '0')
		starlark_wrong(p, p->now.place,
		    "expected a number without a leading 0, found one");
}

static void
read_name(struct starlark_parser *p)
{
	set(p, TOKEN_NAME, name_length(p));
	if (str_is_one_of(p->now.text, keywords))
		p->now.kind = TOKEN_KEYWORD;
	else if (str_is_one_of(p->now.text, reserved))
		starlark_expected(p, "a word that Starlark does not reserve");
}

static void
read_sign(struct starlark_parser *p)
{
	static const char *const signs[] = {
		"( ) [ ] { } , ; : = < > - + * % / . & | ^ ~ !",
		"+= -= *= /= %= == != <= >= ** -> // << >> &= |= ^=",
		"//= <<= >>= ...",
	};
	struct str rest = str_from(p->text, p->at);
	size_t n = 3, length;

	while (n > 0 && !str_is_one_of(str_slice(rest, 0, n), signs[n - 1]))
		n--;
	length = utf8_length(rest.s, rest.n);
	set(p, TOKEN_SIGN, n > 0 ? n : length > 0 ? length : 1);
	if (n == 0)
		starlark_expected(p, "a name, a number, a string or a sign");
	else if (str_is_one_of(p->now.text, "( [ {"))
		p->brackets++;
	else if (str_is_one_of(p->now.text, ") ] }") && p->brackets > 0)
		p->brackets--;
}

static void
read_token(struct starlark_parser *p)
{
	char c = byte(p, 0);
	size_t prefix = name_length(p);

	if (c == '\n' || (c == '\r' && byte(p, 1) == '\n')) {
		set(p, TOKEN_NEWLINE, c == '\n' ? 1 : 2);
		p->line_begins = true;
	} else if ((byte(p, prefix) == '"' || byte(p, prefix) == '\'') &&
	    (prefix == 0 ||
		str_is_one_of(
		    str_slice(p->text, p->at, p->at + prefix), "r f fr")))
		read_string(p, prefix);
	else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(byte(p, 1))))
		read_number(p);
	else if (prefix > 0)
		read_name(p);
	else
		read_sign(p);
}

void
starlark_advance(struct starlark_parser *p)
{
	bool in_line = p->now.kind >= TOKEN_NAME;

	if (p->s->wrong.s != NULL)
		return;
	if (p->line_begins && p->dedents == 0 && begin_line(p))
		return;
	if (p->dedents > 0) {
		p->dedents--;
		set(p, TOKEN_DEDENT, 0);
		return;
	}
	skip_blanks(p);
	if (p->at < p->text.n)
		read_token(p);
	else if (in_line && p->brackets == 0) {
		set(p, TOKEN_NEWLINE, 0);
		p->line_begins = true;
	} else
		set(p, TOKEN_END, 0);
}

void
starlark_tokens_begin(struct starlark_parser *p)
{
	p->line_begins = true;
	p->now.kind = TOKEN_NEWLINE;
	starlark_advance(p);
}

bool
starlark_is(const struct starlark_parser *p, const char *word)
{
	return (p->now.kind == TOKEN_KEYWORD || p->now.kind == TOKEN_SIGN) &&
	    str_is(p->now.text, word);
}

bool
starlark_take(struct starlark_parser *p, const char *word)
{
	if (!starlark_is(p, word))
		return false;
	starlark_advance(p);
	return true;
}

void
starlark_expect(struct starlark_parser *p, const char *word)
{
	if (!starlark_take(p, word))
		starlark_expected(p, word);
}
