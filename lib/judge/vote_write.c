#include "judge/vote_write.h"

#include "judge/provider/error.h"
#include "text/layout.h"
#include "trace/verdict.h"

/* ---- telling ---- */

/* Returns the label on one line. */
static struct str
label_of(const struct pending *p, struct arena *a)
{
	struct str label = json_text(json_get(p->result, "label"), a);

	return label.s == NULL ? label
			       : str_trim(layout_clean(a, label, false));
}

/* A reason why checks have no verdict. */
struct vote_reason {
	struct str why;
	size_t again; /* checks for which it is not reported */
	struct vote_reason *next;
};

/* Returns whether the reason is new. If it is not, counts the checks for which
 * it will not be reported. */
static bool
is_new_reason(struct vote_tally *t, struct str why, size_t checks)
{
	void **slot;
	struct vote_reason *r;

	why = str_slice(why, 0, str_find(why, STR(PROVIDER_ERROR_BEGINS)));
	slot = hash_put_copy(&t->reasons, why);
	r = *slot;

	if (r != NULL) {
		r->again += checks;
		return false;
	}
	*slot = r = arena_new(t->reasons.arena, struct vote_reason);
	r->why = str_dup(t->reasons.arena, why);
	if (t->last == NULL)
		t->first = r;
	else
		t->last->next = r;
	t->last = r;
	return true;
}

/* Reports how the verdicts changed with --again. */
static void
warn_again(const struct vote_tally *t)
{
	const struct agreement *a = &t->again;
	size_t both = agreement_n(a);
	struct arena arena = { 0 };

	if (both + t->undecided != 0)
		diag_warn((struct place){ 0 },
		    "checks judged again: %zu; same verdict: %zu; pass -> "
		    "fail: %zu; fail -> pass: %zu; no verdict now: %zu%s",
		    both + t->undecided, a->pass_pass + a->fail_fail,
		    a->fail_pass, a->pass_fail, t->undecided,
		    panel_kappa(a, &arena));
	arena_free(&arena);
}

void
vote_warn_totals(const struct vote_tally *t)
{
	for (const struct vote_reason *r = t->first; r != NULL; r = r->next)
		if (r->again != 0)
			diag_warn((struct place){ 0 },
			    "not judged: %.*s: further checks with this "
			    "reason: %zu",
			    STR_FMT(r->why), r->again);
	panel_warn(&t->panel);
	warn_again(t);
}

/* Lists in each group the labels of its checks. */
static void
list_labels(const struct judge *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];
		struct str label = label_of(p, j->arena);

		for (size_t v = 0; v < p->n_ballots; v++) {
			struct group *g = p->ballots[v].group;

			*arena_push(j->arena, g->labels, g->n_labels) = label;
		}
	}
}

/* Returns the end of a message, which names the file of the question's last try;
 * an empty text without --log. */
static const char *
file_of(const struct question *q, struct arena *a)
{
	if (q == NULL || q->entry.path == NULL)
		return "";
	return str_c(a, str_printf(a, " (%s)", q->entry.path));
}

/* Returns whether the votes of the question's judge are only one. */
static bool
is_alone(const struct judge *j, const struct question *q)
{
	return j->way->votes == 1 &&
	    (j->way->panel == 1 || q->lane >= j->way->panel);
}

/* Reports what went wrong with a question. It is only a warning with several
 * votes, because the others may suffice. */
static void
warn_question(const struct judge *j, const struct group *g, struct str id,
    struct vote_tally *tally)
{
	const struct question *q = &g->question;
	struct str why = vote_trouble(g);
	struct str labels =
	    str_join(j->arena, g->labels, g->n_labels, STR(", "));
	const char *model = j->lanes[q->lane].endpoint.model;
	bool one = j->way->panel == 1;

	bool silent = why.s == NULL || q->reported ||
	    !is_new_reason(tally, why, g->n_labels);

	if (!silent && is_alone(j, q))
		diag_error(j->at, "%.*s: %.*s: not judged: %.*s%s", STR_FMT(id),
		    STR_FMT(labels), STR_FMT(why), file_of(q, j->arena));
	else if (!silent)
		diag_warn(j->at, "%.*s: %.*s: %s%svote %zu: not judged: %.*s%s",
		    STR_FMT(id), STR_FMT(labels), one ? "" : model,
		    one ? "" : ": ", q->vote + 1, STR_FMT(why),
		    file_of(q, j->arena));
}

/* Returns whether the reason why a check has no verdict was reported with its
 * question. */
static bool
was_reported(const struct judge *j, const struct pending *p)
{
	const struct group *g =
	    p->n_ballots == 0 ? NULL : p->ballots[p->first].group;

	return g != NULL && is_alone(j, &g->question) &&
	    vote_trouble(g).s != NULL;
}

