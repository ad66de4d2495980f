/*
 * Reads the parts of a line of rules. There are no tokens: the parser asks for
 * what its place in the grammar permits, since `/` may begin a name or a
 * regular expression, and `$` a variable or a path.
 */
#include "check/rule/parse.h"

#include <stdarg.h>
#include <stdlib.h>

#include "text/caseless.h"

/* ---- mistakes ---- */

bool
rules_ok(const struct rules_parser *p)
{
	return p->wrong.s == NULL;
}

void
rules_mistake(struct rules_parser *p, size_t at, const char *format, ...)
{
	va_list args;

	if (!rules_ok(p))
		return;
	va_start(args, format);
	p->wrong = str_vprintf(p->arena, format, args);
	va_end(args);
	p->wrong_at = at;
	p->at = p->line.n;
}

/* Returns what is next, for a message. */
static struct str
found(struct rules_parser *p)
{
	struct str rest, word;
	size_t n = 0;

	if (rules_at_end(p))
		return STR("the end of the rule");
	rest = str_from(p->line, p->at);
	word = rules_peek_word(p);
	if (word.n == 0 || !rules_is_letter(*rest.s)) {
		while (n < rest.n && n < 24 && rest.s[n] != ' ' &&
		    rest.s[n] != '\t')
			n++;
		word = str_truncate(rest, n);
	}
	return str_printf(p->arena, "'%.*s'", STR_FMT(word));
}

/* Returns what is next, up to a blank. */
static struct str
token(struct rules_parser *p)
{
	struct str rest = str_from(p->line, p->at);

	return str_cut(&rest, ' ');
}

/* Returns whether the word may be meant: a short word is near to any other. */
static bool
is_near(struct str word, const char *meant)
{
	return word.n > 2 || caseless_is_one_of(word, meant);
}

/* Tries each word at one of the places. */
static void
try_words(struct suggest *near, unsigned places)
{
	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->places & places && rules_is_letter(*w->word) &&
		    is_near(near->word, w->word))
			suggest_try(near, str_of(w->word));
}

void
rules_expected(struct rules_parser *p, const char *what, unsigned places)
{
	struct str shown, word, meant;
	struct suggest near;

	if (!rules_ok(p))
		return;
	shown = found(p);
	word = rules_peek_word(p);
	meant = rules_meant(token(p), places);
	near = suggest_for(word);
	if (word.n != 0 && !rules_is_reserved(word))
		try_words(&near, places);
	if (str_eq(near.best, word))
		near.best = (struct str){ 0 };
	if (meant.s != NULL)
		near.best = meant;
	if (near.best.s == NULL && p->word.best.s != NULL)
		rules_mistake(p, p->at,
		    "expected %s, found %.*s, behind '%.*s'%s", what,
		    STR_FMT(shown), STR_FMT(p->word.word),
		    suggest_text(&p->word, p->arena));
	else
		rules_mistake(p, p->at, "expected %s, found %.*s%s", what,
		    STR_FMT(shown), suggest_text(&near, p->arena));
}

/* ---- words and signs ---- */

static void
skip_blanks(struct rules_parser *p)
{
	while (p->at < p->line.n &&
	    (p->line.s[p->at] == ' ' || p->line.s[p->at] == '\t'))
		p->at++;
}

bool
rules_at_end(struct rules_parser *p)
{
	skip_blanks(p);
	return p->at == p->line.n || p->line.s[p->at] == '#';
}

size_t
rules_start(struct rules_parser *p)
{
	skip_blanks(p);
	return p->at;
}

struct str
rules_written(const struct rules_parser *p, size_t from)
{
	return str_trim(str_slice(p->line, from, p->at));
}

char
rules_peek(struct rules_parser *p)
{
	if (rules_at_end(p))
		return '\0';
	return p->line.s[p->at];
}

bool
rules_is_of_name(char c)
{
	return rules_is_letter(c) || str_find_char(STR("-./:*?"), c) < 6;
}

struct str
rules_span(const struct rules_parser *p, bool (*is)(char))
{
	size_t n = p->at;

	while (n < p->line.n && is(p->line.s[n]))
		n++;
	return str_slice(p->line, p->at, n);
}

struct str
rules_peek_word(struct rules_parser *p)
{
	return rules_at_end(p) ? (struct str){ "", 0 }
			       : rules_span(p, rules_is_of_name);
}

