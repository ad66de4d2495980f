/* promptfoo's assertions about the figures of a run. */
#include "check/promptfoo/promptfoo.h"

#include "check/kind/kind.h"
#include "emulate/lang/js.h"

/* Returns the threshold, which AgentV also has under other keys, before it. */
static double
needed_limit(struct fields *e)
{
	const struct param *p = scenarios_form(e)->params;

	for (; p->key != NULL && promptfoo_test_of(e)->config->agentv; p++) {
		scenarios_note(e->doc, e->object, p);
		if (json_has(e->object, p->key))
			return scenarios_number(e, p->key);
	}
	return scenarios_number(e, "threshold");
}

/* Says what was used in place of what is wanted, if that is known. */
static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (f->why.n != 0)
		check_explain_found(c, f, v, r);
}

static struct check
amount(struct fields *e)
{
	bool latency = scenarios_form(e)->how == LIMIT_SECONDS;
	double most = needed_limit(e);
	struct check c = limits_check(e->arena,
	    (enum limit)scenarios_form(e)->how, latency ? most / 1000 : most);
	char digits[JS_NUMBER_SIZE];
	struct str limit = js_number(most, digits);
	struct str about = str_printf(e->arena, "at most %s%.*s%s",
	    latency ? "" : "$", STR_FMT(limit), latency ? " ms" : "");

	c.explain = explain;
	c.detail = str_printf(e->arena, "%s: expected at most %.15g",
	    latency ? "seconds" : "dollars", latency ? most / 1000 : most);
	return promptfoo_finish(e, c, about);
}

static struct check
perplexity(struct fields *e)
{
	(void)scenarios_number(e, "threshold");
	promptfoo_undecided(e, "not recorded: the probabilities of the tokens");
	return promptfoo_finish(e, (struct check){ 0 }, STR(""));
}

static struct check
finish_reason(struct fields *e)
{
	struct str reason = promptfoo_text(e);
	struct check c = finish_reason_check(e->arena, reason);

	c.detail = str_printf(e->arena, "finish reason: expected %s%.*s",
	    promptfoo_is_negated(e) ? "not " : "", STR_FMT(reason));
	return promptfoo_finish(e, c, reason);
}

const struct form promptfoo_run_forms[] = {
	FORM("latency", amount, .how = LIMIT_SECONDS, ROLE(TIME, "threshold"),
	    PARAMS(ALSO("max_ms", NUMBER), ALSO("budget", NUMBER),
		NEED("threshold", NUMBER))),
	FORM("cost", amount, .how = LIMIT_COST, ROLE(AMOUNT, "threshold value"),
	    PARAMS(ALSO("max_usd", NUMBER), ALSO("budget", NUMBER),
		NEED("threshold", NUMBER))),
	FORM("perplexity", perplexity, PARAMS(KEY("threshold", NUMBER))),
	FORM("perplexity-score", perplexity, PARAMS(KEY("threshold", NUMBER))),
	FORM("finish-reason", finish_reason, ROLE(STATE, "value"),
	    PARAMS(NEED("value", NAME))),
	FORM(NULL, NULL),
};
