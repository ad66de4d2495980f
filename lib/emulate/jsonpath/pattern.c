#include "emulate/jsonpath/script.h"

#include "base/utf8.h"
#include "emulate/jsonpath/property.h"
#include "text/unicode.h"

/* Searches the text from byte `from` on. Returns the groups, of which the first
 * is the whole match; none if there is no match. */
static struct regex_match
find_from(struct path_run *run, const struct regex *regex, struct str text,
    size_t from)
{
	struct regex_match match = { 0 };
	enum regex_found found =
	    regex_search_from(regex, text, from, &match, run->arena);

	jsonpath_spend(run, 10 + text.n / 16);
	if (found == REGEX_LIMIT)
		run->cut = true;
	return found == REGEX_YES ? match : (struct regex_match){ 0 };
}

static struct regex_match
find(struct path_run *run, const struct regex *regex, struct str text)
{
	return find_from(run, regex, text, 0);
}

/* Like find, but takes an argument, which may be a pattern as text. */
static struct regex_match
find_arg(struct path_run *run, struct str text, const struct value *arg)
{
	struct regex_match match = { 0 };
	struct regex_error error;
	struct regex *regex;
	struct str pattern;

	if (arg->type == VALUE_REGEX)
		return find(run, arg->regex, text);
	pattern = arg->type == VALUE_UNDEFINED ? STR("")
					       : script_value_to_text(run, arg);
	jsonpath_spend(run, 1000 + pattern.n);
	regex = regex_compile(run->arena, REGEX_JS, pattern, 0, &error);
	if (regex != NULL)
		match = find(run, regex, text);
	regex_free(regex);
	return match;
}

static struct value
groups(struct path_run *run, const struct regex_match *match)
{
	struct value v = { .type = VALUE_LIST, .n = match->n };
	struct value *items = arena_new_n(run->arena, struct value, match->n);

	if (match->n == 0)
		return (struct value){ .type = VALUE_NULL };
	for (size_t i = 0; i < match->n; i++)
		if (match->groups[i].s != NULL)
			items[i] = script_value_text(match->groups[i]);
	v.items = items;
	return v;
}

/* Returns whether the position is between the halves of a character. */
static bool
is_within(struct str text, size_t at)
{
	return at < text.n && utf8_is_within(text.s[at]);
}

/* Returns the position one code unit further. */
static size_t
unit_after(struct str text, size_t at)
{
	size_t length;

	if (is_within(text, at))
		return at + 2;
	unicode_decode(str_from(text, at), &length);
	return at + (length == 4 ? 2 : length);
}

/* Returns all matches of a pattern with the flag g; null if there is none. */
static struct value
match_all(struct path_run *run, const struct regex *regex, struct str text)
{
	struct value v = { .type = VALUE_LIST }, *items = NULL;
	struct regex_match match;
	size_t from = 0;

	while (!run->cut) {
		match = find_from(run, regex, text, from);
		if (match.n == 0)
			break;
		*arena_push(run->arena, items, v.n) =
		    script_value_text(match.groups[0]);
		from = match.to;
		if (match.from < match.to)
			continue;
		if (from == text.n)
			break;
		from = unit_after(text, from);
	}
	v.items = items;
	return v.n > 0 ? v : (struct value){ .type = VALUE_NULL };
}

struct value
jsonpath_pattern_match(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct value nothing = script_value_undefined();
	struct regex_match found;

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	if (n > 0 && args->type == VALUE_REGEX && args->global)
		return match_all(run, args->regex, self->text);
	found = find_arg(run, self->text, n > 0 ? args : &nothing);
	return groups(run, &found);
}

struct value
jsonpath_pattern_search(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct value nothing = script_value_undefined();
	struct regex_match found;
	size_t units;

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	found = find_arg(run, self->text, n > 0 ? args : &nothing);
	if (found.n == 0)
		return script_value_number(-1);
	units = jsonpath_units(str_slice(self->text, 0, found.from));
	return script_value_number(
	    (double)(units - is_within(self->text, found.from)));
}

struct value
jsonpath_pattern_exec(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct regex_match found;

	if (self->type != VALUE_REGEX)
		return script_value_undefined();
	found = find(run, self->regex, script_value_arg(run, args, n, 0));
	return groups(run, &found);
}

struct value
jsonpath_pattern_test(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct regex_match found;

	if (self->type != VALUE_REGEX)
		return script_value_undefined();
	found = find(run, self->regex, script_value_arg(run, args, n, 0));
	return script_value_boolean(found.n > 0);
}
