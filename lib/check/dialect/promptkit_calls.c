/* PromptKit Arena's assertions about calls of tools and agents, and about the
 * arguments of calls. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- tools ---- */

/* Returns how often each tool should be called, at levels that have the key. A
 * number below 1 counts as 1. */
static int64_t
min_calls(struct fields *p)
{
	int64_t n = promptkit_is_wide(p) ||
		promptkit_place_of(p)->level == PROMPTKIT_ANYWHERE
	    ? fields_int_if(p, "min_calls")
	    : 0;

	return n > 1 ? n : 1;
}

static struct check
tools_called(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain = promptkit_reason_tools;
	c.detail = STR("missing_tools");
	c.reason = STR("tools were not called");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
tools_not_called(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain = promptkit_reason_tools;
	c.detail = STR("forbidden_tools_called");
	c.reason = STR("forbidden tools were called");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

/* ---- agents ---- */

static struct check
agent_invoked(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "agents", "agent_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain = promptkit_is_wide(e) ? promptkit_reason_requirements
					 : promptkit_reason_list;
	c.detail = STR("missing_agents");
	c.reason = STR("missing required agent invocations");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
agent_not_invoked(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "agents", "agent_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain = promptkit_is_wide(e) ? promptkit_reason_invocations
					 : promptkit_reason_list;
	c.detail = STR("forbidden_agents_called");
	c.reason = STR("forbidden agents were invoked");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
agent_response_contains(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str agent = fields_str(&p, "agent"),
		   text = fields_str(&p, "contains");
	struct check c = tool_answer_check(e->arena, agent, text);

	c.explain = promptkit_reason_answer;
	c.reason =
	    STR("no matching agent response found containing expected text");
	return promptkit_finish(e, &p, c, agent);
}

struct wanted {
	struct argument *list;
	size_t n;
};

static void
want_values(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		if (!json_is(json_value(key), JSON_NULL))
			a->value = json_value(key);
	}
}

static void
want_patterns(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		a->pattern = json_text(v, p->arena);
		if (a->pattern.s == NULL)
			fields_mistake(p, v,
			    "args_match: expected text, found %s",
			    json_type_name(v));
		a->regex = promptkit_compile(p, "args_match", v, a->pattern);
	}
}

static struct check
tool_calls_with_args(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str tool = fields_str_if(&p, "tool_name");
	const struct json *turn = fields_object_if(&p, "expected_args"),
			  *run = fields_object_if(&p, "required_args");
	struct wanted w = { 0 };
	struct args_equal_want want = { .tool = tool, .doc = e->doc };
	struct check c;

	if (turn != NULL && run != NULL)
		fields_mistake(&p, run,
		    "expected_args and required_args are two names of one "
		    "key: give one");
	want_values(&p, &w, turn != NULL ? turn : run);
	want_patterns(&p, &w, fields_object_if(&p, "args_match"));
	want.list = w.list;
	want.n = w.n;
	want.sums = want.idle = promptkit_is_wide(e);
	want.idle &= w.n == 0;
	c = args_equal_check(e->arena, &want);
	c.explain = promptkit_reason_members;
	c.reason = tool.n == 0
	    ? STR("a call has other arguments")
	    : str_printf(e->arena, "not called with these arguments: %.*s",
		  STR_FMT(tool));
	return promptkit_finish(e, &p, c, tool);
}

/* Adds the values that an argument must not have. */
static void
want_any(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		const struct argument one = { .name = json_text(key, p->arena),
			.value = v };
		struct argument *a;

		if (!json_is(v, JSON_ARRAY))
			*arena_push(p->arena, w->list, w->n) = one;
		for (json_each(item, v)) {
			a = arena_push(p->arena, w->list, w->n);
			*a = one;
			a->value = item;
		}
	}
}

static struct check
tools_not_called_with_args(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str tool = fields_str_if(&p, "tool_name");
	struct wanted w = { 0 };
	struct args_equal_want want = {
		.tool = tool, .doc = e->doc, .some = true
	};
	struct check c;

	want_any(&p, &w, fields_object_if(&p, "forbidden_args"));
	want.list = w.list;
	want.n = w.n;
	c = args_equal_check(e->arena, &want);
	c.negate = true;
	c.explain = promptkit_reason_members;
	c.reason = STR("called with arguments that are forbidden");
	return promptkit_finish(e, &p, c, tool);
}

const struct form promptkit_calls_forms[] = {
	FORM("tool_calls_with_args", tool_calls_with_args,
	    .levels = PROMPTKIT_ANYWHERE),
	FORM("tools_not_called_with_args", tools_not_called_with_args,
	    .levels = PROMPTKIT_WIDE),
	FORM("agent_invoked", agent_invoked, .levels = PROMPTKIT_ANYWHERE),
	FORM("agent_not_invoked", agent_not_invoked,
	    .levels = PROMPTKIT_ANYWHERE),
	FORM("agent_response_contains", agent_response_contains,
	    .levels = PROMPTKIT_TURN),
	FORM("tools_called", tools_called, .levels = PROMPTKIT_ANYWHERE),
	FORM(
	    "tools_not_called", tools_not_called, .levels = PROMPTKIT_ANYWHERE),
	FORM(NULL, NULL),
};
