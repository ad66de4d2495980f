#include "shell/pattern.h"

#include <fnmatch.h>
#include <string.h>

/* A word of a pattern: its alternatives, as C strings. */
struct shell_alternatives {
	const char **list;
	size_t n;
};

struct shell_pattern {
	struct shell_alternatives program;
	struct shell_alternatives *operands; /* plain words */
	struct shell_alternatives *globs;
	struct shell_alternatives *flags;
	size_t n_operands, n_globs, n_flags;
};

/* ---- reading ---- */

static struct shell_alternatives
read_alternatives(struct arena *a, struct str word)
{
	struct shell_alternatives o = { 0 };

	while (word.s != NULL) {
		struct str one = str_cut(&word, '|');

		if (one.n > 0)
			*arena_push(a, o.list, o.n) = str_c(a, one);
	}
	return o;
}

/* Returns the next word, and cuts it off; an absent text at the end. */
static struct str
next_word(struct str *rest)
{
	*rest = str_trim(*rest);
	if (rest->n == 0)
		return (struct str){ 0 };
	for (size_t i = 0; i < rest->n; i++)
		if (rest->s[i] == ' ' || rest->s[i] == '\t') {
			struct str word = str_slice(*rest, 0, i);

			*rest = str_from(*rest, i);
			return word;
		}
	struct str word = *rest;
	*rest = (struct str){ 0 };
	return word;
}

static bool
has_glob(struct str word)
{
	return str_find_char(word, '*') < word.n ||
	    str_find_char(word, '?') < word.n ||
	    str_find_char(word, '[') < word.n;
}

const struct shell_pattern *
shell_pattern_read(struct arena *a, struct str text, const char **why)
{
	struct shell_pattern *p = arena_new(a, struct shell_pattern);
	struct str word = next_word(&text);

	p->program = read_alternatives(a, word);
	*why = "a program";
	if (p->program.n == 0 || word.s[0] == '-')
		return NULL;
	for (word = next_word(&text); word.s != NULL; word = next_word(&text)) {
		struct shell_alternatives one = read_alternatives(a, word);

		*why = "an operand or a flag";
		if (one.n == 0)
			return NULL;
		if (one.list[0][0] == '-' && one.list[0][1] != '\0')
			*arena_push(a, p->flags, p->n_flags) = one;
		else if (has_glob(word))
			*arena_push(a, p->globs, p->n_globs) = one;
		else
			*arena_push(a, p->operands, p->n_operands) = one;
	}
	return p;
}

/* ---- comparing ---- */

/* Returns whether an alternative fits the text. The arena-less copy of a text that
 * is too long for the buffer fits no plain alternative, and is cut for a glob. */
static bool
fits(const struct shell_alternatives *o, struct str text)
{
	char buf[1024];
	size_t n = text.n < sizeof buf ? text.n : sizeof buf - 1;

	memcpy(buf, text.s, n);
	buf[n] = '\0';
	for (size_t i = 0; i < o->n; i++)
		if (fnmatch(o->list[i], buf, 0) == 0)
			return true;
	return false;
}

static bool
is_flag(const struct shell_word *w)
{
	return w->text.n > 1 && w->text.s[0] == '-';
}

/* Returns whether a flag of the pattern, other than `self`, begins with the text. */
static bool
is_shared(const struct shell_pattern *p, struct str text, const char *self)
{
	for (size_t i = 0; i < p->n_flags; i++)
		for (size_t k = 0; k < p->flags[i].n; k++)
			if (strcmp(p->flags[i].list[k], self) != 0 &&
			    str_starts(str_of(p->flags[i].list[k]), text))
				return true;
	return false;
}

/* Returns whether a word of a command has the flag. */
static bool
has_flag(const struct shell_pattern *p, const char *flag, struct str word)
{
	struct str name = str_slice(word, 0, str_find_char(word, '='));
	bool is_long = str_starts(word, "--");

	if (str_is(name, flag))
		return true;
	if (flag[1] != '-' && flag[2] == '\0')
		return !is_long && str_find_char(name, flag[1]) < name.n;
	return is_long && name.n >= 5 && str_starts(str_of(flag), name) &&
	    !is_shared(p, name, flag);
}

/* Returns whether the command has one of the flags. */
static bool
has_one(const struct shell_pattern *p, const struct shell_alternatives *flags,
    const struct shell_command *c)
{
	for (size_t i = 1; i < c->n; i++) {
		if (str_is(c->words[i].text, "--"))
			return false;
		for (size_t k = 0; is_flag(&c->words[i]) && k < flags->n; k++)
			if (has_flag(p, flags->list[k], c->words[i].text))
				return true;
	}
	return false;
}

/* Finds the plain operands in their order from the word at *at on, which becomes
 * the word behind them. A word behind a flag may be the flag's value. */
static enum shell_match
find_operands(
    const struct shell_pattern *p, const struct shell_command *c, size_t *at)
{
	bool flags_end = false, behind_flag = false;

	for (size_t k = 0; k < p->n_operands; (*at)++) {
		const struct shell_word *w = &c->words[*at];

		if (*at >= c->n)
			return SHELL_NO;
		if (!flags_end && is_flag(w)) {
			flags_end = str_is(w->text, "--");
			behind_flag = !flags_end &&
			    str_find_char(w->text, '=') == w->text.n;
			continue;
		}
		if (shell_word_is_computed(w) || w->glob) {
			if (!behind_flag || w->splits)
				return SHELL_UNDECIDED;
		} else if (fits(&p->operands[k], w->text)) {
			k++;
		} else if (!behind_flag) {
			return SHELL_NO;
		}
		behind_flag = false;
	}
	return SHELL_YES;
}

/* Returns whether an operand from the word `at` on fits the glob. */
static bool
has_operand(const struct shell_alternatives *glob,
    const struct shell_command *c, size_t at)
{
	bool flags_end = false;

	for (; at < c->n; at++) {
		const struct shell_word *w = &c->words[at];

		if (!flags_end && is_flag(w))
			flags_end = str_is(w->text, "--");
		else if (fits(glob, w->text))
			return true;
	}
	return false;
}

enum shell_match
shell_pattern_fits(const struct shell_pattern *p, const struct shell_command *c)
{
	struct str program = shell_program(c);
	size_t at = 1;
	enum shell_match found = SHELL_YES;

	for (size_t i = 0; i < p->n_flags; i++)
		if (!has_one(p, &p->flags[i], c))
			return SHELL_NO;
	/* $HOME/bin/x is x, as if $HOME were one word. */
	if (str_find_char(program, SHELL_UNKNOWN) < program.n ||
	    (c->words[0].splits && program.n == c->words[0].text.n) ||
	    c->words[0].glob)
		found = SHELL_UNDECIDED;
	else if (!fits(&p->program, program))
		return SHELL_NO;
	if (found == SHELL_YES)
		found = find_operands(p, c, &at);
	for (size_t i = 0; found == SHELL_YES && i < p->n_globs; i++)
		if (!has_operand(&p->globs[i], c, at))
			return SHELL_NO;
	return found;
}

enum shell_match
shell_pattern_find(const struct shell_pattern *p, const struct shell *shell)
{
	enum shell_match found =
	    shell->unknown || shell->invalid ? SHELL_UNDECIDED : SHELL_NO;

	for (size_t i = 0; i < shell->n; i++) {
		enum shell_match one = shell_pattern_fits(p, &shell->list[i]);

		if (one == SHELL_YES)
			return SHELL_YES;
		if (one == SHELL_UNDECIDED)
			found = SHELL_UNDECIDED;
	}
	return found;
}
