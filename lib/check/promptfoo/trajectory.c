/* promptfoo's assertions about the calls of a run. */
#include "check/promptfoo/promptfoo.h"

#include "base/suggest.h"
#include "check/kind/kind.h"

/* ---- patterns ---- */

/* Compiles a pattern in which '*' is any text and '?' a character; as a plain
 * name, these characters are themselves. */
static struct regex *
compile(struct fields *e, struct str pattern, bool name)
{
	static const struct str special = STR_CONST(".+^${}()|[]\\/*?");
	struct regex_error error;
	char *copy = arena_alloc(e->arena, 2 * pattern.n + 3);
	size_t n = 0;
	struct regex *re;

	copy[n++] = '^';
	for (size_t i = 0; i < pattern.n; i++) {
		char c = pattern.s[i];

		if (c == '*' && !name)
			copy[n++] = '.';
		else if (c == '?' && !name)
			c = '.';
		else if (str_find_char(special, c) < special.n)
			copy[n++] = '\\';
		copy[n++] = c;
	}
	copy[n++] = '$';
	re = regex_compile(e->arena, REGEX_JS, (struct str){ copy, n },
	    name ? 0 : REGEX_CASELESS, &error);
	if (re == NULL)
		fields_spoil(e, NULL, "value: %.*s",
		    STR_FMT(regex_error_text(e->arena, &error)));
	return re;
}

struct regex *
promptfoo_caseless(struct fields *e, struct str pattern)
{
	return compile(e, pattern, false);
}

static void
set_type(struct fields *e, struct step_match *m, const struct json *type)
{
	if (json_str_is(type, "tool"))
		m->tools = true;
	else if (json_str_is(type, "command"))
		m->commands = true;
	else if (json_str_is(type, "search") || json_str_is(type, "message") ||
	    json_str_is(type, "reasoning") || json_str_is(type, "span"))
		promptfoo_undecided(e,
		    str_printf(e->arena, "not recorded: steps of the type %.*s",
			STR_FMT(json_text(type, e->arena))));
	else
		fields_spoil(e, type,
		    "value: type: expected tool, command, search, message, "
		    "reasoning or span, found %.*s",
		    STR_FMT(type->text));
}

/* Returns the text under a key of an object in the value; empty: there is none. */
static struct str
text_there(struct fields *e, const struct json *object, const char *key)
{
	const struct json *v = json_get(object, key);

	fields_note(e->doc, object, key, IS(TEXT));
	if (v != NULL && !json_is(v, JSON_STRING) && !json_is(v, JSON_NULL))
		fields_spoil(e, v, "value: %s: expected text, found %s", key,
		    json_type_name(v));
	return json_text(v, e->arena);
}

void
promptfoo_check_limits(struct fields *e, const struct json *v)
{
	static const char limits[] = "min max";

	fields_check_within(e, v, v == promptfoo_value(e) ? limits : NULL);
}

/* Reads a step: a pattern, or an object with a name or pattern and types. */
static struct step_match
step_match(struct fields *e, const struct json *v, bool tools)
{
	struct step_match m = { .pattern = json_text(v, e->arena) };
	const struct json *type = json_get(v, "type");

	promptfoo_check_limits(e, v);
	fields_note(e->doc, v, NULL, IS(TEXT) | IS(OBJECT));
	fields_note(e->doc, v, "type", IS(TEXT) | IS(LIST));
	if (json_is(v, JSON_OBJECT)) {
		struct str name = text_there(e, v, "name");

		m.pattern = text_there(e, v, "pattern");
		if (m.pattern.n == 0)
			m.pattern = name;
	} else if (!json_is(v, JSON_STRING))
		fields_spoil(e, v,
		    "value: expected a tool's name or a mapping, found %s",
		    json_type_name(v));
	if (json_is(type, JSON_ARRAY)) {
		for (json_each(item, type)) {
			fields_note(e->doc, item, NULL, IS(TEXT));
			set_type(e, &m, item);
		}
	} else if (type != NULL)
		set_type(e, &m, type);
	else if (tools)
		m.tools = true;
	else
		promptfoo_undecided(e,
		    "not recorded: steps that are no calls (a 'type' of tool "
		    "or command can be counted)");
	m.commands &= !tools;
	if (m.pattern.n != 0)
		m.name = promptfoo_caseless(e, m.pattern);
	else if (tools && fields_ok(e))
		fields_spoil(
		    e, v, "value: expected a mapping with 'name' or 'pattern'");
	return m;
}

