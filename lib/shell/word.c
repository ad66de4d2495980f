/* Words: quotes are removed, parameters that are known are replaced, and what is
 * known only as the shell runs becomes SHELL_UNKNOWN. */
#include <string.h>

#include "base/ascii.h"
#include "shell/parser.h"
#include "shell/word.h"
#include "text/unicode.h"

static void read_dollar(struct shell_parser *, struct word *, bool in_quotes);

static void
put_unknown(struct word *w, bool in_quotes)
{
	word_put(w, SHELL_UNKNOWN);
	w->flags.splits |= !in_quotes;
}

/* Appends the word, unless it has become none, and begins another. */
static void
finish(struct word *w)
{
	if (w->n > 0 || w->flags.quoted) {
		w->flags.text =
		    (struct str){ w->text == NULL ? "" : w->text, w->n };
		shell_add_word(w->arena, w->words, w->flags);
	}
	w->text = NULL;
	w->n = w->size = 0;
	w->flags = (struct shell_word){ 0 };
}

/* ---- quotes ---- */

/* Reads up to the quote that ends 'text', from behind the first quote. */
static void
read_single(struct shell_parser *p, struct word *w)
{
	w->flags.quoted = true;
	for (; shell_peek(p, 0) != '\''; p->at++) {
		if (shell_at_end(p)) {
			shell_fail(p);
			return;
		}
		word_put(w, shell_peek(p, 0));
	}
	p->at++;
}

/* Reads at most `most` digits of a base. */
static uint32_t
read_digits(struct shell_parser *p, unsigned base, unsigned most)
{
	uint32_t value = 0;

	for (; most > 0; most--, p->at++) {
		int digit = ascii_hex(shell_peek(p, 0));

		if (digit < 0 || (unsigned)digit >= base)
			break;
		value = value * base + (unsigned)digit;
	}
	return value;
}

/* Reads an escape in $'text', from behind the backslash. */
static void
read_escape(struct shell_parser *p, struct word *w)
{
	static const char letters[] = "abefnrtvE";
	static const char meaning[] = "\a\b\x1b\f\n\r\t\v\x1b";
	char c = shell_peek(p, 0), encoded[4];
	const char *letter = c == '\0' ? NULL : strchr(letters, c);

	if (c >= '0' && c <= '7') {
		word_put(w, (char)read_digits(p, 8, 3));
		return;
	}
	p->at++;
	if (letter != NULL)
		word_put(w, meaning[letter - letters]);
	else if (c == 'x')
		word_put(w, (char)read_digits(p, 16, 2));
	else if (c == 'u' || c == 'U')
		word_put_text(w,
		    (struct str){ encoded,
			unicode_encode(
			    read_digits(p, 16, c == 'u' ? 4 : 8), encoded) });
	else if (c == 'c')
		word_put(w, (char)(shell_peek(p, 0) & 31)), p->at++;
	else if (c == '\\' || c == '\'' || c == '"' || c == '?')
		word_put(w, c);
	else
		word_put(w, '\\'), word_put(w, c);
}

/* Reads up to the quote that ends $'text', from behind the first quote. */
static void
read_ansi_c(struct shell_parser *p, struct word *w)
{
	w->flags.quoted = true;
	while (shell_peek(p, 0) != '\'') {
		char c = shell_peek(p, 0);

		if (shell_at_end(p)) {
			shell_fail(p);
			return;
		}
		p->at++;
		if (c == '\\')
			read_escape(p, w);
		else
			word_put(w, c);
	}
	p->at++;
}

/* Reads a character after a backslash; `special` has those that the backslash
 * quotes (NULL: each one). */
static void
read_backslash(struct shell_parser *p, struct word *w, const char *special)
{
	char c = shell_peek(p, 1);

	p->at++;
	if (shell_at_end(p)) {
		word_put(w, '\\');
		return;
	}
	p->at++;
	if (c == '\n')
		return;
	if (special != NULL && strchr(special, c) == NULL)
		word_put(w, '\\');
	else
		w->flags.quoted = true;
	word_put(w, c);
}