static void
warn_unjudged(
    const struct judge *j, const struct vote *votes, struct vote_tally *tally)
{
	struct str id = json_text(json_get(j->trace.record, "id"), j->arena);

	list_labels(j);
	for (const struct group *g = j->groups; g != NULL; g = g->next)
		warn_question(j, g, id, tally);
	for (size_t i = 0; i < j->n; i++)
		if (votes[i].why.s != NULL && !was_reported(j, &j->list[i]) &&
		    is_new_reason(tally, votes[i].why, 1))
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s%s",
			    STR_FMT(id),
			    STR_FMT(label_of(&j->list[i], j->arena)),
			    STR_FMT(votes[i].why),
			    file_of(votes[i].question, j->arena));
}

/* ---- writing ---- */

/* Writes the number of votes on each side. */
static void
put_votes(struct out *o, const struct vote *vote)
{
	out_member_begin(o, "votes", '{');
	for (enum vote_side i = VOTE_PASS; i < VOTE_UNASKED; i++)
		if (i <= VOTE_FAIL || vote->n[i] != 0)
			out_member_size(o, vote_word(i), vote->n[i]);
	out_end(o, '}');
}

/* Writes the verdict of a vote, if it has one. */
static void
put_verdict(struct out *o, const struct pending *p, const struct vote *vote)
{
	bool decided = vote->side <= VOTE_FAIL;

	if (vote->found != VERDICT_MISSING)
		out_member_str(o, "verdict", str_of(verdict_word(vote->found)));
	if (decided && vote->verdict->found == VERDICT_SCORE)
		out_member_double(o, "score", vote->score);
	if (decided && p->criteria.n == 0 && prompt_is_scaled(&p->ask))
		out_member_double(o, "rating", vote->verdict->rating);
	if (vote->verdict != NULL && p->criteria.n == 0)
		verdict_put_quotes(o, vote->verdict);
	if (decided && p->criteria.n != 0) {
		out_key(o, "scores");
		criteria_write(o, &p->criteria, vote->verdict);
	}
}

/* Writes the names of the judge; `model` is the answer's name for the model,
 * and is empty if the answer has none. */
static void
put_names(struct out *o, const struct endpoint *endpoint, struct str model)
{
	out_member_str(o, "provider", str_of(endpoint->provider->name));
	out_key(o, "model");
	out_json_str(o, model.n != 0 ? model : str_of(endpoint->model));
}

/* Writes the votes of several judges, in the order in which these were
 * asked, with the names by which the user chose them. */
static void
put_panel(struct out *o, const struct judge *j, const struct pending *p)
{
	out_member_begin(o, "panel", '[');
	for (size_t i = 0; i < p->n_ballots; i++) {
		struct vote v = vote_on(p, &p->ballots[i], j->arena);

		if (v.side == VOTE_UNASKED)
			continue;
		out_begin(o, '{');
		put_names(o, &j->lanes[v.question->lane].endpoint, STR(""));
		put_verdict(o, p, &v);
		out_key(o, v.side == VOTE_ERROR ? "error" : "reason");
		out_json_str(o, v.side == VOTE_ERROR ? v.why : v.reason);
		if (v.question->lane >= j->way->panel)
			out_member_bool(o, "escalated", true);
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Writes the verdict that the check had before. */
static void
put_former(struct out *o, const struct pending *p)
{
	static const char *const names[] = { "verdict", "score", "votes",
		"provider", "model" };
	const struct json *judge = json_get(p->result, "judge"), *value;

	out_member_begin(o, "former", '{');
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		value = json_get(judge, str_of(names[i]));
		if (value == NULL)
			continue;
		out_key_str(o, str_of(names[i]));
		out_json_raw(o, value->text);
	}
	value = json_get(p->result, "reason");
	if (value != NULL) {
		out_key(o, "reason");
		out_json_raw(o, value->text);
	}
	out_end(o, '}');
}

static void
put_judge(struct out *o, const struct judge *j, const struct pending *p,
    const struct vote *vote)
{
	const struct question *q = vote->question;

	put_verdict(o, p, vote);
	if (p->n_ballots - p->first > 1)
		put_votes(o, vote);
	put_names(o, &j->lanes[q->lane].endpoint, q->model);
	out_member_bool(o, "cached", vote->cached);
	if (vote->shown.s != NULL) {
		out_key(o, "shown");
		out_json_raw(o, vote->shown);
	}
	/* Only one check of the question has its usage, so that sums are
	 * right. */
	if (vote->usage.known != 0) {
		out_key(o, "usage");
		usage_write(o, &vote->usage);
	}
	if (p->n_ballots > j->way->votes)
		put_panel(o, j, p);
	if (judge_has_verdict(p->result))
		put_former(o, p);
}

static void
put_result(struct out *o, const struct judge *j, const struct pending *p,
    const struct vote *vote)
{
	static const char *const renewed[] = { "status", "reason", "judge",
		NULL };
	/* The verdict before the last one stays unless there is a later
	 * one. */
	static const char *const answer[] = { "former", "verdict", "score",
		"rating", "quotes", "scores", "votes", "provider", "model",
		"cached", "shown", "usage", "panel", NULL };
	bool decided = judge_has_verdict(p->result);
	struct out members, judge;

	out_open_memory(&judge);
	if (vote->question != NULL)
		put_judge(&judge, j, p, vote);
	out_open_memory(&members);
	out_member_str(
	    &members, "status", str_of(status_name(vote_status(vote))));
	out_key(&members, "reason");
	out_json_str(&members, vote->reason);
	out_key(&members, "judge");
	trace_splice(&members, json_get(p->result, "judge"),
	    &answer[decided ? 0 : 1], out_keep(&judge, j->arena));
	trace_splice(o, p->result, renewed, out_keep(&members, j->arena));
}

static void
put_results(struct out *o, const struct judge *j, const struct vote *votes)
{
	size_t i = 0;

	out_member_begin(o, "check_results", '[');
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		const struct vote *r = NULL;

		if (i < j->n && result == j->list[i].result)
			r = &votes[i++];
		if (r == NULL || r->side == VOTE_UNASKED) {
			out_json_raw(o, result->text);
			continue;
		}
		if (o->comma)
			out_char(o, ',');
		put_result(o, j, &j->list[r - votes], r);
	}
	out_end(o, ']');
}

