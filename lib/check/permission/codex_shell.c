/* Codex reads shell text with a grammar's tree, of which only plain commands count
 * (permissions page, "Codex: rules", run with Codex 0.171.0; codex-rs/shell-command). */
#include "check/permission/codex_shell.h"

#include "base/ascii.h"
#include "shell/shell.h"

enum { CODEX_DEPTH = 8 }; /* of commands that start a command */

static const char blanks[] = " \t\n\v\f\r";

/* ---- words ---- */

/* A text that is being read; `at` is the place. */
struct reader {
	struct arena *arena;
	struct str text;
	size_t at;
};

static char
peek(const struct reader *r)
{
	if (r->at < r->text.n)
		return r->text.s[r->at];
	return '\0';
}

/* Returns the length of a continued line's end at the place, or 0. */
static size_t
continues(const struct reader *r)
{
	struct str rest = str_from(r->text, r->at);

	if (str_starts(rest, "\\\n"))
		return 2;
	return str_starts(rest, "\\\r\n") ? 3 : 0;
}

static bool
ends_word(const struct reader *r)
{
	return r->at >= r->text.n || ascii_is_among(peek(r), blanks) ||
	    ascii_is_among(peek(r), ";&|") || continues(r) > 0;
}

/* Skips quoted text up to behind the quote, from behind the first quote. Returns false
 * if there is no quote, or "text" has an expansion or an escape. */
static bool
skip_quoted(struct reader *r, char quote)
{
	for (; r->at < r->text.n; r->at++) {
		char c = peek(r);

		if (c == quote) {
			r->at++;
			return true;
		}
		if (quote == '"' &&
		    (c == '$' || c == '`' ||
			(c == '\\' && r->at + 1 < r->text.n &&
			    ascii_is_among(r->text.s[r->at + 1], "$`\"\\\n"))))
			break;
	}
	return false;
}

/* Returns a word without its quotes. */
static struct str
unquote(struct arena *a, struct str word)
{
	char *out = arena_room(a, word.n + 1), quote = '\0';
	size_t n = 0;

	for (size_t i = 0; i < word.n; i++) {
		char c = word.s[i];

		if (quote == '\0' && (c == '\'' || c == '"'))
			quote = c;
		else if (quote != '\0' && c == quote)
			quote = '\0';
		else
			out[n++] = c;
	}
	return (struct str){ out, n };
}

/* Reads the word at the place, without its quotes. Returns an absent text if the word
 * is not known by its writing alone: a character may mean more than itself to a shell,
 * or several quoted parts make an empty word. */
static struct str
read_word(struct reader *r)
{
	size_t from = r->at, quotes = 0;
	struct str word, none = { 0 };

	if (peek(r) == '=')
		return none;
	while (!ends_word(r)) {
		char c = r->text.s[r->at++];

		if (c == '\'' || c == '"') {
			quotes++;
			if (!skip_quoted(r, c))
				return none;
		} else if (ascii_is_among(c, "{}*?[]\\~^#$`<>()")) {
			return none;
		}
	}
	word = str_slice(r->text, from, r->at);
	if (quotes > 0)
		word = unquote(r->arena, word);
	return quotes > 1 && word.n == 0 ? none : word;
}

/* ---- plain texts ---- */

/* Skips blanks and continued lines. Returns whether a line ended. */
static bool
skip_blanks(struct reader *r)
{
	bool ended = false;

	for (;;) {
		size_t n = continues(r);

		if (ascii_is_among(peek(r), blanks))
			ended |= r->text.s[r->at++] == '\n';
		else if (n > 0)
			r->at += n;
		else
			return ended;
	}
}

/* Returns whether the word, where a program stands, is an assignment. */
static bool
is_assignment(struct str word)
{
	size_t n = 0;

	while (n < word.n && (ascii_is_alnum(word.s[n]) || word.s[n] == '_'))
		n++;
	n += n < word.n && word.s[n] == '+';
	return n < word.n && word.s[n] == '=';
}

static bool
is_number(struct str word)
{
	size_t n = 0;

	while (n < word.n && ascii_is_digit(word.s[n]))
		n++;
	return n == word.n;
}

/* Returns whether the word, as written, can be the program of a plain command: no
 * quotes, no word of the grammar. */
static bool
is_program(struct str written)
{
	static const char others[] =
	    "! if then elif else fi for select while until do done case esac "
	    "function declare typeset export readonly local unset unsetenv";

	return str_find_char(written, '\'') == written.n &&
	    str_find_char(written, '"') == written.n && !is_number(written) &&
	    !is_assignment(written) && !str_is_one_of(written, others);
}

/* Reads the plain command at the place, and notes whether a line ends behind. Returns
 * false if there is none. */
static bool
read_command(struct reader *r, struct codex_command *command, bool *ended)
{
	size_t from = r->at, end = from, n = 0;
	struct str *words = NULL;

	for (*ended = false; !*ended && !ends_word(r);
	     *ended = skip_blanks(r)) {
		size_t at = r->at;
		struct str word = read_word(r);

		if (word.s == NULL ||
		    (n == 0 && !is_program(str_slice(r->text, at, r->at))))
			return false;
		*arena_push(r->arena, words, n) = word;
		end = r->at;
	}
	*command =
	    (struct codex_command){ words, n, str_slice(r->text, from, end) };
	return n > 0;
}

/* Skips the operator behind a command. Returns false if none of those stands at the
 * place with which a text stays plain, or nothing follows one that joins. */