bool
rules_take_word(struct rules_parser *p, const char *word)
{
	struct str next = rules_peek_word(p);

	if (!str_is(next, word))
		return false;
	p->at += next.n;
	return true;
}

bool
rules_take_sign(struct rules_parser *p, const char *sign)
{
	if (rules_at_end(p) || !str_starts(str_from(p->line, p->at), sign))
		return false;
	p->at += strlen(sign);
	return true;
}

bool
rules_is_reserved(struct str word)
{
	return rules_word_at(word, RULES_RESERVED) != NULL;
}

/* ---- texts ---- */

static struct str
string_at(struct rules_parser *p)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t end = 0;
	const struct json *v =
	    json_read(&reader, str_from(p->line, p->at), &end, &error);
	struct str text = { 0 };

	if (v == NULL) {
		rules_mistake(p, p->at + (error.cut ? 0 : error.offset),
		    "%s in a text in quotes",
		    error.cut ? "the closing quote is missing" : error.why);
	} else {
		text = str_dup(p->arena, json_text(v, p->arena));
		p->at += end;
	}
	json_reader_free(&reader);
	return text.s == NULL ? STR("") : text;
}

struct str
rules_string(struct rules_parser *p, const char *what)
{
	if (rules_peek(p) != '"') {
		rules_expected(p, what, RULES_NOWHERE);
		return STR("");
	}
	return string_at(p);
}

static bool
is_of_key(char c)
{
	return rules_is_letter(c) || c == '-';
}

struct str
rules_colon_name(struct rules_parser *p)
{
	struct str name = { 0 };

	if (rules_peek(p) != ':')
		return name;
	p->at++;
	name = rules_span(p, is_of_key);
	p->at += name.n;
	return name;
}

/* Returns the word of the grammar that is nearest. */
static struct suggest
word_near(struct str word)
{
	struct suggest found = suggest_for(word);

	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->places & RULES_RESERVED && is_near(word, w->word))
			suggest_try(&found, str_of(w->word));
	return found;
}

struct str
rules_glob(struct rules_parser *p, const char *what)
{
	struct str word;

	if (rules_peek(p) == '"')
		return string_at(p);
	word = rules_peek_word(p);
	if (word.n == 0) {
		rules_expected(p, what, RULES_NOWHERE);
	} else if (rules_is_reserved(word)) {
		rules_mistake(p, p->at,
		    "expected %s, found '%.*s', which is a word of the grammar "
		    "(a tool of that name is written in quotes)",
		    what, STR_FMT(word));
	} else if (word.n > 2 && *word.s == '/' && str_ends(word, "/")) {
		rules_mistake(p, p->at,
		    "expected a glob as the name of a tool, found the pattern "
		    "%.*s (did you mean '*%.*s*'?)",
		    STR_FMT(word), STR_FMT(str_slice(word, 1, word.n - 1)));
	} else {
		p->word = word_near(word);
		p->at += word.n;
	}
	return word;
}

struct str
rules_path(struct rules_parser *p)
{
	struct str key;

	if (rules_peek(p) == '"')
		return string_at(p);
	key = rules_span(p, is_of_key);
	if (key.n == 0)
		rules_expected(p,
		    "the name of an argument, @args, @result, @ms or @error",
		    RULES_NOWHERE);
	p->at += key.n;
	return key;
}

/* Returns the length of a path: brackets and quotes may hold blanks and
 * signs. */
static size_t
jsonpath_length(struct str rest)
{
	int depth = 0;
	char quote = '\0';
	size_t i;

	for (i = 0; i < rest.n; i++) {
		char c = rest.s[i];

		if (quote != '\0') {
			if (c == '\\')
				i++;
			else if (c == quote)
				quote = '\0';
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == '[' || c == '(') {
			depth++;
		} else if ((c == ']' || c == ')') && depth > 0) {
			depth--;
		} else if (depth == 0 &&
		    str_find_char(STR(" \t=!<>#)"), c) < 8) {
			break;
		}
	}
	return i < rest.n ? i : rest.n;
}

struct str
rules_jsonpath(struct rules_parser *p)
{
	struct str rest = str_from(p->line, p->at);
	struct str path = str_slice(rest, 0, jsonpath_length(rest));

	p->at += path.n;
	return path;
}

/* ---- values ---- */

/* A bare word may be an address, a date or a file. */
static bool
is_of_value(char c)
{
	return rules_is_of_name(c) || str_find_char(STR("@+%&~;'"), c) < 7;
}

