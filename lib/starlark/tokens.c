/* Text to tokens: names, numbers, strings, signs, lines and their indentation. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "starlark/syntax.h"

void
sl_wrong(struct sl_parser *p, struct place place, const char *why)
{
	starlark_refuse(p->s, place, "%s", why);
	p->kind = SL_END;
}

void
sl_expected(struct sl_parser *p, const char *what)
{
	static const char *const names[] = {
		[SL_END] = "the end of the file",
		[SL_NEWLINE] = "the end of the line",
		[SL_INDENT] = "a line that is indented",
		[SL_DEDENT] = "the end of the indented lines",
	};
	struct str found = p->kind < SL_WORD
	    ? str_of(names[p->kind])
	    : str_ellipsize(p->s->arena, p->token, 40);

	starlark_refuse(
	    p->s, p->place, "expected %s, found %.*s", what, STR_FMT(found));
	p->kind = SL_END;
}

/* Returns the place of a byte, which is not before that of the last call. */
static struct place
place_of(struct sl_parser *p, size_t at)
{
	for (; p->counted < at; p->counted++)
		if (p->text.s[p->counted] == '\n') {
			p->line++;
			p->line_start = p->counted + 1;
		}
	return (struct place){ .file = p->s->file,
		.line = p->line + 1,
		.column = at - p->line_start + 1 };
}

/* Returns a byte behind the token, or NUL behind the text. */
static char
byte(const struct sl_parser *p, size_t ahead)
{
	if (p->at + ahead >= p->text.n)
		return '\0';
	return p->text.s[p->at + ahead];
}

static void
set(struct sl_parser *p, enum sl_token_kind kind, size_t length)
{
	p->kind = kind;
	p->token = str_slice(p->text, p->at, p->at + length);
	p->place = place_of(p, p->at);
	p->at += length;
}

static void
wrong_here(struct sl_parser *p, const char *why)
{
	sl_wrong(p, place_of(p, p->at), why);
}

/* ---- lines ---- */

static void
skip_comment(struct sl_parser *p)
{
	while (p->at < p->text.n && p->text.s[p->at] != '\n')
		p->at++;
}

/* Skips blank lines and comments. Returns the indentation of the next line. */
static size_t
indentation(struct sl_parser *p)
{
	size_t n = 0;

	for (;; p->at++) {
		if (byte(p, 0) == '#')
			skip_comment(p);
		if (p->at == p->text.n)
			return 0;
		if (byte(p, 0) == ' ')
			n++;
		else if (byte(p, 0) == '\n')
			n = 0;
		else if (byte(p, 0) != '\r')
			return n;
	}
}

/* Begins a line: makes a token if the indentation grows, notes ends of blocks. */
static bool
begin_line(struct sl_parser *p)
{
	size_t indent = indentation(p);

	p->line_begins = false;
	while (p->nindents > 0 && p->indents[p->nindents - 1] > indent) {
		p->nindents--;
		p->dedents++;
	}
	if (indent == (p->nindents == 0 ? 0 : p->indents[p->nindents - 1]))
		return false;
	if (p->dedents > 0)
		wrong_here(p,
		    "expected the indentation of a line above, found another");
	else if (p->nindents == SL_LEVELS)
		wrong_here(p, "lines are indented too deeply");
	else {
		p->indents[p->nindents++] = indent;
		set(p, SL_INDENT, 0);
	}
	return true;
}

/* Skips blanks, comments, and line ends in brackets or behind a backslash. */
static void
skip_blanks(struct sl_parser *p)
{
	for (;;) {
		size_t n = byte(p, 0) == '\\' ? 1 : 0;

		if (byte(p, n) == '\r')
			n++;
		if (byte(p, 0) == '#')
			skip_comment(p);
		else if (byte(p, 0) == ' ')
			p->at++;
		else if (byte(p, n) == '\n' &&
		    (byte(p, 0) == '\\' || p->brackets > 0))
			p->at += n + 1;
		else
			return;
	}
}

/* ---- tokens ---- */