static struct step_match *
step_matches(struct fields *e, const struct json *list, size_t *n)
{
	struct step_match *all = NULL;

	*n = 0;
	for (json_each(v, list))
		*arena_push(e->arena, all, *n) = step_match(e, v, true);
	if (*n == 0 && fields_ok(e))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected at least one step");
	return all;
}

static struct str
joined(struct fields *e, const struct step_match *list, size_t n)
{
	struct str *names = arena_new_n(e->arena, struct str, n + 1);

	for (size_t i = 0; i < n; i++)
		names[i] = list[i].pattern;
	return str_join(e->arena, names, n, STR(", "));
}

/* ---- limits ---- */

const double *
promptfoo_limit(struct fields *e, const struct json *object, const char *key)
{
	const struct json *v = json_get(object, key);
	double *limit = arena_new(e->arena, double);

	fields_note(e->doc, object, key, IS(NUMBER));
	if (v == NULL)
		return NULL;
	if (!json_is(v, JSON_NUMBER))
		fields_spoil(e, v, "value: %s: expected a number, found %s",
		    key, json_type_name(v));
	*limit = json_double(v);
	return limit;
}

void
promptfoo_need_order(struct fields *e, const struct json *object,
    const double *least, const double *most)
{
	if (least != NULL && most != NULL && *least > *most)
		fields_spoil(e, object, "value: 'min' is larger than 'max'");
}

struct str
promptfoo_range(const double *least, const double *most, struct arena *a)
{
	if (least != NULL && most != NULL)
		return str_printf(a, "%.15g to %.15g", *least, *most);
	if (most != NULL)
		return str_printf(a, "at most %.15g", *most);
	return str_printf(a, "at least %.15g", least == NULL ? 0 : *least);
}

/* ---- steps ---- */

/* Ends an assertion of steps. The reason names the calls that were made. */
static struct check
finish(struct fields *e, const struct steps_want *want, struct str about)
{
	struct check c = steps_check(e->arena, want);
	struct str type = str_of(scenarios_form(e)->name);

	c.detail = str_printf(
	    e->arena, "%.*s: expected %.*s", STR_FMT(type), STR_FMT(about));
	return promptfoo_finish(e, c, about);
}

static struct check
tool_used(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct steps_want want = { .how = promptfoo_is_negated(e) ? STEPS_ANY
								  : STEPS_ALL };
	double *one = arena_new(e->arena, double);
	struct step_match *only = arena_new(e->arena, struct step_match);

	*one = 1;
	want.list = only;
	want.n = 1;
	if (json_is(v, JSON_ARRAY)) {
		want.list = step_matches(e, v, &want.n);
		return finish(e, &want, joined(e, want.list, want.n));
	}
	if (v == NULL) {
		fields_spoil(e, NULL, "missing key 'value'");
		return finish(e, &want, STR(""));
	}
	*only = step_match(e, v, true);
	if (!json_is(v, JSON_OBJECT))
		return finish(e, &want, only->pattern);
	want.how = STEPS_COUNT;
	want.least = promptfoo_limit(e, v, "min");
	want.most = promptfoo_limit(e, v, "max");
	if (want.least == NULL)
		want.least = one;
	return finish(e, &want,
	    str_printf(e->arena, "%.*s %.*s times", STR_FMT(only->pattern),
		STR_FMT(promptfoo_range(want.least, want.most, e->arena))));
}

static struct check
tool_sequence(struct fields *e)
{
	const struct json *v = promptfoo_value(e), *mode = json_get(v, "mode");
	struct steps_want want = { .how = STEPS_ORDER };

	if (json_str_is(mode, "exact"))
		want.how = STEPS_EXACT;
	else if (mode != NULL && !json_str_is(mode, "in_order"))
		fields_spoil(e, mode,
		    "value: mode: expected exact or in_order, found %.*s",
		    STR_FMT(mode->text));
	if (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_OBJECT))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a list of steps, or a mapping with "
		    "'steps'");
	want.list = step_matches(
	    e, json_is(v, JSON_OBJECT) ? json_get(v, "steps") : v, &want.n);
	return finish(e, &want,
	    str_printf(e->arena, "%s%.*s",
		want.how == STEPS_EXACT ? "exactly " : "",
		STR_FMT(joined(e, want.list, want.n))));
}

/* Reads the arguments that never count: names or patterns. */
static void
read_ignored(struct fields *e, struct call_match *call, const struct json *v)
{
	struct argument *all = NULL;
	const struct json *item = json_is(v, JSON_ARRAY) ? json_first(v) : v;

	for (; item != NULL; item = item == v ? NULL : json_next(v, item)) {
		struct argument m = { .pattern = json_text(item, e->arena) };

		if (str_trim(m.pattern).n == 0)
			fields_spoil(e, item,
			    "value: ignore: expected a name or a list of "
			    "names");
		if (str_find_char(m.pattern, '*') < m.pattern.n ||
		    str_find_char(m.pattern, '?') < m.pattern.n)
			m.regex = promptfoo_caseless(e, m.pattern);
		*arena_push(e->arena, all, call->nignored) = m;
	}
	call->ignored = all;
}

