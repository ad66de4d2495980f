/* Simple commands: assignments, words and redirections. */
#include "base/ascii.h"
#include "shell/parser.h"

/* A simple command that is being read. */
struct simple {
	struct shell_words words;
	struct shell_stdin input;
	bool any; /* has assignments or redirections */
};

/* Reads the word that ends a here-document, and notes the document. */
static void
read_document(struct shell_parser *p, struct shell_stdin *input)
{
	struct shell_document *d =
	    arena_new(p->state->arena, struct shell_document);
	struct shell_words end = { 0 };

	d->strips_tabs = shell_accept(p, '-');
	shell_skip_blanks(p);
	if (!shell_word(p, &end) || end.n != 1) {
		shell_fail(p);
		return;
	}
	d->end = end.list[0].text;
	d->quoted = end.list[0].quoted;
	d->command = SHELL_NONE;
	d->dead = p->dead;
	*arena_push(p->state->arena, p->documents, p->n_documents) = d;
	*input = (struct shell_stdin){ .kind = INPUT_LATER, .document = d };
}

/* Returns the length of the number or {name} that a redirection begins with. */
static size_t
redirection_prefix(const struct shell_parser *p)
{
	size_t n = 0;

	if (shell_peek(p, 0) == '{') {
		while (ascii_is_alnum(shell_peek(p, ++n)) ||
		    shell_peek(p, n) == '_')
			;
		n = shell_peek(p, n) == '}' && n > 1 ? n + 1 : 0;
	} else {
		while (ascii_is_digit(shell_peek(p, n)))
			n++;
	}
	return n;
}

/* Reads a redirection if one stands at the place. */
bool
shell_redirection(struct shell_parser *p, struct shell_stdin *input)
{
	size_t n = redirection_prefix(p);
	char first = shell_peek(p, n);
	struct shell_words target = { 0 };
	bool out, both = n == 0 && first == '&' && shell_peek(p, 1) == '>';

	if (!both && first != '<' && first != '>')
		return false;
	if (n == 0 && !both && shell_peek(p, 1) == '(')
		return false;
	p->at += n + 1;
	if (first == '<' && shell_accept(p, '<')) {
		if (!shell_accept(p, '<')) {
			read_document(p, input);
			return true;
		}
		input->kind = INPUT_TEXT;
	} else {
		if (first == '<')
			input->kind = INPUT_FILE;
		while (ascii_is_among(shell_peek(p, 0), "<>&|"))
			p->at++;
	}
	out = p->text.s[p->at - 1] != '&' && first != '<';
	shell_skip_blanks(p);
	if (!shell_word(p, &target))
		shell_fail(p);
	else if (out && target.n == 1 && p->state->files.n < SHELL_FILES)
		shell_add_word(
		    p->state->arena, &p->state->files, target.list[0]);
	else if (input->kind == INPUT_TEXT && first == '<')
		input->text = target.n == 1 ? target.list[0].text : STR("");
	return true;
}

/* Returns whether an assignment stands at the place. */
static bool
is_assignment(const struct shell_parser *p)
{
	size_t n = 0;

	if (ascii_is_digit(shell_peek(p, 0)))
		return false;
	while (ascii_is_alnum(shell_peek(p, n)) || shell_peek(p, n) == '_')
		n++;
	if (n > 0 && shell_peek(p, n) == '[') {
		while (shell_peek(p, n) != ']' && p->at + n < p->text.n)
			n++;
		n++;
	}
	n += shell_peek(p, n) == '+';
	return n > 0 && shell_peek(p, n) == '=';
}

/* Reads an array's or variable's assignment. */
static void
read_assignment(struct shell_parser *p)
{
	struct shell_words value = { 0 };

	while (shell_peek(p, 0) != '=')
		p->at++;
	p->at++;
	if (shell_peek(p, 0) != '(') {
		shell_word(p, &value);
		return;
	}
	p->at++;
	do
		shell_skip_lines(p);
	while (!p->failed && shell_word(p, &value));
	if (!shell_accept(p, ')'))
		shell_fail(p);
}

/* Reads the words and redirections of a simple command. */
static void
read_words(struct shell_parser *p, struct simple *c)
{
	for (;; c->any = true) {
		size_t from;

		shell_skip_blanks(p);
		from = p->at;
		if (p->failed || shell_at_end(p))
			return;
		if (shell_redirection(p, &c->input))
			continue;
		if (c->words.n == 0 && is_assignment(p))
			read_assignment(p);
		else if (!shell_word(p, &c->words))
			return;
		if (p->at == from)
			return;
	}
}

/* Returns whether `()` stands at the place, and skips it. */
static bool
accept_brackets(struct shell_parser *p)
{
	size_t at = p->at;

	if (shell_accept(p, '(')) {
		shell_skip_blanks(p);
		if (shell_accept(p, ')'))
			return true;
	}
	p->at = at;
	return false;
}

enum shell_end
shell_simple(struct shell_parser *p)
{
	struct simple c = { .input = p->input };
	size_t from = p->at;
	struct str source;

	read_words(p, &c);
	source = str_trim(str_slice(p->text, from, p->at));
	if (c.words.n == 1 && accept_brackets(p))
		return shell_function_body(p, c.words.list[0].text);
	if (!c.any)
		shell_fail(p);
	if (p->failed || c.words.n == 0)
		return END_UNKNOWN;
	return shell_command(p, c.words, c.input, source);
}
