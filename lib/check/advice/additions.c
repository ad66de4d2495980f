#include "check/advice/additions.h"

#include "check/advice/words.h"
#include "text/unicode.h"

/* ---- what is there ---- */

/* The file of the places of additions, whose lines are their numbers from 1. */
static const char added[] = "additions";

static struct str
text_key(const struct additions *all, const struct check *c, struct str text)
{
	return str_printf(all->arena, "%d %zu %.*s",
	    c == NULL ? SCOPE_RUN : (int)c->scope.part,
	    c == NULL ? 0 : c->scope.turn, STR_FMT(text));
}

bool
additions_have_text(
    const struct additions *all, const struct check *c, struct str text)
{
	return hash_get(&all->texts, text_key(all, c, text)) != NULL;
}

void
additions_begin(struct additions *all)
{
	const struct advice_set *set = all->set;

	all->known.arena = all->texts.arena = all->arena;
	for (size_t i = 0; i < set->n; i++) {
		struct advice_item *item = &set->items[i];

		if (item->check->source.value == NULL)
			continue;
		*hash_put(&all->known, advice_key_of(all->arena, item)) = item;
		if (item->type->role == ROLE_HAS && item->texts.n == 1 &&
		    !json_is(advice_key(item, "case_sensitive"), JSON_TRUE))
			*hash_put(&all->texts,
			    text_key(all, item->check, item->texts.list[0])) =
			    item;
	}
}

/* Returns the type that the assertion's check has. */
static struct str
type_of(const struct additions *all, const char *where, const struct json *v)
{
	struct str type = json_text(json_get(v, "type"), all->arena);

	switch (all->style) {
	case STYLE_KINDS:
		return json_text(json_get(v, "kind"), all->arena);
	case STYLE_EVALUATORS:
		return json_text(json_first(v), all->arena);
	case STYLE_MCPLAB:
		if (type.s == NULL)
			return json_is(v, JSON_ARRAY) ? STR("tool_sequence")
						      : STR("required_tool");
		return str_cat(all->arena,
		    str_starts(str_of(where), "eval.tool_input")
			? STR("tool_input_")
			: STR("response_"),
		    type);
	default:
		return type;
	}
}

/* Sets the item that the file will have. */
static void
set_item(struct additions *all, struct addition *one)
{
	struct check *c = one->check = arena_new(all->arena, struct check);
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v = json_keep(all->arena,
	    json_read(&reader, one->written.value.json, NULL, &error));

	json_reader_free(&reader);
	c->type = type_of(all, one->written.where, v);
	if (one->beside != NULL)
		c->scope = one->beside->scope;
	c->source.value = v;
	if (all->style == STYLE_EVALUATORS)
		c->source.keys = json_value(json_first(v));
	else if (json_is(v, JSON_OBJECT))
		c->source.keys = v;
	one->item = advice_item_of(all->arena, all->set->dialect, c);
	one->item.added = true;
}

void
additions_add(struct additions *all, enum advice_form form, enum advice_id id,
    const struct advice_values *v, const char *format, ...)
{
	struct addition one = { .beside = v->beside };
	struct str reason;
	va_list args;
	void **slot;

	if (!(all->priorities >> advice_table[id].priority & 1) ||
	    !advice_write(all->arena, all->style, form, v, &one.written))
		return;
	if (all->style != STYLE_RULES) {
		set_item(all, &one);
		slot =
		    hash_put(&all->known, advice_key_of(all->arena, &one.item));
		if (*slot != NULL)
			return;
		*slot = all;
	}
	va_start(args, format);
	reason = str_vprintf(all->arena, format, args);
	va_end(args);
	one.written.value.reason = str_printf(all->arena, "advice[%s]: %.*s",
	    advice_table[id].id, STR_FMT(reason));
	*arena_push(all->arena, all->list, all->n) = one;
}

/* Returns the set with the additions behind its items. */
static struct advice_set
with_additions(struct additions *all, struct advice_notes *notes)
{
	struct advice_set both = *all->set;

	both.notes = notes;
	both.items =
	    arena_new_n(all->arena, struct advice_item, both.n + all->n);
	for (size_t i = 0; i < all->set->n; i++)
		both.items[i] = all->set->items[i];
	for (size_t i = 0; i < all->n; i++) {
		all->list[i].check->source.place =
		    (struct place){ .file = added, .line = i + 1 };
		both.items[both.n++] = all->list[i].item;
	}
	return both;
}

