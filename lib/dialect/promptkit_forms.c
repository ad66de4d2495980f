/* PromptKit Arena's assertions by type. */
#include "../check/answer.h"
#include "../check/called.h"
#include "../check/guardrail.h"
#include "../check/messages.h"
#include "../check/pattern.h"
#include "../check/phrases.h"
#include "../check/state.h"
#include "promptkit_assertion.h"
#include "promptkit_told.h"

static struct str
joined(struct arena *a, struct str_list list)
{
	return str_join(a, list.list, list.n, STR(", "));
}

/* ---- content ---- */

/* Of a conversation any message will do, of a turn it is the last. */
static struct check
in_messages(struct entry *e, struct check inner)
{
	struct check *kept = arena_new(e->arena, struct check);

	if (promptkit_place_of(e)->level != PROMPTKIT_CONVERSATION)
		return inner;
	*kept = inner;
	return messages_check(kept);
}

static struct check
phrases(struct entry *e, enum phrases_how how, bool exact, const char *detail)
{
	struct entry p = promptkit_params(e, true);
	struct str_list list = promptkit_texts(&p, "patterns");
	enum view_fold fold = VIEW_LOWER_GO;
	struct check c;

	if (exact && entry_bool_if(&p, "case_sensitive"))
		fold = VIEW_AS_WRITTEN;
	c = in_messages(e, phrases_check(e->arena, how, fold, list));
	c.explain = promptkit_told_list;
	c.detail = str_of(detail);
	c.reason = STR("the response does not include");
	return promptkit_finish(e, &p, c, joined(e->arena, list));
}

static struct check
content_includes(struct entry *e)
{
	return phrases(e, PHRASES_ALL, false, "missing_patterns");
}

static struct check
content_includes_any(struct entry *e)
{
	struct check c = phrases(e, PHRASES_ANY, true, NULL);

	c.explain = NULL;
	c.reason = STR("the response includes none of the patterns");
	return c;
}

static struct check
content_not_includes(struct entry *e)
{
	struct check c = phrases(e, PHRASES_ANY, true, "found_patterns");

	c.negate = !check_is_broken(&c);
	c.reason = STR("the response includes");
	return c;
}

/* at: where the pattern stands. */
static struct check
matches(
    struct entry *e, struct entry *p, const struct json *at, struct str pattern)
{
	struct regex *re = promptkit_compile(p, "pattern", at, pattern);
	struct check c =
	    in_messages(e, pattern_check(e->arena, re, pattern, 0));

	c.explain = promptkit_told_pattern;
	c.detail = pattern;
	c.reason = str_printf(e->arena,
	    "the response does not match the pattern: %.*s", STR_FMT(pattern));
	return c;
}

static struct check
content_matches(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str pattern = entry_str(&p, "pattern");

	return promptkit_finish(e, &p,
	    matches(e, &p, json_get(p.object, STR("pattern")), pattern),
	    pattern);
}

/* ---- calls ---- */

/* How often each is to be called, where that may be said. What is less than 1
 * counts as 1. */
static size_t
min_calls(struct entry *p)
{
	int64_t n = promptkit_is_wide(p) ||
		promptkit_place_of(p)->level == PROMPTKIT_ANYWHERE
	    ? entry_int_if(p, "min_calls")
	    : 0;

	return n > 1 ? (size_t)n : 1;
}

static struct check
tools_called(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain = promptkit_told_tools;
	c.detail = STR("missing_tools");
	c.reason = STR("tools were not called");
	return promptkit_finish(e, &p, c, joined(e->arena, list));
}

static struct check
tools_not_called(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "tools", "tool_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain = promptkit_told_tools;
	c.detail = STR("forbidden_tools_called");
	c.reason = STR("forbidden tools were called");
	return promptkit_finish(e, &p, c, joined(e->arena, list));
}

/* ---- agents ---- */

static struct check
agent_invoked(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "agents", "agent_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain = promptkit_is_wide(e) ? promptkit_told_requirements
					 : promptkit_told_list;
	c.detail = STR("missing_agents");
	c.reason = STR("missing required agent invocations");
	return promptkit_finish(e, &p, c, joined(e->arena, list));
}

