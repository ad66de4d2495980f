/* The kinds of check: what a line did in a run, and how its calls were decided. */
#include "check/got.h"
#include "check/permission/run.h"

enum { PART_SHOWN = 120 }; /* bytes */

struct want {
	const struct permission_set *set;
	size_t number;            /* of a line */
	enum permission decision; /* of a rest */
};

/* ---- what all show ---- */

/* Returns the part with a question mark for each word, or piece of a word, that the shell
 * computes: no UTF-8 has the bytes which stand for these. */
static struct str
printable(struct str part, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < part.n; i++)
		if ((unsigned char)part.s[i] >= 0xfe)
			out_char(&o, '?');
		else
			out_char(&o, part.s[i]);
	return out_keep(&o, a);
}

/* Returns a part of a command as a result may show it. */
static struct str
shown(const struct view *v, struct str part, struct str command)
{
	struct str text = printable(part, v->arena);

	text = command.s == NULL ? view_shown(v, text)
				 : view_excerpt(v, text, command);
	return str_ellipsize(v->arena, text, PART_SHOWN);
}

/* Writes when the call was made: the time of its step, its turn or the run. */
static void
put_last(struct out *o, struct view *v, size_t call)
{
	const struct trace_call *c = &view_calls(v).list[call];
	const struct trace *t = v->trace;
	const struct json *ts = json_get(c->step, "ts");

	if (ts == NULL && c->step != NULL)
		ts = json_get(json_at(t->member[TRACE_TURNS], c->turn), "ts");
	if (ts == NULL)
		ts = t->member[TRACE_TS_START];
	if (json_is(ts, JSON_STRING))
		out_member_str(o, "last", json_text(ts, v->arena));
}

static struct out
metadata_begin(void)
{
	struct out o;

	out_open_json(&o, '{');
	return o;
}

static void
metadata_end(struct check_result *r, struct out *o, struct arena *a)
{
	r->metadata = out_keep_json(o, '}', a);
}

/* ---- lines ---- */

static const struct permission_line *
line_of(const struct want *w)
{
	return &w->set->lines[w->number];
}

static const struct permission_use *
use_of(const struct want *w, struct view *v)
{
	return &permission_run_of(w->set, v)->uses[w->number];
}

/* Returns the surest way in which the line applies to a call; PERMISSION_SIGHTS: it
 * applies to none. */
static enum permission_sight
surest(const struct permission_use *u)
{
	for (int how = PERMISSION_SIGHTS; how-- > 0;)
		if (u->by[how].n != 0)
			return (enum permission_sight)how;
	return PERMISSION_SIGHTS;
}

static struct finding
line_find(const void *want, struct view *v)
{
	const struct want *w = want;
	const struct permission_use *u = use_of(w, v);
	struct finding f = { .found = FOUND_NO };

	f.seen = u->by[PERMISSION_SEEN].n + u->by[PERMISSION_UNSEEN].n;
	switch (surest(u)) {
	case PERMISSION_SIGHTS:
		f.found = FOUND_NOTHING;
		break;
	case PERMISSION_MAYBE:
		f.found = FOUND_SKIP;
		break;
	case PERMISSION_UNSEEN:
	case PERMISSION_SEEN:
		if (line_of(w)->decision == PERMISSION_ALLOW)
			f.found = FOUND_YES;
		break;
	}
	return f;
}

static void
put_line(struct out *o, const struct permission_line *line)
{
	out_member_str(o, "line", line->written);
	out_member_str(o, "decision", str_of(permission_name(line->decision)));
}

static void
put_use(struct check_result *r, const struct want *w, struct view *v)
{
	const struct permission_use *u = use_of(w, v);
	const struct permission_calls *unseen = &u->by[PERMISSION_UNSEEN];
	struct out o = metadata_begin();

	put_line(&o, line_of(w));
	out_member_size(&o, "calls", r->applied);
	if (unseen->n != 0)
		out_member_size(&o, "unseen", unseen->n);
	if (u->by[PERMISSION_MAYBE].n != 0)
		out_member_size(&o, "maybe", u->by[PERMISSION_MAYBE].n);
	if (u->nran != 0)
		out_member_begin(&o, "ran", '[');
	for (size_t i = 0; i < u->nran; i++)
		out_json_str(&o, shown(v, u->ran[i], unseen->command));
	if (u->nran != 0)
		out_end(&o, ']');
	if (r->applied != 0)
		put_last(&o, v, u->last);
	metadata_end(r, &o, v->arena);
}

