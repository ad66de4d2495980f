#include "trace/verdict.h"

bool
verdict_counts(const struct json *result)
{
	const struct json *severity = json_get(result, "severity");

	return severity == NULL ||
	    !(json_str_is(severity, "warning") ||
		json_str_is(severity, "note"));
}

enum status
verdict_status(const struct json *status)
{
	for (int i = 0; i < STATUS_COUNT; i++)
		if (json_str_is(status, str_of(status_name((enum status)i))))
			return (enum status)i;
	return STATUS_ERROR;
}

void
verdict_put_failure(struct out *o, const struct json *result, enum status s,
    struct str reason, struct arena *a)
{
	if (!(s == STATUS_FAILED || s == STATUS_ERROR) ||
	    !verdict_counts(result))
		return;
	if (reason.s == NULL)
		reason = json_text(json_get(result, "reason"), a);
	if (reason.s == NULL)
		reason = json_text(json_get(result, "label"), a);
	out_json_str(o, reason.s == NULL ? STR("no reason given") : reason);
}

void
verdict_count(const struct trace *t, size_t counts[STATUS_COUNT])
{
	const struct json *results = t->member[TRACE_CHECK_RESULTS];

	counts[STATUS_ERROR] +=
	    results != NULL && !json_is(results, JSON_ARRAY);
	for (json_each(result, results))
		if (verdict_counts(result))
			counts[verdict_status(json_get(result, "status"))]++;
}

bool
verdict_of(const struct trace *t, enum status *verdict)
{
	const struct json *status = t->member[TRACE_STATUS];
	const struct json *results = t->member[TRACE_CHECK_RESULTS];
	size_t counts[STATUS_COUNT] = { 0 };

	if (status == NULL && json_count(results) == 0)
		return false;
	if (status != NULL)
		counts[verdict_status(status)]++;
	verdict_count(t, counts);
	*verdict = trace_status(counts, t->member[TRACE_ERROR] != NULL);
	return true;
}
