/* Simple commands: builtins that the reader itself obeys, functions of the text,
 * and programs. */
#include <stdint.h>

#include "shell/parser.h"

struct str
shell_base_name(struct str path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.s[i - 1] == '/')
			return str_from(path, i);
	return path;
}

struct str
shell_program(const struct shell_command *c)
{
	return shell_base_name(c->words[0].text);
}

/* Forgets functions that `unset -f` names. */
static void
forget_functions(struct shell_state *s, struct shell_words words)
{
	for (size_t i = 1; i < words.n; i++)
		for (size_t k = 0; k < s->n_functions; k++)
			if (str_eq(s->functions[k].name, words.list[i].text))
				s->functions[k].name = STR("");
}

static bool
has_word(struct shell_words words, const char *word)
{
	for (size_t i = 1; i < words.n; i++)
		if (str_is(words.list[i].text, word))
			return true;
	return false;
}

/* Obeys a builtin that changes how the rest of the text is read. */
static void
obey(struct shell_parser *p, struct str name, struct shell_words words)
{
	struct shell_state *s = p->state;

	if (str_is(name, "unset") && has_word(words, "-f") && p->branches == 0)
		forget_functions(s, words);
	else if (str_is(name, "shift") ||
	    (str_is(name, "set") && has_word(words, "--")))
		p->params_unknown = true;
	else if (str_is(name, "shopt") && has_word(words, "-s")) {
		s->extglob |= has_word(words, "extglob");
		s->aliases |= has_word(words, "expand_aliases");
	} else if (str_is(name, "alias") && s->aliases && words.n > 1)
		s->unknown = true;
}

/* Returns how a command ends, as far as its name tells. */
static enum shell_end
end_of(const struct shell_parser *p, struct str name, struct shell_words words)
{
	p->state->returned |= str_is(name, "return");
	if (str_is(name, "exit") ||
	    (p->in_function && str_is(name, "return")) ||
	    (str_is(name, "exec") && words.n > 1))
		return END_NEVER;
	if (str_is(name, "true") || str_is(name, ":"))
		return END_OK;
	return str_is(name, "false") ? END_FAIL : END_UNKNOWN;
}

/* Reads the body of a function that is called. Returns END_NEVER if the body ends the
 * shell, else END_UNKNOWN. */
static enum shell_end
call(struct shell_parser *p, const struct shell_function *f,
    struct shell_words words, struct shell_stdin input)
{
	struct shell_state *s = p->state;
	struct shell_parser inner = *p;
	bool outer = s->returned, returned;
	enum shell_end end;

	s->read += f->body.n + 1;
	if (s->read > SHELL_MOST) {
		s->unknown = true;
		return END_UNKNOWN;
	}
	inner.params_unknown = false;
	inner.in_function = true;
	s->returned = false;
	end = shell_nested(&inner, f->body, words, input, p->by);
	returned = s->returned;
	s->returned = outer;
	return end == END_NEVER && !returned ? END_NEVER : END_UNKNOWN;
}

/* Reads the bodies of the functions that the command may call. Returns whether it
 * surely calls one, and sets *end. */
static bool
calls_function(struct shell_parser *p, struct shell_words words,
    struct shell_stdin input, enum shell_end *end)
{
	const struct shell_state *s = p->state;
	struct str name = words.list[0].text;

	for (size_t i = s->n_functions; i > 0 && name.n > 0; i--) {
		struct shell_function f = s->functions[i - 1];

		if (!str_eq(f.name, name))
			continue;
		*end = call(p, &f, words, input);
		if (f.certain)
			return true;
	}
	return false;
}

enum shell_end
shell_command(struct shell_parser *p, struct shell_words words,
    struct shell_stdin input, struct str source)
{
	struct shell_state *s = p->state;
	struct str name = words.list[0].text;
	enum shell_end end;
	int index;

	if (p->dead > 0 && !s->written)
		return END_UNKNOWN;
	if (!s->written && calls_function(p, words, input, &end))
		return end;
	index = (int)s->n;
	if (s->n >= SHELL_COMMANDS) {
		s->unknown = true;
		return END_UNKNOWN;
	}
	*arena_push(s->arena, s->list, s->n) =
	    (struct shell_command){ words.list, words.n, p->by,
		    .source = source };
	if ((uintptr_t)source.s - (uintptr_t)s->text.s > s->text.n)
		s->list[index].source = (struct str){ 0 };
	if (s->written)
		return END_UNKNOWN;
	if (input.kind == INPUT_LATER && input.document->command == SHELL_NONE)
		input.document->command = index;
	else if (input.kind == INPUT_TEXT)
		s->list[index].input = input.text;
	obey(p, name, words);
	shell_starts(p, index, input);
	return end_of(p, name, words);
}
