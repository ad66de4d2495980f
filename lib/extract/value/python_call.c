#include "extract/value/python_call.h"

#include "extract/value/copy.h"
#include "io/out.h"

enum { DEEPEST = 32 }; /* lists and dicts within each other */

struct reader {
	struct arena *arena;
	struct str text;
	size_t at;
	struct out *out;
	size_t calls;
};

static char
next(const struct reader *r)
{
	if (r->at >= r->text.n)
		return '\0';
	return r->text.s[r->at];
}

static void
skip_blanks(struct reader *r)
{
	while (str_find_char(STR(" \t\r\n"), next(r)) < 4 && next(r) != '\0')
		r->at++;
}

/* Skips the character, and blanks around it; returns whether the character is there. */
static bool
skip(struct reader *r, char c)
{
	skip_blanks(r);
	if (next(r) != c)
		return false;
	r->at++;
	skip_blanks(r);
	return true;
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the name at the position, which may have dots; empty if there is none. */
static struct str
read_name(struct reader *r)
{
	size_t from = r->at;

	if (next(r) >= '0' && next(r) <= '9')
		return STR("");
	while (is_word(next(r)) || (next(r) == '.' && r->at > from))
		r->at++;
	return str_slice(r->text, from, r->at);
}

static void
put_string(struct reader *r, struct str text)
{
	out_printf(r->out, "\"%.*s\"", STR_FMT(copy_escaped(r->arena, text)));
}

/* Reads a string in quotes; of escapes, those of JSON and \' are decoded. */
static bool
read_string(struct reader *r)
{
	static const char codes[] = "nrtbf", values[] = "\n\r\t\b\f";
	char quote = next(r), *text;
	size_t end = r->at + 1, n = 0;

	while (end < r->text.n && r->text.s[end] != quote)
		end += r->text.s[end] == '\\' ? 2 : 1;
	if (end >= r->text.n)
		return false;
	text = arena_alloc(r->arena, end - r->at);
	for (r->at++; r->at < r->text.n && next(r) != quote; r->at++) {
		const char *code;

		if (next(r) == '\\' && r->at + 1 < r->text.n) {
			code = strchr(codes, r->text.s[++r->at]);
			if (code != NULL && *code != '\0') {
				text[n++] = values[code - codes];
				continue;
			}
			if (str_find_char(STR("\\'\""), next(r)) == 3)
				text[n++] = '\\';
		}
		text[n++] = next(r);
	}
	r->at++;
	put_string(r, (struct str){ text, n });
	return true;
}

/* Reads a number, or a constant. */
static bool
read_word(struct reader *r)
{
	static const char *const constants[][2] = { { "True", "true" },
		{ "False", "false" }, { "None", "null" }, { "true", "true" },
		{ "false", "false" }, { "null", "null" } };
	size_t from = r->at;
	struct str word;
	const struct json *number;

	while (is_word(next(r)) || str_find_char(STR("+-."), next(r)) < 3)
		r->at++;
	word = str_slice(r->text, from, r->at);
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (str_is(word, constants[i][0])) {
			out_str(r->out, str_of(constants[i][1]));
			return true;
		}
	number = word.n == 0 ? NULL : copy_parsed(r->arena, word);
	if (!json_is(number, JSON_NUMBER))
		return false;
	out_str(r->out, word);
	return true;
}

static bool read_literal(struct reader *, int depth);

/* Reads a list, a tuple or a dict up to the bracket that ends it. */
static bool
read_items(struct reader *r, char end, int depth)
{
	bool dict = end == '}';

	out_str(r->out, dict ? STR("{") : STR("["));
	for (size_t n = 0; !skip(r, end); n++) {
		if (n != 0 && !skip(r, ','))
			return false;
		if (n != 0 && skip(r, end))
			break;
		if (n != 0)
			out_str(r->out, STR(","));
		if (dict && str_find_char(STR("'\""), next(r)) == 2)
			return false;
		if (!read_literal(r, depth))
			return false;
		if (!dict)
			continue;
		if (!skip(r, ':'))
			return false;
		out_str(r->out, STR(":"));
		if (!read_literal(r, depth))
			return false;
	}
	out_str(r->out, dict ? STR("}") : STR("]"));
	return true;
}

/* Reads a literal, and writes it as JSON; returns false, with some of it written, if there
 * is none. */
static bool
read_literal(struct reader *r, int depth)
{
	skip_blanks(r);
	if (depth == DEEPEST)
		return false;
	switch (next(r)) {
	case '"':
	case '\'':
		return read_string(r);
	case '[':
		r->at++;
		return read_items(r, ']', depth + 1);
	case '(':
		r->at++;
		return read_items(r, ')', depth + 1);
	case '{':
		r->at++;
		return read_items(r, '}', depth + 1);
	default:
		return read_word(r);
	}
}

/* Skips an expression up to the comma or bracket that ends it; returns whether that
 * is there. */
static bool
skip_expression(struct reader *r)
{
	int open = 0;
	char quote = '\0';

	for (; r->at < r->text.n; r->at++) {
		char c = next(r);

		if (quote != '\0') {
			if (c == '\\')
				r->at++;
			else if (c == quote)
				quote = '\0';
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (open == 0 && (c == ',' || c == ')')) {
			return true;
		} else if (str_find_char(STR("([{"), c) < 3) {
			open++;
		} else if (str_find_char(STR(")]}"), c) < 3 && --open < 0) {
			return false;
		}
	}
	return false;
}

/* Reads the value of an argument: a literal, or else the source of an expression. */
static bool
read_value(struct reader *r)
{
	struct out *out = r->out;
	size_t from = r->at;
	struct out own;
	bool literal;

	out_open_memory(&own);
	r->out = &own;
	literal = read_literal(r, 0);
	skip_blanks(r);
	literal = literal && (next(r) == ',' || next(r) == ')');
	r->out = out;
	if (literal)
		out_str(out, out_memory(&own));
	out_close(&own);
	if (literal)
		return true;
	r->at = from;
	if (!skip_expression(r) || r->at == from)
		return false;
	put_string(r, str_trim(str_slice(r->text, from, r->at)));
	return true;
}

/* Reads an argument, with its name if there is one. */
static bool
read_argument(struct reader *r, size_t place)
{
	size_t from = r->at;
	struct str name = read_name(r);

	if (name.n == 0 || !skip(r, '=') || next(r) == '=') {
		r->at = from;
		name = str_printf(r->arena, "%zu", place);
	}
	put_string(r, name);
	out_str(r->out, STR(":"));
	return next(r) != '=' && read_value(r);
}

static bool
read_call(struct reader *r)
{
	struct str name = read_name(r);

	if (name.n == 0 || str_ends(name, ".") || !skip(r, '('))
		return false;
	out_str(
	    r->out, r->calls++ == 0 ? STR("{\"name\":") : STR(",{\"name\":"));
	put_string(r, name);
	out_str(r->out, STR(",\"args\":{"));
	for (size_t n = 0; !skip(r, ')'); n++) {
		if (n != 0 && !skip(r, ','))
			return false;
		if (n != 0 && skip(r, ')'))
			break;
		if (n != 0)
			out_str(r->out, STR(","));
		if (!read_argument(r, n))
			return false;
	}
	out_str(r->out, STR("}}"));
	return true;
}

/* Reads the calls, in lists or not. */
static bool
read_calls(struct reader *r)
{
	bool in_list = false;

	skip_blanks(r);
	while (r->at < r->text.n) {
		if (skip(r, in_list ? ']' : '['))
			in_list = !in_list;
		else if (!skip(r, ',') && !skip(r, ';') && !read_call(r))
			return false;
		skip_blanks(r);
	}
	return r->calls != 0 && !in_list;
}

const struct json *
python_calls(struct arena *a, struct str text)
{
	struct out out;
	struct reader r = { a, text, .out = &out };
	bool calls;
	struct str json;

	out_open_memory(&out);
	out_str(&out, STR("["));
	calls = read_calls(&r);
	out_str(&out, STR("]"));
	json = out_keep(&out, a);
	return calls ? copy_parsed(a, json) : NULL;
}
