/* promptfoo's assertions on the spans of a trace. */
#include "base/suggest.h"
#include "check/kind/kind.h"
#include "check/promptfoo/promptfoo.h"

static struct check
spans(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct spans_want want = { .how =
				       (enum spans_how)scenarios_form(e)->how };
	bool errors = want.how == SPANS_ERRORS;
	double *most = arena_new(e->arena, double);
	struct check c;

	want.pattern = json_text(json_get(v, "pattern"), e->arena);
	want.least = promptfoo_limit(e, v, "min");
	want.most = promptfoo_limit(e, v, errors ? "max_count" : "max");
	want.percent =
	    promptfoo_limit(e, v, errors ? "max_percentage" : "percentile");
	if (json_is(v, JSON_NUMBER))
		*most = json_double(v);
	if (errors && want.most == NULL && want.percent == NULL)
		want.most = most;
	if (!errors && !json_is(v, JSON_OBJECT))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a mapping with 'pattern' and limits");
	if (want.how == SPANS_DURATION && want.most == NULL)
		fields_spoil(e, v, "value: missing key 'max'");
	if (want.how == SPANS_DURATION && want.percent != NULL &&
	    !(*want.percent >= 0 && *want.percent <= 100))
		fields_spoil(
		    e, v, "value: percentile: expected a number from 0 to 100");
	if (want.pattern.n == 0 || str_is(want.pattern, "*"))
		promptfoo_undecided(e,
		    "not recorded: spans that are no calls (a pattern of tools "
		    "can be decided)");
	if (promptfoo_is_negated(e))
		promptfoo_undecided(
		    e, "promptfoo decides this type as if it had no 'not-'");
	want.name = promptfoo_caseless(e, want.pattern);
	c = spans_check(e->arena, &want);
	c.detail = str_printf(e->arena, "spans %.*s: expected %.*s",
	    STR_FMT(want.pattern),
	    STR_FMT(promptfoo_range(want.least,
		errors && want.percent != NULL ? want.percent : want.most,
		e->arena)));
	return promptfoo_finish(e, c, want.pattern);
}

#define LIMITS \
	PART("pattern", ANY), PART("min", NUMBER), PART("max", NUMBER), \
	    PART("max_count", NUMBER), PART("max_percentage", NUMBER), \
	    PART("percentile", NUMBER)

const struct form promptfoo_span_forms[] = {
	FORM("trace-span-count", spans, .how = SPANS_COUNT,
	    .role = ROLE_ITERATIONS,
	    PARAMS(NEED_PARTS("value", IS(OBJECT), LIMITS))),
	FORM("trace-span-duration", spans, .how = SPANS_DURATION,
	    .role = ROLE_TIME, PARAMS(NEED_PARTS("value", IS(OBJECT), LIMITS))),
	FORM("trace-error-spans", spans, .how = SPANS_ERRORS,
	    .role = ROLE_ERRORS,
	    PARAMS(KEY_PARTS("value", IS(OBJECT), LIMITS))),
	FORM(NULL, NULL),
};
