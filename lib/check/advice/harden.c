/* Robust forms in the place of brittle assertions. */
#include "check/advice/additions.h"

#include <string.h>

#include "base/ascii.h"
#include "check/advice/pattern.h"
#include "check/advice/words.h"
#include "text/caseless.h"

/* ---- changes of an assertion ---- */

/* An assertion of which members change. */
struct hardened {
	struct additions *all;
	const struct advice_item *item;
	struct edit_changes changes;
};

/* Notes why the assertion changes; returns false if advice of this priority makes no
 * changes. */
static bool
because(struct hardened *h, enum advice_id id, const char *why)
{
	struct edit_changes *c = &h->changes;

	if (!(h->all->priorities >> advice_table[id].priority & 1) ||
	    c->nreasons == EDIT_CHANGES)
		return false;
	c->reasons[c->nreasons++] = str_printf(
	    h->all->arena, "advice[%s]: %s", advice_table[id].id, why);
	return true;
}

static const struct json *
key_of(const struct json *object, const char *name)
{
	for (json_members(key, object))
		if (json_str_is(key, name))
			return key;
	return NULL;
}

static void
change(struct hardened *h, const struct json *object, const struct json *key,
    const char *name, struct str value)
{
	struct edit_changes *c = &h->changes;
	struct edit_change *one = c->list;

	if (key != NULL && str_eq(json_value(key)->text, value))
		value = (struct str){ 0 };
	if (name == NULL && value.s == NULL)
		return;
	while (one < c->list + c->n &&
	    (key == NULL || one->object != object || one->key != key))
		one++;
	if (one == c->list + c->n && c->n++ == EDIT_CHANGES) {
		c->n--;
		return;
	}
	*one = (struct edit_change){ object, key, str_of(name), value };
}

/* Gives a member of the assertion's keys a value of JSON. */
static void
set(struct hardened *h, const char *name, struct str value)
{
	const struct json *object = h->item->keys, *key = key_of(object, name);

	change(h, object, key, key == NULL ? name : NULL, value);
}

/* Gives a member of the assertion's keys another name and, unless the value is absent,
 * another value. */
static void
rename_key(
    struct hardened *h, const char *from, const char *to, struct str value)
{
	const struct json *key = key_of(h->item->keys, from);

	if (key != NULL)
		change(h, h->item->keys, key, strcmp(from, to) == 0 ? NULL : to,
		    value);
}

/* Gives the assertion another type. */
static void
set_type(struct hardened *h, const char *type)
{
	const struct json *v = h->item->check->source.value, *key;
	struct str quoted = out_quote(h->all->arena, str_of(type));

	if ((key = key_of(v, "kind")) != NULL ||
	    (key = key_of(v, "type")) != NULL)
		change(h, v, key, NULL, quoted);
	else /* the name of the keys, or a mapping around both */
		change(h, h->item->keys,
		    json_is(v, JSON_STRING) ? v : json_first(v), type,
		    (struct str){ 0 });
}

/* Returns the name of the member that has the item's value. */
static const char *
value_name(const struct hardened *h)
{
	struct str names = str_of(h->item->type->subject);

	while (names.n != 0) {
		struct str name = str_dup(h->all->arena, str_cut(&names, ' '));

		if (json_has(h->item->keys, name.s))
			return name.s;
	}
	return NULL;
}

/* ---- outputs of tools ---- */

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

/* Returns whether a member says that all went well, and nothing of the result. */
static bool
is_status(struct arena *a, const struct json *key)
{
	return caseless_is_one_of(json_text(key, a),
	    "status state ok success successful code error errors message "
	    "version");
}

/* The part of an object that matters. */
struct part {
	struct str lasting; /* the members that do not differ from run to run */
	const struct json *only; /* the key of the one that has the result */
};

static struct part
part_of(struct arena *a, const struct json *v)
{
	struct part part = { 0 };
	size_t results = 0;
	struct out o;

	out_open_memory(&o);
	for (json_members(key, v)) {
		if (is_volatile(a, key))
			continue;
		out_text(&o, o.n == 0 ? "{" : ", ");
		out_str(&o, key->text);
		out_text(&o, ": ");
		out_source(&o, json_value(key)->text);
		if (is_status(a, key))
			continue;
		results++;
		if (part.only == NULL || str_is(json_text(key, a), "result"))
			part.only = key;
	}
	if (results != 1 && !(results > 1 && json_str_is(part.only, "result")))
		part.only = NULL;
	if (part.only != NULL && json_value(part.only)->type >= JSON_ARRAY)
		part.only = NULL;
	if (o.n != 0)
		out_char(&o, '}');
	part.lasting = out_keep(&o, a);
	return part;
}

