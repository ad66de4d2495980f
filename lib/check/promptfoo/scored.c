/* The verdict that a program makes of the results of all assertions of a test
 * (assertScoringFunction), as promptfoo 0.123 does (src/assertions/assertionsResult.ts). */
#include "check/promptfoo/program.h"

#include "check/kind/kind.h"
#include "io/out.h"

struct scored_want {
	struct program_call call;
	const struct score_want *parts;
	const struct promptfoo_vars *vars;
	const double *threshold; /* of the test; NULL: none */
};

/* The mean score of a metric so far. */
struct named {
	struct str name;
	double score, weight; /* score: the sum of the weighted scores */
};

/* The results of a list of assertions so far. */
struct tally {
	struct named *named;
	size_t n;
	double score, weight; /* score: the sum of the weighted scores */
	struct str failed;    /* why the last failure failed; absent: none */
	size_t open;          /* number of results that are not known */
};

/* ---- scores by name ---- */

static void
add_named(struct tally *t, struct str name, double score, double weight,
    struct arena *a)
{
	size_t i = 0;

	while (i < t->n && !str_eq(t->named[i].name, name))
		i++;
	if (i == t->n)
		arena_push(a, t->named, t->n)->name = name;
	t->named[i].score += score * weight;
	t->named[i].weight += weight;
}

static void
put_named(struct out *o, const struct tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct named *one = &t->named[i];

		out_key_str(o, one->name);
		out_json_double(
		    o, one->weight > 0 ? one->score / one->weight : 0);
	}
}

/* ---- results ---- */

/* Counts a result. */
static void
count(struct tally *t, double score, double weight, bool pass, struct str why)
{
	t->score += score * weight;
	t->weight += weight;
	if (!pass)
		t->failed = why;
}

/* Begins the result of an assertion or a set. */
static void
put_result(struct out *o, bool pass, double score, struct str reason)
{
	out_begin(o, '{');
	out_member_bool(o, "pass", pass);
	out_member_double(o, "score", score);
	out_member_str(o, "reason", reason);
}

static void
put_check(
    struct out *o, struct tally *t, const struct score_part *p, struct view *v)
{
	double score = 0;
	struct check_result r = { .status = STATUS_SKIPPED };
	const struct json *more;
	struct str metric, reason;
	bool pass;

	if (p->check != NULL)
		r = check_score(p->check, v, &score);
	if (r.status != STATUS_PASSED && r.status != STATUS_FAILED) {
		t->open++;
		return;
	}
	pass = r.status == STATUS_PASSED || p->weight == 0;
	reason = r.reason.n != 0 ? r.reason : STR("Assertion passed");
	count(t, score, p->weight, pass, reason);
	more = json_parse(v->arena,
	    r.metadata.s != NULL               ? r.metadata
		: p->check->metadata.s != NULL ? p->check->metadata
					       : STR("{}"));
	metric = json_text(json_get(more, "metric"), v->arena);
	if (metric.n != 0)
		add_named(t, metric, score, p->weight, v->arena);
	for (json_members(key, json_get(more, "namedScores")))
		if (!json_str_is(key, str_c(v->arena, metric)))
			add_named(t, json_text(key, v->arena),
			    json_double(json_value(key)), p->weight, v->arena);
	put_result(o, pass, score, reason);
	out_member_raw(o, "assertion", p->source->text);
	out_end(o, '}');
}

static void put_parts(struct out *, struct tally *, const struct scored_want *,
    const struct score_want *, struct view *);

/* Writes the result of a set, and behind it those of its assertions. */
static void
put_set(struct out *o, struct tally *t, const struct scored_want *w,
    const struct score_part *p, struct view *v)
{
	const struct json *limit = json_get(p->source, "threshold");
	struct str metric = json_text(json_get(p->source, "metric"), v->arena),
		   why = { 0 }, rendered;
	struct tally own = { 0 };
	double score;
	struct out inner;
	bool pass;

	out_open_memory(&inner);
	put_parts(&inner, &own, w, p->set, v);
	score = own.weight > 0 ? own.score / own.weight : 0;
	pass = json_is(limit, JSON_NUMBER) ? score >= json_double(limit)
					   : own.failed.s == NULL;
	if (pass)
		own.failed = STR("All assertions passed");
	else if (own.failed.s == NULL)
		own.failed = STR("the score is below the threshold");
	put_result(o, pass, score, own.failed);
	out_member_begin(o, "namedScores", '{');
	put_named(o, &own);
	out_end(o, '}');
	out_end(o, '}');
	if (out_memory(&inner).n != 0)
		out_json_raw(o, out_memory(&inner));
	(void)out_close(&inner);
	t->open += own.open;
	count(t, score, p->weight, pass, own.failed);
	rendered = promptfoo_render(metric, w->vars, v->arena, &why);
	if (metric.n != 0)
		add_named(t, rendered.s == NULL ? metric : rendered, score,
		    p->weight, v->arena);
	for (size_t i = 0; i < own.n; i++)
		if (!str_eq(own.named[i].name, metric) &&
		    own.named[i].weight > 0)
			add_named(t, own.named[i].name,
			    own.named[i].score / own.named[i].weight,
			    own.named[i].weight * p->weight, v->arena);
}

