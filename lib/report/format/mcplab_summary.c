/* MCPLab's summary.md. */
#include "report/format/mcplab.h"

#include <math.h>
#include <string.h>

#include "text/layout.h"

struct mcplab_scenarios
mcplab_entries(const struct tally *t, struct arena *a)
{
	return mcplab_scenarios_by(t, MCPLAB_NAMES, a);
}

size_t
mcplab_evaluated(const struct tally_group *g)
{
	return tally_checked(g) - g->status[STATUS_UNCHECKED] -
	    g->status[STATUS_SKIPPED];
}

double
mcplab_pass_rate(const struct tally_group *g)
{
	size_t n = mcplab_evaluated(g);

	return n == 0 ? 0 : (double)g->status[STATUS_PASSED] / (double)n;
}

size_t
mcplab_silent(const struct tally_group *g)
{
	return g->runs - g->used[METRIC_TOOL_CALLS].runs;
}

/* How many different sequences there are, that of silent runs among them. */
static size_t
count_sequences(const struct tally_group *g)
{
	size_t n = g->sequences.n + (mcplab_silent(g) != 0);

	for (size_t i = 0; i < g->sequences.n && mcplab_silent(g) != 0; i++) {
		const struct tally_pair *p = g->sequences.list[i];

		n -= str_is(p->text, "[]");
	}
	return n;
}

/* With one decimal as JavaScript's toFixed(1) rounds it: what lies halfway (an
 * odd number of quarters) goes up, not to an even digit. */
static struct str
percent_passed(struct arena *a, const struct tally_group *g)
{
	double percent = 100 * mcplab_pass_rate(g);

	if (fmod(percent, 0.5) == 0.25)
		percent += 0.01;
	return str_printf(a, "%.1f%%", percent);
}

/* A name within a table's cell: nothing in it ends the cell or is markup. */
static void
put_cell(struct report_job *job, struct str name)
{
	name = layout_clean(job->arena, name, false);
	for (size_t i = 0; i < name.n; i++) {
		if (strchr("|\\`*_<>&[]", name.s[i]) != NULL)
			out_char(job->out, '\\');
		out_char(job->out, name.s[i]);
	}
}

static void
put_entry(struct report_job *job, const struct mcplab_scenario *e)
{
	const struct tally_group *g = e->runs;
	struct out *o = job->out;

	out_text(o, "| ");
	put_cell(job, e->names[0]);
	out_text(o, " | ");
	put_cell(job, e->names[1]);
	out_printf(o, " | %zu | %.*s | %zu | %lld |", g->runs,
	    STR_FMT(percent_passed(job->arena, g)), count_sequences(g),
	    (long long)g->used[METRIC_TOOL_CALLS].sum);
	out_line(o);
}

static void
put_line(struct report_job *job, const char *what, struct str text)
{
	out_printf(job->out, "%s: %.*s", what,
	    STR_FMT(layout_clean(job->arena, text, false)));
	out_line(job->out);
}

static void
put_count(struct report_job *job, const char *what, size_t n)
{
	put_line(job, what, str_printf(job->arena, "%zu", n));
}

static void
end(struct report_job *job)
{
	const struct tally *t = job->tally;
	const struct tally_group *total = &t->total;
	struct mcplab_scenarios entries = mcplab_entries(t, job->arena);
	struct arena *a = job->arena;

	out_text(job->out, "# MCP Eval Summary\n\n");
	put_line(job, "Run ID", tally_run_id(t));
	put_line(job, "Timestamp", tally_first_start(t));
	put_line(job, "Config hash", tally_config_hash(t, a));
	put_line(job, "CLI version", STR(MCPLAB_CLI_VERSION));
	out_line(job->out);
	put_count(job, "Total scenarios", entries.n);
	put_count(job, "Total runs", total->runs);
	put_count(job, "Evaluated runs", mcplab_evaluated(total));
	put_count(job, "Skipped runs", total->runs - mcplab_evaluated(total));
	put_line(job, "Pass rate", percent_passed(a, total));
	out_text(job->out,
	    "\n| Scenario | Agent | Runs | Pass rate | Distinct sequences | "
	    "Tool calls |\n|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < entries.n; i++)
		put_entry(job, &entries.list[i]);
}

const struct report_format report_mcplab_summary = {
	.name = "mcplab-summary",
	.what = "MCPLab's summary.md",
	.mute = true,
	.end = end,
};