static struct check
tool_args_match(struct fields *e)
{
	const struct json *v = promptfoo_value(e), *mode = json_get(v, "mode");
	struct step_match *only = arena_new(e->arena, struct step_match);
	struct steps_want want = {
		.how = STEPS_ARGUMENTS, .list = only, .n = 1
	};

	if (!json_is(v, JSON_OBJECT)) {
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a mapping with 'name' and 'args'");
		return finish(e, &want, STR(""));
	}
	*only = step_match(e, v, true);
	want.call.args = json_get(v, "args");
	if (want.call.args == NULL)
		want.call.args = json_get(v, "arguments");
	if (want.call.args == NULL)
		fields_spoil(e, v, "value: missing key 'args'");
	want.call.how =
	    json_str_is(mode, "exact") ? EXPECTED_COUNTED : EXPECTED_PARTS;
	if (mode != NULL && want.call.how == EXPECTED_PARTS &&
	    !json_str_is(mode, "partial"))
		fields_spoil(e, mode,
		    "value: mode: expected partial or exact, found %.*s",
		    STR_FMT(mode->text));
	want.call.defaults = json_get(v, "defaults");
	if (want.call.defaults != NULL &&
	    !json_is(want.call.defaults, JSON_OBJECT))
		fields_spoil(e, want.call.defaults,
		    "value: defaults: expected a mapping, found %s",
		    json_type_name(want.call.defaults));
	read_ignored(e, &want.call, json_get(v, "ignore"));
	return finish(e, &want,
	    str_printf(e->arena, "%.*s %.*s", STR_FMT(only->pattern),
		STR_FMT(
		    want.call.args == NULL ? STR("") : want.call.args->text)));
}

static struct check
step_count(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct step_match *only = arena_new(e->arena, struct step_match);
	struct steps_want want = { .how = STEPS_COUNT, .list = only, .n = 1 };

	if (!json_is(v, JSON_OBJECT)) {
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a mapping with 'min' or 'max'");
		return finish(e, &want, STR(""));
	}
	*only = step_match(e, v, false);
	want.least = promptfoo_limit(e, v, "min");
	want.most = promptfoo_limit(e, v, "max");
	if (want.least == NULL && want.most == NULL)
		fields_spoil(
		    e, v, "value: expected a mapping with 'min' or 'max'");
	return finish(e, &want,
	    str_printf(e->arena, "%.*s steps%s%.*s",
		STR_FMT(promptfoo_range(want.least, want.most, e->arena)),
		only->pattern.n == 0 ? "" : " ", STR_FMT(only->pattern)));
}

/* ---- tools and skills ---- */

/* Returns the names in a value, which is a list or a text with commas. */
static struct str_list
tool_names(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct str rest = json_text(v, e->arena), name;
	struct str_list all = { 0 };

	while (rest.s != NULL) {
		name = str_trim(str_cut(&rest, ','));
		if (name.n != 0)
			str_list_add(e->arena, &all, name);
	}
	for (json_each(item, v)) {
		name = str_trim(promptfoo_string(item, e->arena));
		if (name.n != 0)
			str_list_add(e->arena, &all, name);
	}
	if (all.n == 0)
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a list of tools, or their names with "
		    "commas between them");
	return all;
}

/* Returns the list without repetitions. */
static struct str_list
distinct(struct str_list all, struct arena *a)
{
	struct str_list once = { 0 };

	for (size_t i = 0; i < all.n; i++) {
		size_t j = 0;

		while (j < once.n && !str_eq(once.list[j], all.list[i]))
			j++;
		if (j == once.n)
			str_list_add(a, &once, all.list[i]);
	}
	return once;
}

static struct check
tool_call_f1(struct fields *e)
{
	struct tool_f1_want want = {
		.tools = distinct(tool_names(e), e->arena),
		.least = scenarios_number(e, "threshold"),
		.negated = promptfoo_is_negated(e),
	};
	struct str names = str_list_text(e->arena, want.tools);
	struct check c = tool_f1_check(e->arena, &want);

	c.detail = str_printf(e->arena, "F1 of the tools: expected %s %.15g",
	    want.negated ? "less than" : "at least", want.least);
	return promptfoo_finish(e, c, names);
}