/* Reads commands in backquotes. Backslashes are taken from the text first. */
static void
read_backquotes(struct shell_parser *p, struct word *w, bool in_quotes)
{
	struct word text = { .arena = w->arena };
	const char *special = in_quotes ? "$`\\\"" : "$`\\";
	size_t functions;

	p->at++;
	while (shell_peek(p, 0) != '`') {
		if (shell_at_end(p)) {
			shell_fail(p);
			return;
		}
		if (shell_peek(p, 0) == '\\' && shell_peek(p, 1) != '\n') {
			read_backslash(p, &text, special);
			continue;
		}
		word_put(&text, shell_peek(p, 0));
		p->at++;
	}
	p->at++;
	functions = shell_fork(p);
	shell_nested(
	    p, (struct str){ text.text, text.n }, p->params, p->input, p->by);
	shell_join(p, functions);
	put_unknown(w, in_quotes);
}

/* Reads text in which only `$`, '`' and a backslash before one of `special` mean
 * more than themselves, up to the character `end` or (NUL) the end of the text. */
static void
read_until(
    struct shell_parser *p, struct word *w, char end, const char *special)
{
	while (!p->failed && !shell_at_end(p)) {
		char c = shell_peek(p, 0);

		if (c == end && end != '\0')
			return;
		if (c == '\\')
			read_backslash(p, w, special);
		else if (c == '$')
			read_dollar(p, w, true);
		else if (c == '`')
			read_backquotes(p, w, true);
		else
			word_put(w, c), p->at++;
	}
	if (end != '\0')
		shell_fail(p);
}

/* Reads up to the quote that ends "text", from behind the first quote. "$@" of no
 * parameters is no word. */
static void
read_quoted(struct shell_parser *p, struct word *w)
{
	size_t from = p->at;
	struct str within;

	read_until(p, w, '"', "$`\"\\");
	within = str_slice(p->text, from, p->at);
	if (!str_is(within, "$@") && !str_is(within, "${@}"))
		w->flags.quoted = true;
	p->at++;
}

struct str
shell_document_text(const struct shell_parser *outer, struct str body)
{
	struct shell_words none = { 0 };
	struct word w = { .arena = outer->state->arena, .words = &none };
	struct shell_parser p = *outer;

	p.text = body;
	p.at = 0;
	p.documents = NULL;
	p.n_documents = 0;
	read_until(&p, &w, '\0', "$`\\");
	return (struct str){ w.text == NULL ? "" : w.text, w.n };
}

/* ---- expansions ---- */

/* Reads the list of commands in brackets, from behind the first bracket. */
static void
read_commands(struct shell_parser *p)
{
	struct shell_document **documents = p->documents;
	size_t n = p->n_documents, functions = shell_fork(p);

	p->documents = NULL;
	p->n_documents = 0;
	if (++p->depth > SHELL_DEPTH)
		shell_fail_deep(p);
	shell_list(p);
	if (shell_peek(p, 0) == ')' && !p->failed)
		p->at++;
	else
		shell_fail(p);
	p->depth--;
	shell_join(p, functions);
	p->documents = documents;
	p->n_documents = n;
}

static bool
is_name(char c)
{
	return ascii_is_alnum(c) || c == '_';
}

/* Puts one parameter into the word. */
static void
put_parameter(struct word *w, const struct shell_word *value, bool in_quotes)
{
	bool splits = false;

	for (size_t i = 0; !in_quotes && i < value->text.n; i++)
		splits |= strchr(" \t\n*?[", value->text.s[i]) != NULL;
	if (splits)
		put_unknown(w, false);
	else
		word_put_text(w, value->text);
	w->flags.splits |= value->splits;
	w->flags.quoted |= in_quotes;
}

/* Puts the value of a variable or parameter into the word. */
static void
put_value(
    struct shell_parser *p, struct word *w, struct str name, bool in_quotes)
{
	char c = '\0';
	bool all;

	if (name.n == 1)
		c = *name.s;
	all = c == '@' || (c == '*' && p->params.n <= 2);
	if (p->params_unknown || !(all || ascii_is_digit(c)) ||
	    (c == '0' && p->params.n == 0)) {
		put_unknown(w, in_quotes && c != '@' && !str_ends(name, "[@]"));
		return;
	}
	if (!all) {
		if ((size_t)(c - '0') < p->params.n)
			put_parameter(w, &p->params.list[c - '0'], in_quotes);
		return;
	}
	for (size_t i = 1; i < p->params.n; i++) {
		put_parameter(w, &p->params.list[i], in_quotes);
		if (i + 1 < p->params.n)
			finish(w);
	}
}

/* Reads `${...}`, from behind the bracket. */
static void
read_braces(struct shell_parser *p, struct word *w, bool in_quotes)
{
	size_t from = p->at;
	struct str name;

	if (!shell_skip_until(p, in_quotes ? "\"}" : "}")) {
		shell_fail(p);
		return;
	}
	name = str_slice(p->text, from, p->at - 1);
	put_value(p, w, name, in_quotes);
}