static void
harden_object(struct hardened *h)
{
	struct part part = part_of(h->all->arena, h->item->value);

	if (part.only != NULL && !json_has(h->item->keys, "field_path")) {
		if (!because(h, EXACT_OUTPUT, "the field that has the result"))
			return;
		set(h, "expected_output", json_value(part.only)->text);
		set(h, "field_path", part.only->text);
		set(h, "match_type", STR("\"equals\""));
	} else if (part.lasting.n != 0 &&
	    because(
		h, EXACT_OUTPUT, "without what may differ from run to run")) {
		set(h, "expected_output", part.lasting);
		set(h, "match_type", STR("\"partial\""));
	}
}

/* Returns the text's number without its needless zeros; absent if there is none. */
static struct str
plain_number(struct arena *a, struct str text)
{
	size_t end = text.n, start, point;

	if (!advice_has_padded_number(text))
		return (struct str){ 0 };
	while (end > 0 && !ascii_is_digit(text.s[end - 1]))
		end--;
	for (start = end; start > 0 &&
	     (ascii_is_digit(text.s[start - 1]) || text.s[start - 1] == '.');
	     start--)
		;
	text = str_slice(text, start, end);
	point = str_find_char(text, '.');
	while (text.n > point && text.s[text.n - 1] == '0')
		text.n--;
	if (text.n == point + 1)
		text.n = point;
	return text.n == 0 ? str_of(NULL) : out_quote(a, text);
}

static void
harden_output(struct hardened *h)
{
	const struct advice_item *item = h->item;
	struct str number = { 0 };

	if (!json_has(item->keys, "expected_output"))
		return;
	if (item->texts.n == 1 && json_is(item->value, JSON_STRING))
		number = plain_number(h->all->arena, item->texts.list[0]);
	if (number.s != NULL &&
	    because(h, OVER_SPECIFIED, "the number, in a text around")) {
		set(h, "expected_output", number);
		set(h, "match_type", STR("\"contains\""));
	} else if (!advice_is_exact_output(h->all->arena, item)) {
		return;
	} else if (json_is(item->value, JSON_OBJECT)) {
		harden_object(h);
	} else if (json_is(item->value, JSON_STRING) &&
	    because(h, EXACT_OUTPUT, "the text as a part of the output")) {
		set(h, "match_type", STR("\"contains\""));
	}
}

/* ---- texts and patterns ---- */

/* Returns the text without signs at its end. */
static struct str
without_signs(struct str text, const char *signs)
{
	while (text.n > 1 && strchr(signs, text.s[text.n - 1]) != NULL)
		text.n--;
	return text;
}

static struct str
quoted_list(struct arena *a, struct str_list texts)
{
	struct str *list = arena_new_n(a, struct str, texts.n), all;

	for (size_t i = 0; i < texts.n; i++)
		list[i] = out_quote(a, without_signs(texts.list[i], "!?.,;:"));
	all = str_join(a, list, texts.n, STR(", "));
	return str_printf(a, "[%.*s]", STR_FMT(all));
}

static bool
ends_in_sign(struct str text)
{
	return words_besides(text, "") != 0 &&
	    without_signs(text, "!?.,;:").n != text.n;
}

/* Removes signs at the end of the texts, and needless digits. */
static void
harden_texts(struct hardened *h)
{
	const struct advice_item *item = h->item;
	struct arena *a = h->all->arena;
	const char *name = value_name(h);
	struct str number;
	bool signs = false;

	if (name == NULL || item->texts.n == 0 ||
	    (!str_contains(item->check->type, STR("contain")) &&
		!str_contains(item->check->type, STR("Contain")) &&
		!str_contains(item->check->type, STR("includes"))))
		return;
	for (size_t i = 0; i < item->texts.n; i++)
		signs |= ends_in_sign(item->texts.list[i]);
	number = item->texts.n == 1 ? plain_number(a, item->texts.list[0])
				    : (struct str){ 0 };
	if (number.s != NULL && json_is(item->value, JSON_STRING) &&
	    because(h, OVER_SPECIFIED, "the number as one writes it"))
		set(h, name, number);
	else if (signs &&
	    json_count(item->value) ==
		(json_is(item->value, JSON_STRING) ? 0 : item->texts.n) &&
	    because(h, PUNCTUATION, "without the sign at the end"))
		set(h, name,
		    json_is(item->value, JSON_STRING)
			? out_quote(
			      a, without_signs(item->texts.list[0], "!?.,;:"))
			: quoted_list(a, item->texts));
}

