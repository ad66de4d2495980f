#include "check/kind/kind.h"

#include <math.h>
#include <stdlib.h>

/* The calls whose tools fit the pattern. */
struct fitting {
	const struct trace_call **list;
	size_t n;
};

static struct fitting
fitting_calls(const struct spans_want *w, struct view *v)
{
	struct trace_calls calls = view_calls(v);
	struct fitting f = { 0 };

	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];

		if (regex_search(w->name, call->tool, NULL, NULL) ==
			REGEX_YES ||
		    (call->name.s != NULL &&
			regex_search(w->name, call->name, NULL, NULL) ==
			    REGEX_YES))
			*arena_push(v->arena, f.list, f.n) = call;
	}
	return f;
}

static struct finding
limited(double n, const double *least, const double *most, const char *unit,
    struct arena *a)
{
	return (struct finding){
		.found =
		    (least != NULL && n < *least) || (most != NULL && n > *most)
		    ? FOUND_NO
		    : FOUND_YES,
		.why = str_printf(a, "%.15g%s", n, unit),
	};
}

static struct finding
find_errors(const struct spans_want *w, struct fitting calls, struct arena *a)
{
	size_t errors = 0;
	double part;

	for (size_t i = 0; i < calls.n; i++) {
		const struct json *failed = calls.list[i]->is_error;

		if (failed == NULL)
			return finding_skip("not recorded: is_error of a call");
		errors += json_is(failed, JSON_TRUE);
	}
	part = 100 * (double)errors / (double)calls.n;
	if (w->most != NULL && (double)errors > *w->most)
		return limited((double)errors, NULL, w->most, " errors", a);
	if (w->percent != NULL)
		return limited(part, NULL, w->percent, "% errors", a);
	return limited((double)errors, NULL, w->most, " errors", a);
}

static int
compare(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static struct finding
find_duration(const struct spans_want *w, struct fitting calls, struct arena *a)
{
	double *ms = arena_new_n(a, double, calls.n), percent = 100, place;

	for (size_t i = 0; i < calls.n; i++) {
		if (!json_is(calls.list[i]->duration_ms, JSON_NUMBER))
			return finding_skip(
			    "not recorded: the duration of a call");
		ms[i] = json_double(calls.list[i]->duration_ms);
	}
	qsort(ms, calls.n, sizeof *ms, compare);
	if (w->percent != NULL)
		percent = *w->percent;
	place = ceil(percent / 100 * (double)calls.n) - 1;
	return limited(
	    ms[place > 0 ? (size_t)place : 0], NULL, w->most, " ms", a);
}

static struct finding
spans_find(const void *want, struct view *v)
{
	const struct spans_want *w = want;
	struct fitting calls = fitting_calls(w, v);
	struct finding f;

	if (calls.n == 0)
		return finding_skip(
		    "no call's tool fits the pattern, and spans that "
		    "are no calls are not recorded");
	if (w->how == SPANS_COUNT)
		f = limited((double)calls.n, w->least, w->most, "", v->arena);
	else if (w->how == SPANS_ERRORS)
		f = find_errors(w, calls, v->arena);
	else
		f = find_duration(w, calls, v->arena);
	f.open = v->cut & VIEW_CALLS;
	return f;
}

static const struct check_kind spans_check_kind = { .name = "spans",
	.find = spans_find,
	WANTS(WANT("of count duration errors", WANT_WORD, spans_want, how),
	    WANT("pattern", WANT_STR, spans_want, pattern),
	    WANT("least", WANT_DOUBLE | WANT_AT, spans_want, least),
	    WANT("most", WANT_DOUBLE | WANT_AT, spans_want, most),
	    WANT("percent", WANT_DOUBLE | WANT_AT, spans_want, percent),
	    WANT(NULL, WANT_REGEX, spans_want, name)) };

struct check
spans_check(struct arena *a, const struct spans_want *want)
{
	return check_new(a, &spans_check_kind, want, sizeof *want, VIEW_CALLS);
}
