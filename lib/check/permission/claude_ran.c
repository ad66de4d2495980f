/* Finds what bash runs in a command and Claude Code does not see: the agent looks at the
 * parts' texts, but not behind programs that start others (xargs -n1, sudo, bash -c), nor
 * into subshells, substitutions and the bodies of if and for. */
#include "check/permission/claude_shell.h"

/* A command as a text for patterns. An unknown word is unknown_word where bash makes one
 * word of it, else SHELL_UNKNOWN. */
static const char unknown_word = '\xfe';

enum { LONGEST = 4096 };

static struct str
joined(struct arena *a, const struct shell_command *c)
{
	struct str *words = arena_new_n(a, struct str, c->n + 1);

	for (size_t i = 0; i < c->n; i++) {
		struct str text = c->words[i].text;

		words[i] = text;
		if (!c->words[i].splits &&
		    str_find_char(text, SHELL_UNKNOWN) < text.n) {
			char *copy = str_c(a, text);

			for (size_t k = 0; k < text.n; k++)
				if (copy[k] == SHELL_UNKNOWN)
					copy[k] = unknown_word;
			words[i] = (struct str){ copy, text.n };
		}
	}
	return str_join(a, words, c->n, STR(" "));
}

static bool
is_unknown(char c)
{
	return c == SHELL_UNKNOWN || c == unknown_word;
}

/* Notes the places that can be reached from those of one place of the pattern: `now` has
 * the places in the text before the character, `next` those behind. */
static void
step(char p, struct str text, bool *now, bool *next)
{
	for (size_t t = 0; t <= text.n; t++) {
		char c = '\0';

		if (!now[t])
			continue;
		if (t < text.n)
			c = text.s[t];
		if (t < text.n && (p == '*' || is_unknown(c)))
			now[t + 1] = true;
		if (p == '*' || c == SHELL_UNKNOWN ||
		    (c == unknown_word && p != ' '))
			next[t] = true;
		if (t < text.n && c == p)
			next[t + 1] = true;
	}
}

/* Returns whether the text can fit the pattern, whatever its unknown parts are. */
static bool
can_fit(struct str pattern, struct str text, struct arena *a)
{
	bool *now, *next;

	for (size_t i = 0; i < pattern.n && i < text.n; i++) {
		if (pattern.s[i] == '*' || is_unknown(text.s[i]))
			break;
		if (pattern.s[i] != text.s[i])
			return false;
	}
	if (text.n > LONGEST)
		return true;
	now = arena_new_n(a, bool, text.n + 2);
	next = arena_new_n(a, bool, text.n + 2);
	now[0] = true;
	for (size_t i = 0; i < pattern.n; i++) {
		bool *swap = next;

		step(pattern.s[i], text, now, next);
		next = now;
		now = swap;
		memset(next, 0, text.n + 1);
	}
	for (size_t t = 0; t < text.n; t++)
		if (now[t] && is_unknown(text.s[t]))
			now[t + 1] = true;
	return now[text.n];
}

/* Returns whether the command's text fits the entry. */
static enum rule_fit
fits(const struct claude_entry *e, struct str text, struct arena *a)
{
	bool unknown = str_find_char(text, SHELL_UNKNOWN) < text.n ||
	    str_find_char(text, unknown_word) < text.n;
	struct str bare = str_ends(e->value, " *")
	    ? str_slice(e->value, 0, e->value.n - 2)
	    : e->value;

	if (claude_text_fits(e, text))
		return RULE_YES;
	return unknown && (can_fit(e->value, text, a) || can_fit(bare, text, a))
	    ? RULE_MAYBE
	    : RULE_NO;
}

/* ---- where a command hides ---- */

/* Returns the first n words of the command as they are written, or else with ... for what
 * is unknown. */
static struct str
written(struct arena *a, const struct shell_command *c, size_t n)
{
	static const char unknown[] = { SHELL_UNKNOWN };
	struct str *words = arena_new_n(a, struct str, n + 1);

	for (size_t i = 0; i < n; i++)
		words[i] = c->words[i].source.s != NULL
		    ? c->words[i].source
		    : str_replace(a, c->words[i].text,
			  (struct str){ unknown, sizeof unknown }, STR("..."));
	return str_join(a, words, n, STR(" "));
}

/* Returns the words of the command that is written, up to the one that it starts. */
static struct str
words_before(struct arena *a, const struct shell_command *by,
    const struct shell_command *c)
{
	struct str program = c->words[0].text;
	size_t at = 1;

	while (at < by->n && !str_eq(by->words[at].text, program))
		at++;
	for (size_t i = 1; at == by->n && i < by->n; i++)
		if (str_contains(by->words[i].text, program))
			at = i;
	return written(a, by, at);
}

/* Returns the part in which the text stands; NULL: none. */
static const struct claude_part *
part_with(const struct claude_parts *parts, struct str text)
{
	for (size_t i = 0; i < parts->n; i++) {
		struct str part = parts->list[i].text;

		if (text.s != NULL && text.s >= part.s &&
		    text.s + text.n <= part.s + part.n)
			return &parts->list[i];
	}
	return NULL;
}

/* Says in the hit where the command stands, and behind what. */
static void
say_where(const struct claude_deciding *d, struct claude_parts parts,
    const struct shell *shell, size_t at, struct permission_hit *hit)
{
	const struct shell_command *c = &shell->list[at], *top = c;
	const struct claude_part *part;

	while (top->by != SHELL_NONE)
		top = &shell->list[top->by];
	part = part_with(&parts, top->source);
	hit->part = part != NULL    ? part->text
	    : top->source.s != NULL ? top->source
				    : written(d->arena, top, top->n);
	if (c->by != SHELL_NONE)
		hit->behind = words_before(d->arena, top, c);
	else if (part != NULL)
		hit->behind = str_trim(str_slice(
		    part->text, 0, (size_t)(top->source.s - part->text.s)));
	if (hit->behind.n == 0)
		hit->behind = (struct str){ 0 };
}

/* Adds hits of the lines of deny and ask that the command fits. A program that the shell
 * computes may be that of any line, so that no line is named for it. */
static void
match(struct claude_deciding *d, struct claude_parts parts,
    const struct shell *shell, size_t at)
{
	const struct shell_command *c = &shell->list[at];
	struct str text = joined(d->arena, c), name = shell_program(c);
	struct str base = str_from(text, c->words[0].text.n - name.n);
	bool computed = str_find_char(name, SHELL_UNKNOWN) < name.n;

	d->unnamed |= computed;
	for (size_t i = 0; i < d->set->n; i++) {
		const struct permission_line *line = &d->set->lines[i];
		const struct claude_entry *e = line->of;
		struct permission_hit hit;
		enum rule_fit fit;

		if (e->form != CLAUDE_SHELL || !str_is(e->tool, "Bash") ||
		    line->decision < PERMISSION_ASK)
			continue;
		fit = fits(e, text, d->arena);
		if (fit != RULE_YES && base.n < text.n)
			fit = fits(e, base, d->arena);
		if (fit == RULE_NO || (fit == RULE_MAYBE && computed))
			continue;
		hit = (struct permission_hit){ line, .unseen = true,
			.maybe = fit == RULE_MAYBE };
		if (claude_has_hit(d, hit))
			continue;
		say_where(d, parts, shell, at, &hit);
		claude_hit(d, hit);
	}
}

void
claude_add_unseen(struct claude_deciding *d, struct claude_parts parts)
{
	struct shell shell = shell_read(d->arena, d->call->command);

	d->unnamed = shell.unknown;
	for (size_t k = 0; k < shell.n; k++)
		match(d, parts, &shell, k);
}