/* Returns how the line applies to the call, which the agent should not have made. */
static struct str
why_failed(const struct want *w, const struct permission_calls *calls,
    bool unseen, struct view *v)
{
	const struct permission_line *line = line_of(w);
	const char *agent = w->set->product->agent;
	struct str part = shown(v, calls->hit->part, calls->command);
	struct str behind = shown(v, calls->hit->behind, calls->command);

	if (unseen)
		return str_printf(v->arena, "%.*s: not seen by %s%s%.*s: %.*s",
		    STR_FMT(line->written), agent,
		    behind.n == 0 ? "" : " behind ", STR_FMT(behind),
		    STR_FMT(part));
	return str_printf(v->arena, "%.*s: %s by %s: %.*s%s%.*s%s",
	    STR_FMT(line->written),
	    line->decision == PERMISSION_DENY ? "denied" : "asked about", agent,
	    STR_FMT(part), line->why.n == 0 ? "" : " (", STR_FMT(line->why),
	    line->why.n == 0 ? "" : ")");
}

static struct str
why_skipped(
    const struct want *w, const struct permission_calls *calls, struct view *v)
{
	const struct permission_line *line = line_of(w);
	struct str part = shown(v, calls->hit->part, calls->command);
	struct str why = calls->hit->why;

	if (why.s == NULL)
		why =
		    STR("not known before the shell runs: a word of a command");
	return str_printf(v->arena, "%.*s: %.*s: %.*s", STR_FMT(line->written),
	    STR_FMT(why), STR_FMT(part));
}

static void
line_explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct want *w = c->want;
	const struct permission_use *u = use_of(w, v);
	enum permission_sight how = surest(u);
	const struct permission_calls *calls = &u->by[how];

	(void)f;
	put_use(r, w, v);
	r->call = got_place(v, calls->first);
	if (how == PERMISSION_MAYBE)
		r->reason = why_skipped(w, calls, v);
	if (r->status != STATUS_FAILED)
		return;
	r->reason = why_failed(w, calls, how == PERMISSION_UNSEEN, v);
	r->got = got_call(v, calls->first);
	if (how == PERMISSION_UNSEEN)
		r->severity = "warning";
}

/* Decides whether the call that a hook asks about is denied, or is to be asked about: by
 * the agent's own reading, or by what bash runs. */
static struct guard_finding
line_guard(const void *want, struct view *v)
{
	const struct want *w = want;
	const struct permission_use *u = use_of(w, v);
	const struct permission_line *line = line_of(w);
	enum permission_sight how = surest(u);
	struct guard_finding f = { .found = GUARD_FINE };

	if (how == PERMISSION_SIGHTS || line->decision == PERMISSION_ALLOW)
		return f;
	f.found = how == PERMISSION_MAYBE       ? GUARD_UNDECIDED
	    : line->decision == PERMISSION_DENY ? GUARD_BROKEN
						: GUARD_ASK;
	f.why = how == PERMISSION_MAYBE
	    ? why_skipped(w, &u->by[how], v)
	    : why_failed(w, &u->by[how], how == PERMISSION_UNSEEN, v);
	f.why = str_from(f.why, line->written.n + 2); /* the label has it */
	return f;
}

static void
line_show(const void *want, struct out *o)
{
	const struct want *w = want;
	struct arena a = { 0 };
	struct str calls = w->set->product->calls(line_of(w), &a);

	put_line(o, line_of(w));
	if (calls.s != NULL && line_of(w)->decision == PERMISSION_ALLOW)
		out_member_str(o, "calls", calls);
	arena_free(&a);
}

