/* Compound commands and functions. A part that cannot run, such as the body of
 * `if false`, is read but not listed. */
#include "base/ascii.h"
#include "shell/parser.h"

/* Reads a list that must have a command; `dead`: the list cannot run. */
static enum shell_end
read_list(struct shell_parser *p, bool dead)
{
	enum shell_end end;

	shell_skip_lines(p);
	if (p->depth >= SHELL_DEPTH)
		shell_fail_deep(p);
	if (shell_ends_list(p)) {
		shell_fail(p);
		return END_UNKNOWN;
	}
	p->depth++;
	p->dead += dead;
	end = shell_list(p);
	p->dead -= dead;
	p->depth--;
	return end;
}

/* Reads a list of which it is open whether the list runs. */
static enum shell_end
read_branch(struct shell_parser *p, bool dead)
{
	enum shell_end end;

	p->branches++;
	end = read_list(p, dead);
	p->branches--;
	return end;
}

/* Returns how a list ends of which it is open whether the list runs. */
static enum shell_end
maybe(enum shell_end a, enum shell_end b)
{
	return a == b ? a : END_UNKNOWN;
}

/* Reads from behind `if` or `elif`. */
static enum shell_end
read_if(struct shell_parser *p)
{
	enum shell_end condition = read_list(p, false), then,
		       otherwise = END_OK;
	bool dead;

	shell_expect_word(p, "then");
	then = read_branch(p, condition == END_FAIL || condition == END_NEVER);
	dead = condition == END_OK || condition == END_NEVER;
	p->dead += dead;
	if (shell_accept_word(p, "elif")) {
		p->branches++;
		otherwise = read_if(p);
		p->branches--;
	} else {
		if (shell_accept_word(p, "else"))
			otherwise = read_branch(p, false);
		shell_expect_word(p, "fi");
	}
	p->dead -= dead;
	return condition == END_OK   ? then
	    : condition == END_FAIL  ? otherwise
	    : condition == END_NEVER ? END_NEVER
				     : maybe(then, otherwise);
}

/* Reads from behind `while` or `until`. */
static enum shell_end
read_while(struct shell_parser *p, enum shell_end ends)
{
	enum shell_end condition = read_list(p, false);

	shell_expect_word(p, "do");
	read_branch(p, condition == ends || condition == END_NEVER);
	shell_expect_word(p, "done");
	return END_UNKNOWN;
}

static bool
accept_separator(struct shell_parser *p)
{
	shell_skip_blanks(p);
	if (shell_accept(p, ';') || shell_peek(p, 0) == '\n') {
		shell_skip_lines(p);
		return true;
	}
	return false;
}

/* Reads the words of a loop. Returns whether there are none. */
static bool
read_loop_words(struct shell_parser *p)
{
	struct shell_words words = { 0 };

	shell_skip_lines(p);
	if (!shell_accept_word(p, "in")) {
		accept_separator(p);
		return !p->params_unknown && p->params.n < 2;
	}
	do
		shell_skip_blanks(p);
	while (shell_word(p, &words));
	if (!accept_separator(p))
		shell_fail(p);
	return words.n == 0;
}

/* Reads the body of a `for` or `select`: do ... done, or { ... }. */
static void
read_body(struct shell_parser *p, bool dead)
{
	bool braces = shell_accept_word(p, "{");

	if (!braces)
		shell_expect_word(p, "do");
	read_branch(p, dead);
	shell_expect_word(p, braces ? "}" : "done");
}

/* Reads from behind `for` or `select`. */
static enum shell_end
read_for(struct shell_parser *p)
{
	struct shell_words name = { 0 };
	bool dead = false;

	shell_skip_blanks(p);
	if (str_starts(str_from(p->text, p->at), "((")) {
		p->at += 2;
		if (!shell_skip_until(p, "))"))
			shell_fail(p);
		accept_separator(p);
		shell_skip_lines(p);
	} else if (shell_word(p, &name)) {
		dead = read_loop_words(p);
	}
	read_body(p, dead);
	return END_UNKNOWN;
}

