/* PromptKit Arena's assertions about calls of tools and agents. */
#include "check/dialect/promptkit_assertion.h"
#include "check/dialect/promptkit_reasons.h"
#include "check/kind/kind.h"

/* ---- tools ---- */

/* How often each is to be called, where that may be said. What is less than 1
 * counts as 1. */
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

const struct promptkit_type promptkit_calls[] = {
	{ "agent_invoked", agent_invoked, PROMPTKIT_ANYWHERE },
	{ "agent_not_invoked", agent_not_invoked, PROMPTKIT_ANYWHERE },
	{ "agent_response_contains", agent_response_contains, PROMPTKIT_TURN },
	{ "tools_called", tools_called, PROMPTKIT_ANYWHERE },
	{ "tools_not_called", tools_not_called, PROMPTKIT_ANYWHERE },
	{ NULL, NULL, 0 },
};
