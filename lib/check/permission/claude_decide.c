/* Decides a call as Claude Code does: by a line of deny, then one of ask, then one of
 * allow, then as a call that only reads, then by the mode. */
#include "check/permission/claude_product.h"
#include "check/permission/claude_shell.h"

/* Matches the lines that are not about a command of Bash. Returns whether a line allows
 * the call. */
static bool
match_call(struct claude_deciding *d, const struct claude_call *call)
{
	bool allowed = false;

	for (size_t i = 0; i < d->set->n; i++) {
		const struct permission_line *line = &d->set->lines[i];
		struct str part = { 0 };
		enum rule_fit fit =
		    claude_line_fits(d->set, line, call, d->arena, &part);
		struct permission_hit hit = { line, .part = part };
		const char *why;

		if (fit == RULE_NO)
			continue;
		if (fit == RULE_MAYBE) {
			why = claude_line_lacks(line, call);
			hit.maybe = true;
			hit.why = str_of(why);
			claude_lack(d, line->decision,
			    why != NULL ? why
					: "a word that the shell computes");
		} else {
			allowed |= line->decision == PERMISSION_ALLOW;
		}
		claude_hit(d, hit);
	}
	return allowed;
}

static bool
is_bash(const struct permission_call *call, const struct claude_call *c)
{
	return str_is(c->tool, "Bash") || call->command.s != NULL;
}

/* Decides a call of Bash but for the lines of match_call. */
static void
decide_command(struct claude_deciding *d)
{
	struct claude_parts parts;

	if (d->call->command.s == NULL) {
		d->open = !d->allowed;
		if (d->open)
			claude_lack(d, PERMISSION_DENY,
			    "not recorded: the command of a call");
		return;
	}
	parts = claude_parts_read(d->arena, d->call->command);
	d->open = parts.n == 0 && !d->allowed;
	claude_decide_parts(d, parts);
	claude_add_unseen(d, parts);
}

/* Returns the strictest decision of the hits that the agent sees. */
static enum permission
strictest(const struct claude_deciding *d)
{
	enum permission best = PERMISSION_ALLOW;

	for (size_t i = 0; i < d->nhits; i++)
		if (!d->hits[i].maybe && !d->hits[i].unseen &&
		    d->hits[i].line->decision > best)
			best = d->hits[i].line->decision;
	return best;
}

/* Decides a call of any other tool that no line covers. */
static void
decide_default(struct claude_deciding *d, const struct claude_call *call,
    struct permission_verdict *v)
{
	struct claude_default by = claude_default_of(d->set, call, d->arena);

	if (by.decision == PERMISSION_NONE)
		claude_cover(d, by.cover);
	v->why = by.why;
	v->unknown = by.unknown;
}

/* Says what the mode makes of a call that no line decides. */
static void
apply_mode(const struct claude_deciding *d, struct str tool,
    struct permission_verdict *v)
{
	const struct claude_settings *s = d->set->of;

	if (s->mode == CLAUDE_DONT_ASK &&
	    (v->decision == PERMISSION_ASK ||
		(v->decision == PERMISSION_ALLOW &&
		    str_is(tool, "AskUserQuestion")))) {
		v->decision = PERMISSION_DENY;
		v->why = STR("mode dontAsk");
	}
	if (v->decision != PERMISSION_NONE)
		return;
	if (s->mode == CLAUDE_DONT_ASK) {
		v->decision = PERMISSION_DENY;
		v->why = STR("mode dontAsk");
	} else if (s->mode == CLAUDE_BYPASS && !d->critical) {
		v->decision = PERMISSION_ALLOW;
		v->why = STR("mode bypassPermissions");
		v->unknown = false;
	} else if (s->mode == CLAUDE_AUTO) {
		v->unknown = true;
		v->why = STR("in the mode auto a classifier decides");
	}
}

static struct permission_verdict
verdict_of(struct claude_deciding *d, const struct claude_call *call)
{
	struct permission_verdict v = { 0 };
	const char *doubt;

	d->allowed = match_call(d, call);
	if (is_bash(d->call, call))
		decide_command(d);
	else if (!d->allowed)
		decide_default(d, call, &v);
	v.decision = strictest(d);
	if (v.decision > PERMISSION_NONE)
		v = (struct permission_verdict){ .decision = v.decision };
	if (v.decision == PERMISSION_ALLOW && d->open)
		v.decision = PERMISSION_NONE;
	if (v.decision == PERMISSION_ALLOW && !d->allowed && d->why != NULL)
		v.why = str_of(d->why);
	doubt = v.decision == PERMISSION_ALLOW ? d->doubt : NULL;
	if (v.decision < PERMISSION_DENY && d->lacking != NULL)
		doubt = d->lacking;
	if (doubt != NULL) {
		v.unknown = true;
		v.why = str_of(doubt);
	}
	apply_mode(d, call->tool, &v);
	v.open = d->unnamed;
	v.hits = d->hits;
	v.nhits = d->nhits;
	if (v.decision == PERMISSION_NONE) {
		v.covers = d->covers;
		v.ncovers = d->ncovers;
	}
	return v;
}

static struct permission_verdict
decide(const struct permission_set *set, const struct permission_call *of,
    struct arena *a)
{
	struct claude_settings defaults = { 0 };
	struct permission_set whole = *set;
	struct claude_deciding d = { .set = &whole, .call = of, .arena = a };
	struct claude_call call = claude_call_read(of, a);

	if (whole.of == NULL)
		whole.of = &defaults;
	d.sorts = arena_new_n(a, unsigned char, set->n + 1);
	return verdict_of(&d, &call);
}

/* ---- lines ---- */

static bool
covers(const struct permission_line *outer, const struct permission_line *inner)
{
	const struct claude_entry *o = outer->of, *i = inner->of;

	if (o->form != CLAUDE_SHELL || i->form != CLAUDE_SHELL)
		return claude_form_covers(outer, inner);
	return str_eq(o->tool, i->tool) && claude_text_fits(o, i->value) &&
	    (!claude_fits_bare(i) ||
		claude_text_fits(o, str_slice(i->value, 0, i->value.n - 2)));
}

const struct permission_product permission_claude = {
	.dialect = "claude-settings",
	.agent = "Claude Code",
	.uncovered = "would ask about",
	.decide = decide,
	.calls = claude_calls_of,
	.covers = covers,
};
