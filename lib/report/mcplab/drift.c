#include "report/mcplab/drift.h"

#include <math.h>
#include <stdlib.h>

#include "report/mcplab/scenario.h"
#include "report/mcplab/similarity.h"
#include "text/humanize.h"

const char *
drift_status_name(enum drift_status s)
{
	static const char *const names[DRIFT_STATUSES] = {
		[DRIFT_MATCH] = "Match",
		[DRIFT_WARN] = "Warn",
		[DRIFT_DRIFT] = "Drift",
	};

	return names[s];
}

/* The state of scoring one scenario. */
struct scoring {
	const struct json *item; /* of the snapshot */
	const struct mcplab_scenario *scenario;
	struct str *reasons;
	size_t n_reasons;
	struct arena *arena;
};

static void
add_reason(struct scoring *s, struct str reason)
{
	*arena_push(s->arena, s->reasons, s->n_reasons) = reason;
}

static double
round2(double value)
{
	return floor(value * 100 + 0.5) / 100;
}

static double
clamp(double value)
{
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* Returns the strings of a list, sorted; other values are left out. */
static struct str_list
sorted_texts(const struct json *list, struct arena *a)
{
	struct str *texts = NULL;
	size_t n = 0;

	for (json_each(v, list))
		if (json_is(v, JSON_STRING))
			*arena_push(a, texts, n) = json_text(v, a);
	if (n != 0)
		qsort(texts, n, sizeof texts[0], str_compare);
	return (struct str_list){ texts, n };
}

static bool
has(struct str_list sorted, struct str text)
{
	return sorted.n != 0 &&
	    bsearch(&text, sorted.list, sorted.n, sizeof text, str_compare) !=
	    NULL;
}

/* ---- tools ---- */

/* Returns the penalty: `each` for each tool of the list that was called, or was
 * not called, as `called` says. */
static double
penalty(struct scoring *s, const char *list, bool called, double each,
    const char *reason)
{
	double sum = 0;

	for (json_each(v, json_get(s->item, str_of(list)))) {
		struct str tool = json_text(v, s->arena);

		if (has(s->scenario->tools, tool) != called)
			continue;
		sum += each;
		add_reason(
		    s, str_printf(s->arena, "%s: %.*s", reason, STR_FMT(tool)));
	}
	return sum;
}

static bool
is_one_of(struct str sequence, const struct json *lists, struct arena *a)
{
	for (json_each(list, lists))
		if (str_eq(tally_sequence(list, a), sequence))
			return true;
	return false;
}

/* Returns whether each run called one of the allowed lists. If more sequences
 * occurred than were kept, they cannot all be allowed. A run whose calls were
 * not recorded has called nothing, as for MCPLab. */
static bool
is_allowed(const struct scoring *s, const struct json *lists)
{
	const struct tally_group *runs = s->scenario->runs;

	for (size_t i = 0; i < tally_group_details(runs)->sequences.n; i++) {
		const struct tally_pair *p =
		    tally_group_details(runs)->sequences.list[i];

		if (!is_one_of(p->text, lists, s->arena))
			return false;
	}
	return !tally_group_details(runs)->sequences.full &&
	    (runs->used[METRIC_TOOL_CALLS].runs == runs->runs ||
		is_one_of(STR("[]"), lists, s->arena));
}

static double
score_tools(struct scoring *s)
{
	const struct json *allowed = json_get(s->item, "allowed_sequences");
	struct str_list was =
	    sorted_texts(json_get(s->item, "baseline_tools"), s->arena);
	size_t failures = s->scenario->runs->assertion_failures;
	double penalties, score;

	penalties =
	    penalty(s, "required_tools", false, 0.2, "Missing required tool");
	penalties += penalty(
	    s, "forbidden_tools", true, 0.25, "Forbidden tool observed");
	if (json_count(allowed) != 0 && !is_allowed(s, allowed)) {
		penalties += 0.2;
		add_reason(
		    s, STR("Tool sequence mismatch against allowed sequences"));
	}
	score = fmax(0, 1 - penalties);
	score = score * 0.7 + similarity_overlap(s->scenario->tools, was) * 0.3;
	for (size_t i = 0; i < failures && score > 0; i++)
		score -= 0.15;
	if (failures != 0)
		add_reason(s,
		    str_printf(s->arena, "Assertion mismatch: %.*s",
			STR_FMT(humanize_of(s->arena, failures, "run"))));
	return clamp(score);
}

/* ---- extracted values ---- */

static struct similarity_value
value_now(const struct scoring *s, struct str name)
{
	for (size_t i = 0; i < s->scenario->n_values; i++)
		if (str_eq(s->scenario->values[i].name, name))
			return similarity_value_of(
			    s->scenario->values[i].text, s->arena);
	return (struct similarity_value){ .kind = SIMILARITY_NULL };
}

static double
score_value(
    struct scoring *s, struct str name, struct similarity_value expected)
{
	struct similarity_value found = value_now(s, name);
	double score = similarity_of_values(expected, found, s->arena);
	const struct str null = STR("null");

	if (score >= 0.8)
		return score;
	add_reason(s,
	    str_printf(s->arena,
		"Extract drift (%.*s): expected '%.*s', observed '%.*s'",
		STR_FMT(name),
		STR_FMT(
		    expected.kind == SIMILARITY_NULL ? null : expected.text),
		STR_FMT(found.kind == SIMILARITY_NULL ? null : found.text)));
	return score;
}

static double
score_extracts(struct scoring *s)
{
	const struct json *was = json_get(s->item, "extracted_values");
	double sum = 0;
	size_t n = 0;

	for (json_members(key, was)) {
		sum += score_value(s, json_text(key, s->arena),
		    similarity_value_read(json_value(key), s->arena));
		n++;
	}
	for (size_t i = 0; i < s->scenario->n_values; i++) {
		struct str name = s->scenario->values[i].name;

		if (json_get(was, name) != NULL)
			continue;
		sum += score_value(s, name,
		    (struct similarity_value){ .kind = SIMILARITY_NULL });
		n++;
	}
	if (n != 0)
		return clamp(sum / (double)n);
	add_reason(
	    s, STR("No extract rules found; extract confidence reduced"));
	return 0.7;
}

/* ---- words ---- */

static double
score_semantics(struct scoring *s)
{
	const struct json *features =
	    json_get(s->item, "final_answer_features");
	double score = similarity_overlap(s->scenario->words,
	    sorted_texts(json_get(features, "token_set"), s->arena));

	if (score < 0.55)
		add_reason(s,
		    str_printf(s->arena, "Semantic divergence score low: %.4g",
			round2(score)));
	return score;
}

/* ---- a scenario ---- */

static bool
same_texts(struct str_list a, struct str_list b)
{
	size_t i = 0;

	if (a.n != b.n)
		return false;
	while (i < a.n && str_eq(a.list[i], b.list[i]))
		i++;
	return i == a.n;
}

static void
compare_agents(struct scoring *s, struct drift_row *row)
{
	struct str was = str_join(
	    s->arena, row->was_agents.list, row->was_agents.n, STR(", "));
	struct str now = str_join(
	    s->arena, row->now_agents.list, row->now_agents.n, STR(", "));

	if (same_texts(row->was_agents, row->now_agents))
		return;
	add_reason(s,
	    str_printf(s->arena,
		"Agent coverage mismatch: baseline=[%.*s], observed=[%.*s]",
		STR_FMT(was), STR_FMT(now)));
	if (row->status == DRIFT_MATCH)
		row->status = DRIFT_WARN;
	row->score = fmin(row->score, 0.79);
}

static void
score(struct scoring *s, struct drift_row *row)
{
	double tools, extracts, semantics;

	if (s->scenario == NULL) {
		row->status = DRIFT_DRIFT;
		add_reason(s, STR("Scenario missing in run"));
		return;
	}
	row->now_agents = s->scenario->agents;
	tools = score_tools(s);
	extracts = score_extracts(s);
	semantics = score_semantics(s);
	row->score = tools * 0.45 + extracts * 0.35 + semantics * 0.2;
	row->status = row->score >= 0.8 ? DRIFT_MATCH
	    : row->score >= 0.6         ? DRIFT_WARN
					: DRIFT_DRIFT;
	compare_agents(s, row);
	row->score = round2(row->score);
	row->tools = round2(tools);
	row->extracts = round2(extracts);
	row->semantics = round2(semantics);
}

static struct drift_row
row_of(const struct json *item, const struct mcplab_scenarios *all,
    struct arena *a)
{
	struct drift_row row = {
		.scenario = json_text(json_get(item, "scenario_id"), a),
		.was_agents =
		    sorted_texts(json_get(item, "baseline_agents"), a),
	};
	struct scoring s = { .item = item,
		.scenario = mcplab_scenario_named(all, row.scenario),
		.arena = a };

	score(&s, &row);
	row.reasons = (struct str_list){ s.reasons, s.n_reasons };
	return row;
}

struct drift
drift_from(
    const struct snapshot *snapshot, const struct tally *t, struct arena *a)
{
	struct drift d = { .snapshot = snapshot->id };
	struct mcplab_scenarios all = mcplab_scenarios_of(t, a);
	double sum = 0;

	for (json_each(item, snapshot->items)) {
		struct drift_row row = row_of(item, &all, a);

		*arena_push(a, d.list, d.n) = row;
		d.status[row.status]++;
		sum += row.score;
	}
	d.score = d.n == 0 ? 0 : round2(sum / (double)d.n);
	return d;
}

/* ---- as JSON ---- */

static void
put_row(struct out *o, const struct drift_row *row)
{
	out_begin(o, '{');
	out_member_str(o, "scenario_id", row->scenario);
	out_member_str(o, "status", str_of(drift_status_name(row->status)));
	out_member_double(o, "score", row->score);
	out_member_begin(o, "components", '{');
	out_member_double(o, "tools", row->tools);
	out_member_double(o, "extracts", row->extracts);
	out_member_double(o, "semantics", row->semantics);
	out_end(o, '}');
	out_key(o, "baseline_agents");
	out_json_strs(o, row->was_agents);
	out_key(o, "observed_agents");
	out_json_strs(o, row->now_agents);
	out_key(o, "reasons");
	out_json_strs(o, row->reasons);
	out_end(o, '}');
}

void
drift_write(struct out *o, const struct drift *d)
{
	out_begin(o, '{');
	out_member_str(o, "snapshot_id", d->snapshot);
	out_member_double(o, "overall_score", d->score);
	out_member_begin(o, "scenario_results", '[');
	for (size_t i = 0; i < d->n; i++)
		put_row(o, &d->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}
