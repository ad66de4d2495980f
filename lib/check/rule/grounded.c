/*
 * Decides whether what the answer says comes from somewhere: every number of
 * two digits or more, id and URL occurs in the system prompt, a prompt, an argument or a
 * result, or the number is made of those there. An id is a word of letters and digits,
 * also with - and _ in it.
 */
#include "check/rule/sources.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "text/unicode.h"

enum { SHOWN = 5 }; /* values that are missing */

struct grounds {
	struct rule_run *run;
	struct rule_seen *seen; /* the arguments added */
	struct str answer;
	struct str *missing;
	size_t n;
};

/* ---- sources ---- */

/* Returns the sources with the arguments of all calls. */
static void
add_arguments(struct rule_run *run, struct rule_seen *seen)
{
	for (size_t i = 0; i < run->calls.n; i++) {
		const struct trace_call *c = &run->calls.list[i];
		struct rule_source *s;

		if (c->args == NULL) {
			seen->lacking = true;
			continue;
		}
		s = arena_push(run->arena, seen->list, seen->n);
		s->value = c->args;
		s->adds = true;
		seen->lacking |=
		    c->step != NULL && trace_step_cut(c->step, STR("args"));
	}
}

static bool
has_text(struct grounds *g, struct str text)
{
	struct str lower = unicode_lower_js(g->run->arena, text);

	for (size_t i = 0; i < g->seen->n; i++)
		if (rule_source_has(g->run, &g->seen->list[i], lower))
			return true;
	return false;
}

/* Returns whether the number is a sum or a difference of two numbers of a source. */
static bool
is_sum(struct grounds *g, const struct rule_digits *d)
{
	for (size_t r = 0; r < 2; r++) {
		double n = d->readings[r].s == NULL
		    ? 0
		    : strtod(str_c(g->run->arena, d->readings[r]), NULL);

		for (size_t i = 0; d->readings[r].s != NULL && i < g->seen->n;
		     i++)
			if (g->seen->list[i].adds &&
			    rule_is_sum(g->run, &g->seen->list[i], n))
				return true;
	}
	return false;
}

/* Returns whether the answer masks a longer number of a source, whose last digits
 * these are. */
static bool
is_end(struct grounds *g, struct str digits)
{
	for (size_t i = 0; i < digits.n; i++)
		if (digits.s[i] < '0' || digits.s[i] > '9')
			return false;
	if (!rule_is_masked(
		str_slice(g->answer, 0, (size_t)(digits.s - g->answer.s))))
		return false;
	for (size_t i = 0; i < g->seen->n; i++)
		if (rule_ends_longer(g->run, &g->seen->list[i], digits))
			return true;
	return false;
}

/* Returns whether a source has the number. */
static bool
is_there(struct grounds *g, const struct rule_digits *d)
{
	struct rule_digits part;
	size_t at = 0;
	bool read = false;

	for (size_t i = 0; i < 2; i++) {
		read |= d->readings[i].s != NULL;
		if (rule_number_source(g->run, d->readings[i]) != SIZE_MAX)
			return true;
	}
	if (read)
		return false;
	/* A date or a list: each of its numbers counts. */
	for (struct str rest = d->run; rest.s != NULL; at = 0) {
		size_t n = 0;
		struct str piece;

		while (n < rest.n && rest.s[n] != '.' && rest.s[n] != ',')
			n++;
		piece = str_slice(rest, 0, n);
		rest = n < rest.n ? str_from(rest, n + 1) : (struct str){ 0 };
		if (piece.n > 1 &&
		    rule_digits_next(piece, &at, &part, g->run->arena) &&
		    rule_number_source(g->run, part.readings[0]) == SIZE_MAX)
			return false;
	}
	return true;
}

static bool
has_number(struct grounds *g, const struct rule_digits *d)
{
	return is_there(g, d) || is_sum(g, d) || is_end(g, d->run);
}

/* ---- the answer ---- */

static void
miss(struct grounds *g, struct str text)
{
	for (size_t i = 0; i < g->n; i++)
		if (str_eq(g->missing[i], text))
			return;
	*arena_push(g->run->arena, g->missing, g->n) = text;
}

static bool
is_letter(char c)
{
	return ascii_is_letter(c) || (unsigned char)c >= 0x80;
}

static bool
is_of_word(char c)
{
	return is_letter(c) || ascii_is_digit(c) || c == '-' || c == '_';
}

/* Looks for the numbers of a text that has no id. */
static void
look_for_numbers(struct grounds *g, struct str text)
{
	struct rule_digits d;
	size_t at = 0;

	while (rule_digits_next(text, &at, &d, g->run->arena)) {
		size_t digits = 0;

		for (size_t i = 0; i < d.run.n; i++)
			digits += ascii_is_digit(d.run.s[i]);
		if (digits > 1 && !has_number(g, &d))
			miss(g, d.run);
	}
}