/* Reads a skill: a name, or an object with a name or pattern. */
static struct step_match
skill_match(struct fields *e, const struct json *v)
{
	struct step_match m = { .tools = true };
	struct str name = json_text(
	    json_is(v, JSON_OBJECT) ? json_get(v, "name") : v, e->arena);

	promptfoo_check_limits(e, v);
	fields_note(e->doc, v, NULL, IS(TEXT) | IS(OBJECT));
	fields_note(e->doc, v, "name pattern", IS(ANY));
	m.pattern = str_trim(name);
	if (m.pattern.n != 0 && json_has(v, "pattern"))
		fields_spoil(
		    e, v, "value: expected 'name' or 'pattern', found both");
	if (m.pattern.n != 0) {
		m.name = compile(e, m.pattern, true);
		return m;
	}
	m.pattern = str_trim(json_text(json_get(v, "pattern"), e->arena));
	if (m.pattern.n != 0)
		m.name = promptfoo_caseless(e, m.pattern);
	else if (fields_ok(e))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a skill's name, a list of names, or a "
		    "mapping with 'name' or 'pattern'");
	return m;
}

/* Sets the limits of a skill's mapping. Without a limit, one use is wanted. */
static void
set_skill_limits(struct fields *e, struct steps_want *want)
{
	const struct json *v = promptfoo_value(e);
	double *one = arena_new(e->arena, double);

	*one = 1;
	want->least = promptfoo_limit(e, v, "min");
	want->most = promptfoo_limit(e, v, "max");
	promptfoo_need_order(e, v, want->least, want->most);
	want->how = STEPS_COUNT;
	if (promptfoo_is_negated(e)) {
		if (want->least != NULL ||
		    (want->most != NULL && *want->most != 0))
			fields_spoil(e, v,
			    "value: no limit is possible with not- but max: 0");
		want->how = STEPS_ANY;
		want->least = want->most = NULL;
	} else if (want->least == NULL && want->most == NULL)
		want->least = one;
}

static struct check
skill_used(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct step_match *list = NULL;
	struct steps_want want = { .skills = true,
		.how = promptfoo_is_negated(e) ? STEPS_ANY : STEPS_ALL };

	if (json_is(v, JSON_ARRAY) && json_first(v) != NULL)
		for (json_each(item, v))
			*arena_push(e->arena, list, want.n) =
			    skill_match(e, item);
	else
		*arena_push(e->arena, list, want.n) = skill_match(e, v);
	want.list = list;
	if (json_is(v, JSON_OBJECT))
		set_skill_limits(e, &want);
	return finish(e, &want, joined(e, list, want.n));
}

#define STEP \
	PART("name", TEXT), PART("pattern", TEXT), \
	    PART_ONE_OF("type", IS(TEXT) | IS(LIST))
#define LIMITS PART("min", NUMBER), PART("max", NUMBER)

const struct form promptfoo_trajectory_forms[] = {
	FORM("trajectory:tool-used", tool_used,
	    ROLE(CALLED, "value.name value"), .negated = ROLE_NOT_CALLED,
	    PARAMS(NEED_PARTS(
		"value", IS(TEXT) | IS(OBJECT) | IS(LIST), STEP, LIMITS))),
	FORM("trajectory:tool-sequence", tool_sequence,
	    ROLE(ORDER, "value.steps value"),
	    PARAMS(NEED_PARTS("value", IS(OBJECT) | IS(LIST),
		PART("steps", LIST), PART("mode", TEXT)))),
	FORM("trajectory:tool-args-match", tool_args_match,
	    ROLE(ARGUMENTS, "value.name"),
	    PARAMS(NEED_PARTS("value", IS(OBJECT), STEP, PART("args", ANY),
		PART("arguments", ANY), PART("mode", TEXT),
		PART("defaults", OBJECT),
		PART_ONE_OF("ignore", IS(TEXT) | IS(LIST))))),
	FORM("trajectory:step-count", step_count, .role = ROLE_ITERATIONS,
	    PARAMS(NEED_PARTS("value", IS(OBJECT), STEP, LIMITS))),
	FORM("tool-call-f1", tool_call_f1, ROLE(CALLED, "value"),
	    PARAMS(NEED_ONE_OF("value", IS(TEXT) | IS(LIST)),
		KEY_OR("threshold", NUMBER, 1))),
	FORM("skill-used", skill_used, ROLE(CALLED, "value"),
	    .negated = ROLE_NOT_CALLED,
	    PARAMS(NEED_PARTS("value", IS(TEXT) | IS(OBJECT) | IS(LIST),
		PART("name", ANY), PART("pattern", ANY), LIMITS))),
	FORM(NULL, NULL),
};
