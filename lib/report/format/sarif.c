/* The sarif report, SARIF 2.1.0: a result for each check that a run did not
 * pass, at the run's place in its log. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/uri.h"
#include "report/format/format.h"
#include "report/table/test_case.h"
#include "report/tally/assertion.h"
#include "text/layout.h"

struct sarif {
	struct hash_table rules; /* the rules in the list */
	struct str *list;        /* ids */
	size_t n;
};

static void
start(struct report_job *job)
{
	struct sarif *s = job->own = arena_new(job->arena, struct sarif);

	s->rules.arena = job->arena;
}

/* Returns "mcplab/forbidden_tool". */
static struct str
rule_id(const struct result_check *c, struct arena *a)
{
	const struct str parts[] = { c->dialect,
		c->type.n != 0 ? c->type : STR("check") };
	bool alone = c->dialect.n == 0;

	return layout_clean(
	    a, str_join(a, parts + alone, 2 - (size_t)alone, STR("/")), false);
}

static void
add_rule(struct report_job *job, struct str id)
{
	struct sarif *s = job->own;

	if (hash_get(&s->rules, id) != NULL)
		return;
	id = str_dup(job->arena, id);
	*arena_push(job->arena, s->list, s->n) = id;
	*hash_put(&s->rules, id) = s;
}

/* ---- results ---- */

/* Puts a message in which nothing is a placeholder or a link. */
static void
put_message(struct out *o, struct str text, struct arena *a)
{
	struct str clean = layout_clean(a, text, true);
	struct out safe;

	out_open_memory(&safe);
	for (size_t i = 0; i < clean.n; i++) {
		char c = clean.s[i];

		if (c == '{' || c == '}')
			out_char(&safe, c);
		if (c == ']' && i + 1 < clean.n && clean.s[i + 1] == '(')
			out_char(&safe, '\\');
		out_char(&safe, c);
	}
	out_member_begin(o, "message", '{');
	out_member_str(o, "text", out_keep(&safe, a));
	out_end(o, '}');
}

static void
put_location(struct out *o, struct str file, int64_t line, struct arena *a)
{
	out_member_begin(o, "physicalLocation", '{');
	out_member_begin(o, "artifactLocation", '{');
	out_member_str(o, "uri", uri_of_path(a, file));
	out_end(o, '}');
	if (line > 0) {
		out_member_begin(o, "region", '{');
		out_member_int(o, "startLine", line);
		out_end(o, '}');
	}
	out_end(o, '}');
}

/* Puts the run's place in the log, and the assertion's place as a related
 * location or, without a log, in its stead. */
static void
put_locations(struct out *o, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	size_t line;
	struct str file = failure_place(c->at, &line);

	if (r->file.n != 0) {
		out_member_begin(o, "locations", '[');
		out_begin(o, '{');
		put_location(o, r->file, r->line, a);
		out_end(o, '}');
		out_end(o, ']');
	}
	if (line == 0)
		return;
	out_key(o, r->file.n != 0 ? "relatedLocations" : "locations");
	out_begin(o, '[');
	out_begin(o, '{');
	put_location(o, file, (int64_t)line, a);
	put_message(o, STR("the assertion"), a);
	out_end(o, '}');
	out_end(o, ']');
}

/* Puts a fingerprint that stays the same from one report to the next: the
 * assertion and the run, without the assertion's line in its file. */
static void
put_fingerprint(struct out *o, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	const struct str names[] = {
		r->scenario, r->agent, r->model, c->dialect, c->type, c->label,
		str_printf(a, "%zu/%lld", c->ordinal, (long long)r->run_index)
	};
	uint64_t hash = hash_add(
	    HASH_START, hash_key(a, names, sizeof names / sizeof names[0]));

	out_member_begin(o, "partialFingerprints", '{');
	out_member_str(o, "assertionOfRun/v1",
	    str_printf(a, "%016llx", (unsigned long long)hash));
	out_end(o, '}');
}

static void
put_properties(struct out *o, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	out_member_begin(o, "properties", '{');
	out_member_str(o, "status", str_of(status_name(c->status)));
	out_member_str(o, "scenario", layout_clean(a, r->scenario, false));
	out_member_str(o, "agent", layout_clean(a, r->agent, false));
	out_member_str(o, "model", layout_clean(a, r->model, false));
	out_member_str(o, "run", layout_clean(a, r->id, false));
	if (r->run_index >= 0)
		out_member_int(o, "runIndex", r->run_index);
	out_end(o, '}');
}

