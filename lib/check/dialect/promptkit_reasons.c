/* The reasons and metadata that PromptKit Arena reports for failures. */
#include "check/dialect/promptkit_assertion.h"

#include "base/hash.h"
#include "check/kind/kind.h"

/* Begins the metadata of a failure, which the caller ends by end(); returns false if the
 * check did not fail. */
static bool
begin(struct out *o, const struct check_result *r)
{
	if (r->status != STATUS_FAILED)
		return false;
	out_open_json(o, '{');
	return true;
}

static void
end(struct out *o, struct view *v, struct check_result *r)
{
	r->metadata = out_keep_json(o, '}', v->arena);
}

/* ---- lists ---- */

/* Returns "REASON: A, B"; the reason alone if nothing is named. */
static struct str
reason_of(const struct check *c, const struct finding *f, struct arena *a)
{
	struct str list = str_list_text(a, f->decisive);

	return f->decisive.n == 0 ? c->reason
				  : str_cat3(a, c->reason, STR(": "), list);
}

static void
put_list(struct out *o, const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	out_key_str(o, c->detail);
	out_json_strs(o, f->decisive);
	r->reason = reason_of(c, f, v->arena);
}

void
promptkit_reason_list(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	struct out o;

	if (!begin(&o, r))
		return;
	put_list(&o, c, f, v, r);
	end(&o, v, r);
}

void
promptkit_reason_tools(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	struct trace_calls calls = view_calls(v);
	struct out o;

	if (!begin(&o, r))
		return;
	put_list(&o, c, f, v, r);
	out_key(&o, c->negate ? "all_called_tools" : "called_tools");
	out_begin(&o, '[');
	for (size_t i = 0; i < calls.n; i++)
		out_json_str(&o, calls.list[i].tool);
	out_end(&o, ']');
	end(&o, v, r);
}

/* ---- agents ---- */

/* Writes how often each tool was called. */
static void
put_counts(struct out *o, struct trace_calls calls, struct arena *a)
{
	struct hash_table seen = { .arena = a };
	size_t *n = arena_new_n(a, size_t, calls.n); /* at the first call */

	for (size_t i = 0; i < calls.n; i++) {
		void **first = hash_put(&seen, calls.list[i].tool);

		if (*first == NULL)
			*first = &n[i];
		++*(size_t *)*first;
	}
	out_member_begin(o, "counts", '{');
	for (size_t i = 0; i < calls.n; i++) {
		if (n[i] == 0)
			continue;
		out_key_str(o, calls.list[i].tool);
		out_json_int(o, (int64_t)n[i]);
	}
	out_end(o, '}');
}

void
promptkit_reason_requirements(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	const struct called_want *w = c->want;
	struct trace_calls calls = view_calls(v);
	struct out o;

	if (!begin(&o, r))
		return;
	r->reason = reason_of(c, f, v->arena);
	out_member_begin(&o, "requirements", '[');
	for (size_t i = 0; i < w->tools.n; i++) {
		out_begin(&o, '{');
		out_member_text(&o, "agent", w->tools.list[i]);
		out_member_size(
		    &o, "calls", trace_calls_of(calls, w->tools.list[i]));
		out_member_int(&o, "requiredCalls", w->times);
		out_end(&o, '}');
	}
	out_end(&o, ']');
	put_counts(&o, calls, v->arena);
	end(&o, v, r);
}

static void
put_invocation(struct out *o, const struct trace_call *call, struct str agent)
{
	out_begin(o, '{');
	out_member_size(o, "turn_index", call->turn);
	out_member_text(o, "description", STR("forbidden agent was invoked"));
	out_member_begin(o, "evidence", '{');
	out_member_text(o, "agent", agent);
	if (call->args != NULL) {
		out_member_raw(o, "arguments", call->args->text);
	}
	out_end(o, '}');
	out_end(o, '}');
}

void
promptkit_reason_invocations(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	const struct called_want *w = c->want;
	struct trace_calls calls = view_calls(v);
	struct out o;

	(void)f;
	if (!begin(&o, r))
		return;
	out_member_begin(&o, "violations", '[');
	for (size_t i = 0; i < calls.n; i++)
		for (size_t k = 0; k < w->tools.n; k++)
			if (trace_call_is(&calls.list[i], w->tools.list[k])) {
				put_invocation(
				    &o, &calls.list[i], w->tools.list[k]);
				break;
			}
	out_end(&o, ']');
	end(&o, v, r);
}

void
promptkit_reason_answer(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	const struct tool_answer_want *w = c->want;
	struct out o;

	(void)f;
	if (!begin(&o, r))
		return;
	out_member_text(&o, "agent", w->tool);
	out_member_text(&o, "expected_substr", w->text);
	out_member_text(&o, "reason", c->reason);
	end(&o, v, r);
}

/* ---- workflows and guardrails ---- */

static void
put_transitions(struct out *o, const struct view *v)
{
	const struct json *flow = v->trace->member[TRACE_WORKFLOW];

	out_member_begin(o, "transitions", '[');
	for (json_each(t, json_get(flow, "transitions")))
		if (state_transition_made(v, t))
			out_json_raw(o, t->text);
	out_end(o, ']');
}

void
promptkit_reason_state(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	const struct state_want *w = c->want;
	struct out o;

	if (!begin(&o, r))
		return;
	switch (w->how) {
	case STATE_IS:
		r->reason = str_printf(v->arena,
		    "expected state \"%.*s\" but workflow is in state \"%.*s\"",
		    STR_FMT(w->state), STR_FMT(f->why));
		out_member_text(&o, "expected", w->state);
		out_member_text(&o, "actual", f->why);
		break;
	case STATE_REACHED:
		out_member_text(&o, "expected_state", w->state);
		put_transitions(&o, v);
		break;
	default:
		out_member_bool(&o, "complete", false);
		break;
	}
	end(&o, v, r);
}

void
promptkit_reason_guardrail(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	struct out o;

	if (!begin(&o, r))
		return;
	out_member_bool(&o, "expected_triggered", !c->negate);
	out_member_bool(&o, "actually_triggered", f->found == FOUND_YES);
	if (c->detail.s != NULL)
		out_member_text(&o, "guardrail", c->detail);
	end(&o, v, r);
}

/* ---- others ---- */

/* Returns the view's text as JSON, which each pattern that fails writes. */
static struct str
quoted(struct view *v)
{
	struct str *text = v->memo[VIEW_QUOTED];

	if (text == NULL) {
		v->memo[VIEW_QUOTED] = text = arena_new(v->arena, struct str);
		*text = out_quote(v->arena, view_text(v, VIEW_AS_WRITTEN));
	}
	return *text;
}

void
promptkit_reason_pattern(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	struct out o;

	if (!begin(&o, r))
		return;
	out_member_text(&o, "pattern", c->detail);
	out_member_raw(&o, "content", quoted(v));
	out_member_bool(&o, "matched", f->found == FOUND_YES);
	end(&o, v, r);
}

void
promptkit_reason_members(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	(void)c;
	if (r->status == STATUS_FAILED)
		r->metadata = str_printf(v->arena, "{%.*s}", STR_FMT(f->why));
}

void
promptkit_reason_json(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	promptkit_reason_members(c, f, v, r);
	if (r->status == STATUS_FAILED)
		r->reason = str_cat3(v->arena, r->reason, STR(": "), f->cause);
}

void
promptkit_reason_found(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	if (r->status == STATUS_FAILED && f->why.n != 0)
		r->reason = str_cat3(v->arena, c->reason, STR(": "), f->why);
}