/* Reads a string, before whose quote there may be letters. */
static void
read_string(struct sl_parser *p, size_t prefix)
{
	char quote = byte(p, prefix);
	bool twice = byte(p, prefix + 1) == quote;
	bool triple = twice && byte(p, prefix + 2) == quote;
	size_t quotes = 0, i = prefix + (triple ? 3 : 1);

	for (; p->at + i < p->text.n; i++) {
		char c = byte(p, i);

		quotes = c == quote ? quotes + 1 : 0;
		if (quotes == (triple ? 3 : 1)) {
			set(p, SL_QUOTED, i + 1);
			return;
		}
		if (c == '\n' && !triple)
			break;
		if (c == '\\')
			i += byte(p, i + 1) == '\r' ? 2 : 1;
	}
	wrong_here(p, "expected a quote that ends the string, found none");
}

/* Returns the length of the name at the token's end; with dots, of a number. */
static size_t
name_length(const struct sl_parser *p, const char *more)
{
	size_t n = 0;

	while (ascii_is_alnum(byte(p, n)) || ascii_is_among(byte(p, n), more))
		n++;
	return n;
}

static void
read_word(struct sl_parser *p, size_t length)
{
	set(p, SL_WORD, length);
	if (str_is_one_of(p->token,
		"and break continue def elif else for if in lambda load not or "
		"pass return"))
		p->kind = SL_KEYWORD;
	else if (str_is_one_of(p->token,
		     "as assert async await class del except finally from "
		     "global import is nonlocal raise try while with yield"))
		sl_expected(p, "a word that Starlark does not reserve");
}

static void
read_sign(struct sl_parser *p)
{
	static const char *const signs[] = {
		"( ) [ ] { } , ; : = < > - + * % / . & | ^ ~ !",
		"+= -= *= /= %= == != <= >= ** -> // << >> &= |= ^=",
		"//= <<= >>= ...",
	};
	struct str rest = str_from(p->text, p->at);
	size_t n = 3, length = utf8_length(rest.s, rest.n);

	while (n > 0 && !str_is_one_of(str_slice(rest, 0, n), signs[n - 1]))
		n--;
	set(p, SL_SIGN, n > 0 ? n : length > 0 ? length : 1);
	if (n == 0)
		sl_expected(p, "a name, a number, a string or a sign");
	else if (str_is_one_of(p->token, "( [ {"))
		p->brackets++;
	else if (str_is_one_of(p->token, ") ] }") && p->brackets > 0)
		p->brackets--;
}

static void
read_token(struct sl_parser *p)
{
	size_t n = name_length(p, "_");
	bool quoted = ascii_is_among(byte(p, n), "\"'") &&
	    (n == 0 ||
		str_is_one_of(str_slice(p->text, p->at, p->at + n), "r f fr"));

	if (byte(p, byte(p, 0) == '\r' ? 1 : 0) == '\n') {
		set(p, SL_NEWLINE, byte(p, 0) == '\r' ? 2 : 1);
		p->line_begins = true;
	} else if (quoted)
		read_string(p, n);
	else if (ascii_is_digit(byte(p, byte(p, 0) == '.' ? 1 : 0)))
		set(p, SL_NUMBER, name_length(p, "."));
	else if (n > 0)
		read_word(p, n);
	else
		read_sign(p);
}

void
sl_advance(struct sl_parser *p)
{
	bool in_line = p->kind >= SL_WORD;

	if (p->s->wrong.s != NULL)
		return;
	if (p->line_begins && begin_line(p))
		return;
	if (p->dedents > 0) {
		p->dedents--;
		set(p, SL_DEDENT, 0);
		return;
	}
	skip_blanks(p);
	if (p->at < p->text.n)
		read_token(p);
	else if (in_line && p->brackets == 0) {
		set(p, SL_NEWLINE, 0);
		p->line_begins = true;
	} else
		set(p, SL_END, 0);
}

bool
sl_is(const struct sl_parser *p, const char *word)
{
	return (p->kind == SL_KEYWORD || p->kind == SL_SIGN) &&
	    str_is(p->token, word);
}

bool
sl_take(struct sl_parser *p, const char *word)
{
	if (!sl_is(p, word))
		return false;
	sl_advance(p);
	return true;
}

void
sl_expect(struct sl_parser *p, const char *word)
{
	if (!sl_take(p, word))
		sl_expected(p, word);
}
