/* Pipelines, lists and texts. What cannot run, such as a command behind `exit`, is
 * read but not listed. */
#include "base/ascii.h"
#include "shell/parser.h"

/* Skips `!`, `time` and `time -p`. Returns whether the status is turned. */
static bool
read_prefixes(struct shell_parser *p)
{
	bool turned = false;

	for (;;) {
		shell_skip_blanks(p);
		if (shell_accept_word(p, "!"))
			turned = !turned;
		else if (!p->state->written && shell_accept_word(p, "time")) {
			shell_skip_blanks(p);
			shell_accept_word(p, "-p");
		} else
			return turned;
	}
}

static enum shell_end
read_pipeline(struct shell_parser *p)
{
	struct shell_stdin input = p->input;
	bool turned = read_prefixes(p), piped = false;
	size_t functions = p->state->n_functions;
	enum shell_end end = shell_command_at(p);

	for (;;) {
		shell_skip_blanks(p);
		if (shell_peek(p, 0) != '|' || shell_peek(p, 1) == '|')
			break;
		p->at++;
		p->branches += !piped;
		piped = true;
		shell_accept(p, '&');
		shell_skip_lines(p);
		p->input = (struct shell_stdin){ .kind = INPUT_PIPE };
		read_prefixes(p);
		end = shell_command_at(p);
		end = end == END_NEVER ? END_UNKNOWN : end;
	}
	p->input = input;
	if (piped)
		shell_join(p, functions);
	if (turned && (end == END_OK || end == END_FAIL))
		return end == END_OK ? END_FAIL : END_OK;
	return end;
}

/* Reads pipelines joined by && and ||. */
static enum shell_end
read_and_or(struct shell_parser *p)
{
	enum shell_end end = read_pipeline(p);

	for (;;) {
		char c = shell_peek(p, 0);
		enum shell_end other, passes = c == '&' ? END_OK : END_FAIL;
		enum shell_end ends = c == '&' ? END_FAIL : END_OK;
		bool dead;

		if (p->failed || (c != '&' && c != '|') ||
		    shell_peek(p, 1) != c)
			return end;
		p->at += 2;
		shell_skip_lines(p);
		dead = end != END_UNKNOWN && end != passes;
		p->dead += dead;
		p->branches++;
		other = read_pipeline(p);
		p->branches--;
		p->dead -= dead;
		if (end == passes || (end == END_UNKNOWN && other == ends))
			end = other;
	}
}

/* Reads what ends a command of a list; a command that a shell of its own runs ends
 * with its functions. Returns whether a command may follow. */
static bool
read_separator(struct shell_parser *p, size_t functions, enum shell_end *end)
{
	char c = shell_peek(p, 0), next = shell_peek(p, 1);

	if (c == '&') {
		p->at++;
		*end = END_OK;
		p->state->n_functions = functions;
	} else if (c == ';' && next != ';' && next != '&') {
		p->at++;
	} else {
		return c == '\n';
	}
	return true;
}

enum shell_end
shell_list(struct shell_parser *p)
{
	enum shell_end end = END_OK;
	unsigned dead = p->dead;

	for (;;) {
		size_t functions = p->state->n_functions;

		shell_skip_lines(p);
		if (shell_ends_list(p))
			break;
		end = read_and_or(p);
		shell_skip_blanks(p);
		if (!read_separator(p, functions, &end))
			break;
		if (end == END_NEVER && p->dead == dead)
			p->dead++;
	}
	if (p->dead > dead)
		end = END_NEVER;
	p->dead = dead;
	return end;
}

/* Reads a text command by command. A line that the grammar does not allow, and
 * what is below, does not run. */
static enum shell_end
read_text(struct shell_parser *p)
{
	enum shell_end end = END_OK;
	unsigned dead = p->dead;

	for (;;) {
		size_t n = p->state->n;

		shell_skip_lines(p);
		if (!p->failed && shell_at_end(p))
			break;
		end = END_OK;
		while (!shell_ends_list(p) && shell_peek(p, 0) != '\n') {
			size_t functions = p->state->n_functions;

			end = read_and_or(p);
			shell_skip_blanks(p);
			if (!read_separator(p, functions, &end))
				break;
			shell_skip_blanks(p);
			p->dead += end == END_NEVER && p->dead == dead;
		}
		if (p->failed ||
		    (!shell_at_end(p) && shell_peek(p, 0) != '\n')) {
			p->state->n = n;
			p->n_documents = 0;
			p->state->invalid |= !p->deep;
			break;
		}
		p->dead += end == END_NEVER && p->dead == dead;
	}
	shell_documents(p);
	if (p->dead > dead)
		end = END_NEVER;
	p->dead = dead;
	return end;
}

enum shell_end
shell_nested(const struct shell_parser *outer, struct str text,
    struct shell_words params, struct shell_stdin input, int by)
{
	struct shell_parser p = { .state = outer->state,
		.text = text,
		.params = params,
		.params_unknown = outer->params_unknown,
		.input = input,
		.by = by,
		.dead = outer->dead,
		.branches = outer->branches,
		.depth = outer->depth + 1,
		.in_function = outer->in_function };

	if (p.depth > SHELL_DEPTH) {
		p.state->unknown = true;
		return END_UNKNOWN;
	}
	return read_text(&p);
}
