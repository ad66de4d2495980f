/* PromptKit Arena's assertions about calls of tools and agents, and about the
 * arguments of calls. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- tools ---- */

/* Returns how often each tool should be called. For the version of the document
 * a number below 1 counts as 1. */
static int64_t
min_calls(struct fields *p)
{
	const int64_t *n = promptkit_int(p, "min_calls");

	return n == NULL || (*n < 1 && !promptkit_is_current(p)) ? 1 : *n;
}

/* Reads which calls count, as the current version has it: those that failed
 * only if the arguments were invalid and `ignore_validation` says so, which the
 * log shows for no call. At the level of the run that key has no effect. */
static struct check
called_within(struct fields *e, struct fields *p, struct str_list list)
{
	const int64_t *most = promptkit_int(p, "max_calls");
	bool now = promptkit_is_current(e);
	struct occurrences_want want = { .how = OCCUR_EACH,
		.names = list,
		.least = min_calls(p),
		.most = most == NULL ? -1 : *most,
		.succeeded = now,
		.excused = fields_bool_if(p, "ignore_validation") &&
		    promptkit_place_of(e)->scope.part != SCOPE_RUN,
		.given = fields_bool_if(p, "require_args") };

	if (now && list.n == 0)
		want.how = OCCUR_ANY;
	return now || most != NULL || want.given
	    ? occurrences_check(e->arena, &want)
	    : called_all(e->arena, list, want.least);
}

static struct check
tools_called(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_within(e, &p, list);

	c.explain = promptkit_reason_tools;
	c.detail = STR("missing_tools");
	c.reason = STR("tools were not called");
	if (list.n == 0)
		c.reason = STR("the list is empty");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
tools_not_called(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_any(e->arena, list);

	c.negate = list.n != 0 || !promptkit_is_current(e);
	c.explain = promptkit_reason_tools;
	c.detail = STR("forbidden_tools_called");
	c.reason = STR("forbidden tools were called");
	if (list.n == 0)
		c.reason = STR("the list is empty");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

/* ---- agents ---- */

/* Returns the names of agents; for the current version only those under
 * `agents`. */
static struct str_list
agents_of(struct fields *p)
{
	return promptkit_is_current(p)
	    ? promptkit_texts(p, "agents")
	    : promptkit_names(p, "agents", "agent_names");
}

static struct check
agent_invoked(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = agents_of(&p);
	bool now = promptkit_is_current(e);
	struct check c = now && list.n == 0
	    ? called_any(e->arena, list)
	    : called_all(e->arena, list, now ? 1 : min_calls(&p));

	c.explain = promptkit_is_wide(e) && !now ? promptkit_reason_requirements
						 : promptkit_reason_list;
	c.detail = STR("missing_agents");
	c.reason = STR("missing required agent invocations");
	if (list.n == 0)
		c.reason = STR("the list is empty");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
agent_not_invoked(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = agents_of(&p);
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

/* Returns what is expected of the results, or NULL. */
static const struct call_rule *
result_rule(struct fields *p)
{
	struct call_rule *rule = arena_new(p->arena, struct call_rule);

	rule->includes = fields_strs(
	    p, fields_list_if(p, "result_includes"), "result_includes");
	rule->pattern = fields_str_if(p, "result_matches");
	rule->matches = promptkit_compile(p, "result_matches",
	    json_get(p->object, "result_matches"), rule->pattern);
	rule->succeeds = fields_bool_if(p, "no_error");
	return rule->includes.n != 0 || rule->matches != NULL || rule->succeeds
	    ? rule
	    : NULL;
}

static struct check
tool_calls_with_args(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str tool = fields_str_if(&p, "tool_name");
	bool now = promptkit_is_current(e);
	const struct json *turn = fields_object_if(&p, "expected_args"),
			  *run = now ? NULL
				     : fields_object_if(&p, "required_args");
	struct wanted w = { 0 };
	struct args_equal_want want = { .tool = tool,
		.doc = e->doc,
		.texts = now,
		.rule = result_rule(&p) };
	struct check c;

	if (turn == NULL || (run != NULL && promptkit_is_wide(e)))
		turn = run;
	want_values(&p, &w, turn);
	want_patterns(&p, &w, fields_object_if(&p, "args_match"));
	want.list = w.list;
	want.n = w.n;
	want.sums = want.idle = promptkit_is_wide(e) && !now;
	want.idle &= w.n == 0;
	c = args_equal_check(e->arena, &want);
	c.explain = promptkit_reason_members;
	c.reason = tool.n == 0
	    ? STR("a call has other arguments")
	    : str_printf(e->arena, "not called with these arguments: %.*s",
		  STR_FMT(tool));
	return promptkit_finish(e, &p, c, tool);
}

/* Adds the value that each argument must not have. */
static void
want_each(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object))
		*arena_push(p->arena, w->list, w->n) =
		    (struct argument){ .name = json_text(key, p->arena),
			    .value = json_value(key) };
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
	bool now = promptkit_is_current(e);
	struct args_equal_want want = {
		.tool = tool, .doc = e->doc, .texts = now, .some = true
	};
	const struct json *excluded = fields_object_if(&p, "excluded_args"),
			  *forbidden = fields_object_if(&p, "forbidden_args");
	struct check c;

	if (now)
		(void)fields_need(&p, "tool_name");
	if (json_count(excluded) != 0)
		want_each(&p, &w, excluded);
	else
		want_any(&p, &w, forbidden);
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
	    .levels = PROMPTKIT_ANYWHERE, ROLE(ARGUMENTS, "tool_name")),
	FORM("tools_not_called_with_args", tools_not_called_with_args,
	    .levels = PROMPTKIT_WIDE, ROLE(NOT_ARGUMENTS, "tool_name")),
	FORM("tool_args_excluded_session", tools_not_called_with_args,
	    ROLE(NOT_ARGUMENTS, "tool_name")),
	FORM("tool_called", tools_called, ROLE(CALLED, "tools tool_names")),
	FORM("agent_invoked", agent_invoked, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(CALLED, "agents agent_names")),
	FORM("agent_not_invoked", agent_not_invoked,
	    .levels = PROMPTKIT_ANYWHERE,
	    ROLE(NOT_CALLED, "agents agent_names")),
	FORM("agent_response_contains", agent_response_contains,
	    .levels = PROMPTKIT_TURN, ROLE(OUTPUT, "contains")),
	FORM("tools_called", tools_called, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(CALLED, "tools tool_names")),
	FORM("tools_not_called", tools_not_called, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(NOT_CALLED, "tools tool_names")),
	FORM(NULL, NULL),
};