struct check
permission_check_line(
    struct arena *a, const struct permission_set *set, size_t number)
{
	static const struct check_kind kind = { .name = "permission",
		.find = line_find,
		.show = line_show,
		.guard = line_guard,
		.counts = true,
		.explains_skips = true };
	const struct permission_line *line = &set->lines[number];
	const struct want w = { .set = set, .number = number };
	struct check c = check_new(a, &kind, &w, sizeof w, 0);
	struct str calls;

	c.type = STR("permission");
	c.label = str_printf(a, "%s %.*s", permission_name(line->decision),
	    STR_FMT(line->written));
	c.after_error = AFTER_ERROR_DECIDED;
	c.explain = line_explain;
	c.severity = line->decision == PERMISSION_ASK ? "note" : NULL;
	calls = set->product->calls(line, a);
	if (calls.s != NULL && line->decision != PERMISSION_ALLOW)
		c.rule = str_cat(a, STR("no "), calls);
	return c;
}

/* ---- calls that no line decides ---- */

static const struct permission_rest *
rest_of(const struct want *w, struct view *v)
{
	return &permission_run_of(w->set, v)->rest[w->decision];
}

static struct finding
rest_find(const void *want, struct view *v)
{
	const struct want *w = want;
	const struct permission_rest *r = rest_of(want, v);
	struct finding f = { .found = FOUND_NO, .seen = r->n };

	if (r->n == 0)
		f.found = FOUND_NOTHING;
	else if (!w->set->decides && w->decision == PERMISSION_NONE)
		f.found = FOUND_SKIP; /* there is nothing to be kept */
	return f;
}

/* Decides whether the agent itself denies the call that a hook asks about, though no line
 * does. A call that no line covers is the agent's to ask about. */
static struct guard_finding
rest_guard(const void *want, struct view *v)
{
	const struct want *w = want;
	const struct permission_rest *rest = rest_of(w, v);

	if (w->decision != PERMISSION_DENY || rest->n == 0)
		return (struct guard_finding){ .found = GUARD_FINE };
	return (struct guard_finding){ GUARD_BROKEN,
		rest->why.n != 0 ? rest->why : got_call(v, rest->first) };
}

static void
put_covers(struct out *o, const struct permission_rest *rest, struct view *v)
{
	out_member_begin(o, "covers", '[');
	for (size_t i = 0; i < rest->ncovers; i++) {
		const struct permission_covered *c = rest->covers[i];

		out_begin(o, '{');
		if (c->cover.line.s != NULL)
			out_member_str(o, "line", view_shown(v, c->cover.line));
		out_member_size(o, "calls", c->n);
		if (c->cover.irrevocable)
			out_member_bool(o, "irrevocable", true);
		put_last(o, v, c->last - 1);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
rest_explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct want *w = c->want;
	const struct permission_rest *rest = rest_of(w, v);
	bool deny = w->decision == PERMISSION_DENY;
	struct out o = metadata_begin();

	(void)f;
	out_member_str(&o, "decision", str_of(permission_name(w->decision)));
	out_member_size(&o, "calls", rest->n);
	if (rest->ncovers != 0)
		put_covers(&o, rest, v);
	put_last(&o, v, rest->last);
	metadata_end(r, &o, v->arena);
	r->call = got_place(v, rest->first);
	r->got = got_call(v, rest->first);
	r->reason = str_printf(v->arena,
	    "%s: %s %zu call%s that no line %s%s%.*s", w->set->product->agent,
	    deny ? "would deny" : w->set->product->uncovered, rest->n,
	    rest->n == 1 ? "" : "s", deny ? "denies" : "covers",
	    rest->why.n == 0 ? "" : ": ", STR_FMT(rest->why));
}

/* Writes the rule that permits the calls of all lines and no other, if rules have words
 * for each line. */
static void
put_covered(struct out *o, const struct permission_set *set)
{
	struct arena a = { 0 };
	struct str *list = arena_new_n(&a, struct str, set->n);
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		if (set->lines[i].decision == PERMISSION_DENY)
			continue;
		list[n] = set->product->calls(&set->lines[i], &a);
		if (list[n++].s == NULL) {
			n = 0;
			break;
		}
	}
	if (n != 0)
		out_member_str(o, "rule",
		    str_cat(
			&a, STR("only "), str_join(&a, list, n, STR(", "))));
	arena_free(&a);
}