/* Removes the additions that these notes are about. */
static void
remove_noted(struct additions *all, const struct advice_notes *notes)
{
	bool *bad = arena_new_n(all->arena, bool, all->n);
	size_t n = 0;

	for (size_t i = 0; i < notes->n; i++)
		if (notes->list[i].at.file == added)
			bad[notes->list[i].at.line - 1] = true;
	for (size_t i = 0; i < all->n; i++)
		if (!bad[i])
			all->list[n++] = all->list[i];
	all->n = n;
}

void
additions_review(struct additions *all)
{
	struct advice_notes notes = { .arena = all->arena },
			    repeats = { .arena = all->arena };
	struct advice_set both = with_additions(all, &notes);

	advise_strictness(&both);
	advise_texts(&both);
	advise_limits(&both);
	advise_conflicts(&both);
	remove_noted(all, &notes);
	/* An addition that was removed does not count as one of too many. */
	both = with_additions(all, &repeats);
	advise_repeats(&both);
	remove_noted(all, &repeats);
}

/* ---- what the set lacks ---- */

/* Returns "both runs" or "all 5 runs". */
static struct str
all_runs(const struct additions *all)
{
	size_t n = all->set->shown->runs;

	return n == 1 ? STR("the run")
	    : n == 2  ? STR("both runs")
		      : str_printf(all->arena, "all %zu runs", n);
}

static bool
lacks(const struct additions *all, unsigned family)
{
	return (all->has & family) == 0;
}

static bool
is_required(const struct additions *all, struct str tool)
{
	return all->style == STYLE_RULES
	    ? rules_require(all->set->scenario, tool)
	    : advice_requires(all->set, tool);
}

/* Returns whether a common order of the calls is added. */
static bool
orders(const struct additions *all)
{
	const struct advice_shown *s = all->set->shown;

	if (!lacks(all, FAMILY_ORDER) || s->order.n < 2)
		return false;
	for (size_t i = 0; all->style == STYLE_RULES && i < s->order.n; i++)
		if (rules_forbid(all->set->scenario, s->order.list[i]))
			return false;
	return true;
}

/* Returns whether a rule forbids the calls, which then may be a warning only; of
 * other dialects additions_review knows. Calls in an order need no rule of their
 * own, which the order would imply. */
static bool
is_forbidden(const struct additions *all, struct str tool)
{
	const struct advice_shown *s = all->set->shown;

	if (all->style != STYLE_RULES)
		return false;
	if (rules_forbid(all->set->scenario, tool))
		return true;
	for (size_t i = 0; orders(all) && i < s->order.n; i++)
		if (str_eq(s->order.list[i], tool))
			return true;
	return false;
}

static void
add_arguments(struct additions *all, const struct advice_tool *t)
{
	struct advice_values v = { .tool = t->name, .arguments = t };
	struct str runs = all_runs(all);
	size_t i = 0, before = all->n;

	if (!advice_has_shared(t) ||
	    (all->style == STYLE_RULES &&
		rules_forbid(all->set->scenario, t->name)))
		return;
	additions_add(all, FORM_ARGUMENTS, NO_ARGUMENT_CHECK, &v,
	    "equal in all calls of %.*s in %.*s", STR_FMT(t->name),
	    STR_FMT(runs));
	if (all->n != before)
		return;
	for (json_members(key, t->args)) {
		v.key = key;
		v.value = json_value(key);
		if (advice_is_shared(t, i++))
			additions_add(all, FORM_ARGUMENT, NO_ARGUMENT_CHECK, &v,
			    "equal in all calls of %.*s in %.*s",
			    STR_FMT(t->name), STR_FMT(runs));
	}
}

enum { TOOLS_MOST = 20 }; /* of which additions are made */

