/* PromptKit Arena's assertions by type, with its details of a failure. */
#include "../check/answer.h"
#include "../check/arguments.h"
#include "../check/called.h"
#include "../check/guardrail.h"
#include "../check/messages.h"
#include "../check/pattern.h"
#include "../check/phrases.h"
#include "../check/state.h"
#include "promptkit_told.h"

/* ---- what every assertion has ---- */

static const struct promptkit_place *
place_of(const struct entry *e)
{
	return e->context;
}

/* Whether it is about the run, or a step of its workflow: there PromptKit has
 * other names for some parameters. */
static bool
is_wide(const struct entry *e)
{
	return !(place_of(e)->level & PROMPTKIT_TURN);
}

/* The assertion's parameters. Where they are missing that is told, once. */
static struct entry
params_of(struct entry *e, bool needed)
{
	const struct json *v =
	    needed ? entry_need(e, "params") : entry_get(e, "params");
	struct entry none = { .arena = e->arena,
		.doc = e->doc,
		.where = e->where,
		.context = e->context,
		.wrong = STR("no params") },
		     p;

	if (v == NULL)
		return none;
	p = entry_open(e->arena, e->doc, v, e->where);
	p.context = e->context;
	return p;
}

/* The author's message, or the type with what it is about. */
static struct str
label_of(struct entry *e, struct entry *p, struct str about)
{
	struct str message = entry_str_if(e, "message"),
		   inner = entry_str_if(p, "message");

	if (message.s == NULL)
		message = inner;
	if (message.s != NULL)
		return message;
	return about.n == 0 ? e->where
			    : str_printf(e->arena, "%.*s %.*s",
				  STR_FMT(e->where), STR_FMT(about));
}

static struct check
finish(struct entry *e, struct entry *p, struct check c, struct str about)
{
	struct str label = label_of(e, p, about), why;

	if (p->object != NULL && !entry_close(p, &why)) {
		check_close(&c);
		c = check_broken(e->arena, e->where, why);
	}
	c.label = label;
	c.scope = place_of(e)->scope;
	c.despite_error = true;
	return c;
}

/* A list of texts that must be there. */
static struct str_list
texts(struct entry *p, const char *key)
{
	if (json_is(entry_need(p, key), JSON_NULL))
		entry_wrong(p, json_get(p->object, str_of(key)),
		    "%s: expected a list, found null", key);
	return entry_strs(p, entry_list_if(p, key), key);
}

/* The same under either of two names: upstream knows one on a turn and the
 * other of a conversation (deviation P1). */
static struct str_list
names(struct entry *p, const char *of_turn, const char *of_run)
{
	const char *mine = is_wide(p) ? of_run : of_turn;
	bool turn = entry_get(p, of_turn) != NULL,
	     run = entry_get(p, of_run) != NULL;

	if (turn && run)
		entry_wrong(p, NULL, "%s and %s are the same: one too many",
		    of_turn, of_run);
	return texts(p, turn ? of_turn : run ? of_run : mine);
}

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

	if (place_of(e)->level != PROMPTKIT_CONVERSATION)
		return inner;
	*kept = inner;
	return messages_check(kept);
}

