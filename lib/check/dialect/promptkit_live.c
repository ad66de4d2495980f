/* The current PromptKit Arena's assertions that need more than a recorded run,
 * which are skipped, and its limits of money and time. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- skipped ---- */

static struct check
live(struct fields *p)
{
	const char *why = scenarios_form(p)->key;

	p->any_key = true;
	fields_remark(promptkit_outer(p), NULL, "is skipped: %s", why);
	return media_check_live(p->arena, why, p->object);
}

static struct check
media(struct fields *p)
{
	const char *medium = scenarios_form(p)->key;

	p->any_key = true;
	fields_remark(
	    promptkit_outer(p), NULL, "is skipped: not recorded: %s", medium);
	return media_check(p->arena, medium, p->object);
}

/* ---- limits ---- */

static struct check
cost_budget(struct fields *p)
{
	const struct budget_want want = {
		.cost = fields_number_given(p, "max_cost_usd"),
		.input = fields_number_given(p, "max_input_tokens"),
		.output = fields_number_given(p, "max_output_tokens"),
		.total = fields_number_given(p, "max_total_tokens"),
	};

	if (want.cost == NULL && want.input == NULL && want.output == NULL &&
	    want.total == NULL)
		(void)fields_need(p, "max_cost_usd");
	return limits_budget(p->arena, &want);
}

static struct check
latency_budget(struct fields *p)
{
	const double *given = fields_number_given(p, "max_ms");
	double most = given == NULL ? 0 : *given;
	struct check c = limits_turn_time(p->arena, most);

	if (given == NULL)
		(void)fields_need(p, "max_ms");
	c.detail =
	    str_printf(p->arena, "latency: expected at most %.15g ms", most);
	c.scope.part = SCOPE_LAST;
	return c;
}

#define LIVE(type, ...) FORM(type, live, .bare = true, .key = __VA_ARGS__)

static const char classifier[] = "needs a classifier",
		  composition[] = "not recorded: the steps of a composition";

const struct form promptkit_live_forms[] = {
	FORM("cost_budget", cost_budget, FAILS(found, "over the budget", NULL),
	    ROLE(AMOUNT, "max_cost_usd"),
	    PARAMS(KEY("max_cost_usd", NUMBER), KEY("max_input_tokens", NUMBER),
		KEY("max_output_tokens", NUMBER),
		KEY("max_total_tokens", NUMBER))),
	FORM("latency_budget", latency_budget, ROLE(TIME, "max_ms"),
	    PARAMS(NEED("max_ms", NUMBER))),
	LIVE("tool_exec", "needs a live run: it runs a tool"),
	LIVE("rest_eval", "needs a live run: it asks a server"),
	LIVE("rest_eval_session", "needs a live run: it asks a server"),
	LIVE("a2a_eval", "needs a live run: it asks an agent"),
	LIVE("a2a_eval_session", "needs a live run: it asks an agent"),
	LIVE("cosine_similarity", "not recorded: the embedding of the answer"),
	LIVE("text_toxicity", classifier),
	LIVE("text_sentiment", classifier),
	LIVE("audio_emotion", classifier),
	LIVE("image_moderation", classifier),
	LIVE("composition_step_output", composition, .role = ROLE_OUTPUT),
	LIVE("composition_branch_taken", composition, .role = ROLE_STATE),
	LIVE("composition_parallel_complete", composition, .role = ROLE_STATE),
	LIVE("composition_output", composition, .role = ROLE_OUTPUT),
	FORM("tool_result_has_media", media, .bare = true,
	    .key = "media of results", .role = ROLE_OUTPUT),
	FORM("tool_result_media_type", media, .bare = true,
	    .key = "media of results", .role = ROLE_OUTPUT),
	FORM(NULL, NULL),
};
