#include "check/dialect/mcp_eval_checks.h"

#include "check/kind/kind.h"
#include "lang/py.h"

/* ---- for all of them ---- */

/* To mcp-eval it is a date of Python's. */
void
mcp_eval_refuse_instants(struct fields *e, const struct json *v)
{
	for (uint32_t i = 0; v != NULL && i < v->span; i++)
		if (json_is(&v[i], JSON_STRING) &&
		    document_is_plain(e->doc, &v[i]) &&
		    py_is_instant(document_source(e->doc, &v[i])))
			fields_wrong(e, &v[i],
			    "an instant, to which nothing in JSON is equal "
			    "(as text it needs quotes: \"%.*s\")",
			    STR_FMT(document_source(e->doc, &v[i])));
}

struct check
mcp_eval_labelled(struct fields *e, struct check c, struct str about)
{
	mcp_eval_refuse_instants(e, e->object);
	c.label = e->where;
	if (fields_good(e) && about.n != 0)
		c.label = str_printf(
		    e->arena, "%.*s %.*s", STR_FMT(e->where), STR_FMT(about));
	return c;
}

struct str
mcp_eval_source(struct arena *a, const struct json *v)
{
	struct out o;

	if (v == NULL)
		return (struct str){ 0 };
	out_open_memory(&o);
	out_source(&o, v->text);
	return out_keep(&o, a);
}

const struct mcp_eval_scenario *
mcp_eval_scenario_of(const struct fields *e)
{
	return e->context;
}

/* ---- limits ---- */

struct check
mcp_eval_iterations(struct fields *e)
{
	int64_t most = mcp_eval_int(e, "max_iterations");
	struct check c = limits_check(e->arena, LIMIT_LLM_CALLS, (double)most);

	c.detail = str_printf(e->arena,
	    "expected %lld or fewer calls of the model", (long long)most);
	c.explain = check_explain_found;
	return mcp_eval_labelled(
	    e, c, str_printf(e->arena, "%lld", (long long)most));
}

struct check
mcp_eval_call_time(struct fields *e, const char *ms)
{
	double most = mcp_eval_float(e, ms);
	struct check c = limits_call_time(e->arena, most);

	c.detail = str_printf(
	    e->arena, "expected calls that take %.15g ms or less", most);
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, str_printf(e->arena, "%.15g ms", most));
}
