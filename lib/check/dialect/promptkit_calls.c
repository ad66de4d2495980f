/* PromptKit Arena's assertions about calls of tools and agents, and about the
 * arguments of calls. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- tools ---- */

/* Returns how often each tool should be called. For the version of the document
 * a number below 1 counts as 1. */
static const int64_t *
min_calls(struct fields *p)
{
	const int64_t *n = promptkit_int(p, "min_calls");

	return n == NULL || (*n < 1 && !promptkit_is_current(p))
	    ? &promptkit_once
	    : n;
}

/* Reads which calls count, as the current version has it: those that failed
 * only if the arguments were invalid and `ignore_validation` says so, which the
 * log shows for no call. At the level of the run that key has no effect. */
static struct check
called_within(struct fields *p, struct str_list list)
{
	const int64_t *most = promptkit_int(p, "max_calls");
	bool now = promptkit_is_current(p);
	struct names_want want = { .how = NAMES_EACH,
		.names = list,
		.least = min_calls(p),
		.most = most != NULL && *most >= 0 ? most : NULL,
		.succeeded = now,
		.excused = scenarios_bool(p, "ignore_validation") &&
		    promptkit_place_of(p)->scope.part != SCOPE_RUN,
		.given = scenarios_bool(p, "require_args") };

	if (now && list.n == 0)
		want.how = NAMES_ANY;
	return now || most != NULL || want.given
	    ? names_check(p->arena, &want)
	    : called_all(p->arena, list, *want.least);
}

static struct check
tools_called(struct fields *p)
{
	struct str_list list = promptkit_names(p, "tools");

	return promptkit_about_list(p, called_within(p, list), list);
}

static struct check
tools_not_called(struct fields *p)
{
	struct str_list list = promptkit_names(p, "tools");
	struct check c = called_any(p->arena, list);

	c.negate = list.n != 0 || !promptkit_is_current(p);
	return promptkit_about_list(p, c, list);
}

/* ---- agents ---- */

/* Returns the names of agents; for the current version only those under
 * `agents`. */
static struct str_list
agents_of(struct fields *p)
{
	return promptkit_is_current(p) ? promptkit_texts(p, "agents")
				       : promptkit_names(p, "agents");
}

static struct check
agent_invoked(struct fields *p)
{
	struct str_list list = agents_of(p);
	bool now = promptkit_is_current(p);
	struct check c = now && list.n == 0
	    ? called_any(p->arena, list)
	    : called_all(p->arena, list, now ? 1 : *min_calls(p));

	if (promptkit_is_wide(p) && !now)
		c.explain = promptkit_reason_requirements;
	return promptkit_about_list(p, c, list);
}

static struct check
agent_not_invoked(struct fields *p)
{
	struct str_list list = agents_of(p);
	struct check c = called_any(p->arena, list);

	c.negate = true;
	if (promptkit_is_wide(p))
		c.explain = promptkit_reason_invocations;
	return promptkit_about_list(p, c, list);
}

static struct check
agent_response_contains(struct fields *p)
{
	struct str agent = scenarios_text(p, "agent");

	return promptkit_about(
	    tool_answer_check(p->arena, agent, scenarios_text(p, "contains")),
	    agent);
}

struct wanted {
	struct argument *list;
	size_t n;
};

