#include "check/check.h"

#include <math.h>
#include <string.h>

#include "check/got.h"
#include "check/tool_names.h"

struct check
check_new(struct arena *a, const struct check_kind *kind, const void *want,
    size_t size, unsigned needs)
{
	struct check c = {
		.kind = kind,
		.want = memcpy(arena_alloc(a, size), want, size),
		.needs = needs,
	};

	if (kind->tools != NULL)
		c.tools = kind->tools(c.want, a);
	else if (kind->wants != NULL)
		c.tools = check_wants_tools(kind->wants, c.want, WANT_TOOLS, a);
	return c;
}

/* ---- broken checks ---- */

struct broken {
	struct str why;
};

static struct finding
broken_find(const void *want, struct view *v)
{
	const struct broken *w = want;

	(void)v;
	return finding_why(FOUND_ERROR, w->why);
}

static void
broken_show(const void *want, struct out *o)
{
	const struct broken *w = want;

	out_member_text(o, "why", w->why);
}

static const struct check_kind broken_kind = {
	.name = "broken",
	.find = broken_find,
	.show = broken_show,
};

struct check
check_broken(struct arena *a, struct str type, struct str why)
{
	struct broken *w = arena_new(a, struct broken);

	w->why = why;
	return (struct check){
		.kind = &broken_kind,
		.want = w,
		.type = type,
		.label = type,
		.after_error = AFTER_ERROR_DECIDED,
	};
}

bool
check_is_broken(const struct check *c)
{
	return c->kind == &broken_kind;
}

/* ---- parts ---- */

static const struct check *
inner_of(const struct check *c)
{
	if (c->kind->inner != NULL)
		return c->kind->inner(c->want);
	return c->kind->wants == NULL
	    ? NULL
	    : check_wants_inner(c->kind->wants, c->want);
}

void
check_patterns(const struct check *c, check_pattern *each, void *arg)
{
	for (size_t i = 0; i < c->nwhen; i++)
		check_patterns(&c->when[i], each, arg);
	for (; c != NULL && c->kind != NULL; c = inner_of(c)) {
		if (c->kind->wants != NULL)
			check_wants_patterns(
			    c->kind->wants, c->want, each, arg);
		if (c->kind->patterns != NULL)
			c->kind->patterns(c->want, each, arg);
	}
}

static void
free_pattern(struct regex *re, void *arg)
{
	(void)arg;
	regex_free(re);
}

void
check_close(const struct check *c)
{
	check_patterns(c, free_pattern, NULL);
	for (; c != NULL && c->kind != NULL; c = inner_of(c))
		if (c->kind->release != NULL)
			c->kind->release(c->want);
}

/* ---- deciding ---- */

bool
check_case_differs(const struct check *c, struct view *v)
{
	return c->kind->case_differs != NULL &&
	    c->kind->case_differs(c->want, v);
}

/* Adds a hint (absent: none) to the reason. */
static void
add_hint(struct check_result *r, struct str hint, struct arena *a)
{
	if (r->reason.s == NULL)
		r->reason = hint;
	else if (hint.s != NULL)
		r->reason = str_printf(
		    a, "%.*s (%.*s)", STR_FMT(r->reason), STR_FMT(hint));
}

/* Adds to the reason of a check that found nothing what is easily overlooked:
 * that only letter case differs, or that a tool was called by a similar name,
 * also where nothing was to be found. */
static void
add_hints(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (r->status == STATUS_PASSED && !c->negate)
		return;
	if (r->status == STATUS_FAILED && f->found == FOUND_NO &&
	    check_case_differs(c, v))
		add_hint(r, STR("only letter case differs"), v->arena);
	if (c->tools.n != 0)
		add_hint(r,
		    tool_names_similar(c->tools, view_calls(v),
			c->kind->tools_as_logged, v->arena),
		    v->arena);
}

