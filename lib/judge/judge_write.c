/* Writes a judged run, and tells why a check has no verdict. */
#include "judge/judge.h"
#include "judge/vote.h"

/* ---- telling ---- */

static struct str
label_of(const struct pending *p, struct arena *a)
{
	return json_text(json_get(p->result, "label"), a);
}

/* Lists in each batch what it asks about. */
static void
list_labels(const struct judge *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];
		struct str label = label_of(p, j->arena);

		for (size_t v = 0; p->why.s == NULL && v < j->way->votes; v++) {
			struct group *b = p->ballots[v].group;

			*arena_push(j->arena, b->labels, b->n_labels) = label;
		}
	}
}

/* What went wrong with a question; of several votes one can be done
 * without. */
static void
tell_batch(const struct judge *j, const struct group *b, struct str id)
{
	struct str why = vote_trouble(b);
	struct str stray = b->question.verdicts.stray;
	struct str labels =
	    str_join(j->arena, b->labels, b->n_labels, STR(", "));

	if (why.s != NULL && !b->question.told && j->way->votes == 1)
		diag_error(j->at, "%.*s: %.*s: not judged: %.*s", STR_FMT(id),
		    STR_FMT(labels), STR_FMT(why));
	else if (why.s != NULL && !b->question.told)
		diag_warn(j->at, "%.*s: %.*s: vote %zu: not judged: %.*s",
		    STR_FMT(id), STR_FMT(labels), b->vote + 1, STR_FMT(why));
	if (stray.s != NULL)
		diag_warn(j->at,
		    "%.*s: the judge names '%.*s', which it was not asked "
		    "about",
		    STR_FMT(id), STR_FMT(stray));
}

/* Whether why a check has no verdict was told with its question. */
static bool
was_told(const struct judge *j, const struct pending *p)
{
	return p->why.s == NULL && j->way->votes == 1 &&
	    vote_trouble(p->ballots[0].group).s != NULL;
}

static void
tell(const struct judge *j, const struct vote *said)
{
	struct str id = json_text(json_get(j->trace.record, "id"), j->arena);

	list_labels(j);
	for (const struct group *b = j->groups; b != NULL; b = b->next)
		tell_batch(j, b, id);
	for (size_t i = 0; i < j->n; i++)
		if (said[i].why.s != NULL && !was_told(j, &j->list[i]))
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s",
			    STR_FMT(id),
			    STR_FMT(label_of(&j->list[i], j->arena)),
			    STR_FMT(said[i].why));
}

/* ---- writing ---- */

static void
put_votes(struct out *o, const struct vote *said)
{
	out_member_begin(o, "votes", '{');
	out_member_size(o, "pass", said->passed);
	out_member_size(o, "fail", said->failed);
	if (said->lacking != 0)
		out_member_size(o, "error", said->lacking);
	out_end(o, '}');
}

static void
put_answer(struct out *o, const struct pending *p, const struct vote *said,
    const struct endpoint *endpoint)
{
	const struct question *q = said->question;

	if (said->verdict != NULL) {
		out_key(o, "verdict");
		out_json_str(o,
		    said->status == STATUS_PASSED ? STR("pass") : STR("fail"));
	}
	if (said->verdict != NULL && said->verdict->found == VERDICT_SCORE)
		out_member_double(o, "score", said->score);
	if (said->verdict != NULL && p->criteria.n != 0) {
		out_key(o, "scores");
		criteria_write(o, &p->criteria, said->verdict);
	}
	if (said->passed + said->failed + said->lacking > 1)
		put_votes(o, said);
	out_member_str(o, "provider", str_of(endpoint->provider->name));
	out_key(o, "model");
	out_json_str(o, q->model.n != 0 ? q->model : str_of(endpoint->model));
	out_member_bool(o, "cached", said->cached);
	/* Once for all checks of the question, so that sums are right. */
	if (said->usage.known != 0) {
		out_key(o, "usage");
		usage_write(o, &said->usage);
	}
}

