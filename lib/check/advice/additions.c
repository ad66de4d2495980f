#include "check/advice/additions.h"

#include "check/advice/words.h"
#include "text/unicode.h"

/* ---- what is there ---- */

void
additions_begin(struct additions *all)
{
	const struct advice_set *set = all->set;

	all->known.arena = all->arena;
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (item->check->source.value != NULL)
			(void)hash_is_new(
			    &all->known, advice_key_of(all->arena, item));
	}
}

void
additions_set_item(struct additions *all, struct str json, bool input,
    struct check *c, struct advice_item *item)
{
	const struct json *v = json_parse(all->arena, json);
	const struct json *type = json_get(v, "kind");

	if (type == NULL)
		type = json_get(v, "type");
	c->source.value = v;
	if (json_is(v, JSON_OBJECT))
		c->source.keys = v;
	if (type != NULL && all->style == STYLE_MCPLAB)
		c->type = str_cat(all->arena,
		    input ? STR("tool_input_") : STR("response_"),
		    json_text(type, all->arena));
	else if (type != NULL)
		c->type = json_text(type, all->arena);
	else if (json_is(v, JSON_ARRAY))
		c->type = STR("tool_sequence");
	else if (json_is(v, JSON_STRING))
		c->type = STR("required_tool");
	else
		c->type = json_text(json_first(v), all->arena);
	if (type == NULL && json_is(v, JSON_OBJECT))
		c->source.keys = json_value(json_first(v));
	*item = advice_item_of(all->arena, all->set->dialect, c);
	item->added = true;
}

/* Adds an assertion for the advice and the reason, unless the style has no such
 * form, or the set has the assertion. */
static __attribute__((format(printf, 5, 6))) void
add(struct additions *all, enum advice_form form, enum advice_id id,
    const struct advice_values *v, const char *format, ...)
{
	struct addition one = { .form = form };
	struct str reason;
	va_list args;

	if (!(all->priorities >> advice_table[id].priority & 1) ||
	    !advice_write(all->arena, all->style, form, v, &one.written))
		return;
	if (all->style != STYLE_RULES) {
		one.check = arena_new(all->arena, struct check);
		additions_set_item(all, one.written.value.json,
		    str_starts(str_of(one.written.where), "eval.tool_input"),
		    one.check, &one.item);
		if (!hash_is_new(
			&all->known, advice_key_of(all->arena, &one.item)))
			return;
	}
	va_start(args, format);
	reason = str_vprintf(all->arena, format, args);
	va_end(args);
	one.written.value.reason = str_printf(all->arena, "advice[%s]: %.*s",
	    advice_table[id].id, STR_FMT(reason));
	*arena_push(all->arena, all->list, all->n) = one;
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
	add(all, FORM_ARGUMENTS, NO_ARGUMENT_CHECK, &v,
	    "equal in all calls of %.*s in %.*s", STR_FMT(t->name),
	    STR_FMT(runs));
	if (all->n != before)
		return;
	for (json_members(key, t->args)) {
		v.key = key;
		v.value = json_value(key);
		if (advice_is_shared(t, i++))
			add(all, FORM_ARGUMENT, NO_ARGUMENT_CHECK, &v,
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
			add(all, FORM_TOOL, UNCHECKED_TOOL, &v,
			    "%.*s call%s %.*s", STR_FMT(runs),
			    s->runs == 1 ? "s" : "", STR_FMT(v.tool));
	}
	for (size_t i = 0; i < s->ntools && i < TOOLS_MOST; i++)
		if (lacks(all, FAMILY_ARGUMENTS))
			add_arguments(all, &s->tools[i]);
	if (orders(all))
		add(all, FORM_ORDER, NO_ORDER,
		    &(struct advice_values){ .tools = s->order },
		    "the order of the first calls in %.*s", STR_FMT(runs));
}

static void
add_limit(struct additions *all, enum advice_form form, enum advice_id id,
    double most, const char *what)
{
	struct str runs = all_runs(all);

	if (most > 0)
		add(all, form, id, &(struct advice_values){ .n = 2 * most },
		    "twice the %s of %.*s", what, STR_FMT(runs));
}

enum { ITERATIONS_LEAST = 3, ITERATIONS_MOST = 5 };

/* Returns the number of calls that the set requires one after another, or at all. */
static size_t
calls_required(const struct advice_set *set)
{
	size_t calls = 0, most = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (item->type->role == ROLE_ORDER && item->texts.n > most)
			most = item->texts.n;
		else if (item->type->role == ROLE_CALLED)
			calls += item->texts.n;
	}
	return calls > most ? calls : most;
}

/* Returns a limit of iterations: of one for each call, one for the answer and one to
 * spare, or of one more than runs need, but at least 3; above 5, twice what runs need.
 * 0: no limit is reasonable. */
static double
iterations_of(const struct additions *all)
{
	const struct advice_shown *s = all->set->shown;
	double n =
	    s == NULL ? (double)calls_required(all->set) + 2 : s->llm_calls + 1;

	if (s != NULL && s->llm_calls <= 0)
		return 0;
	if (n <= ITERATIONS_MOST)
		return n < ITERATIONS_LEAST ? ITERATIONS_LEAST : n;
	return s == NULL ? 0 : 2 * s->llm_calls;
}