/* Returns the first call of one of the tools; absent if there is none. */
static struct str
first_call(struct view *v, struct str_list tools)
{
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++)
		for (size_t k = 0; k < tools.n; k++)
			if (trace_call_is(&calls.list[i], tools.list[k]))
				return got_call(v, i);
	return (struct str){ 0 };
}

/* Returns what was called in place of what a check of calls wants. Absent for
 * any other check. */
static struct str
called_instead(const struct check *c, const struct finding *f, struct view *v)
{
	if (c->tools.n == 0 || !(v->have & VIEW_CALLS))
		return (struct str){ 0 };
	if (f->found == FOUND_YES)
		return first_call(v, c->tools);
	return c->kind->ordered ? got_sequence(view_calls(v), v->arena)
				: got_tools(view_calls(v), v->arena);
}

/* Returns why the finding does not count: the server of a call that the check
 * names was not recorded. Absent if that is not so. */
static struct str
why_unknown(const struct check *c, const struct finding *f, struct view *v)
{
	if (c->tools.n == 0 || c->kind->tools_as_logged ||
	    (f->found == FOUND_YES && c->tools.n > 1))
		return (struct str){ 0 };
	return tool_names_unknown(c->tools, view_calls(v), v->arena);
}

/* Returns the part of what the check wants that holds. */
static double
check_own_score(const struct check *c, const struct finding *f)
{
	if (f->found == FOUND_CANNOT)
		return 0;
	return f->graded ? f->share : (f->found == FOUND_YES) != c->negate;
}

/* Decides by the score, which then is the reason. */
static void
measure(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	double n = check_own_score(c, f);
	const double *least = c->bounds->least, *most = c->bounds->most;
	bool low = least != NULL && n < *least,
	     high = most != NULL && n > *most;

	r->status = low || high ? STATUS_FAILED : STATUS_PASSED;
	if (low || high)
		r->reason = str_printf(v->arena,
		    "score: expected at %s %.6g, found %.6g",
		    low ? "least" : "most", low ? *least : *most, n);
}

static void
decide(struct check_result *r, const struct finding *f, struct view *v)
{
	const struct check *c = r->check;

	r->status = STATUS_FAILED;
	if (c->bounds != NULL) {
		measure(c, f, v, r);
		return;
	}
	if (f->found == FOUND_CANNOT)
		r->reason = c->cannot;
	else if ((f->found == FOUND_YES) != c->negate)
		r->status = STATUS_PASSED;
	else
		r->reason = c->reason;
	if (c->explain != NULL)
		c->explain(c, f, v, r);
	else if (c->detail.s != NULL)
		check_explain_found(c, f, v, r);
	if (f->found != FOUND_YES)
		add_hints(c, f, v, r);
	if (r->status == STATUS_FAILED && r->got.s == NULL)
		r->got = called_instead(c, f, v);
}

static void
skip(struct check_result *r, struct str why)
{
	r->status = STATUS_SKIPPED;
	r->reason = why;
}

/* Makes the result of a check that lacks evidence: an error if a folder that
 * the user or the record named does not exist, else a skip, since a log need
 * not record everything. */
static void
lack(struct check_result *r, struct view *v, unsigned bit)
{
	if (bit != VIEW_WORKSPACE || v->workspace == NULL) {
		skip(r,
		    str_printf(
			v->arena, "not recorded: %s", view_evidence_name(bit)));
		return;
	}
	r->status = STATUS_ERROR;
	r->reason = str_printf(
	    v->arena, "the run's folder '%s' is not there", v->workspace);
}

/* Returns the name of the member that the log cut short: the member that the
 * check needs, or "turns" if that member is complete. */
static const char *
what_is_cut(const struct check *c, const struct view *v)
{
	const char *member = view_evidence_name(c->needs & -c->needs);

	return trace_cut(v->trace, str_of(member)) ? member : "turns";
}

/* Makes the result of a finding that is undecided; returns false if it is
 * not. */