static void
put_result(struct out *o, const struct judge *j, const struct pending *p,
    const struct vote *said, const struct endpoint *endpoint)
{
	static const char *const renewed[] = { "status", "reason", "judge",
		NULL };
	static const char *const answer[] = { "verdict", "score", "scores",
		"votes", "provider", "model", "cached", "usage", NULL };
	struct out members, judge;

	out_open_memory(&judge);
	if (said->question != NULL)
		put_answer(&judge, p, said, endpoint);
	out_open_memory(&members);
	out_member_str(&members, "status", str_of(status_name(said->status)));
	out_key(&members, "reason");
	out_json_str(&members, said->reason);
	out_key(&members, "judge");
	trace_splice(&members, json_get(p->result, "judge"), answer,
	    out_keep(&judge, j->arena));
	trace_splice(o, p->result, renewed, out_keep(&members, j->arena));
}

static void
put_results(struct out *o, const struct judge *j, const struct vote *said,
    const struct endpoint *endpoint)
{
	size_t i = 0;

	out_member_begin(o, "check_results", '[');
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		const struct vote *r = NULL;

		if (i < j->n && result == j->list[i].result)
			r = &said[i++];
		if (r == NULL || r->status == STATUS_PENDING) {
			out_json_raw(o, result->text);
			continue;
		}
		if (o->comma)
			out_char(o, ',');
		put_result(o, j, &j->list[r - said], r, endpoint);
	}
	out_end(o, ']');
}

/* What a result tells now: the judge's word, or what it told before. Results
 * are asked for in their order; *next counts those that were judged. */
static enum status
status_now(const struct judge *j, const struct vote *said, size_t *next,
    const struct json *result, struct str *reason)
{
	enum status s = STATUS_UNCHECKED;

	if (*next < j->n && result == j->list[*next].result) {
		*reason = said[*next].reason;
		return said[(*next)++].status;
	}
	*reason = json_text(json_get(result, "reason"), j->arena);
	status_of(json_text(json_get(result, "status"), j->arena), &s);
	return s;
}

static enum status
run_status(const struct judge *j, const struct vote *said)
{
	size_t counts[STATUS_COUNT] = { 0 }, next = 0;
	struct str reason;

	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS]))
		counts[status_now(j, said, &next, result, &reason)]++;
	return trace_status(counts, j->trace.member[TRACE_ERROR] != NULL);
}

/* As mcpl-check lists them: why the run failed, then why its checks did. */
static void
put_failures(struct out *o, const struct judge *j, const struct vote *said)
{
	struct str error = trace_error(&j->trace, j->arena);
	struct str reason;
	size_t next = 0;

	out_member_begin(o, "failures", '[');
	if (error.s != NULL)
		out_json_str(
		    o, str_cat(j->arena, STR("Scenario error: "), error));
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, said, &next, result, &reason);

		if (reason.s == NULL)
			reason = json_text(json_get(result, "label"), j->arena);
		if (s == STATUS_FAILED || s == STATUS_ERROR)
			out_json_str(o, reason);
	}
	out_end(o, ']');
}

enum status
judge_write(const struct judge *j, const struct endpoint *endpoint,
    struct judge_tally *tally, struct out *o)
{
	static const char *const renewed[] = { "status", "pass", "failures",
		"check_results", NULL };
	struct vote *said = arena_new_n(j->arena, struct vote, j->n);
	enum status status;
	struct out members;

	for (size_t i = 0; i < j->n; i++) {
		said[i] = vote_decide(j, &j->list[i]);
		tally->checks[said[i].status]++;
	}
	tell(j, said);
	status = run_status(j, said);
	out_open_memory(&members);
	trace_put_status(&members, status);
	put_failures(&members, j, said);
	put_results(&members, j, said, endpoint);
	trace_splice(o, j->trace.record, renewed, out_keep(&members, j->arena));
	return status;
}
