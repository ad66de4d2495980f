#include "report/table/test_case.h"

#include "report/tally/failures.h"
#include "text/layout.h"

struct str
test_case_suite(const struct result *r, struct arena *a)
{
	return r->scenario.s == NULL ? STR("(no scenario)")
				     : layout_clean(a, r->scenario, false);
}

struct str
test_case_order(const struct result *r, struct arena *a)
{
	const struct str key[] = { test_case_suite(r, a), r->agent, r->model,
		str_printf(a, "%020llu", (unsigned long long)r->run_index + 1),
		r->id };

	return str_join(
	    a, key, sizeof key / sizeof key[0], (struct str){ "\0", 1 });
}

struct str
test_case_name(
    const struct result *r, const struct result_check *c, struct arena *a)
{
	struct str what = c->label.n != 0 ? c->label : c->type;
	struct str run = r->run_index >= 0
	    ? str_printf(a, "run %lld", (long long)r->run_index)
	    : r->id;
	const struct str parts[] = { what, STR(" ("), r->agent,
		r->agent.n != 0 && run.n != 0 ? STR(", ") : STR(""), run,
		STR(")") };

	if (r->agent.n == 0 && run.n == 0)
		return what.n != 0 ? what : STR("check");
	return str_join(a, parts, sizeof parts / sizeof parts[0], STR(""));
}

struct str
test_case_message(const struct result_check *c)
{
	struct str reason = failure_reason(c->status, c->reason);

	return reason.n == 0 ? str_of(status_name(c->status))
			     : str_trim(str_cut(&reason, '\n'));
}

struct str
test_case_mild_message(const struct result_check *c, struct arena *a)
{
	return str_printf(a, "%s: %.*s", severity_name(c->severity),
	    STR_FMT(test_case_message(c)));
}

bool
test_case_is_mild(const struct gate *gate, const struct result_check *c)
{
	return (c->status == STATUS_FAILED || c->status == STATUS_ERROR ||
		   c->status == STATUS_PENDING) &&
	    !gate_counts(gate, c->severity);
}

struct str
test_case_details(
    const struct result *r, const struct result_check *c, struct arena *a)
{
	struct str reason = failure_reason(c->status, c->reason);
	struct str lines[5];
	size_t n = 0;

	if (reason.n != 0)
		lines[n++] = reason;
	if (c->got.s != NULL)
		lines[n++] = str_cat(a, STR("got: "), c->got);
	if (c->at.s != NULL)
		lines[n++] = str_cat(a, STR("check "), c->at);
	if (r->id.s != NULL)
		lines[n++] = str_cat(a, STR("run "), r->id);
	if (r->file.s != NULL)
		lines[n++] =
		    str_cat(a, STR("log "), failure_log(r->file, r->line, a));
	return str_join(a, lines, n, STR("\n"));
}

int64_t
test_case_time(const struct result *r, const struct result_check *c)
{
	int64_t time = r->used[METRIC_DURATION];

	return c == r->checks && time > 0 ? time : 0;
}
