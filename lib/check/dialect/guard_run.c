#include "check/dialect/guard_run.h"

#include "base/diag.h"
#include "check/view.h"

/* ---- checks ---- */

static bool
can_judge(const struct check *c)
{
	return c->kind->guard != NULL && !c->negate && c->bounds == NULL &&
	    c->nwhen == 0 && c->scope.part == SCOPE_RUN;
}

void
guard_examine(const struct spec *spec)
{
	for (size_t i = 0; i < spec->n; i++) {
		struct spec_scenarios s = spec_scenarios_of(spec, i);

		for (size_t k = 0; k < s.n; k++)
			for (size_t n = 0; n < s.list[k].n; n++) {
				const struct check *c = &s.list[k].checks[n];

				if (!can_judge(c) && !check_is_broken(c))
					diag_error(c->source.place,
					    "--guard: expected a rule or a "
					    "permission, found a check that "
					    "cannot judge a single call: %.*s",
					    STR_FMT(c->label));
			}
	}
}

static void
add_reason(struct guard_verdict *all, const struct check *c,
    struct guard_finding f, struct arena *a)
{
	if (f.found == GUARD_FINE)
		return;
	if (f.found == GUARD_BROKEN && c->severity != NULL)
		f.found = GUARD_ASK;
	if (f.found > all->found)
		all->found = f.found;
	*arena_push(a, all->reasons, all->n) = (struct guard_reason){ c, f };
}

/* Adds what the checks of the spec find in the view. */
static void
judge(const struct spec *spec, const struct trace *t, struct view *v,
    struct guard_verdict *all)
{
	const struct guard *g = v->guard;
	struct spec_matches m = spec_match(spec, t, v->arena);

	if (g->event == GUARD_NOTHING || (g->event == GUARD_STOPS && g->again))
		return;
	for (size_t i = 0; i < m.n; i++)
		for (size_t k = 0; k < m.list[i]->n; k++) {
			const struct check *c = &m.list[i]->checks[k];

			all->judged += can_judge(c);
			all->unable += !can_judge(c);
			if (can_judge(c))
				add_reason(all, c, c->kind->guard(c->want, v),
				    v->arena);
		}
}

struct guard_verdict
guard_run(const struct spec *spec, const struct trace *t, struct view *v,
    struct arena *a)
{
	struct guard_verdict all = { .found = GUARD_FINE };

	view_run(v, t, a);
	all.guard = guard_read(t, view_calls(v), a);
	v->guard = &all.guard;
	judge(spec, t, v, &all);
	v->guard = NULL;
	return all;
}

/* ---- the answer ---- */

struct str
guard_reason_text(const struct guard_reason *r, struct arena *a)
{
	const struct check *c = r->check;
	struct str why = r->finding.why;

	if (r->finding.found == GUARD_UNDECIDED)
		return str_printf(a, "undecided: %.*s: %.*s", STR_FMT(c->label),
		    STR_FMT(why));
	return str_printf(a, "%.*s%s%.*s", STR_FMT(c->label),
	    why.n == 0 ? "" : ": ", STR_FMT(why));
}

/* Returns the reasons of the worst kind, one a line. */
static struct str
reasons_of(const struct guard_verdict *v, struct arena *a)
{
	struct str all = { 0 };

	for (size_t i = 0; i < v->n; i++) {
		struct str one = guard_reason_text(&v->reasons[i], a);

		if (v->reasons[i].finding.found != v->found)
			continue;
		all = all.n == 0 ? one
				 : str_cat(a, str_cat(a, all, STR("\n")), one);
	}
	return all;
}

enum {
	CLAUDE = 1 << GUARD_CLAUDE,
	CODEX = 1 << GUARD_CODEX,
	CURSOR = 1 << GUARD_CURSOR,
};

/* The objects of products, in which @ stands for the reason: of Claude Code by its page
 * about hooks; of Codex those that block in a session with Codex 0.171.0, which takes ask
 * for a failure of the hook; of Cursor by its page: ask is enforced before a command of
 * the shell or of an MCP server, and nowhere else. */
static const struct answer {
	unsigned agents;
	unsigned events;
	const char *name; /* how the event's name begins; NULL: anyhow */
	const char *broken, *ask;
} answers[] = {
	{ CLAUDE, 1 << GUARD_ASKS, "PreToolUse",
	    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","
	    "\"permissionDecision\":\"deny\",\"permissionDecisionReason\":@}}",
	    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","
	    "\"permissionDecision\":\"ask\",\"permissionDecisionReason\":@}}" },
	{ CODEX, 1 << GUARD_ASKS, "PreToolUse",
	    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","
	    "\"permissionDecision\":\"deny\",\"permissionDecisionReason\":@}}",
	    NULL },
	{ CLAUDE | CODEX, 1 << GUARD_ASKS, "PermissionRequest",
	    "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\","
	    "\"decision\":{\"behavior\":\"deny\",\"message\":@}}}",
	    NULL },
	{ CLAUDE | CODEX,
	    1 << GUARD_CALLED | 1 << GUARD_PROMPT | 1 << GUARD_STOPS, NULL,
	    "{\"decision\":\"block\",\"reason\":@}", NULL },
	{ CURSOR, 1 << GUARD_ASKS, "before",
	    "{\"permission\":\"deny\",\"user_message\":@,"
	    "\"agent_message\":@}",
	    "{\"permission\":\"ask\",\"user_message\":@,"
	    "\"agent_message\":@}" },
	{ CURSOR, 1 << GUARD_ASKS, "pre",
	    "{\"permission\":\"deny\",\"user_message\":@,"
	    "\"agent_message\":@}",
	    NULL },
	{ CURSOR, 1 << GUARD_PROMPT, NULL,
	    "{\"continue\":false,\"user_message\":@}", NULL },
	{ CURSOR, 1 << GUARD_STOPS, NULL, "{\"followup_message\":@}", NULL },
};

static const char *
answer_of(const struct guard *g, enum guard_found found)
{
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		const struct answer *f = &answers[i];

		if ((f->agents & 1U << g->agent) != 0 &&
		    (f->events & 1U << g->event) != 0 &&
		    (f->name == NULL || str_starts(g->name, f->name)))
			return found == GUARD_BROKEN            ? f->broken
			    : str_is(g->name, "beforeReadFile") ? NULL
								: f->ask;
	}
	return NULL;
}

struct str
guard_answer(const struct guard_verdict *v, struct arena *a)
{
	const struct guard *g = &v->guard;
	const char *text =
	    v->found == GUARD_FINE ? NULL : answer_of(g, v->found);
	struct out reason;

	if (text == NULL)
		return g->agent == GUARD_CURSOR ? STR("{}") : STR("");
	out_open_memory(&reason);
	out_json_str(&reason, reasons_of(v, a));
	return str_replace(a, str_of(text), STR("@"), out_keep(&reason, a));
}
