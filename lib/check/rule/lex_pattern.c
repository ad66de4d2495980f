/* Reads the variables and the regular expressions of a line of rules. */
#include <string.h>

#include "check/rule/parse.h"

/* ---- variables ---- */

/* Returns the number of the variable; RULE_VARIABLES: there are too many. */
static size_t
variable_number(struct rules_parser *p, struct str name, size_t at)
{
	size_t i = 0;

	while (i < p->nvariables && !str_eq(p->variables[i], name))
		i++;
	if (i == p->nvariables && i < RULE_VARIABLES) {
		p->variables[i] = name;
		p->named[i] = 0;
		p->first[i] = at;
		p->nvariables++;
	}
	return i;
}

int
rules_variable(struct rules_parser *p)
{
	size_t at = p->at, i;
	struct str name;

	p->at++; /* the $ */
	name = rules_span(p, rules_is_letter);
	if (name.n == 0) {
		rules_expected(p, "a name behind $", RULES_NOWHERE);
		return 0;
	}
	p->at += name.n;
	i = variable_number(p, name, at);
	if (i == RULE_VARIABLES) {
		rules_mistake(p, at,
		    "expected at most %d names with $ in a claim",
		    RULE_VARIABLES);
		return 0;
	}
	p->named[i]++;
	return (int)i;
}

void
rules_captures(struct rules_parser *p, struct rule_cond *c)
{
	struct str rest = c->pattern, name;
	struct rule_capture *list = NULL;
	unsigned bound = 0;

	for (size_t i; (i = str_find(rest, "(?<")) < rest.n;) {
		size_t number, variable;

		rest = str_from(rest, i + strlen("(?<"));
		name = str_slice(rest, 0, str_find_char(rest, '>'));
		number = regex_group(c->regex, name);
		if (number == 0)
			continue; /* also of (?<= and (?<! */
		variable = variable_number(p, name, p->at);
		if (variable == RULE_VARIABLES || bound & 1U << variable)
			continue;
		bound |= 1U << variable;
		*arena_push(p->arena, list, c->ngroups) =
		    (struct rule_capture){ number, (int)variable };
	}
	p->captured |= bound;
	c->groups = list;
}

/* ---- regular expressions ---- */

/* Returns the index of the slash that ends the pattern; one in brackets does
 * not. */
static size_t
pattern_end(struct str line, size_t at)
{
	bool in_class = false;

	for (; at < line.n; at++) {
		if (line.s[at] == '\\')
			at++;
		else if (line.s[at] == '[')
			in_class = true;
		else if (line.s[at] == ']')
			in_class = false;
		else if (line.s[at] == '/' && !in_class)
			break;
	}
	return at;
}

struct str
rules_pattern(struct arena *a, struct str pattern)
{
	struct out o;
	size_t from = 0, end;

	out_open_memory(&o);
	while ((end = pattern_end(pattern, from)) < pattern.n) {
		out_str(&o, str_slice(pattern, from, end));
		out_text(&o, "\\/");
		from = end + 1;
	}
	out_str(&o, str_from(pattern, from));
	return out_keep(&o, a);
}

/* Returns whether a match cannot depend on what follows it: the pattern has
 * neither an end, a word boundary nor a lookahead. */
static bool
does_stay(struct str pattern)
{
	return str_find_char(pattern, '$') == pattern.n &&
	    !str_contains(pattern, "\\b") && !str_contains(pattern, "\\B") &&
	    !str_contains(pattern, "(?=") && !str_contains(pattern, "(?!");
}

struct rules_regex
rules_regex(struct rules_parser *p)
{
	struct rules_regex r = { .pattern = STR("") };
	size_t from, end;
	struct regex_error error;

	if (rules_peek(p) != '/') {
		rules_expected(p, "a pattern between slashes", RULES_NOWHERE);
		return r;
	}
	from = p->at + 1;
	end = pattern_end(p->line, from);
	if (end >= p->line.n) {
		rules_mistake(
		    p, p->at, "the closing slash of a pattern is missing");
		return r;
	}
	r.pattern = str_slice(p->line, from, end);
	r.stays = does_stay(r.pattern);
	p->at = end + 1;
	if (p->at < p->line.n && rules_is_letter(p->line.s[p->at])) {
		r.caseless = p->line.s[p->at] == 'i';
		p->at += r.caseless;
		if (p->at < p->line.n && rules_is_letter(p->line.s[p->at]))
			rules_mistake(p, p->at,
			    "expected no flag of a pattern but i, found '%c'",
			    p->line.s[p->at]);
	}
	if (!rules_ok(p))
		return r;
	r.regex = regex_compile(p->arena, REGEX_JS, r.pattern,
	    r.caseless ? REGEX_CASELESS : 0, &error);
	if (r.regex == NULL)
		rules_mistake(p, from + error.offset, "invalid pattern: %.*s",
		    STR_FMT(regex_error_text(p->arena, &error)));
	else
		*arena_push(p->arena, p->regexes, p->nregexes) = r.regex;
	return r;
}