static struct check
agent_not_invoked(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str_list list = promptkit_names(&p, "agents", "agent_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain = promptkit_is_wide(e) ? promptkit_told_invocations
					 : promptkit_told_list;
	c.detail = STR("forbidden_agents_called");
	c.reason = STR("forbidden agents were invoked");
	return promptkit_finish(e, &p, c, joined(e->arena, list));
}

static struct check
agent_response_contains(struct entry *e)
{
	struct entry p = promptkit_params(e, true);
	struct str agent = entry_str(&p, "agent"),
		   text = entry_str(&p, "contains");
	struct check c = answer_check(e->arena, agent, text);

	c.explain = promptkit_told_answer;
	c.reason =
	    STR("no matching agent response found containing expected text");
	return promptkit_finish(e, &p, c, agent);
}

/* ---- workflows ---- */

static struct check
state(struct entry *e, enum state_how how, bool named)
{
	struct entry p = promptkit_params(e, named);
	struct str wanted = named ? entry_str(&p, "state") : (struct str){ 0 };
	struct check c = state_check(e->arena, how, wanted);

	c.explain = promptkit_told_state;
	c.reason = named ? str_printf(e->arena,
			       "workflow never transitioned to state \"%.*s\"",
			       STR_FMT(wanted))
			 : STR("workflow is not complete");
	return promptkit_finish(e, &p, c, wanted);
}

static struct check
state_is(struct entry *e)
{
	return state(e, STATE_IS, true);
}

static struct check
transitioned_to(struct entry *e)
{
	return state(e, STATE_REACHED, true);
}

static struct check
workflow_complete(struct entry *e)
{
	return state(e, STATE_COMPLETE, false);
}

/* ---- guardrails ---- */

/* The first of these keys that is there (NULL: none); all may be. */
static const char *
first_of(struct entry *p, const char *const keys[])
{
	const char *found = NULL;

	for (; *keys != NULL; keys++)
		if (entry_get(p, *keys) != NULL && found == NULL)
			found = *keys;
	return found;
}

/* By the code's names for parameters and by the document's (deviation P2). */
static struct check
guardrail_triggered(struct entry *e)
{
	static const char *const names[] = { "validator_type", "validator",
		"guardrail", NULL };
	static const char *const wishes[] = { "should_trigger", "expected",
		"assertions", NULL };
	struct entry p = promptkit_params(e, true);
	const char *key = first_of(&p, names), *wish = first_of(&p, wishes);
	struct str name = { 0 };
	struct check c;

	if (key != NULL)
		name = entry_str(&p, key);
	c = guardrail_check(e->arena, name);
	c.negate = wish != NULL && !entry_bool_if(&p, wish);
	c.explain = promptkit_told_guardrail;
	c.detail = name;
	c.reason = c.negate ? STR("a guardrail triggered")
			    : STR("no guardrail triggered");
	if (name.s != NULL)
		c.reason = str_printf(e->arena, "guardrail \"%.*s\" %s",
		    STR_FMT(name), c.negate ? "triggered" : "did not trigger");
	return promptkit_finish(e, &p, c, name);
}

/* ---- the list ---- */

enum {
	T = PROMPTKIT_TURN,
	C = PROMPTKIT_CONVERSATION | PROMPTKIT_STEP,
};

static const struct type {
	const char *name;
	struct check (*make)(struct entry *);
	unsigned levels;
} types[] = {
	{ "agent_invoked", agent_invoked, T | C },
	{ "agent_not_invoked", agent_not_invoked, T | C },
	{ "agent_response_contains", agent_response_contains, T },
	{ "content_includes", content_includes, T | C },
	{ "content_includes_any", content_includes_any, C },
	{ "content_matches", content_matches, T | C },
	{ "content_not_includes", content_not_includes, C },
	{ "guardrail_triggered", guardrail_triggered, T },
	{ "state_is", state_is, T | C },
	{ "tool_calls_with_args", promptkit_tool_calls_with_args, T | C },
	{ "tools_called", tools_called, T | C },
	{ "tools_not_called", tools_not_called, T | C },
	{ "tools_not_called_with_args", promptkit_tools_not_called_with_args,
	    C },
	{ "transitioned_to", transitioned_to, T | C },
	{ "workflow_complete", workflow_complete, T | C },
};

enum { TYPES = sizeof types / sizeof types[0] };

bool
promptkit_has_type(struct str type)
{
	for (size_t i = 0; i < TYPES; i++)
		if (str_is(type, types[i].name))
			return true;
	return false;
}

/* A type that PromptKit knows, but not there. */
static struct check
misplaced(struct entry *e)
{
	entry_wrong(e, json_get(e->object, STR("type")),
	    promptkit_is_wide(e)
		? "an assertion of a turn, not of the conversation"
		: "an assertion of the conversation, not of a turn");
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

void
promptkit_assertion(
    struct reader *r, const struct json *v, const struct promptkit_place *place)
{
	struct form list[TYPES];
	const struct forms forms = { .key = "type",
		.what = "assertion",
		.list = list,
		.n = TYPES,
		.context = place };

	for (size_t i = 0; i < TYPES; i++) {
		list[i].name = types[i].name;
		list[i].make =
		    types[i].levels & place->level ? types[i].make : misplaced;
	}
	reader_entry(r, v, &forms);
}

void
promptkit_assertions(struct reader *r, const struct json *list,
    const struct promptkit_place *place)
{
	for (json_each(v, list))
		promptkit_assertion(r, v, place);
}

void
promptkit_pattern(
    struct reader *r, const struct json *v, const struct promptkit_place *place)
{
	struct str pattern = json_text(v, r->arena);
	struct entry e = { .arena = r->arena,
		.doc = r->doc,
		.object = v,
		.where = STR("content_matches"),
		.context = place };
	struct check c;

	if (pattern.s == NULL)
		entry_wrong(&e, v, "pattern: expected text, found %s",
		    json_type_name(v));
	c = matches(&e, &e, v, pattern);
	c.type = e.where;
	c.label =
	    str_printf(r->arena, "content_matches %.*s", STR_FMT(pattern));
	c.scope = place->scope;
	c.despite_error = true;
	reader_close(r, &e, c);
}
