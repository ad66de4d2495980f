/* Codex reads shell text with a grammar's tree, of which only plain commands count
 * (permissions page, "Codex: rules", run with Codex 0.171.0; codex-rs/shell-command). */
#include "check/permission/codex_shell.h"

#include "base/ascii.h"
#include "shell/shell.h"

enum { CODEX_DEPTH = 8 }; /* of commands that start a command */

/* Returns the text with blanks for carriage returns and, where no quotes can be around
 * them, for the ends of continued lines, as Codex's grammar has them. */
static struct str
with_blanks(struct arena *a, struct str text)
{
	text = str_replace(a, text, STR("\r"), STR(" "));
	if (str_contains(text, "'") || str_contains(text, "\""))
		return text;
	return str_replace(a, text, STR("\\\n"), STR(" "));
}

/* Returns the text between two parts of a text. */
static struct str
between(struct str before, struct str part)
{
	const char *end = before.s + before.n;

	if (part.s < end)
		return STR("");
	return (struct str){ end, (size_t)(part.s - end) };
}

/* Returns whether a character means more than itself to a shell, within these quotes. */
static bool
is_special(char quote, char c, char next)
{
	if (quote == '\0')
		return ascii_is_among(c, "{}*?[]\\~^#$`<>()");
	return quote == '"' &&
	    (ascii_is_among(c, "$`") ||
		(c == '\\' && ascii_is_among(next, "$`\"\\\n")));
}

/* Returns whether the word is known by its writing alone. */
static bool
is_literal(const struct shell_word *w)
{
	struct str s = w->source;
	char quote = '\0';

	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i], next = '\0';

		if (i + 1 < s.n)
			next = s.s[i + 1];
		if (is_special(quote, c, next))
			return false;
		if (c == quote)
			quote = '\0';
		else if (quote == '\0' && ascii_is_among(c, "'\""))
			quote = c;
	}
	return !str_starts(s, "=") && (w->text.n > 0 || s.n == 2);
}

/* ---- plain texts ---- */

/* Returns whether the text between two commands has nothing but blanks, continued lines
 * and the operators of plain texts. */
static bool
is_plain(struct str gap)
{
	for (size_t i = 0; i < gap.n; i++) {
		struct str rest = str_from(gap, i);

		if (str_starts(rest, "&&") || str_starts(rest, "\\\n"))
			i++;
		else if (!ascii_is_among(*rest.s, " \t\n\v\f;|") ||
		    str_starts(rest, "|&"))
			return false;
	}
	return true;
}

/* Reads the command that begins behind the part, if it is plain: without assignments and
 * redirections, and of literal words, the first one without quotes. */
static bool
read_command(struct arena *a, const struct shell_command *c,
    struct codex_command *command)
{
	static const char others[] =
	    "declare typeset export readonly local unset unsetenv";
	struct str *words = arena_new_n(a, struct str, c->n);
	struct str part = str_slice(c->source, 0, 0);

	for (size_t i = 0; i < c->n; i++) {
		const struct shell_word *w = &c->words[i];
		struct str gap = between(part, w->source);

		if (!is_literal(w) || !is_plain(gap) || (i == 0 && gap.n > 0))
			return false;
		words[i] = w->text;
		part = w->source;
	}
	*command = (struct codex_command){ words, c->n, c->source };
	return str_eq(words[0], c->words[0].source) &&
	    !str_is_one_of(words[0], others) &&
	    between(part, str_from(c->source, c->source.n)).n == 0;
}

/* Reads the commands of a text. Returns none if the text is not plain. */
static struct codex_commands
read_plain(struct arena *a, struct str text)
{
	struct codex_commands none = { 0 };
	struct shell shell;
	struct codex_command *list;
	struct str part;

	text = with_blanks(a, text);
	shell = shell_read_written(a, text);
	list = arena_new_n(a, struct codex_command, shell.n);
	part = str_slice(text, 0, 0);
	for (size_t i = 0; i < shell.n; i++) {
		const struct shell_command *c = &shell.list[i];

		if (c->source.s == NULL ||
		    !is_plain(between(part, c->source)) ||
		    !read_command(a, c, &list[i]))
			return none;
		part = c->source;
	}
	if (shell.invalid || shell.unknown ||
	    !is_plain(between(part, str_from(text, text.n))))
		return none;
	return (struct codex_commands){ list, shell.n };
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
		commands = read_plain(a, text);
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
	struct str gap = between(before[0].source, before[1].source);

	return (str_contains(gap, "<") || str_contains(gap, ">")) &&
	    !str_starts(str_trim(gap), "<<<");
}

/* Returns the words of a written command that are literal; none if the program is not.
 * The words are in *words. */
static size_t
literal_words(
    struct arena *a, const struct shell_command *c, struct str **words)
{
	size_t n = 0;

	*words = arena_new_n(a, struct str, c->n);
	for (size_t i = 0; i < c->n && (i == 0 || n > 0); i++) {
		if (i > 0 && is_behind_redirection(&c->words[i - 1]))
			break;
		if (is_literal(&c->words[i]))
			(*words)[n++] = c->words[i].text;
	}
	return n;
}

/* Returns whether a command that is written in the text forces rm. */
static bool
text_forces_rm(struct arena *a, struct str text, unsigned depth)
{
	struct shell shell = shell_read_written(a, with_blanks(a, text));

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
