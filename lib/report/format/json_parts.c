#include "report/format/json_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What names it in every report; where it stands goes with it. */
static void
put_identity(struct out *o, const struct assertion *it)
{
	out_member_str(o, "scenario_id", it->scenario);
	out_member_str(o, "dialect", it->dialect);
	out_member_str(o, "type", it->type);
	out_member_str(o, "label", it->label);
	out_member_size(o, "ordinal", it->ordinal);
	out_member_str(o, "at", it->at.text);
}

void
json_put_assertion(struct out *o, const struct assertion *it)
{
	out_begin(o, '{');
	put_identity(o, it);
	for (int s = 0; s <= STATUS_SKIPPED; s++)
		out_member_size(o, status_name((enum status)s), it->status[s]);
	out_end(o, '}');
}

/* ---- a comparison ---- */

/* Six digits: the rest differs from machine to machine. */
static double
round_p(double p)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", p);
	return strtod(text, NULL);
}

static void
put_side(
    struct out *o, const char *key, const struct compare_row *row, int side)
{
	out_key(o, key);
	out_begin(o, '{');
	out_member_size(o, "passed", row->passed[side]);
	out_member_size(o, "of", row->n[side]);
	out_end(o, '}');
}

static void
put_test(struct out *o, const struct compare_row *row)
{
	if (isnan(row->p))
		return;
	out_member_str(
	    o, "test", row->pairs != 0 ? STR("mcnemar") : STR("fisher"));
	if (row->pairs != 0) {
		out_member_size(o, "pairs", row->pairs);
		out_member_size(o, "lost", row->lost);
		out_member_size(o, "gained", row->gained);
	}
	out_member_double(o, "p", round_p(row->p));
}

static void
put_row(struct out *o, const struct compare_row *row)
{
	out_begin(o, '{');
	out_member_str(o, "change", str_of(compare_change_name(row->change)));
	out_member_bool(o, "regression", row->regression);
	if (row->assertion != NULL) {
		put_identity(o, row->assertion);
	} else {
		out_member_str(o, "scenario_id", row->scenario);
		out_member_str(o, "agent", row->agent);
	}
	put_side(o, "was", row, COMPARE_WAS);
	put_side(o, "now", row, COMPARE_NOW);
	put_test(o, row);
	out_end(o, '}');
}

static void
put_rows(struct out *o, const char *key, const struct compare_rows *rows)
{
	out_key(o, key);
	out_begin(o, '{');
	out_member_size(o, "regressions", rows->regressions);
	for (int i = 0; i < CHANGE_COUNT; i++)
		out_member_size(o, compare_change_name((enum compare_change)i),
		    rows->change[i]);
	out_member_begin(o, "rows", '[');
	for (size_t i = 0; i < rows->n; i++)
		put_row(o, &rows->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}

void
json_put_compare(struct out *o, const struct compare *c)
{
	out_begin(o, '{');
	out_member_double(o, "alpha", c->alpha);
	out_key(o, "all");
	put_row(o, &c->all);
	put_rows(o, "scenarios", &c->scenarios);
	put_rows(o, "assertions", &c->assertions);
	out_end(o, '}');
}

/* ---- drift from a snapshot ---- */

static void
put_drift_row(struct out *o, const struct drift_row *row)
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
json_put_drift(struct out *o, const struct drift *d)
{
	out_begin(o, '{');
	out_member_str(o, "snapshot_id", d->snapshot);
	out_member_double(o, "overall_score", d->score);
	out_member_begin(o, "scenario_results", '[');
	for (size_t i = 0; i < d->n; i++)
		put_drift_row(o, &d->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}
