/* The current PromptKit Arena's assertions that need more than a recorded run,
 * which are skipped, and its limits of money and time. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- skipped ---- */

/* Ends an assertion of whose parameters any are allowed. */
static struct check
finish(struct fields *e, struct fields *p, struct check c)
{
	p->any_key = true;
	return promptkit_finish(e, p, c, STR(""));
}

static struct check
live(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	const char *why = scenarios_form(e)->key;

	fields_remark(e, NULL, "is skipped: %s", why);
	return finish(e, &p, media_check_live(e->arena, str_of(why), p.object));
}

static struct check
media(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	const char *medium = scenarios_form(e)->key;

	fields_remark(e, NULL, "is skipped: not recorded: %s", medium);
	return finish(e, &p, media_check(e->arena, medium, p.object));
}

/* ---- limits ---- */

static struct check
cost_budget(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct budget_want want = {
		.cost = promptkit_number(&p, "max_cost_usd"),
		.input = promptkit_number(&p, "max_input_tokens"),
		.output = promptkit_number(&p, "max_output_tokens"),
		.total = promptkit_number(&p, "max_total_tokens"),
	};
	struct check c = limits_budget(e->arena, &want);

	if (want.cost == NULL && want.input == NULL && want.output == NULL &&
	    want.total == NULL)
		(void)fields_need(&p, "max_cost_usd");
	c.explain = promptkit_reason_found;
	c.reason = STR("over the budget");
	return promptkit_finish(e, &p, c, STR(""));
}

static struct check
latency_budget(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const double *most = promptkit_number(&p, "max_ms");
	struct check c;

	if (most == NULL)
		(void)fields_need(&p, "max_ms");
	c = limits_turn_time(e->arena, most == NULL ? 0 : *most);
	c.explain = check_explain_found;
	c.detail = str_printf(e->arena, "latency: expected at most %.15g ms",
	    most == NULL ? 0 : *most);
	c = promptkit_finish(e, &p, c, STR(""));
	if (c.scope.part == SCOPE_RUN)
		c.scope.part = SCOPE_LAST;
	return c;
}

#define LIVE(type, ...) FORM(type, live, .key = __VA_ARGS__)

static const char classifier[] = "needs a classifier",
		  composition[] = "not recorded: the steps of a composition";

const struct form promptkit_live_forms[] = {
	FORM("cost_budget", cost_budget, ROLE(AMOUNT, "max_cost_usd")),
	FORM("latency_budget", latency_budget, ROLE(TIME, "max_ms")),
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
	FORM("tool_result_has_media", media, .key = "media of results",
	    .role = ROLE_OUTPUT),
	FORM("tool_result_media_type", media, .key = "media of results",
	    .role = ROLE_OUTPUT),
	FORM(NULL, NULL),
};