/* Adds a value for each argument; with `any`, null stands for any value. */
static void
want_values(
    struct fields *p, struct wanted *w, const struct json *object, bool any)
{
	for (json_members(key, object)) {
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		if (!any || !json_is(json_value(key), JSON_NULL))
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

/* Reads what is expected of the results. */
static void
want_result(struct fields *p, struct call_match *call)
{
	call->includes = fields_strs(
	    p, scenarios_list(p, "result_includes"), "result_includes");
	call->pattern = scenarios_text(p, "result_matches");
	call->matches = promptkit_compile(p, "result_matches",
	    json_get(p->object, "result_matches"), call->pattern);
	call->succeeds = scenarios_bool(p, "no_error");
}

static struct check
tool_calls_with_args(struct fields *p)
{
	struct str tool = scenarios_text(p, "tool_name");
	bool now = promptkit_is_current(p);
	const struct json *turn = scenarios_object(p, "expected_args"),
			  *run =
			      now ? NULL : scenarios_object(p, "required_args");
	struct wanted w = { 0 };
	struct args_equal_want want = { .call.tool = tool,
		.call.doc = p->doc,
		.call.by = now ? BY_GO_TEXT : BY_GO };
	struct check c;

	want_result(p, &want.call);
	if (turn == NULL || (run != NULL && promptkit_is_wide(p)))
		turn = run;
	want_values(p, &w, turn, true);
	want_patterns(p, &w, scenarios_object(p, "args_match"));
	want.call.list = w.list;
	want.call.n = w.n;
	want.sums = want.idle = promptkit_is_wide(p) && !now;
	want.idle &= w.n == 0;
	c = args_equal_check(p->arena, &want);
	c.reason = tool.n == 0
	    ? STR("a call has other arguments")
	    : str_printf(p->arena, "not called with these arguments: %.*s",
		  STR_FMT(tool));
	return promptkit_about(c, tool);
}

/* Adds the values that an argument must not have. */
static void
want_any(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		const struct argument one = { .name = json_text(key, p->arena),
			.value = v };

		if (!json_is(v, JSON_ARRAY))
			*arena_push(p->arena, w->list, w->n) = one;
		for (json_each(item, v)) {
			*arena_push(p->arena, w->list, w->n) = one;
			w->list[w->n - 1].value = item;
		}
	}
}

static struct check
tools_not_called_with_args(struct fields *p)
{
	struct str tool = scenarios_text(p, "tool_name");
	struct wanted w = { 0 };
	bool now = promptkit_is_current(p);
	struct args_equal_want want = { .call.tool = tool,
		.call.doc = p->doc,
		.call.by = now ? BY_GO_TEXT : BY_GO,
		.some = true };
	const struct json *excluded = scenarios_object(p, "excluded_args"),
			  *forbidden = scenarios_object(p, "forbidden_args");
	struct check c;

	if (now)
		(void)fields_need(p, "tool_name");
	if (json_count(excluded) != 0)
		want_values(p, &w, excluded, false);
	else
		want_any(p, &w, forbidden);
	want.call.list = w.list;
	want.call.n = w.n;
	c = args_equal_check(p->arena, &want);
	c.negate = true;
	return promptkit_about(c, tool);
}

#define TOOLS NEED("tools", LIST), ALSO("tool_names", LIST)
#define AGENTS NEED("agents", LIST), ALSO("agent_names", LIST)
#define TOOLS_CALLED \
	tools_called, FAILS(tools, "tools were not called", "missing_tools"), \
	    ROLE(CALLED, "tools tool_names"), \
	    PARAMS(TOOLS, KEY("min_calls", INT), KEY("max_calls", INT), \
		KEY("require_args", BOOL), ALSO("ignore_validation", BOOL))
#define EXCLUDED \
	tools_not_called_with_args, \
	    FAILS(members, "called with arguments that are forbidden", NULL), \
	    ROLE(NOT_ARGUMENTS, "tool_name")
#define VALUES KEY("excluded_args", OBJECT), KEY("forbidden_args", OBJECT)

const struct form promptkit_calls_forms[] = {
	FORM("tool_calls_with_args", tool_calls_with_args,
	    .levels = PROMPTKIT_ANYWHERE, FAILS(members, NULL, NULL),
	    ROLE(ARGUMENTS, "tool_name"),
	    PARAMS(KEY("tool_name", TEXT), KEY("expected_args", OBJECT),
		ALSO("required_args", OBJECT), KEY("args_match", OBJECT),
		KEY("result_includes", LIST), KEY("result_matches", TEXT),
		KEY("no_error", BOOL))),
	FORM("tools_not_called_with_args", EXCLUDED, .levels = PROMPTKIT_WIDE,
	    PARAMS(KEY("tool_name", TEXT), VALUES)),
	FORM("tool_args_excluded_session", EXCLUDED,
	    PARAMS(NEED_OR("tool_name", TEXT), VALUES)),
	FORM("tool_called", TOOLS_CALLED),
	FORM("agent_invoked", agent_invoked, .levels = PROMPTKIT_ANYWHERE,
	    FAILS(list, "missing required agent invocations", "missing_agents"),
	    ROLE(CALLED, "agents agent_names"),
	    PARAMS(AGENTS, KEY("min_calls", INT))),
	FORM("agent_not_invoked", agent_not_invoked,
	    .levels = PROMPTKIT_ANYWHERE,
	    FAILS(list, "forbidden agents were invoked",
		"forbidden_agents_called"),
	    ROLE(NOT_CALLED, "agents agent_names"), PARAMS(AGENTS)),
	FORM("agent_response_contains", agent_response_contains,
	    .levels = PROMPTKIT_TURN,
	    FAILS(answer,
		"no matching agent response found containing expected text",
		NULL),
	    ROLE(OUTPUT, "contains"),
	    PARAMS(NEED("agent", TEXT), NEED("contains", TEXT))),
	FORM("tools_called", TOOLS_CALLED, .levels = PROMPTKIT_ANYWHERE),
	FORM("tools_not_called", tools_not_called, .levels = PROMPTKIT_ANYWHERE,
	    FAILS(
		tools, "forbidden tools were called", "forbidden_tools_called"),
	    ROLE(NOT_CALLED, "tools tool_names"), PARAMS(TOOLS)),
	FORM(NULL, NULL),
};
