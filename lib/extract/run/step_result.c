#include "extract/run/step_result.h"

#include "base/utf8.h"
#include "extract/run/put_member.h"

/* Returns the length of the longest prefix of the body that has at most `bytes`
 * bytes and splits no escape and no character. */
static size_t
whole_prefix(struct str body, size_t bytes)
{
	size_t n = 0, unit = 0;

	while (n + unit <= bytes && n + unit < body.n) {
		n += unit;
		if (body.s[n] == '\\') {
			unit = json_escape_length(str_from(body, n));
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