/* Returns END_OK if the pattern surely fits the word, END_FAIL if it surely does
 * not. */
static enum shell_end
fits(struct shell_words pattern, struct shell_words word)
{
	struct str text = word.n == 1 ? word.list[0].text : STR("");

	if (pattern.n == 1 && str_is(pattern.list[0].text, "*") &&
	    pattern.list[0].glob)
		return END_OK;
	if (pattern.n > 1 || word.n > 1 ||
	    (word.n == 1 && shell_word_is_computed(&word.list[0])))
		return END_UNKNOWN;
	if (pattern.n == 1 &&
	    (pattern.list[0].glob || shell_word_is_computed(&pattern.list[0])))
		return END_UNKNOWN;
	return str_eq(text, pattern.n == 1 ? pattern.list[0].text : STR(""))
	    ? END_OK
	    : END_FAIL;
}

/* Reads the patterns of a clause. Returns whether one fits the word, like fits. */
static enum shell_end
read_patterns(struct shell_parser *p, struct shell_words word)
{
	enum shell_end any = END_FAIL;

	shell_accept(p, '(');
	do {
		struct shell_words pattern = { 0 };
		enum shell_end one;

		shell_skip_blanks(p);
		p->in_pattern = true;
		if (!shell_word(p, &pattern))
			shell_fail(p);
		p->in_pattern = false;
		shell_skip_blanks(p);
		one = fits(pattern, word);
		any = any == END_OK || one == END_OK ? END_OK
		    : any == END_UNKNOWN             ? any
						     : one;
	} while (shell_accept(p, '|'));
	if (!shell_accept(p, ')'))
		shell_fail(p);
	return any;
}

/* Reads what ends a clause. Returns whether a clause may follow; *goes_on: the
 * clause below runs as well, or is tried. */
static bool
read_clause_end(struct shell_parser *p, bool *goes_on)
{
	shell_skip_lines(p);
	*goes_on = false;
	if (!shell_accept(p, ';'))
		return false;
	if (shell_accept(p, '&')) {
		*goes_on = true;
	} else {
		if (!shell_accept(p, ';'))
			shell_fail(p);
		*goes_on = shell_accept(p, '&');
	}
	shell_skip_lines(p);
	return true;
}

/* Reads from behind `case`. */
static enum shell_end
read_case(struct shell_parser *p)
{
	struct shell_words word = { 0 };
	bool taken = false, goes_on = false;

	shell_skip_blanks(p);
	if (!shell_word(p, &word))
		shell_fail(p);
	shell_skip_lines(p);
	shell_expect_word(p, "in");
	shell_skip_lines(p);
	while (!p->failed && !shell_at_word(p, "esac")) {
		enum shell_end fit = read_patterns(p, word);
		bool dead = !goes_on && (taken || fit == END_FAIL);

		shell_skip_lines(p);
		p->dead += dead;
		p->branches++;
		if (shell_peek(p, 0) != ';' && !shell_at_word(p, "esac"))
			shell_list(p);
		p->branches--;
		p->dead -= dead;
		if (!read_clause_end(p, &goes_on))
			break;
		taken |= fit == END_OK && !goes_on;
	}
	shell_expect_word(p, "esac");
	return END_UNKNOWN;
}

/* Reads a list in brackets, from behind the first. */
static enum shell_end
read_subshell(struct shell_parser *p)
{
	size_t functions = shell_fork(p);
	enum shell_end end = read_list(p, false);

	shell_join(p, functions);
	if (!shell_accept(p, ')'))
		shell_fail(p);
	return end == END_NEVER ? END_UNKNOWN : end;
}

/* Reads what begins with a bracket: ((arithmetic)), or a list in brackets. */
static enum shell_end
read_bracket(struct shell_parser *p)
{
	size_t at = p->at, n = p->state->n;

	if (shell_peek(p, 1) == '(') {
		struct str sum;

		p->at += 2;
		if (shell_skip_until(p, "))")) {
			sum = str_trim(str_slice(p->text, at + 2, p->at - 2));
			return str_is(sum, "0") ? END_FAIL : END_UNKNOWN;
		}
		if (p->deep || p->state->retries++ == SHELL_RETRIES) {
			shell_fail_deep(p);
			return END_UNKNOWN;
		}
		p->at = at;
		p->failed = false;
		p->state->n = n;
	}
	p->at++;
	return read_subshell(p);
}

