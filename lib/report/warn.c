#include "report/warn.h"

#include "base/diag.h"
#include "trace/trace.h"

void
warn_of_names(const struct tally *t, struct arena *a)
{
	if (t->plan.by_default || t->total.runs == 0)
		return;
	for (size_t i = 0; i < t->plan.by.n; i++) {
		size_t at = 0;

		while (at < t->n && t->groups[at]->names.list[i].s == NULL &&
		    tally_key(t->plan.by.list[i]) == NULL)
			at++;
		if (at == t->n)
			diag_warn((struct place){ 0 },
			    "--by: no run has the member '%.*s'%s",
			    STR_FMT(t->plan.by.list[i]),
			    trace_member_near(t->plan.by.list[i], a));
	}
}

void
warn_of_judges(const struct tally *t)
{
	struct out o;

	if (t->judges.n < 2)
		return;
	out_open_memory(&o);
	for (size_t i = 0; i < t->judges.n; i++) {
		const struct bounded_map_item *judge = t->judges.list[i];

		out_text(&o, i == 0 ? "" : ", ");
		out_str(&o, judge->key.text);
	}
	diag_warn((struct place){ 0 },
	    "the verdicts come from several judges, so they may not be "
	    "comparable: %.*s%s",
	    STR_FMT(out_memory(&o)), t->judges.full ? ", ..." : "");
	out_close(&o);
}
