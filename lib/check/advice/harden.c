/* Robust forms of brittle assertions, which hold where those hold. */
#include "check/advice/additions.h"

#include <string.h>

#include "base/ascii.h"
#include "check/advice/pattern.h"
#include "check/advice/words.h"
#include "text/caseless.h"

/* Returns the text that a pattern without operators matches. */
static struct str
unescaped(struct arena *a, struct str pattern)
{
	struct out o;

	if (str_starts(pattern, "(?"))
		pattern = str_from(pattern, str_find_char(pattern, ')') + 1);
	out_open_memory(&o);
	for (size_t i = 0; i < pattern.n; i++)
		if (pattern.s[i] != '\\' || ++i < pattern.n)
			out_char(&o, pattern.s[i]);
	return out_keep(&o, a);
}

/* Returns whether a member's value differs from run to run, as far as its name or
 * size shows that. */
static bool
is_volatile(struct arena *a, const struct json *key)
{
	static const char names[] =
	    "timestamp time date created created_at updated updated_at id uuid "
	    "guid request_id trace_id session_id duration duration_ms elapsed";
	const struct json *v = json_value(key);

	return caseless_is_one_of(json_text(key, a), names) ||
	    (json_is(v, JSON_NUMBER) && json_double(v) >= 1e9);
}

/* Returns the object without the members that differ from run to run; absent if
 * nothing is left, or nothing is left out of a list. */
static struct str
lasting_part(struct arena *a, const struct json *v)
{
	const char *before = "{";
	struct out o;

	if (!json_is(v, JSON_OBJECT))
		return (struct str){ 0 };
	out_open_memory(&o);
	for (json_members(key, v)) {
		if (is_volatile(a, key))
			continue;
		out_text(&o, before);
		out_str(&o, key->text);
		out_text(&o, ": ");
		out_source(&o, json_value(key)->text);
		before = ", ";
	}
	if (*before == '{') {
		out_close(&o);
		return (struct str){ 0 };
	}
	out_char(&o, '}');
	return out_keep(&o, a);
}

static void
harden_output(struct additions *all, const struct advice_item *item)
{
	const struct json *how = advice_key(item, "match_type");
	struct advice_values v = { .beside = item->check,
		.json = lasting_part(all->arena, item->value),
		.tool = json_text(advice_key(item, "tool_name"), all->arena) };

	if (v.json.s == NULL || v.tool.s == NULL ||
	    json_has(item->keys, "field_path") ||
	    !(how == NULL || json_str_is(how, "exact") ||
		json_str_is(how, "equals")))
		return;
	additions_add(all, FORM_PART_OF_OUTPUT, EXACT_OUTPUT, &v,
	    "the same, without what may differ from run to run");
}

/* Adds that the answer has the text in any case, without a sign at its end. */
static void
add_text(struct additions *all, enum advice_id id, struct advice_values v,
    const char *why)
{
	while (
	    v.text.n != 0 && strchr("!?.,;:", v.text.s[v.text.n - 1]) != NULL)
		v.text.n--;
	if (v.text.n != 0 && !additions_have_text(all, v.beside, v.text))
		additions_add(all, FORM_CONTAINS, id, &v, "%s", why);
}

static void
harden_equality(struct additions *all, const struct advice_item *item)
{
	const struct json *object = all->set->scenario->object;
	bool implicit = item->texts.n == 0 || item->keys == NULL;
	struct advice_values v = { 0 };

	if (implicit) {
		v.text =
		    json_text(json_get(object, "expected_output"), all->arena);
	} else {
		v.text = item->texts.list[0];
		v.beside = item->check;
	}
	if (words_besides(v.text, "") > 1)
		add_text(all, EXACT_ANSWER, v,
		    "the same, for a part of the answer, in any case");
}

static void
harden_pattern(struct additions *all, const struct advice_item *item)
{
	struct str p = item->texts.n == 0 ? STR("") : item->texts.list[0];
	struct advice_values v = { .beside = item->check,
		.text = unescaped(all->arena, p) };

	if (json_has(item->keys, "path") || p.n == 0 ||
	    json_is(advice_key(item, "expect_match"), JSON_FALSE))
		return;
	if (all->style == STYLE_PROMPTFOO && str_contains(v.text, "{"))
		return; /* would be a template */
	if (pattern_is_plain(p) && all->style != STYLE_EVOLVE) {
		add_text(all, NEEDLESS_REGEX, v, "the same as plain text");
	} else if (!all->set->dialect->caseless && pattern_counts_case(p)) {
		v.text = str_cat(all->arena, STR("(?i)"), p);
		additions_add(all, FORM_MATCHES, CASE_SENSITIVE_REGEX, &v,
		    "the same in any case");
	}
}

static void
harden_item(struct additions *all, const struct advice_item *item)
{
	struct advice_values v = { .beside = item->check,
		.n = json_double(advice_key(item, "expected_count")) };

	switch (item->type->role) {
	case ROLE_COUNT:
		if (!(v.n > 0) || item->texts.n == 0)
			break;
		v.tool = item->texts.list[0];
		additions_add(all, FORM_AT_LEAST, EXACT_COUNT, &v,
		    "the same as a minimum");
		break;
	case ROLE_OUTPUT:
		harden_output(all, item);
		break;
	case ROLE_EQUALS:
		harden_equality(all, item);
		break;
	case ROLE_REGEX:
		harden_pattern(all, item);
		break;
	case ROLE_HAS:
		if (!json_is(advice_key(item, "case_sensitive"), JSON_TRUE) ||
		    json_has(item->keys, "regex") || item->texts.n == 0)
			break;
		v.text = item->texts.list[0];
		add_text(all, CASE_SENSITIVE, v, "the same in any case");
		break;
	default:
		break;
	}
}

/* Returns whether a robust form holds wherever the assertion does: it looks at the
 * same text, and is no part of a score, which one more part would change. */
static bool
can_harden(const struct advice_item *item)
{
	const struct check *c = item->check;

	return !check_is_broken(c) && !c->negate && c->severity == NULL &&
	    !json_has(item->keys, "transform");
}

void
additions_harden(struct additions *all)
{
	for (size_t i = 0; i < all->set->n; i++)
		if (can_harden(&all->set->items[i]))
			harden_item(all, &all->set->items[i]);
}