static void
put_parts(struct out *o, struct tally *t, const struct scored_want *w,
    const struct score_want *parts, struct view *v)
{
	for (size_t i = 0; i < parts->n; i++)
		if (parts->parts[i].set != NULL)
			put_set(o, t, w, &parts->parts[i], v);
		else
			put_check(o, t, &parts->parts[i], v);
}

/* Returns the arguments of the program, a JSON list: the scores by name, and all
 * results. */
static struct str
arguments(const struct scored_want *w, struct tally *t, struct view *v)
{
	struct out o, results;

	out_open_json(&results, '[');
	put_parts(&results, t, w, w->parts, v);
	out_end(&results, ']');
	out_open_json(&o, '[');
	out_begin(&o, '{');
	put_named(&o, t);
	out_end(&o, '}');
	out_begin(&o, '{');
	if (w->threshold != NULL)
		out_member_double(&o, "threshold", *w->threshold);
	out_member_raw(&o, "componentResults", out_memory(&results));
	out_end(&o, '}');
	out_end(&o, ']');
	(void)out_close(&results);
	return out_keep(&o, v->arena);
}

/* ---- deciding ---- */

static struct finding
find(const void *want, struct view *v)
{
	const struct scored_want *w = want;
	struct program_call call = w->call;
	struct program_answer answer;
	struct promptfoo_grading g;
	struct tally t = { 0 };

	if (v->options.programs == NULL)
		return promptfoo_not_run();
	call.args = arguments(w, &t, v);
	if (t.open != 0)
		return finding_skip(str_printf(v->arena,
		    "%zu of the assertions %s not decided here", t.open,
		    t.open == 1 ? "is" : "are"));
	answer = program_ask(v->options.programs, &call, v->arena);
	if (answer.error.s != NULL)
		return promptfoo_failed(
		    v, "Scoring function error: ", answer.error);
	g = promptfoo_grading_of(answer.value, "", v->arena);
	if (!g.known)
		return promptfoo_failed(v, "Scoring function error: ",
		    STR("assertion scoring function must return a "
			"GradingResult"));
	return (struct finding){ .found = g.pass ? FOUND_YES : FOUND_NO,
		.graded = true,
		.share = g.score,
		.why = view_shown(v, g.reason) };
}

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	(void)v;
	if (r->status == STATUS_FAILED && f->why.n != 0)
		r->reason = f->why;
}

static void
show(const void *want, struct out *o)
{
	const struct scored_want *w = want;
	const struct promptfoo_program p = { .call = w->call };

	promptfoo_show_program(&p, "program", o);
	if (w->threshold != NULL)
		out_member_double(o, "threshold", *w->threshold);
}

struct check
promptfoo_scored(const struct promptfoo_test *t, const struct json *named,
    const struct score_want *parts, const double *threshold)
{
	static const struct check_kind kind = {
		.name = "scored", .find = find, .show = show
	};
	static const char *const type = "assertScoringFunction";
	struct arena *a = t->config->arena;
	struct str text = json_text(named, a);
	struct scored_want w = { .parts = parts,
		.vars = &t->vars,
		.threshold = threshold,
		.call.folder = t->config->folder,
		.call.otherwise = "func" };
	bool known = str_starts(text, "file://") &&
	    promptfoo_find_program(text, &w.call);
	struct check c = known
	    ? check_new(a, &kind, &w, sizeof w, 0)
	    : media_check_live(a,
		  "the verdict is made by 'assertScoringFunction', a program, "
		  "which is not run",
		  NULL);

	c.explain = explain;
	c.type = c.reason = str_of(type);
	c.label =
	    known ? str_printf(a, "%s %.*s", type, STR_FMT(text)) : c.type;
	return c;
}