static bool
leave_undecided(struct check_result *r, const struct finding *f)
{
	switch (f->found) {
	case FOUND_SKIP:
		skip(r, f->why);
		r->skipped_by = f->skipped_by;
		r->offered = f->offered;
		r->answer = f->offered ? f->cause : r->answer;
		return true;
	case FOUND_ERROR:
		r->status = STATUS_ERROR;
		r->reason = f->why;
		return true;
	case FOUND_PENDING:
		if (f->open)
			return false;
		r->status = STATUS_PENDING;
		r->folder = f->folder;
		r->answer = f->cause;
		return true;
	case FOUND_NOTHING:
		r->none = true;
		skip(r, STR("applies to no call"));
		return true;
	default:
		return false;
	}
}

/* Returns the score of a result that is not graded. */
static double
passed_score(const struct check_result *r)
{
	return r->status == STATUS_PASSED ? 1 : 0;
}

/* Makes the result of the finding. */
static void
conclude(struct check_result *r, const struct finding *f, struct view *v)
{
	const struct check *c = r->check;
	struct str unknown;

	r->applied = c->kind->counts ? f->seen : 0;
	if (leave_undecided(r, f)) {
		if (c->kind->explains_skips && !r->none)
			c->explain(c, f, v, r);
		return;
	}
	if (f->open) {
		skip(r,
		    str_printf(v->arena, "cut short in the log: %s",
			what_is_cut(c, v)));
		return;
	}
	unknown = why_unknown(c, f, v);
	if (unknown.s != NULL) {
		skip(r, unknown);
		return;
	}
	decide(r, f, v);
	r->score = f->ungraded ? (double)NAN : passed_score(r);
	if (f->graded && !f->ungraded && f->found != FOUND_CANNOT)
		r->score = c->negate ? 1 - f->share : f->share;
}

/* Returns the check with that of `made` by which it decides. */
static const struct check *
stand_in(const struct check *c, const struct check *made, struct arena *a)
{
	struct check *s = arena_new(a, struct check);

	*s = *made;
	s->type = c->type;
	s->label = c->label;
	s->dialect = c->dialect;
	s->scenario = c->scenario;
	s->at = c->at;
	s->severity = c->severity;
	s->metadata = c->metadata;
	check_seal(s, a);
	return s;
}

/* Lets the kind look at the view, which has the evidence. */
static void
look(struct check_result *r, struct view *v)
{
	struct finding f = r->check->kind->find(r->check->want, v);

	if (f.made != NULL)
		r->check = stand_in(r->check, f.made, v->arena);
	conclude(r, &f, v);
	if (f.fresh)
		check_close(f.made);
}

/* Decides by the calls that are there, if other calls between them could not change
 * the finding. A score they could change. */
static bool
decides_with_holes(struct check_result *r, struct view *v)
{
	const struct check *c = r->check;
	unsigned have = v->have, cut = v->cut;
	struct finding f;
	bool decides;

	if (c->bounds != NULL)
		return false;
	v->have |= VIEW_CALLS;
	v->cut |= VIEW_CALLS;
	f = c->kind->find(c->want, v);
	decides =
	    f.found <= FOUND_YES && !f.open && why_unknown(c, &f, v).s == NULL;
	if (decides) {
		decide(r, &f, v);
		r->score = f.graded ? (double)NAN : passed_score(r);
	}
	v->have = have;
	v->cut = cut;
	return decides;
}

/* Fills the result, of which only the check is set. */
static void
run(struct check_result *r, struct view *v)
{
	unsigned lacks = r->check->needs & ~v->have;

	if (lacks == VIEW_CALLS && v->holes && decides_with_holes(r, v))
		return;
	if (lacks != 0)
		lack(r, v, lacks & -lacks);
	else
		look(r, v);
}

struct check_result
check_run(const struct check *c, struct view *v)
{
	struct check_result r = { .check = c };

	run(&r, v);
	return r;
}

/* Makes the result of a check of which a condition does not hold. Returns false if all
 * hold. */
