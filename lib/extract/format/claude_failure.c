#include "extract/format/claude.h"

#include "base/timestamp.h"
#include "extract/value/copy.h"
#include "text/caseless.h"

void
claude_limit_read(
    struct claude_limit *l, struct arena *a, const struct json *info)
{
	const struct json *resets = json_get(info, "resetsAt");

	if (!json_is(info, JSON_OBJECT))
		return;
	*l = (struct claude_limit){
		.rejected = json_str_is(json_get(info, "status"), "rejected"),
		.type = copy_body(a, json_get(info, "rateLimitType")),
		.resets =
		    json_is(resets, JSON_NUMBER) ? json_double(resets) : 0,
	};
}

/*
 * Returns whether the text is a banner about a limit: "Claude AI usage limit
 * reached
 *
 * 1755772800", "5-hour limit reached ∙ resets 3pm". The words differ from
 * version to version. A banner is one line.
 */
static bool
is_banner(struct str text)
{
	struct str rest = text;

	(void)str_cut(&rest, '\n');
	if (rest.s != NULL)
		return false;
	return caseless_has(text, STR("usage limit reached")) ||
	    (caseless_has(text, STR("limit reached")) &&
		caseless_has(text, STR("resets")));
}

/* Returns ", resets TIME" for the seconds since 1970; TIME is RFC 3339 without
 * a fraction. Empty if the time is out of range. */
static struct str
time_of(struct arena *a, double seconds)
{
	char buf[TIMESTAMP_SIZE];
	int64_t ms;

	if (!timestamp_number(seconds, &ms))
		return STR("");
	return str_printf(a, ", resets %.*sZ",
	    STR_FMT(str_slice(
		timestamp_print(ms, buf), 0, STR("2026-03-01T10:15:00").n)));
}

/* Returns the body of the error of a run that a limit refused; absent for
 * another run. */
static struct str
refusal(
    const struct claude_limit *l, struct arena *a, struct str text, bool silent)
{
	if (!(l->rejected && silent) && !is_banner(text))
		return (struct str){ 0 };
	if (l->type.n != 0)
		return str_printf(a, "usage limit reached (%.*s)%.*s",
		    STR_FMT(l->type), STR_FMT(time_of(a, l->resets)));
	return str_cat(a, STR("usage limit reached: "), copy_escaped(a, text));
}

/* ---- the result ---- */

/* Returns the result's errors in one line; absent if there are none. */
static struct str
errors_of(struct arena *a, const struct json *r)
{
	struct str *list = NULL;
	size_t n = 0;

	for (json_each(e, json_get(r, "errors"))) {
		struct str text = str_trim(json_text(e, a));

		if (text.n != 0)
			*arena_push(a, list, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return copy_escaped(a, str_join(a, list, n, STR("; ")));
}

/* Returns whether the run was ended for its length; then its result is still an
 * answer. */
static bool
is_too_long(const struct json *r)
{
	return str_starts(json_raw(json_get(r, "subtype")), "error_max");
}

static bool
has_failed(const struct json *r)
{
	return str_starts(json_raw(json_get(r, "subtype")), "error") ||
	    json_is(json_get(r, "is_error"), JSON_TRUE);
}

bool
claude_answered(const struct json *r)
{
	return !has_failed(r) || is_too_long(r);
}

struct str
claude_failure(const struct claude_limit *l, struct arena *a,
    const struct json *r, bool silent)
{
	const struct json *text = json_get(r, "result");
	struct str why = refusal(l, a, str_trim(json_text(text, a)), silent);

	if (why.n == 0 && !has_failed(r))
		return (struct str){ 0 };
	if (why.n == 0)
		why = errors_of(a, r);
	if (why.n == 0 && !is_too_long(r))
		why = json_raw(text);
	return why.n != 0 ? why : json_raw(json_get(r, "subtype"));
}
