/* The mark of values that GitHub Copilot cut when it logged them. */
#pragma once

#include "json/json.h"

#define CUT_MARK STR("[truncated]")

/* Returns whether the value is a string that ends in the mark: "[truncated]" or
 * "...[truncated, original N chars]". */
static inline bool
cut_mark_is(const struct json *v)
{
	struct str body = json_raw(v);

	return str_ends(body, CUT_MARK) ||
	    (str_ends(body, " chars]") &&
		str_contains(body, "...[truncated, original "));
}