/* Reads `$((...))` or `$(...)`, from the bracket. */
static void
read_brackets(struct shell_parser *p, struct word *w, bool in_quotes)
{
	size_t at = p->at, n = p->state->n;

	if (shell_peek(p, 1) == '(') {
		p->at += 2;
		if (shell_skip_until(p, "))")) {
			put_unknown(w, true);
			return;
		}
		if (p->deep || p->state->retries++ == SHELL_RETRIES) {
			shell_fail_deep(p);
			return;
		}
		p->at = at;
		p->state->n = n;
		p->failed = false;
	}
	p->at = at + 1;
	read_commands(p);
	put_unknown(w, in_quotes);
}

/* Reads what begins with `$`. */
static void
read_dollar(struct shell_parser *p, struct word *w, bool in_quotes)
{
	char c = shell_peek(p, 1);
	size_t from = ++p->at;

	if (c == '(') {
		read_brackets(p, w, in_quotes);
	} else if (c == '{') {
		p->at++;
		read_braces(p, w, in_quotes);
	} else if (c == '[') {
		p->at++;
		if (!shell_skip_until(p, "]"))
			shell_fail(p);
		put_unknown(w, true);
	} else if (c == '\'' && !in_quotes) {
		p->at++;
		read_ansi_c(p, w);
	} else if (c == '"' && !in_quotes) {
		p->at++;
		read_quoted(p, w);
	} else if (ascii_is_letter(c) || c == '_') {
		while (is_name(shell_peek(p, 0)))
			p->at++;
		put_value(p, w, str_slice(p->text, from, p->at), in_quotes);
	} else if (c != '\0' && strchr("@*#?-$!0123456789", c) != NULL) {
		p->at++;
		put_value(p, w, str_slice(p->text, from, p->at), in_quotes);
	} else {
		word_put(w, '$');
	}
}

/* Skips an expansion at `$` or '`', and lists the commands within. */
static void
skip_expansion(struct shell_parser *p, bool in_quotes)
{
	struct shell_words none = { 0 };
	struct word w = { .arena = p->state->arena, .words = &none };

	if (shell_peek(p, 0) == '`')
		read_backquotes(p, &w, in_quotes);
	else
		read_dollar(p, &w, in_quotes);
}

/* Returns whether the text at the place is `end`, as a word if `end` is ]]. */
static bool
ends_here(const struct shell_parser *p, const char *end)
{
	if (!str_starts(str_from(p->text, p->at), end))
		return false;
	return !str_is(STR("]]"), end) ||
	    (ascii_is_among(p->text.s[p->at - 1], " \t\n") &&
		(shell_peek(p, 2) == '\0' ||
		    ascii_is_among(shell_peek(p, 2), " \t\n;&|)")));
}

/* Skips one character, quoted text or expansion. */
static void
skip_one(struct shell_parser *p, bool in_quotes)
{
	struct shell_words none = { 0 };
	struct word w = { .arena = p->state->arena, .words = &none };
	char c = shell_peek(p, 0);

	if (c == '$' || c == '`') {
		skip_expansion(p, in_quotes);
	} else if (c == '\\') {
		p->at += p->at + 1 < p->text.n ? 2 : 1;
	} else if (c == '"') {
		p->at++;
		read_quoted(p, &w);
	} else if (c == '\'' && !in_quotes) {
		p->at++;
		read_single(p, &w);
	} else {
		p->at++;
	}
}

bool
shell_skip_until(struct shell_parser *p, const char *end)
{
	bool in_quotes = end[0] == '"', counts = end[0] == ')';
	unsigned open = 0;

	end += in_quotes;
	if (p->depth >= SHELL_DEPTH) {
		shell_fail_deep(p);
		return false;
	}
	p->depth++;
	while (!shell_at_end(p) && !p->failed &&
	    (open > 0 || !ends_here(p, end))) {
		char c = shell_peek(p, 0);

		if (counts && c == '(')
			open++;
		else if (counts && c == ')' && open-- == 0)
			break;
		skip_one(p, in_quotes);
	}
	p->depth--;
	if (open > 0 || p->failed || !ends_here(p, end))
		return false;
	p->at += strlen(end);
	return true;
}

/* ---- words ---- */