static void
add_tools(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;
	struct str runs = all_runs(all);

	for (size_t i = 0; i < s->ntools && i < TOOLS_MOST; i++) {
		struct advice_values v = { .tool = s->tools[i].name };

		if (!is_required(all, v.tool) && !is_forbidden(all, v.tool))
			additions_add(all, FORM_TOOL, UNCHECKED_TOOL, &v,
			    "%.*s call%s %.*s", STR_FMT(runs),
			    s->runs == 1 ? "s" : "", STR_FMT(v.tool));
	}
	for (size_t i = 0; i < s->ntools && i < TOOLS_MOST; i++)
		if (lacks(all, FAMILY_ARGUMENTS))
			add_arguments(all, &s->tools[i]);
	if (orders(all))
		additions_add(all, FORM_ORDER, NO_ORDER,
		    &(struct advice_values){ .tools = s->order },
		    "the order of the first calls in %.*s", STR_FMT(runs));
}

static void
add_limit(struct additions *all, enum advice_form form, enum advice_id id,
    double most, const char *what)
{
	struct str runs = all_runs(all);

	if (most > 0)
		additions_add(all, form, id,
		    &(struct advice_values){ .n = 2 * most },
		    "twice the %s of %.*s", what, STR_FMT(runs));
}

enum { ITERATIONS = 5 };

/* Returns whether the set requires no more calls in an order than such a limit
 * leaves room for. */
static bool
is_short(const struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->items[i].type->role == ROLE_ORDER &&
		    set->items[i].texts.n >= ITERATIONS)
			return false;
	return true;
}

static bool
is_mcp_eval(const struct additions *all)
{
	return all->style == STYLE_KINDS || all->style == STYLE_EVALUATORS;
}

/* Adds a limit of the time that the style can limit: of the calls, or of the whole
 * run in seconds or, in promptfoo's files, milliseconds. */
static void
add_time(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;

	if (all->style == STYLE_RULES || all->style == STYLE_PROMPTFOO)
		add_limit(all, FORM_TIME, NO_TIME_LIMIT,
		    all->style == STYLE_RULES ? s->seconds : s->seconds * 1000,
		    "longest time");
	else
		add_limit(all, FORM_TIME, NO_TIME_LIMIT, s->call_ms,
		    "longest time of calls");
}

static void
add_limits(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;
	bool iterations = is_mcp_eval(all);

	if (s == NULL) {
		if (iterations && lacks(all, FAMILY_LIMITS) &&
		    is_short(all->set))
			additions_add(all, FORM_LIMIT, NO_LIMIT,
			    &(struct advice_values){ .n = ITERATIONS },
			    "3 to 5 iterations are reasonable");
		return;
	}
	if (lacks(all, FAMILY_LIMITS))
		add_limit(all, FORM_LIMIT, NO_LIMIT,
		    iterations ? s->llm_calls : s->calls,
		    iterations ? "most iterations" : "most calls");
	if (lacks(all, FAMILY_TIME))
		add_time(all);
}

/* Returns whether an assertion, about any part of a run, has the word in a text. */
static bool
speaks_of(const struct additions *all, const char *word)
{
	const struct advice_set *set = all->set;

	if (all->style == STYLE_RULES)
		return rules_speak_of(set->scenario, str_of(word));
	for (size_t i = 0; i < set->n; i++)
		for (size_t k = 0; k < set->items[i].texts.n; k++)
			if (str_contains(unicode_lower_js(all->arena,
					     set->items[i].texts.list[k]),
				str_of(word)))
				return true;
	return str_contains(
	    unicode_lower_js(all->arena,
		json_text(json_get(set->scenario->object, "expected_output"),
		    all->arena)),
	    str_of(word));
}

/* Adds that the answer reports no error, unless the set is about errors, or a run
 * reports one. Without runs only mcp-eval's document asks for that. */
static void
add_negative(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;

	if (!lacks(all, FAMILY_NEGATIVE) ||
	    (s == NULL ? !is_mcp_eval(all) : s->errors) ||
	    words_any(all->set->about, words_of_errors) ||
	    speaks_of(all, "error"))
		return;
	additions_add(all, FORM_LACKS, NO_NEGATIVE_CASE,
	    &(struct advice_values){ 0 }, "%s",
	    s == NULL ? "a good answer reports no error"
		      : "no run reports an error");
}

void
additions_complete(struct additions *all)
{
	if (all->set->shown != NULL)
		add_tools(all);
	else if (all->set->n == 0 || all->style == STYLE_RULES)
		return;
	add_limits(all);
	add_negative(all);
}