static struct check
phrases(struct entry *e, enum phrases_how how, bool exact, const char *detail)
{
	struct entry p = params_of(e, true);
	struct str_list list = texts(&p, "patterns");
	enum view_fold fold = VIEW_LOWER_GO;
	struct check c;

	if (exact && entry_bool_if(&p, "case_sensitive"))
		fold = VIEW_AS_WRITTEN;
	c = in_messages(e, phrases_check(e->arena, how, fold, list));
	c.explain = promptkit_told_list;
	c.detail = str_of(detail);
	c.reason = STR("the response does not include");
	return finish(e, &p, c, joined(e->arena, list));
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

/* The pattern is a member of p, and what is wrong with it is told there. */
static struct regex *
compile(
    struct entry *p, const char *key, const struct json *at, struct str text)
{
	struct regex_error error;
	struct regex *re;

	if (text.s == NULL)
		return NULL;
	re = regex_compile(p->arena, REGEX_RE2, text, 0, &error);
	if (re == NULL)
		entry_wrong(p, at, "%s: %.*s", key, STR_FMT(error.why));
	return re;
}

/* at: where the pattern stands. */
static struct check
matches(
    struct entry *e, struct entry *p, const struct json *at, struct str pattern)
{
	struct regex *re = compile(p, "pattern", at, pattern);
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
	struct entry p = params_of(e, true);
	struct str pattern = entry_str(&p, "pattern");

	return finish(e, &p,
	    matches(e, &p, json_get(p.object, STR("pattern")), pattern),
	    pattern);
}

/* ---- calls ---- */

/* How often each is to be called, where that may be said. What is less than 1
 * counts as 1. */
static size_t
min_calls(struct entry *p)
{
	int64_t n = is_wide(p) || place_of(p)->level == PROMPTKIT_ANYWHERE
	    ? entry_int_if(p, "min_calls")
	    : 0;

	return n > 1 ? (size_t)n : 1;
}

static struct check
tools_called(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str_list list = names(&p, "tools", "tool_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain = promptkit_told_tools;
	c.detail = STR("missing_tools");
	c.reason = STR("tools were not called");
	return finish(e, &p, c, joined(e->arena, list));
}

static struct check
tools_not_called(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str_list list = names(&p, "tools", "tool_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain = promptkit_told_tools;
	c.detail = STR("forbidden_tools_called");
	c.reason = STR("forbidden tools were called");
	return finish(e, &p, c, joined(e->arena, list));
}

/* ---- agents ---- */

static struct check
agent_invoked(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str_list list = names(&p, "agents", "agent_names");
	struct check c = called_all(e->arena, list, min_calls(&p));

	c.explain =
	    is_wide(e) ? promptkit_told_requirements : promptkit_told_list;
	c.detail = STR("missing_agents");
	c.reason = STR("missing required agent invocations");
	return finish(e, &p, c, joined(e->arena, list));
}

static struct check
agent_not_invoked(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str_list list = names(&p, "agents", "agent_names");
	struct check c = called_any(e->arena, list);

	c.negate = true;
	c.explain =
	    is_wide(e) ? promptkit_told_invocations : promptkit_told_list;
	c.detail = STR("forbidden_agents_called");
	c.reason = STR("forbidden agents were invoked");
	return finish(e, &p, c, joined(e->arena, list));
}

static struct check
agent_response_contains(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str agent = entry_str(&p, "agent"),
		   text = entry_str(&p, "contains");
	struct check c = answer_check(e->arena, agent, text);

	c.explain = promptkit_told_answer;
	c.reason =
	    STR("no matching agent response found containing expected text");
	return finish(e, &p, c, agent);
}

/* ---- arguments ---- */

struct wanted {
	struct argument *list;
	size_t n;
};

static void
want_values(struct entry *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		if (!json_is(json_value(key), JSON_NULL))
			a->value = json_value(key);
	}
}

static void
want_patterns(struct entry *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		a->pattern = json_text(v, p->arena);
		if (a->pattern.s == NULL)
			entry_wrong(p, v, "args_match: expected text, found %s",
			    json_type_name(v));
		a->regex = compile(p, "args_match", v, a->pattern);
	}
}

static struct check
tool_calls_with_args(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str tool = entry_str_if(&p, "tool_name");
	const struct json *turn = entry_object_if(&p, "expected_args"),
			  *run = entry_object_if(&p, "required_args");
	struct wanted w = { 0 };
	struct arguments_want want = { .tool = tool, .doc = e->doc };
	struct check c;

	if (turn != NULL && run != NULL)
		entry_wrong(&p, run,
		    "expected_args and required_args are the same: one too "
		    "many");
	want_values(&p, &w, turn != NULL ? turn : run);
	want_patterns(&p, &w, entry_object_if(&p, "args_match"));
	want.list = w.list;
	want.n = w.n;
	want.sums = want.idle = is_wide(e);
	want.idle &= w.n == 0;
	c = arguments_check(e->arena, &want);
	c.explain = promptkit_told_members;
	c.reason = tool.n == 0
	    ? STR("a call has other arguments")
	    : str_printf(e->arena, "not called with these arguments: %.*s",
		  STR_FMT(tool));
	return finish(e, &p, c, tool);
}

/* The values that one argument may not have. */
static void
want_any(struct entry *p, struct wanted *w, const struct json *object)
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
tools_not_called_with_args(struct entry *e)
{
	struct entry p = params_of(e, true);
	struct str tool = entry_str_if(&p, "tool_name");
	struct wanted w = { 0 };
	struct arguments_want want = {
		.tool = tool, .doc = e->doc, .some = true
	};
	struct check c;

	want_any(&p, &w, entry_object_if(&p, "forbidden_args"));
	want.list = w.list;
	want.n = w.n;
	c = arguments_check(e->arena, &want);
	c.negate = true;
	c.explain = promptkit_told_members;
	c.reason = STR("called with arguments that are forbidden");
	return finish(e, &p, c, tool);
}

/* ---- workflows ---- */

static struct check
state(struct entry *e, enum state_how how, bool named)
{
	struct entry p = params_of(e, named);
	struct str wanted = named ? entry_str(&p, "state") : (struct str){ 0 };
	struct check c = state_check(e->arena, how, wanted);

	c.explain = promptkit_told_state;
	c.reason = named ? str_printf(e->arena,
			       "workflow never transitioned to state \"%.*s\"",
			       STR_FMT(wanted))
			 : STR("workflow is not complete");
	return finish(e, &p, c, wanted);
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
	struct entry p = params_of(e, true);
	const char *key = first_of(&p, names), *wish = first_of(&p, wishes);
	struct str name = key == NULL ? (struct str){ 0 } : entry_str(&p, key);
	struct check c = guardrail_check(e->arena, name);

	c.negate = wish != NULL && !entry_bool_if(&p, wish);
	c.explain = promptkit_told_guardrail;
	c.detail = name;
	c.reason = c.negate ? STR("a guardrail triggered")
			    : STR("no guardrail triggered");
	if (name.s != NULL)
		c.reason = str_printf(e->arena, "guardrail \"%.*s\" %s",
		    STR_FMT(name), c.negate ? "triggered" : "did not trigger");
	return finish(e, &p, c, name);
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
	{ "tool_calls_with_args", tool_calls_with_args, T | C },
	{ "tools_called", tools_called, T | C },
	{ "tools_not_called", tools_not_called, T | C },
	{ "tools_not_called_with_args", tools_not_called_with_args, C },
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
	    is_wide(e) ? "an assertion of a turn, not of the conversation"
		       : "an assertion of the conversation, not of a turn");
	e->any_key = true;
	return (
	    struct check){ .scope = place_of(e)->scope, .despite_error = true };
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