static void
rest_show(const void *want, struct out *o)
{
	const struct want *w = want;

	out_member_str(o, "decision", str_of(permission_name(w->decision)));
	if (w->decision == PERMISSION_NONE)
		put_covered(o, w->set);
}

struct check
permission_check_rest(
    struct arena *a, const struct permission_set *set, enum permission decision)
{
	static const struct check_kind kind = { .name = "uncovered",
		.find = rest_find,
		.show = rest_show,
		.guard = rest_guard,
		.counts = true,
		.explains_skips = true };
	const struct want w = { .set = set, .decision = decision };
	struct check c = check_new(a, &kind, &w, sizeof w, 0);
	bool deny = decision == PERMISSION_DENY;

	c.type = STR("permission");
	c.label = deny ? STR("would deny") : STR("would ask");
	c.after_error = AFTER_ERROR_DECIDED;
	c.explain = rest_explain;
	c.severity = deny ? NULL : "note";
	return c;
}

/* ---- all calls ---- */

/* Returns why the decisions of a run are not all known; absent: they are. */
static struct str
why_incomplete(const struct permission_run *run, const struct view *v)
{
	if (!run->set->decides)
		return STR(
		    "no line allows a call, asks about one or denies one");
	if (!(v->have & VIEW_CALLS))
		return STR("not recorded: tool_sequence");
	if (v->cut & VIEW_CALLS)
		return STR("cut short in the log: tool_sequence");
	return run->unknown != 0 ? run->why : (struct str){ 0 };
}

static struct finding
count_find(const void *want, struct view *v)
{
	const struct want *w = want;
	const struct permission_run *run = permission_run_of(w->set, v);
	struct finding f = { .found = FOUND_YES, .seen = run->ncalls };

	f.why = why_incomplete(run, v);
	if (f.why.s != NULL)
		f.found = FOUND_SKIP;
	return f;
}

static void
count_explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	static const enum permission order[] = { PERMISSION_ALLOW,
		PERMISSION_ASK, PERMISSION_DENY, PERMISSION_NONE };
	const struct want *w = c->want;
	const struct permission_run *run = permission_run_of(w->set, v);
	struct out o = metadata_begin();

	(void)f;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		out_member_size(
		    &o, permission_name(order[i]), run->counts[order[i]]);
	if (run->open != 0)
		out_member_size(&o, "open", run->open);
	if (run->unknown != 0)
		out_member_size(&o, "unknown", run->unknown);
	metadata_end(r, &o, v->arena);
}

/* Decides whether the call that a hook asks about may run a command that nobody can
 * name, so that a line which denies or asks may be about it. Without any line nobody
 * knows. */
static struct guard_finding
count_guard(const void *want, struct view *v)
{
	const struct permission_set *set = ((const struct want *)want)->set;
	bool limits = false;

	if (!set->decides)
		return (struct guard_finding){ GUARD_UNDECIDED,
			why_incomplete(permission_run_of(set, v), v) };
	for (size_t i = 0; i < set->n; i++)
		limits |= set->lines[i].decision >= PERMISSION_ASK;
	if (!limits || permission_run_of(set, v)->open == 0)
		return (struct guard_finding){ .found = GUARD_FINE };
	return (struct guard_finding){ GUARD_UNDECIDED,
		STR("not known before the shell runs: the name of a command") };
}

static void
count_show(const void *want, struct out *o)
{
	const struct want *w = want;

	out_member_size(o, "lines", w->set->n);
}

struct check
permission_check_count(struct arena *a, const struct permission_set *set)
{
	static const struct check_kind kind = { .name = "permissions",
		.find = count_find,
		.show = count_show,
		.guard = count_guard,
		.counts = true,
		.explains_skips = true };
	const struct want w = { .set = set };
	struct check c = check_new(a, &kind, &w, sizeof w, 0);

	c.type = c.label = STR("permissions");
	c.after_error = AFTER_ERROR_DECIDED;
	c.explain = count_explain;
	return c;
}