static void
harden_has(struct hardened *h)
{
	if (json_is(advice_key(h->item, "regex"), JSON_TRUE))
		return;
	if (json_is(advice_key(h->item, "case_sensitive"), JSON_TRUE) &&
	    because(h, CASE_SENSITIVE, "in any case"))
		set(h, "case_sensitive", STR("false"));
	if (h->item->type->role == ROLE_HAS)
		harden_texts(h);
}

/* Makes the assertion look for a text, in any case, as a part of the answer. */
static void
look_for(struct hardened *h, const char *from, struct str text)
{
	struct arena *a = h->all->arena;
	struct str quoted = out_quote(a, without_signs(text, "!?.,;:"));

	if (h->all->style == STYLE_PROMPTFOO) {
		set_type(h, "icontains");
		set(h, from, quoted);
	} else if (h->all->style == STYLE_MCPLAB) {
		set_type(h, "contains");
		rename_key(h, from, "value", quoted);
	} else {
		set_type(h,
		    str_is(h->item->check->type, "regex") ? "contains"
							  : "content_includes");
		rename_key(h, from, "patterns",
		    str_printf(a, "[%.*s]", STR_FMT(quoted)));
	}
}

static bool
is_of_files(struct str text)
{
	return str_starts(text, "file://") || str_starts(text, "package:");
}

static void
harden_equality(struct hardened *h)
{
	const struct advice_item *item = h->item;
	const char *name = value_name(h);

	if (str_is(item->check->type, "EqualsExpected")) {
		if (json_is(item->keys, JSON_OBJECT) &&
		    !json_is(advice_key(item, "exact_match"), JSON_FALSE) &&
		    words_besides(
			json_text(json_get(h->all->set->scenario->object,
				      "expected_output"),
			    h->all->arena),
			"") > 1 &&
		    because(h, EXACT_ANSWER, "as a part of the answer"))
			set(h, "exact_match", STR("false"));
	} else if (item->texts.n == 1 && name != NULL &&
	    json_is(item->value, JSON_STRING) &&
	    !is_of_files(item->texts.list[0]) &&
	    words_besides(item->texts.list[0], "") > 1 &&
	    because(h, EXACT_ANSWER, "as a part of the answer, in any case")) {
		look_for(h, name, item->texts.list[0]);
	}
}

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

/* Escapes dots that stand for dots, unless a run shows that such a dot stands for
 * something else, and a $ that stands for a dollar. */
static struct str
escape_pattern(struct hardened *h, struct str p)
{
	const struct advice_shown *s = h->all->set->shown;
	struct arena *a = h->all->arena;

	if (pattern_has_loose_dot(p) && p.n > 1 && s == NULL &&
	    because(h, UNESCAPED_DOT, "the dot is a dot"))
		p = pattern_escaped(a, p, '.');
	if (pattern_has_loose_dollar(p) &&
	    because(h, UNESCAPED_DOLLAR, "the $ is a dollar"))
		p = pattern_escaped(a, p, '$');
	return p;
}

static void
harden_pattern(struct hardened *h)
{
	const struct advice_item *item = h->item;
	const char *name = value_name(h);
	struct str old = item->texts.n == 0 ? STR("") : item->texts.list[0],
		   p = old;
	bool of_answer = !json_has(item->keys, "path");

	if (name == NULL || p.n == 0 || !json_is(item->value, JSON_STRING) ||
	    (h->all->style == STYLE_PROMPTFOO && str_contains(p, STR("{"))) ||
	    is_of_files(p) ||
	    json_is(advice_key(item, "expect_match"), JSON_FALSE))
		return;
	p = escape_pattern(h, p);
	if (pattern_is_plain(p) && h->all->style != STYLE_EVOLVE) {
		if (because(h, NEEDLESS_REGEX, "as plain text"))
			look_for(h, name, unescaped(h->all->arena, p));
		else if (!str_eq(p, old))
			set(h, name, out_quote(h->all->arena, p));
		return;
	}
	if (strchr("!,;:", p.s[p.n - 1]) != NULL && words_besides(p, "") != 0 &&
	    p.s[p.n - (p.n > 1 ? 2 : 1)] != '\\' &&
	    because(h, PUNCTUATION, "without the sign at the end"))
		p = without_signs(p, "!,;:");
	if (of_answer && advice_can_ignore_case(h->all->set) &&
	    pattern_counts_case(p) &&
	    because(h, CASE_SENSITIVE_REGEX, "in any case"))
		p = str_cat(h->all->arena, STR("(?i)"), p);
	if (!str_eq(p, old))
		set(h, name, out_quote(h->all->arena, p));
}