static bool
read_operator(struct reader *r)
{
	struct str rest = str_from(r->text, r->at);
	bool joins = *rest.s != ';';

	if (str_starts(rest, "&&") || str_starts(rest, "||"))
		r->at++;
	else if (*rest.s == '&')
		return false;
	r->at++;
	skip_blanks(r);
	return !joins || r->at < r->text.n;
}

/* Reads the commands of a text. Returns none if the text is not plain. */
static struct codex_commands
read_plain(struct reader r)
{
	struct codex_commands none = { 0 };
	struct codex_command *list = NULL;
	size_t n = 0;

	skip_blanks(&r);
	while (r.at < r.text.n) {
		struct codex_command command;
		bool ended;

		if (!read_command(&r, &command, &ended))
			return none;
		*arena_push(r.arena, list, n) = command;
		if (!ended && r.at < r.text.n && !read_operator(&r))
			return none;
	}
	return (struct codex_commands){ list, n };
}

struct str
codex_text_of(const struct str *words, size_t n)
{
	if (n != 3 || !str_is_one_of(words[1], "-lc -c") ||
	    !str_is_one_of(shell_base_name(words[0]), "bash sh zsh"))
		return (struct str){ 0 };
	return words[2];
}

struct codex_commands
codex_commands_of(struct arena *a, const struct str *words, size_t n)
{
	struct str text = codex_text_of(words, n);
	struct codex_commands commands = { 0 };
	struct codex_command *whole;

	if (text.s != NULL)
		commands = read_plain((struct reader){ a, text, 0 });
	if (commands.n > 0 || n == 0)
		return commands;
	whole = arena_new(a, struct codex_command);
	*whole = (struct codex_command){ words, n, { 0 } };
	return (struct codex_commands){ whole, 1 };
}

/* ---- forced rm ---- */

static bool forces_rm(
    struct arena *, const struct str *words, size_t n, unsigned depth);

/* Returns whether a flag of rm, in front of --, forces. */
static bool
has_force(const struct str *words, size_t n)
{
	for (size_t i = 1; i < n && !str_is(words[i], "--"); i++)
		if (str_is(words[i], "--force") ||
		    (str_starts(words[i], "-") && !str_starts(words[i], "--") &&
			str_find_char(words[i], 'f') < words[i].n))
			return true;
	return false;
}

/* Returns the index of the command that env starts. */
static size_t
behind_env(const struct str *words, size_t n)
{
	size_t i = 1;

	while (i < n &&
	    (str_is_one_of(words[i], "-i --ignore-environment") ||
		(!str_starts(words[i], "-") && !str_starts(words[i], "=") &&
		    str_find_char(words[i], '=') < words[i].n)))
		i++;
	return i < n && str_is(words[i], "--") ? i + 1 : i;
}

/* Returns whether a file's redirection stands between two words of a command. Codex's
 * grammar takes what is behind for the file's name. */
static bool
is_behind_redirection(const struct shell_word *before)
{
	const char *end = before[0].source.s + before[0].source.n;
	struct str gap = { 0 };

	if (before[1].source.s > end)
		gap = (struct str){ end, (size_t)(before[1].source.s - end) };
	return (str_contains(gap, "<") || str_contains(gap, ">")) &&
	    !str_starts(str_trim(gap), "<<<");
}

/* Returns the words of a written command that are known by their writing alone; none if
 * the program is not. The words are in *words. */
static size_t
literal_words(
    struct arena *a, const struct shell_command *c, struct str **words)
{
	size_t n = 0;

	*words = arena_new_n(a, struct str, c->n);
	for (size_t i = 0; i < c->n && (i == 0 || n > 0); i++) {
		struct reader r = { a, c->words[i].source, 0 };
		struct str word = read_word(&r);

		if (i > 0 && is_behind_redirection(&c->words[i - 1]))
			break;
		if (word.n > 0 && r.at == r.text.n)
			(*words)[n++] = word;
	}
	return n;
}

/* Returns whether a command that is written in the text forces rm. */
static bool
text_forces_rm(struct arena *a, struct str text, unsigned depth)
{
	struct shell shell = shell_read_written(a, text);

	for (size_t i = 0; !shell.invalid && i < shell.n; i++) {
		struct str *words;
		size_t n = literal_words(a, &shell.list[i], &words);

		if (forces_rm(a, words, n, depth))
			return true;
	}
	return false;
}

static bool
forces_rm(struct arena *a, const struct str *words, size_t n, unsigned depth)
{
	struct str text = codex_text_of(words, n), name;
	size_t from = 0;

	if (depth > CODEX_DEPTH)
		return true;
	if (n == 0)
		return false;
	name = shell_base_name(words[0]);
	if (str_is(name, "rm"))
		return has_force(words, n);
	if (str_is(name, "sudo"))
		from = 1;
	else if (str_is(name, "env"))
		from = behind_env(words, n);
	if (from > 0)
		return forces_rm(a, words + from, n - from, depth + 1);
	if (str_is(name, "trap")) {
		from = n > 1 && str_is(words[1], "--") ? 2 : 1;
		if (from < n && !str_starts(words[from], "-"))
			text = words[from];
		depth++;
	}
	return text.s != NULL && text_forces_rm(a, text, depth + 1);
}

bool
codex_forces_rm(struct arena *a, const struct str *words, size_t n)
{
	return forces_rm(a, words, n, 0);
}