/* Notes a function. Its body is read now to find the end, and again for each call. */
enum shell_end
shell_function_body(struct shell_parser *p, struct str name)
{
	struct shell_state *s = p->state;
	size_t from;

	shell_skip_lines(p);
	from = p->at;
	p->dead++;
	p->depth++;
	if (p->depth > SHELL_DEPTH)
		shell_fail_deep(p);
	else
		shell_command_at(p);
	p->depth--;
	p->dead--;
	if (p->dead == 0 && !p->failed)
		*arena_push(s->arena, s->functions, s->n_functions) =
		    (struct shell_function){ name,
			    str_slice(p->text, from, p->at), p->branches == 0 };
	return END_OK;
}

/* Reads from behind `function`. */
static enum shell_end
read_named_function(struct shell_parser *p)
{
	struct shell_words name = { 0 };

	shell_skip_blanks(p);
	if (!shell_word(p, &name) || name.n != 1) {
		shell_fail(p);
		return END_UNKNOWN;
	}
	shell_skip_blanks(p);
	if (shell_accept(p, '(')) {
		shell_skip_blanks(p);
		if (!shell_accept(p, ')'))
			shell_fail(p);
	}
	return shell_function_body(p, name.list[0].text);
}

/* Reads a compound command, if one stands at the place. */
static bool
read_compound(struct shell_parser *p, enum shell_end *end)
{
	if (shell_peek(p, 0) == '(')
		*end = read_bracket(p);
	else if (shell_accept_word(p, "{")) {
		*end = read_list(p, false);
		shell_expect_word(p, "}");
	} else if (shell_accept_word(p, "if"))
		*end = read_if(p);
	else if (shell_accept_word(p, "while"))
		*end = read_while(p, END_FAIL);
	else if (shell_accept_word(p, "until"))
		*end = read_while(p, END_OK);
	else if (shell_accept_word(p, "for") || shell_accept_word(p, "select"))
		*end = read_for(p);
	else if (shell_accept_word(p, "case"))
		*end = read_case(p);
	else if (shell_accept_word(p, "[[")) {
		*end = END_UNKNOWN;
		if (!shell_skip_until(p, "]]"))
			shell_fail(p);
	} else
		return false;
	return true;
}

/* Reads from behind `coproc`, behind which a name may stand. */
static enum shell_end
read_coproc(struct shell_parser *p)
{
	size_t at;

	shell_skip_blanks(p);
	at = p->at;
	while (ascii_is_alnum(shell_peek(p, 0)) || shell_peek(p, 0) == '_')
		p->at++;
	shell_skip_blanks(p);
	if (!shell_at_word(p, "{") && shell_peek(p, 0) != '(')
		p->at = at;
	shell_command_at(p);
	return END_OK;
}

/* Reads a command. */
static enum shell_end
read_command(struct shell_parser *p)
{
	enum shell_end end = END_UNKNOWN;

	shell_skip_blanks(p);
	if (shell_accept_word(p, "function"))
		return read_named_function(p);
	if (!p->state->written && shell_accept_word(p, "coproc"))
		return read_coproc(p);
	if (read_compound(p, &end)) {
		struct shell_stdin input = { 0 };

		do
			shell_skip_blanks(p);
		while (!p->failed && shell_redirection(p, &input));
		return end;
	}
	return shell_simple(p);
}

enum shell_end
shell_command_at(struct shell_parser *p)
{
	enum shell_end end;

	if (p->depth >= SHELL_DEPTH) {
		shell_fail_deep(p);
		return END_UNKNOWN;
	}
	p->depth++;
	end = read_command(p);
	p->depth--;
	return end;
}
