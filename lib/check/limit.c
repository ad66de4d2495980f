#include "limit.h"

/* ---- how often the model was asked ---- */

static struct finding
find_llm_calls(const void *want, struct view *v)
{
	const int64_t *most = want;
	const struct json *n = json_path(v->trace->record, "usage.llm_calls");

	if (!json_is(n, JSON_NUMBER))
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: usage.llm_calls") };
	return (struct finding){
		.found = json_double(n) <= (double)*most ? FOUND_YES : FOUND_NO,
		.why = n->text,
	};
}

static void
show_llm_calls(const void *want, struct out *o)
{
	const int64_t *most = want;

	out_member_int(o, "most", *most);
}

struct check
llm_calls_check(struct arena *a, int64_t most)
{
	static const struct check_kind kind = {
		.name = "llm_calls",
		.find = find_llm_calls,
		.show = show_llm_calls,
	};
	int64_t *w = arena_new(a, int64_t);

	*w = most;
	return (struct check){ .kind = &kind, .want = w };
}

/* ---- how long the calls took ---- */

/* A sum of decimals may be off by so many milliseconds: 0.1 + 0.2 is 0.3. */
static const double slack = 1e-9;

/* What is not recorded takes no less than nothing: it matters only where the
 * rest is within the limit. */
static struct finding
find_call_time(const void *want, struct view *v)
{
	const double *most = want;
	struct trace_calls calls = view_calls(v);
	double sum = 0;
	bool all = true;

	for (size_t i = 0; i < calls.n; i++) {
		const struct json *ms =
		    json_get(calls.list[i].step, STR("duration_ms"));

		if (json_is(ms, JSON_NUMBER))
			sum += json_double(ms);
		else
			all = false;
	}
	if (!(sum <= *most + slack))
		return (struct finding){ .found = FOUND_NO,
			.why = str_printf(v->arena, "%.15g ms", sum) };
	if (!all)
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: the duration of a call") };
	return (
	    struct finding){ .found = FOUND_YES, .open = v->cut & VIEW_CALLS };
}

static void
show_call_time(const void *want, struct out *o)
{
	const double *most = want;

	out_member_double(o, "most_ms", *most);
}

struct check
call_time_check(struct arena *a, double most)
{
	static const struct check_kind kind = {
		.name = "call_time",
		.find = find_call_time,
		.show = show_call_time,
	};
	double *w = arena_new(a, double);

	*w = most;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
