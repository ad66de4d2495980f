#include "check/advice/additions.h"

#include "check/advice/words.h"

/* Returns whether the assertion is the value: itself, or as the member whose name
 * is its type. */
static bool
is_value(const struct advice_item *item, const struct json *v)
{
	const struct check_source *s = &item->check->source;

	if (s->value == NULL)
		return false;
	if (json_equal(s->value, v))
		return true;
	return json_is(v, JSON_OBJECT) && json_count(v) == 1 &&
	    s->keys != NULL && json_equal(s->value, json_first(v)) &&
	    json_equal(s->keys, json_value(json_first(v)));
}

/* Returns whether the set has the assertion already, for the part of the run at
 * which the assertion beside its place looks. */
static bool
is_there(const struct additions *all, const struct addition *one)
{
	const struct advice_item *beside = NULL;
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v =
	    json_read(&reader, one->written.value.json, NULL, &error);
	bool found = false;

	for (size_t i = 0; i < all->set->n; i++)
		if (all->set->items[i].check->source.value == one->beside)
			beside = &all->set->items[i];
	for (size_t i = 0; i < all->set->n && v != NULL && !found; i++) {
		const struct advice_item *item = &all->set->items[i];

		found = (one->beside == NULL || beside == NULL ||
			    advice_same_part(item, beside)) &&
		    is_value(item, v);
	}
	json_reader_free(&reader);
	return found;
}

void
additions_add(struct additions *all, enum advice_form form, enum advice_id id,
    const struct advice_values *v, const char *format, ...)
{
	struct addition one = { .beside = v->beside };
	struct str reason;
	va_list args;

	if (!advice_write(all->arena, all->style, form, v, &one.written) ||
	    is_there(all, &one))
		return;
	va_start(args, format);
	reason = str_vprintf(all->arena, format, args);
	va_end(args);
	one.written.value.reason = str_printf(all->arena, "advice[%s]: %.*s",
	    advice_table[id].id, STR_FMT(reason));
	*arena_push(all->arena, all->list, all->n) = one;
}

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

static void
add_arguments(struct additions *all, const struct advice_tool *t)
{
	struct advice_values v = { .tool = t->name, .arguments = t };
	struct str runs = all_runs(all);
	size_t i = 0, before = all->n;

	if (!advice_has_shared(t))
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

		if (!is_required(all, v.tool))
			additions_add(all, FORM_TOOL, UNCHECKED_TOOL, &v,
			    "%.*s call%s %.*s", STR_FMT(runs),
			    s->runs == 1 ? "s" : "", STR_FMT(v.tool));
	}
	for (size_t i = 0; i < s->ntools && i < TOOLS_MOST; i++)
		if (lacks(all, FAMILY_ARGUMENTS))
			add_arguments(all, &s->tools[i]);
	if (lacks(all, FAMILY_ORDER) && s->order.n > 1)
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

/* Adds that the answer reports no error, unless the set is about errors, or a run
 * reports one. Without runs only mcp-eval's document asks for that. */
static void
add_negative(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;

	if (!lacks(all, FAMILY_NEGATIVE) ||
	    (s == NULL ? !is_mcp_eval(all) : s->errors) ||
	    words_any(all->set->about, words_of_errors))
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
