/*
 * Numbers of an answer that an agent made of those of a source: a sum or a difference of
 * two, and the last digits of a longer one.
 */
#include "check/rule/sources.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"

/* Among the sums and differences of more numbers, almost every number is found. */
enum { ADDENDS_MAX = 8 };

/* The different numbers of a value. */
struct rule_addends {
	double list[ADDENDS_MAX];
	bool twice[ADDENDS_MAX]; /* the number is there twice or more */
	size_t n;
	bool many;
};

/* ---- sums ---- */

static void
add(struct rule_addends *to, double n)
{
	size_t i = 0;

	while (i < to->n && to->list[i] != n)
		i++;
	if (i < to->n) {
		to->twice[i] = true;
	} else if (to->n == ADDENDS_MAX) {
		to->many = true;
	} else {
		to->list[to->n] = n;
		to->twice[to->n++] = false;
	}
}

static void
add_numbers(struct rule_addends *to, const struct json *v)
{
	if (json_is(v, JSON_NUMBER))
		add(to, json_double(v));
	for (json_each(element, v))
		add_numbers(to, element);
	for (json_members(key, v))
		add_numbers(to, json_value(key));
}

/* Returns whether the character may be next to a number that stands by itself. */
static bool
is_apart(char c)
{
	return !ascii_is_alnum(c) && !ascii_is_among(c, "_-/:#");
}

/* Adds the numbers of a text that are no parts of dates, times and ids. */
static void
add_text(struct rule_addends *to, struct str text, struct arena *a)
{
	struct rule_digits d;
	size_t at = 0;

	while (!to->many && rule_digits_next(text, &at, &d, a)) {
		size_t from = at - d.run.n;

		if (d.readings[0].s != NULL &&
		    (from == 0 || is_apart(text.s[from - 1])) &&
		    (at == text.n || is_apart(text.s[at])))
			add(to, strtod(str_c(a, d.readings[0]), NULL));
	}
}

static const struct rule_addends *
addends_of(struct rule_run *run, struct rule_source *s)
{
	struct json_reader reader = { 0 };
	struct rule_addends *all;
	struct str text;
	const struct json *v;

	if (s->addends != NULL)
		return s->addends;
	s->addends = all = arena_new(run->arena, struct rule_addends);
	text = rule_result_text(s->value, run->arena);
	run->work += text.n / 8;
	v = json_read(&reader, text, NULL, NULL);
	if (json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT))
		add_numbers(all, v);
	else
		add_text(all, text, run->arena);
	json_reader_free(&reader);
	return all;
}

static bool
is_near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

bool
rule_is_sum(struct rule_run *run, struct rule_source *s, double n)
{
	const struct rule_addends *all = addends_of(run, s);

	if (all->many)
		return false;
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = i; k < all->n; k++)
			if ((k != i || all->twice[i]) &&
			    (is_near(fabs(all->list[i] + all->list[k]), n) ||
				is_near(fabs(all->list[i] - all->list[k]), n)))
				return true;
	return false;
}

/* ---- last digits ---- */

bool
rule_ends_longer(struct rule_run *run, struct rule_source *s, struct str digits)
{
	struct str text = rule_source_text(run, s);

	run->work += 1 + text.n / 64;
	for (size_t at = 0; at + digits.n <= text.n; at++) {
		size_t end;

		at += str_find(str_from(text, at), digits);
		end = at + digits.n;
		if (end <= text.n && at > 0 && ascii_is_digit(text.s[at - 1]) &&
		    (end == text.n || !ascii_is_digit(text.s[end])))
			return true;
	}
	return false;
}

/* Returns whether the text ends with three or more signs that mask digits. */
static bool
ends_with_mask(struct str text)
{
	static const char *const masks[] = { "*", "x", "X", "#", ".",
		"\xe2\x80\xa2" /* a bullet */, "\xe2\x80\xa6" /* an ellipsis */,
		"\xc2\xb7" /* a middle dot */ };
	size_t masked = 0;

	for (size_t i = 0; text.n > 0 && i < sizeof masks / sizeof masks[0];) {
		if (str_find_char(STR(" -\\"), text.s[text.n - 1]) < 3) {
			text.n--;
		} else if (str_ends(text, masks[i])) {
			text.n -= strlen(masks[i]);
			masked += strlen(masks[i]);
			i = 0;
		} else {
			i++;
		}
	}
	return masked >= 3;
}

/* Returns whether nothing but numbers, signs and such words are in the text. */
static bool
is_list(struct str text)
{
	while (text.n > 0) {
		size_t n = 0;

		while (n < text.n && ascii_is_letter(text.s[n]))
			n++;
		if (n > 0 &&
		    !str_is_one_of(str_slice(text, 0, n),
			"and or digits are is of in with number"))
			return false;
		text = str_from(text, n + (n == 0));
	}
	return true;
}

bool
rule_is_masked(struct str before)
{
	static const char *const phrases[] = { "nding in", "nding with",
		"nds in", "nds with", "ast two", "ast three", "ast four",
		"ast 2", "ast 3", "ast 4" };
	enum { NEAR = 60 };
	struct str near =
	    str_from(before, before.n > NEAR ? before.n - NEAR : 0);

	if (ends_with_mask(before))
		return true;
	for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
		size_t at = str_find(near, phrases[i]);

		if (at < near.n &&
		    is_list(str_from(near, at + strlen(phrases[i]))))
			return true;
	}
	return false;
}
