#include "check/kind/limits.h"

/* A sum of decimals may be off by so much: 0.1 + 0.2 is 0.3. */
static const double slack = 1e-9;

/* ---- what the run used ---- */

/* What is added up. Without those that are needed the sum is not known; of the
 * others a log tells nothing where there was nothing. */
static const struct humanize {
	const char *needed[2], *more[2];
	double unit; /* what the limit counts in */
} amounts[] = {
	[LIMIT_LLM_CALLS] = { { "usage.llm_calls" }, { 0 }, 1 },
	[LIMIT_TOKENS] = { { "usage.input_tokens", "usage.output_tokens" },
	    { "usage.cache_read_tokens", "usage.cache_write_tokens" }, 1 },
	[LIMIT_COST] = { { "usage.cost_usd" }, { 0 }, 1 },
	[LIMIT_SECONDS] = { { "duration_ms" }, { 0 }, 1000 },
};

struct limit_want {
	const struct humanize *humanize;
	double most;
};

/* Adds those that are recorded, and returns the first that is not. */
static const char *
add_up(const struct json *record, const char *const names[2], double *sum)
{
	const char *lacking = NULL;

	for (size_t i = 0; i < 2 && names[i] != NULL; i++) {
		const struct json *n = json_path(record, names[i]);

		if (json_is(n, JSON_NUMBER))
			*sum += json_double(n);
		else if (lacking == NULL)
			lacking = names[i];
	}
	return lacking;
}

/* Why what was recorded may not be all; absent if it is. */
static struct str
not_all(const struct limit_want *w, const struct view *v)
{
	if (v->cut & VIEW_CALLS)
		return STR("cut short in the log: tool_sequence");
	if (w->humanize == &amounts[LIMIT_TOKENS] &&
	    json_is(json_path(v->trace->record, "meta.output_tokens_partial"),
		JSON_TRUE))
		return STR("not recorded in full: usage.output_tokens");
	return (struct str){ 0 };
}

/* As of the calls' time: more can only be more than the limit. */
static struct failure
find_amount(const void *want, struct view *v)
{
	const struct limit_want *w = want;
	const struct json *record = v->trace->record;
	double sum = 0;
	const char *lacking = add_up(record, w->humanize->needed, &sum);
	struct failure f = { .found = FOUND_SKIP };

	add_up(record, w->humanize->more, &sum);
	sum /= w->humanize->unit;
	if (!(sum <= w->most + slack))
		return (struct failure){ .found = FOUND_NO,
			.why = str_printf(v->arena, "%.15g", sum) };
	if (lacking != NULL)
		f.why = str_printf(v->arena, "not recorded: %s", lacking);
	else
		f.why = not_all(w, v);
	if (f.why.s == NULL)
		f.found = FOUND_YES;
	return f;
}

static void
show_amount(const void *want, struct out *o)
{
	const struct limit_want *w = want;

	out_member_double(o, "most", w->most);
}

struct check
limit_check(struct arena *a, enum limit limit, double most)
{
	static const struct check_kind kinds[] = {
		[LIMIT_LLM_CALLS] = { .name = "llm_calls",
		    .find = find_amount,
		    .show = show_amount },
		[LIMIT_TOKENS] = { .name = "tokens",
		    .find = find_amount,
		    .show = show_amount },
		[LIMIT_COST] = { .name = "cost",
		    .find = find_amount,
		    .show = show_amount },
		[LIMIT_SECONDS] = { .name = "seconds",
		    .find = find_amount,
		    .show = show_amount },
	};
	struct limit_want *w = arena_new(a, struct limit_want);

	*w = (struct limit_want){ &amounts[limit], most };
	return (struct check){ .kind = &kinds[limit], .want = w };
}

/* ---- how long the calls took ---- */

/* What is not recorded takes no less than nothing: it matters only where the
 * rest is within the limit. */
static struct failure
find_call_time(const void *want, struct view *v)
{
	const double *most = want;
	struct trace_calls calls = view_calls(v);
	double sum = 0;
	bool all = true;

	for (size_t i = 0; i < calls.n; i++) {
		const struct json *ms = calls.list[i].duration_ms;

		if (json_is(ms, JSON_NUMBER))
			sum += json_double(ms);
		else
			all = false;
	}
	if (!(sum <= *most + slack))
		return (struct failure){ .found = FOUND_NO,
			.why = str_printf(v->arena, "%.15g ms", sum) };
	if (!all)
		return (struct failure){ .found = FOUND_SKIP,
			.why = STR("not recorded: the duration of a call") };
	return (
	    struct failure){ .found = FOUND_YES, .open = v->cut & VIEW_CALLS };
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