static bool
skip_unmet(struct check_result *r, struct view *whole)
{
	const struct check *c = r->check;

	for (size_t i = 0; i < c->nwhen; i++) {
		struct check_result met;

		check_run_part(&c->when[i], whole, &met);
		if (met.status == STATUS_PASSED)
			continue;
		skip(r, met.reason);
		if (met.status != STATUS_FAILED)
			return true;
		r->reason = str_cat(
		    whole->arena, STR("not met: when "), c->when[i].label);
		r->skipped_by = "when";
		return true;
	}
	return false;
}

/* Makes the result of a check whose part the run lacks. A mistake of the author
 * is an error there as well. */
static void
run_nowhere(struct check_result *r, struct view *whole)
{
	const struct check *c = r->check;

	if (!check_is_broken(c)) {
		skip(r,
		    whole->trace->member[TRACE_TURNS] == NULL
			? STR("not recorded: turns")
			: STR("the run has no such turn"));
		return;
	}
	run(r, whole);
	r->of_turn = c->scope.part == SCOPE_TURN;
	r->turn = c->scope.turn;
}

static void
run_in(struct check_result *r, struct view *whole, struct view *part)
{
	if (r->check->nwhen == 0 || !skip_unmet(r, whole))
		run(r, part);
	r->of_turn = part->turn != NULL;
	r->turn = part->turn_index;
}

/* Not inlined, so that the other checks take few instructions. */
static __attribute__((noinline)) void
run_part(const struct check *c, struct view *whole, struct check_result *r)
{
	struct view *part =
	    c->scope.part == SCOPE_RUN ? whole : view_part(whole, &c->scope);

	if (part == NULL)
		run_nowhere(r, whole);
	else
		run_in(r, whole, part);
	r->plain = r->status == STATUS_PASSED && r->reason.s == NULL &&
	    r->metadata.s == NULL && !r->of_turn;
}

void
check_run_part(
    const struct check *c, struct view *whole, struct check_result *r)
{
	*r = (struct check_result){ .check = c };
	if (c->asks_kind && c->kind->holds(c->want, whole, &r->applied)) {
		r->status = STATUS_PASSED;
		r->score = 1;
		r->plain = true;
	} else {
		run_part(c, whole, r);
	}
}

struct check_result
check_score(const struct check *c, struct view *run, double *score)
{
	struct check_result r;

	check_run_part(c, run, &r);
	if (r.status != STATUS_PASSED && r.status != STATUS_FAILED)
		return r;
	if (isnan(r.score))
		return check_skip(c, STR("the score is not known"));
	*score = r.score;
	return r;
}

struct check_result
check_skip(const struct check *c, struct str why)
{
	return (struct check_result){
		.check = c, .status = STATUS_SKIPPED, .reason = why
	};
}

void
check_explain_found(const struct check *c, const struct finding *f,
    struct view *v, struct check_result *r)
{
	if (r->status != STATUS_FAILED)
		return;
	r->reason = str_printf(
	    v->arena, "%.*s, found %.*s", STR_FMT(c->detail), STR_FMT(f->why));
}

struct str_list
check_forbids(const struct check *c, struct arena *a)
{
	if (c->kind->globs != NULL)
		return c->kind->globs(c->want, a);
	if (c->kind->wants != NULL) {
		struct str_list globs =
		    check_wants_tools(c->kind->wants, c->want, WANT_GLOBS, a);

		if (globs.n != 0)
			return globs;
	}
	return c->negate ? c->tools : (struct str_list){ 0 };
}

struct str_list
check_one_tool(struct str tool, struct arena *a)
{
	struct str *list = arena_new(a, struct str);

	*list = tool;
	return (struct str_list){ list, tool.n != 0 };
}

void
check_show_wanted(const struct check *c, struct out *o)
{
	if (c->kind->wants != NULL)
		check_wants_show(c->kind->wants, c->want, o);
	if (c->kind->show != NULL)
		c->kind->show(c->want, o);
}