/* ---- tools, judges and limits ---- */

/* evolve's pattern of a tool's name. A run may call a longer name. */
static void
harden_tool(struct hardened *h)
{
	struct str p = h->item->texts.n == 0 ? STR("") : h->item->texts.list[0];

	if (!str_is(h->item->check->type, "tool_call") ||
	    !pattern_is_plain(p) ||
	    (h->all->set->shown != NULL &&
		!advice_shows(h->all->set->shown, p)))
		return;
	if (because(h, UNANCHORED_TOOL, "this tool alone"))
		set(h, "tool",
		    out_quote(h->all->arena,
			str_printf(h->all->arena, "^%.*s$", STR_FMT(p))));
}

/* Says what is meant, where a call is all that a set requires. */
static void
harden_call(struct hardened *h)
{
	if (!is_mcp_eval(h->all))
		harden_tool(h);
	else if (h->all->set->families == FAMILY_TOOLS &&
	    !json_has(h->item->keys, "min_times") &&
	    because(h, NO_ARGUMENT_CHECK, "at least once"))
		set(h, "min_times", STR("1"));
}

static void
harden_count(struct hardened *h)
{
	if (json_double(advice_key(h->item, "expected_count")) > 0 &&
	    h->item->texts.n != 0 && because(h, EXACT_COUNT, "as a minimum")) {
		set_type(h, "ToolWasCalled");
		rename_key(h, "expected_count", "min_times", (struct str){ 0 });
	}
}

static void
harden_judge(struct hardened *h)
{
	const struct advice_item *item = h->item;
	struct str rubric =
	    item->texts.n == 0 ? str_of(NULL) : item->texts.list[0];

	if (!is_mcp_eval(h->all))
		return;
	if (json_has(item->keys, "rubric") && advice_is_vague(rubric) &&
	    because(h, VAGUE_RUBRIC, "points that can be measured"))
		set(h, "rubric",
		    out_quote(h->all->arena, additions_rubric(h->all, rubric)));
	if (advice_score_is_far(item) &&
	    because(h, MIN_SCORE, "room for a judge"))
		set(h, "min_score", STR("0.8"));
	if (json_is(advice_key(item, "require_reasoning"), JSON_FALSE) &&
	    because(h, NO_REASONING, "with reasons"))
		set(h, "require_reasoning", STR("true"));
}

static void
harden_limit(struct hardened *h)
{
	const struct advice_shown *s = h->all->set->shown;
	double n = json_double(h->item->value);
	const char *name = value_name(h);

	if (!json_is(h->item->value, JSON_NUMBER) || name == NULL)
		return;
	if (h->item->type->role == ROLE_ITERATIONS) {
		if (is_mcp_eval(h->all) && n < 3 &&
		    because(h, ITERATION_LIMIT, "3 to 5 are reasonable"))
			set(h, name, STR("3"));
	} else if (s != NULL && s->call_ms > 0 && n < 2 * s->call_ms &&
	    because(h, TIGHT_TIME_LIMIT, "twice the slowest run")) {
		set(h, name,
		    str_printf(h->all->arena, "%.15g", 2 * s->call_ms));
	}
}

typedef void harden_role(struct hardened *);

static harden_role *const of_role[ROLES] = {
	[ROLE_CALLED] = harden_call,
	[ROLE_COUNT] = harden_count,
	[ROLE_OUTPUT] = harden_output,
	[ROLE_HAS] = harden_has,
	[ROLE_BOUND] = harden_has,
	[ROLE_EQUALS] = harden_equality,
	[ROLE_REGEX] = harden_pattern,
	[ROLE_JUDGE] = harden_judge,
	[ROLE_ITERATIONS] = harden_limit,
	[ROLE_TIME] = harden_limit,
};

/* Returns whether a robust form may take the assertion's place: its keys stand in the
 * file, and it is no part of a score. */
static bool
can_harden(const struct advice_item *item)
{
	const struct check *c = item->check;

	return !check_is_broken(c) && !c->negate && c->severity == NULL &&
	    json_is(item->keys, JSON_OBJECT) && c->source.value != NULL &&
	    !json_has(item->keys, "transform");
}

void
additions_harden(struct additions *all)
{
	for (size_t i = 0; i < all->set->n; i++) {
		const struct advice_item *item = &all->set->items[i];
		struct hardened h = { .all = all, .item = item };

		if (of_role[item->type->role] == NULL || !can_harden(item))
			continue;
		of_role[item->type->role](&h);
		if (h.changes.n != 0)
			additions_change(all, i, &h.changes);
	}
}