const struct json *
rules_scalar(struct rules_parser *p)
{
	const struct json *v;
	struct str word;

	if (rules_peek(p) == '"')
		return json_parse(p->arena, out_quote(p->arena, string_at(p)));
	word = rules_at_end(p) ? STR("") : rules_span(p, is_of_value);
	if (word.n == 0) {
		rules_expected(p, "a number, a text in quotes, a word or $name",
		    RULES_NOWHERE);
		return json_parse(p->arena, STR("null"));
	}
	p->at += word.n;
	v = json_parse(p->arena, word);
	return v != NULL ? v : json_parse(p->arena, out_quote(p->arena, word));
}

const struct json *
rules_compared(struct rules_parser *p, enum rule_op op)
{
	bool bare = rules_peek(p) != '"';
	size_t at = p->at;
	const struct json *v = rules_scalar(p);
	struct str word = str_slice(p->line, at, p->at);
	size_t digits = 0;

	for (size_t i = 0; i < word.n; i++)
		digits += word.s[i] >= '0' && word.s[i] <= '9';
	if (rules_ok(p) && bare && op >= RULE_LT && digits == 0)
		rules_mistake(p, at,
		    "expected a number behind an operator of order, found "
		    "'%.*s' (a text is written in quotes)",
		    STR_FMT(word));
	return v;
}

/* ---- numbers ---- */

static bool
is_of_number(char c)
{
	return rules_is_letter(c) || c == '.';
}

/* Returns the factor of a unit, or 0 if there is no such unit. */
static double
factor_of(const char *unit, enum rules_unit units)
{
	static const struct {
		const char *name;
		enum rules_unit of;
		double factor;
	} rows[] = {
		{ "k", RULES_AMOUNT, 1e3 },
		{ "M", RULES_AMOUNT, 1e6 },
		{ "ms", RULES_TIME, 1e-3 },
		{ "s", RULES_TIME, 1 },
		{ "m", RULES_TIME, 60 },
		{ "h", RULES_TIME, 3600 },
		{ "d", RULES_TIME, 86400 },
	};

	if (*unit == '\0')
		return 1;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(unit, rows[i].name) == 0 &&
		    (units == rows[i].of ||
			(units == RULES_WHOLE && rows[i].of == RULES_AMOUNT)))
			return rows[i].factor;
	return 0;
}

double
rules_number(struct rules_parser *p, enum rules_unit units)
{
	static const char *const what[] = {
		[RULES_WHOLE] = "a whole number",
		[RULES_AMOUNT] = "a number, maybe with k or M",
		[RULES_TIME] = "a number with ms, s, m, h or d",
	};
	struct str word =
	    rules_at_end(p) ? STR("") : rules_span(p, is_of_number);
	const char *text = str_c(p->arena, word);
	size_t digits = strspn(text, "0123456789.");
	double factor = factor_of(text + digits, units), n;
	char *end;

	n = strtod(str_c(p->arena, str_slice(word, 0, digits)), &end) * factor;
	if (digits == 0 || *text == '.' || *end != '\0' || factor == 0 ||
	    n > 1e15 || (units == RULES_WHOLE && n != (double)(int64_t)n)) {
		rules_expected(p, what[units], RULES_NOWHERE);
		return 0;
	}
	p->at += word.n;
	return n;
}

bool
rules_op(struct rules_parser *p, enum rule_op *op)
{
	static const struct {
		const char *sign;
		enum rule_op op;
	} signs[] = {
		{ "<=", RULE_LE },
		{ ">=", RULE_GE },
		{ "!=", RULE_NE },
		{ "<", RULE_LT },
		{ ">", RULE_GT },
		{ "=", RULE_EQ },
	};
	size_t at = rules_start(p);

	if (rules_take_sign(p, "==") || rules_take_sign(p, "=<") ||
	    rules_take_sign(p, "=>") || rules_take_sign(p, "=~")) {
		char second = p->line.s[at + 1];

		rules_mistake(p, at,
		    "expected an operator, found '=%c' (did you mean '%s'?)",
		    second,
		    second == '='       ? "="
			: second == '<' ? "<="
			: second == '>' ? ">="
					: "~");
		return true;
	}
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (rules_take_sign(p, signs[i].sign)) {
			*op = signs[i].op;
			return true;
		}
	return false;
}