/* Returns whether the text before the place is `NAME=` or `NAME+=`, behind which
 * a bracket begins an array. */
static bool
begins_array(const struct word *w)
{
	size_t n = w->n;

	if (n < 2 || w->text[n - 1] != '=' || w->flags.quoted)
		return false;
	n -= w->text[n - 2] == '+' ? 2 : 1;
	for (size_t i = 0; i < n; i++)
		if (!is_name(w->text[i]))
			return false;
	return n > 0;
}

/* Reads the words of an array, from the bracket. */
static void
read_array(struct shell_parser *p, struct word *w)
{
	struct shell_words elements = { 0 };

	if (p->depth >= SHELL_DEPTH) {
		shell_fail_deep(p);
		return;
	}
	p->depth++;
	p->at++;
	do
		shell_skip_lines(p);
	while (!p->failed && shell_word(p, &elements));
	if (shell_peek(p, 0) == ')')
		p->at++;
	else
		shell_fail(p);
	p->depth--;
	put_unknown(w, true);
}

/* Reads a character without quotes, and notes what the shell expands. */
static void
read_plain(struct shell_parser *p, struct word *w)
{
	char c = shell_peek(p, 0), next = shell_peek(p, 1);
	bool extended = p->in_pattern || p->state->extglob;

	w->flags.splits |= c == SHELL_UNKNOWN;
	if (c == '{')
		w->brace = true;
	else if (w->brace && (c == ',' || (c == '.' && next == '.')))
		w->brace_comma = true;
	else if (c == '}' && w->brace_comma)
		w->flags.splits = true;
	if (extended && c != '\0' && strchr("?*+@!", c) != NULL && next == '(')
		w->groups++, word_put(w, c), p->at++, w->flags.glob = true;
	else if (c == ')' && w->groups > 0)
		w->groups--;
	else if (c == '*' || c == '?' || (c == ']' && w->bracket))
		w->flags.glob = true;
	w->bracket |= c == '[';
	word_put(w, shell_peek(p, 0));
	p->at++;
}

/* Reads characters that stand for themselves wherever no bracket is open. Returns
 * whether there are any. */
static bool
read_literal(struct shell_parser *p, struct word *w)
{
	struct str rest = str_from(p->text, p->at);
	size_t n = 0;

	if (w->brace || w->bracket || w->groups > 0)
		return false;
	while (n < rest.n &&
	    (ascii_is_alnum((unsigned char)rest.s[n]) || rest.s[n] == '-' ||
		rest.s[n] == '.' || rest.s[n] == '/' || rest.s[n] == '_' ||
		rest.s[n] == '=' || rest.s[n] == ':' || rest.s[n] == ','))
		n++;
	if (n == 0)
		return false;
	if (w->n + n > w->size)
		word_reserve(w, n);
	memcpy(w->text + w->n, rest.s, n);
	w->n += n;
	p->at += n;
	return true;
}

/* Returns whether the character ends a word. */
static bool
ends_word(const struct shell_parser *p, const struct word *w)
{
	char c = shell_peek(p, 0);

	if (shell_at_end(p))
		return true;
	if (w->groups > 0 ||
	    ((c == '<' || c == '>') && shell_peek(p, 1) == '('))
		return false;
	return c != '\0' && strchr(" \t\n;&|<>()", c) != NULL;
}

bool
shell_word(struct shell_parser *p, struct shell_words *words)
{
	struct word w = { .arena = p->state->arena, .words = words };
	size_t from = p->at, n = words->n;

	while (!p->failed) {
		char c;

		if (read_literal(p, &w))
			continue;
		c = shell_peek(p, 0);
		if (c == '(' && begins_array(&w)) {
			read_array(p, &w);
		} else if (ends_word(p, &w)) {
			break;
		} else if (c == '\\') {
			read_backslash(p, &w, NULL);
		} else if (c == '\'' || c == '"') {
			p->at++;
			(c == '"' ? read_quoted : read_single)(p, &w);
		} else if (c == '$') {
			read_dollar(p, &w, false);
		} else if (c == '`') {
			read_backquotes(p, &w, false);
		} else if (c == '<' || c == '>') {
			p->at += 2;
			read_commands(p);
			word_put_text(&w, STR("/dev/fd/"));
			put_unknown(&w, true);
		} else {
			read_plain(p, &w);
		}
	}
	finish(&w);
	for (; n < words->n; n++)
		words->list[n].source = str_slice(p->text, from, p->at);
	return p->at > from && !p->failed;
}