/* Returns whether the word is an id: it has letters and digits, of them two, or
 * one in at least five characters. A word such as 10am, 24-hour or mid-2024,
 * whose letters are all small, is taken for its numbers. */
static bool
is_id(struct str word)
{
	size_t digits = 0, letters = 0;
	bool capital = false;

	for (size_t i = 0; i < word.n; i++) {
		digits += ascii_is_digit(word.s[i]);
		letters += is_letter(word.s[i]);
		capital |= word.s[i] >= 'A' && word.s[i] <= 'Z';
	}
	return digits != 0 && letters != 0 && capital &&
	    (digits > 1 || word.n >= 5);
}

/* Looks for a word of the answer; a number may go on behind a point. */
static void
look_for_word(struct grounds *g, struct str word, struct str with_points)
{
	size_t masked = 0;

	while (word.n != 0 && !is_letter(*word.s) && !ascii_is_digit(*word.s))
		word = str_from(word, 1);
	while (word.n != 0 &&
	    (word.s[word.n - 1] == '-' || word.s[word.n - 1] == '_'))
		word.n--;
	while (masked < word.n && (word.s[masked] | 0x20) == 'x')
		masked++;
	if (masked > 2 && masked < word.n && is_end(g, str_from(word, masked)))
		return;
	if (!is_id(word)) {
		look_for_numbers(g, with_points);
		return;
	}
	if (!has_text(g, word))
		miss(g, word);
}

static size_t
url_length(struct str rest)
{
	size_t n = 0;

	if (!str_starts(rest, "http://") && !str_starts(rest, "https://"))
		return 0;
	while (n < rest.n && (unsigned char)rest.s[n] > ' ' &&
	    str_find_char(STR("<>\"'`()[]{}|*"), rest.s[n]) == 13)
		n++;
	while (n > 0 && str_find_char(STR(".,;:!?"), rest.s[n - 1]) < 6)
		n--;
	return n;
}

static void
look(struct grounds *g, struct str answer)
{
	for (size_t at = 0; at < answer.n;) {
		struct str rest = str_from(answer, at);
		size_t n = url_length(rest), word;

		if (n != 0) {
			if (!has_text(g, str_slice(rest, 0, n)))
				miss(g, str_slice(rest, 0, n));
			at += n;
			continue;
		}
		for (word = 0; word < rest.n && is_of_word(rest.s[word]);)
			word++;
		for (n = word; n + 1 < rest.n && n != 0 &&
		     ascii_is_digit(rest.s[n - 1]) &&
		     (rest.s[n] == '.' || rest.s[n] == ',') &&
		     ascii_is_digit(rest.s[n + 1]);)
			for (n++; n < rest.n && ascii_is_digit(rest.s[n]);)
				n++;
		if (n != 0)
			look_for_word(
			    g, str_slice(rest, 0, word), str_slice(rest, 0, n));
		at += n == 0 ? 1 : n;
	}
}

static struct grounds
missing_of(struct rule_run *run)
{
	/* The sources of `unseen`, which has no arguments, are other ones. */
	struct rule_run *own = arena_new(run->arena, struct rule_run);
	struct grounds g = { .run = own };

	*own = *run;
	own->seen = NULL;
	g.seen = rule_seen_of(own);
	add_arguments(own, g.seen);
	g.answer = view_text(run->view, VIEW_AS_WRITTEN);
	look(&g, g.answer);
	return g;
}

struct rule_outcome
rule_decide_grounded(struct rule_run *run)
{
	struct view *v = run->view;
	struct grounds g;

	if (!(v->have & VIEW_TEXT))
		return rule_unknown("not recorded: final_text");
	g = missing_of(run);
	if (g.run->work > RULE_WORK_MAX)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	if (g.n == 0 && v->cut & VIEW_TEXT)
		return rule_unknown("cut short in the log: final_text");
	if (g.n == 0)
		return (struct rule_outcome){ .truth = RULE_TRUE };
	if (!run->recorded)
		return rule_unknown("not recorded: tool_sequence");
	if (g.seen->lacking)
		return rule_unknown("not recorded in full: the prompts, "
				    "arguments and results");
	return (struct rule_outcome){ .truth = RULE_FALSE };
}

struct str
rule_got_ungrounded(struct rule_run *run)
{
	struct grounds g = missing_of(run);
	size_t n = g.n < SHOWN ? g.n : SHOWN;
	struct str list;

	for (size_t i = 0; i < n; i++)
		g.missing[i] = view_excerpt(run->view, g.missing[i],
		    view_text(run->view, VIEW_AS_WRITTEN));
	list = str_join(run->arena, g.missing, n, STR(", "));
	if (g.n <= SHOWN)
		return str_cat(run->arena, STR("from nowhere: "), list);
	return str_printf(run->arena, "from nowhere: %.*s and %zu more",
	    STR_FMT(list), g.n - SHOWN);
}
