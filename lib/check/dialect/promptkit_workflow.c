/* PromptKit Arena's assertions about workflows and guardrails. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"

/* ---- workflows ---- */

static struct check
state(struct fields *e)
{
	enum state_how how = (enum state_how)scenarios_form(e)->how;
	bool named = how != STATE_COMPLETE;
	struct fields p = promptkit_params(e, named);
	struct str wanted = named ? fields_str(&p, "state") : (struct str){ 0 };
	struct check c = state_check(e->arena, how, wanted);

	c.explain = promptkit_reason_state;
	if (how == STATE_SPOKEN)
		c.explain = NULL;
	c.reason = how == STATE_SPOKEN
	    ? str_printf(e->arena, "the agent said nothing in state \"%.*s\"",
		  STR_FMT(wanted))
	    : named ? str_printf(e->arena,
			  "workflow never transitioned to state \"%.*s\"",
			  STR_FMT(wanted))
		    : STR("workflow is not complete");
	return promptkit_finish(e, &p, c, wanted);
}

/* ---- guardrails ---- */

/* Returns the first of these keys that is there, or NULL; all may be there. */
static const char *
first_of(struct fields *p, const char *const keys[])
{
	const char *found = NULL;

	for (; *keys != NULL; keys++)
		if (fields_get(p, *keys) != NULL && found == NULL)
			found = *keys;
	return found;
}

/* Takes the names of parameters in PromptKit's code and those in its
 * documentation. */
static struct check
guardrail_triggered(struct fields *e)
{
	static const char *const names[] = { "validator_type", "validator",
		"guardrail", NULL };
	static const char *const wishes[] = { "should_trigger", "expected",
		"assertions", NULL };
	static const char *const names_now[] = { "validator_type", "validator",
		NULL };
	static const char *const wishes_now[] = { "should_trigger", NULL };
	struct fields p = promptkit_params(e, true);
	bool code = promptkit_place_of(e)->only_code;
	const char *key = first_of(&p, code ? names_now : names),
		   *wish = first_of(&p, code ? wishes_now : wishes);
	struct guardrail_want want = { .last = promptkit_is_current(e) };
	struct str name = { 0 };
	struct check c;

	if (key == NULL && code)
		(void)fields_need(&p, "validator_type");
	if (key != NULL)
		want.name = name = fields_str(&p, key);
	want.direction = fields_str_if(&p, "direction");
	c = guardrail_check(e->arena, &want);
	c.negate = wish != NULL && !fields_bool_if(&p, wish);
	c.explain = promptkit_reason_guardrail;
	c.detail = name;
	c.reason = c.negate ? STR("a guardrail triggered")
			    : STR("no guardrail triggered");
	if (name.s != NULL)
		c.reason = str_printf(e->arena, "guardrail \"%.*s\" %s",
		    STR_FMT(name), c.negate ? "triggered" : "did not trigger");
	c = promptkit_finish(e, &p, c, name);
	if (c.scope.part == SCOPE_RUN)
		c.scope.part = SCOPE_LAST;
	return c;
}

const struct form promptkit_workflow_forms[] = {
	FORM("guardrail_triggered", guardrail_triggered,
	    .levels = PROMPTKIT_TURN, .role = ROLE_GUARDRAIL),
	FORM("state_is", state, .how = STATE_IS, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(STATE, "state")),
	FORM("transitioned_to", state, .how = STATE_REACHED,
	    .levels = PROMPTKIT_ANYWHERE, ROLE(STATE, "state")),
	FORM("workflow_complete", state, .how = STATE_COMPLETE,
	    .levels = PROMPTKIT_ANYWHERE, .role = ROLE_STATE),
	FORM(
	    "spoke_in_state", state, .how = STATE_SPOKEN, ROLE(STATE, "state")),
	FORM(NULL, NULL),
};