/* Returns the new status of a result, and sets *reason to the judge's reason,
 * which is absent if the result was not judged. Results must be passed in their
 * order; *next counts those that were judged. */
static enum status
status_now(const struct judge *j, const struct vote *votes, size_t *next,
    const struct json *result, struct str *reason)
{
	if (*next < j->n && result == j->list[*next].result) {
		const struct vote *vote = &votes[(*next)++];

		*reason = vote->reason;
		if (vote->side != VOTE_UNASKED)
			return vote_status(vote);
	}
	*reason = (struct str){ 0 };
	return verdict_status(json_get(result, "status"));
}

static enum status
run_status(const struct judge *j, const struct vote *votes)
{
	size_t counts[STATUS_COUNT] = { 0 }, next = 0;
	struct str reason;

	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, votes, &next, result, &reason);

		counts[s] += verdict_counts(result);
	}
	return trace_status(counts, j->trace.member[TRACE_ERROR] != NULL);
}

/* Writes the failures as mcpl-check lists them: the run's error, then the
 * reasons of its failed checks. */
static void
put_failures(struct out *o, const struct judge *j, const struct vote *votes)
{
	struct str error = trace_error(&j->trace, j->arena);
	struct str reason;
	size_t next = 0;

	out_member_begin(o, "failures", '[');
	if (error.s != NULL)
		out_json_str(
		    o, str_cat(j->arena, STR("Scenario error: "), error));
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, votes, &next, result, &reason);

		verdict_put_failure(o, result, s, reason, j->arena);
	}
	out_end(o, ']');
}

/* Counts and reports a change of the check's verdict. */
static void
compare(const struct judge *j, const struct pending *p, const struct vote *v,
    struct vote_tally *tally)
{
	const struct json *judge = json_get(p->result, "judge");
	bool passed = json_str_is(json_get(judge, "verdict"), "pass");
	enum vote_side before = passed ? VOTE_PASS : VOTE_FAIL;

	if (!judge_has_verdict(p->result) || v->side == VOTE_UNASKED)
		return;
	panel_pair(&tally->again, v->side, before);
	tally->undecided += v->side > VOTE_FAIL;
	if (v->side != before)
		diag_warn(j->at, "%.*s: %.*s: %s -> %s",
		    STR_FMT(
			json_text(json_get(j->trace.record, "id"), j->arena)),
		    STR_FMT(label_of(p, j->arena)), vote_word(before),
		    vote_word(v->side));
}

enum status
vote_write(const struct judge *j, struct vote_tally *tally, struct out *o)
{
	static const char *const renewed[] = { "status", "pass", "failures",
		"check_results", NULL };
	struct vote *votes = arena_new_n(j->arena, struct vote, j->n);
	enum status status;
	struct out members;

	for (size_t i = 0; i < j->n; i++) {
		votes[i] = vote_decide(j, &j->list[i]);
		tally->checks[vote_status(&votes[i])]++;
		tally->unsure += votes[i].found == VERDICT_UNSURE;
		panel_add(&tally->panel, j, &j->list[i], tally->reasons.arena);
		compare(j, &j->list[i], &votes[i], tally);
	}
	warn_unjudged(j, votes, tally);
	status = run_status(j, votes);
	out_open_memory(&members);
	trace_put_status(&members, status);
	put_failures(&members, j, votes);
	put_results(&members, j, votes);
	trace_splice(o, j->trace.record, renewed, out_keep(&members, j->arena));
	return status;
}