/* Returns "refund-denied: Forbidden tool (sonnet, run 1): WHY". */
static struct str
message(const struct result *r, const struct result_check *c, struct arena *a)
{
	struct str reason = failure_reason(c->status, c->reason);
	const struct str parts[] = { test_case_suite(r, a),
		test_case_name(r, c, a),
		reason.n != 0 ? reason : str_of(status_name(c->status)) };
	struct str text =
	    str_join(a, parts, sizeof parts / sizeof parts[0], STR(": "));

	if (c->got.s == NULL)
		return text;
	return str_printf(
	    a, "%.*s (got: %.*s)", STR_FMT(text), STR_FMT(c->got));
}

static void
put_result(struct report_job *job, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	struct out *o = &job->piece;
	struct str rule = rule_id(c, a);

	add_rule(job, rule);
	out_begin(o, '{');
	out_member_str(o, "ruleId", rule);
	out_member_str(o, "level",
	    str_of(severity_name(failure_severity(c->status, c->severity))));
	put_message(o, message(r, c, a), a);
	put_locations(o, r, c, a);
	put_fingerprint(o, r, c, a);
	put_properties(o, r, c, a);
	out_end(o, '}');
}

static void
run(struct report_job *job, const struct result *r, struct arena *a)
{
	out_clear(&job->piece);
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if (failure_is(r, c))
			put_result(job, r, c, a);
	}
	if (out_memory(&job->piece).n != 0)
		external_sort_add(job->external_sort, test_case_order(r, a),
		    out_memory(&job->piece));
}

/* ---- the document ---- */

static void
put_rules(struct report_job *job, const struct sarif *s)
{
	struct out *o = job->out;

	if (s->n != 0)
		qsort(s->list, s->n, sizeof s->list[0], str_compare);
	out_member_begin(o, "rules", '[');
	for (size_t i = 0; i < s->n; i++) {
		struct str text = str_is(s->list[i], "run")
		    ? STR("a run that ended in an error or was not passed")
		    : str_cat(job->arena, STR("an assertion of the type "),
			  s->list[i]);

		out_begin(o, '{');
		out_member_str(o, "id", s->list[i]);
		out_member_begin(o, "shortDescription", '{');
		out_member_str(o, "text", text);
		out_end(o, '}');
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_tool(struct report_job *job, const struct sarif *s)
{
	struct out *o = job->out;

	out_member_begin(o, "tool", '{');
	out_member_begin(o, "driver", '{');
	out_member_str(o, "name", STR("mcpl"));
	out_member_str(o, "version", STR(VERSION));
	put_rules(job, s);
	out_end(o, '}');
	out_end(o, '}');
}

/* Puts whether the report is complete. */
static void
put_invocation(struct report_job *job)
{
	struct out *o = job->out;

	out_member_begin(o, "invocations", '[');
	out_begin(o, '{');
	out_member_bool(o, "executionSuccessful", job->verdict.status != 2);
	out_member_int(o, "exitCode", job->verdict.status);
	out_member_str(o, "exitCodeDescription", job->verdict.why);
	out_end(o, '}');
	out_end(o, ']');
}

static void
end(struct report_job *job)
{
	struct sarif *s = job->own;
	struct out *o = job->out;
	struct str key, results;

	out_begin(o, '{');
	out_member_str(o, "version", STR("2.1.0"));
	out_member_str(
	    o, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
	out_member_begin(o, "runs", '[');
	out_begin(o, '{');
	put_tool(job, s);
	put_invocation(job);
	out_member_begin(o, "results", '[');
	while (external_sort_next(job->external_sort, &key, &results))
		out_json_raw(o, results);
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, ']');
	out_end(o, '}');
	out_line(o);
}

const struct report_format report_sarif = {
	.name = "sarif",
	.what = "SARIF 2.1.0, a result for each check not passed",
	.guard = OUT_GUARD_JSON,
	.brief = true,
	.start = start,
	.run = run,
	.end = end,
};
