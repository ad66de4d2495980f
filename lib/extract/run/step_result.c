#include "extract/run/step_result.h"

#include <string.h>

#include "base/utf8.h"
#include "extract/run/put_member.h"

/* Returns whether the body begins with the escape of a surrogate: \uD and one
 * of these digits. */
static bool
is_surrogate(struct str body, const char *digits)
{
	return body.n >= 6 && body.s[0] == '\\' && body.s[1] == 'u' &&
	    (body.s[2] == 'd' || body.s[2] == 'D') &&
	    strchr(digits, body.s[3]) != NULL;
}

/* Returns the length of the escape that the body begins with. A pair of
 * surrogates is one character. */
static size_t
escape_length(struct str body)
{
	if (body.s[1] != 'u')
		return 2;
	return is_surrogate(body, "89abAB") &&
		is_surrogate(str_from(body, 6), "cdefCDEF")
	    ? 12
	    : 6;
}

/* Returns the length of the longest prefix of the body that has at most `bytes`
 * bytes and splits no escape and no character. */
static size_t
whole_prefix(struct str body, size_t bytes)
{
	size_t n = 0, unit = 0;

	while (n + unit <= bytes && n + unit < body.n) {
		n += unit;
		if (body.s[n] == '\\') {
			unit = escape_length(str_from(body, n));
			continue;
		}
		for (unit = 1;
		     n + unit < body.n && utf8_is_within(body.s[n + unit]);)
			unit++;
	}
	return n + unit <= bytes ? n + unit : n;
}

bool
step_result_is_longer(struct str result, size_t limit)
{
	size_t quotes = result.n != 0 && result.s[0] == '"' ? 2 : 0;

	return limit != 0 && result.n - quotes > limit;
}

void
step_result_put(struct out *o, struct str result, size_t limit)
{
	struct str body = str_slice(result, 1, result.n - 1);

	if (limit == 0)
		return;
	if (!step_result_is_longer(result, limit)) {
		put_value(o, "result", result);
		return;
	}
	out_key(o, "result");
	if (result.s[0] == '"')
		out_body(o, str_slice(body, 0, whole_prefix(body, limit)));
	else /* a shortened list or object becomes a string */
		out_json_str(o, str_truncate(result, limit));
}