bool
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
	double n = is_mcp_eval(all) ? iterations_of(all) : 0;

	if (n > 0 && lacks(all, FAMILY_LIMITS))
		add(all, FORM_LIMIT, NO_LIMIT,
		    &(struct advice_values){ .n = n },
		    s == NULL ? "3 to 5 iterations are reasonable"
			      : "the iterations of %.*s, and some to spare",
		    STR_FMT(s == NULL ? STR("") : all_runs(all)));
	if (s == NULL)
		return;
	if (!is_mcp_eval(all) && lacks(all, FAMILY_LIMITS))
		add_limit(all, FORM_LIMIT, NO_LIMIT, s->calls, "most calls");
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
	add(all, FORM_LACKS, NO_NEGATIVE_CASE, &(struct advice_values){ 0 },
	    "%s",
	    s == NULL ? "a good answer reports no error"
		      : "no run reports an error");
}

/* Adds words that all answers have, and markers that all outputs of a tool have. */
static void
add_contents(struct additions *all)
{
	const struct advice_shown *s = all->set->shown;
	struct str runs = all_runs(all);
	struct advice_values v = { 0 };

	for (size_t i = 0; i < s->ntools && i < TOOLS_MOST; i++) {
		v.tool = s->tools[i].name;
		v.text = advice_marker(&s->tools[i].output);
		if (v.text.s != NULL && lacks(all, FAMILY_OUTPUT))
			add(all, FORM_OUTPUT, NO_OUTPUT_CHECK, &v,
			    "in all outputs of %.*s in %.*s", STR_FMT(v.tool),
			    STR_FMT(runs));
	}
	v.text = advice_marker(&s->answer);
	if (v.text.s != NULL && lacks(all, FAMILY_CONTENT))
		add(all, FORM_CONTAINS, NO_CONTENT_CHECK, &v,
		    "in the answers of %.*s", STR_FMT(runs));
}

/* ---- judges ---- */

/* Adds a tool to those that a rubric names, once. */
static void
name_tool(struct str_list *names, struct str *list, struct str tool)
{
	for (size_t i = 0; i < names->n; i++)
		if (str_eq(names->list[i], tool))
			return;
	if (names->n < TOOLS_MOST)
		list[names->n++] = tool;
}

static struct str_list
rubric_tools(const struct additions *all)
{
	const struct advice_set *set = all->set;
	struct str *list = arena_new_n(all->arena, struct str, TOOLS_MOST);
	struct str_list names = { list, 0 };

	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];
		enum assertion_role role = item->type->role;

		for (size_t k = 0; k < item->texts.n; k++)
			if (role == ROLE_CALLED || role == ROLE_COUNT ||
			    role == ROLE_ORDER || role == ROLE_ARGUMENTS)
				name_tool(&names, list, item->texts.list[k]);
		if (role == ROLE_OUTPUT && json_has(item->keys, "tool_name"))
			name_tool(&names, list,
			    json_text(
				advice_key(item, "tool_name"), all->arena));
	}
	for (size_t i = 0; set->shown != NULL && i < set->shown->ntools; i++)
		name_tool(&names, list, set->shown->tools[i].name);
	return names;
}

struct str
additions_rubric(const struct additions *all, struct str own)
{
	struct arena *a = all->arena;
	struct str_list tools = rubric_tools(all);
	struct str use = STR("");
	int n = 2;

	/* Without the word "tool", at which the reader warns that a judge sees none. */
	if (tools.n != 0)
		use = str_printf(a, "%d) Use %.*s, ", n++,
		    STR_FMT(str_join(a, tools.list, tools.n, STR(" and "))));
	while (str_ends(own, "."))
		own.n--;
	if (advice_words_of_rubric(own) != 0)
		own = str_printf(a, ", %d) %.*s", n + 2, STR_FMT(own));
	else
		own.n = 0;
	return str_printf(a,
	    "Response must: 1) Address the request, %.*s%d) State the key "
	    "findings, %d) Explain any error plainly%.*s",
	    STR_FMT(use), n, n + 1, STR_FMT(own));
}

/* Adds a judge and, beside a case's expected output alone, that the answer need only
 * contain the text: the documents of mcp-eval ask for both. */
static void
add_quality(struct additions *all)
{
	struct advice_values v = { .text = additions_rubric(
				       all, (struct str){ 0 }) };
	const struct advice_item *item = advice_find(all->set, ROLE_EQUALS);
	struct str expected =
	    json_text(json_get(all->set->scenario->object, "expected_output"),
		all->arena);

	if (lacks(all, FAMILY_QUALITY))
		add(all, FORM_JUDGE, NO_JUDGE, &v,
		    "points that can be measured");
	if (item != NULL && item->keys == NULL &&
	    words_besides(expected, "") > 1)
		add(all, FORM_LOOSE, EXACT_ANSWER, &v,
		    "the expected output as a part of the answer");
}

void
additions_complete(struct additions *all)
{
	if (all->set->shown != NULL) {
		add_tools(all);
		add_contents(all);
	} else if (all->set->n == 0 || all->style == STYLE_RULES) {
		return;
	}
	add_limits(all);
	add_negative(all);
	if (is_mcp_eval(all) && all->set->n != 0)
		add_quality(all);
}
