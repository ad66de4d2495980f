/* PromptKit Arena's assertions about workflows and guardrails. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"

/* ---- workflows ---- */

static struct check
state(struct fields *p)
{
	const struct form *form = scenarios_form(p);
	struct str wanted = scenarios_text(p, "state");
	struct check c =
	    state_check(p->arena, (enum state_how)form->how, wanted);

	c.reason = form->params == NULL
	    ? str_of(form->fails)
	    : str_printf(p->arena, "%s \"%.*s\"", form->fails, STR_FMT(wanted));
	return promptkit_about(c, wanted);
}

/* ---- guardrails ---- */

/* Returns the first of these keys that is there, or NULL; all may be there. */
static const char *
first_of(struct fields *p, const char *keys)
{
	struct str rest = str_of(keys);
	const char *found = NULL;

	while (rest.s != NULL) {
		const char *key = str_c(p->arena, str_cut(&rest, ' '));

		if (fields_get(p, key) != NULL && found == NULL)
			found = key;
	}
	return found;
}

/* Takes the names of parameters in PromptKit's code and those in its
 * documentation. */
static struct check
guardrail_triggered(struct fields *p)
{
	bool code = promptkit_place_of(p)->only_code;
	const char *key = first_of(p,
		       code ? "validator_type validator"
			    : "validator_type validator guardrail"),
		   *wish = first_of(p,
		       code ? "should_trigger"
			    : "should_trigger expected assertions");
	struct guardrail_want want = { .last = promptkit_is_current(p) };
	struct str name = { 0 };
	struct check c;

	if (key == NULL && code)
		(void)fields_need(p, "validator_type");
	if (key != NULL)
		want.name = name = scenarios_text(p, key);
	want.direction = scenarios_text(p, "direction");
	c = guardrail_check(p->arena, &want);
	c.negate = wish != NULL && !scenarios_bool(p, wish);
	c.detail = name;
	c.scope.part = SCOPE_LAST;
	c.reason = c.negate ? STR("a guardrail triggered")
			    : STR("no guardrail triggered");
	if (name.s != NULL)
		c.reason = str_printf(p->arena, "guardrail \"%.*s\" %s",
		    STR_FMT(name), c.negate ? "triggered" : "did not trigger");
	return promptkit_about(c, name);
}

const struct form promptkit_workflow_forms[] = {
	FORM("guardrail_triggered", guardrail_triggered,
	    .levels = PROMPTKIT_TURN, FAILS(guardrail, NULL, NULL),
	    .role = ROLE_GUARDRAIL,
	    PARAMS(KEY("guardrail", TEXT), ALSO("validator", TEXT),
		ALSO("validator_type", TEXT), KEY("expected", BOOL),
		ALSO("should_trigger", BOOL), ALSO("assertions", BOOL),
		KEY("direction", TEXT))),
	FORM("state_is", state, .how = STATE_IS, .levels = PROMPTKIT_ANYWHERE,
	    FAILS(state, "workflow never transitioned to state", NULL),
	    ROLE(STATE, "state"), PARAMS(NEED("state", TEXT))),
	FORM("transitioned_to", state, .how = STATE_REACHED,
	    .levels = PROMPTKIT_ANYWHERE,
	    FAILS(state, "workflow never transitioned to state", NULL),
	    ROLE(STATE, "state"), PARAMS(NEED("state", TEXT))),
	FORM("workflow_complete", state, .how = STATE_COMPLETE, .bare = true,
	    .levels = PROMPTKIT_ANYWHERE,
	    FAILS(state, "workflow is not complete", NULL), .role = ROLE_STATE),
	FORM("spoke_in_state", state, .how = STATE_SPOKEN,
	    .fails = "the agent said nothing in state", ROLE(STATE, "state"),
	    PARAMS(NEED("state", TEXT))),
	FORM(NULL, NULL),
};
