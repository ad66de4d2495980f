/* Skips what separates words: blanks, comments, ends of lines, and reserved words. */
#include "shell/parser.h"

#include <string.h>

#include "base/ascii.h"

void
shell_skip_blanks(struct shell_parser *p)
{
	for (;;) {
		char c = shell_peek(p, 0);

		if (c == ' ' || c == '\t')
			p->at++;
		else if (c == '\\' && shell_peek(p, 1) == '\n')
			p->at += 2;
		else
			break;
	}
	if (shell_peek(p, 0) == '#')
		while (!shell_at_end(p) && shell_peek(p, 0) != '\n')
			p->at++;
}

void
shell_skip_lines(struct shell_parser *p)
{
	for (;;) {
		shell_skip_blanks(p);
		if (shell_peek(p, 0) != '\n')
			return;
		p->at++;
		shell_documents(p);
	}
}

/* Returns whether the word stands at the place, and ends there. */
bool
shell_at_word(const struct shell_parser *p, const char *word)
{
	struct str rest;
	size_t n;
	char behind;

	if (shell_peek(p, 0) != *word) /* as most often */
		return false;
	rest = str_from(p->text, p->at);
	n = strlen(word);
	behind = shell_peek(p, n);
	return str_starts(rest, word) &&
	    (rest.n == n || ascii_is_among(behind, " \t\n;&|<>()"));
}

/* Skips the word if it stands at the place. */
bool
shell_accept_word(struct shell_parser *p, const char *word)
{
	if (!shell_at_word(p, word))
		return false;
	p->at += strlen(word);
	return true;
}

void
shell_expect_word(struct shell_parser *p, const char *word)
{
	if (!shell_accept_word(p, word))
		shell_fail(p);
}

bool
shell_accept(struct shell_parser *p, char c)
{
	if (shell_at_end(p) || shell_peek(p, 0) != c)
		return false;
	p->at++;
	return true;
}

/* Returns whether a list cannot go on at the place. */
bool
shell_ends_list(const struct shell_parser *p)
{
	static const char *const words[] = { "then", "elif", "else", "fi", "do",
		"done", "esac", "}" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (shell_at_word(p, words[i]))
			return true;
	return shell_at_end(p) || shell_peek(p, 0) == ')' || p->failed;
}
