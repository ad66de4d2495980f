#include "extract/value/tool_name.h"

static bool
is_tail(struct str whole, struct str tail)
{
	const struct str signs = STR("_-./:");
	size_t before = whole.n - tail.n;

	return tail.n != 0 && whole.n > tail.n && str_ends(whole, tail) &&
	    str_find_char(signs, whole.s[before - 1]) != signs.n;
}

bool
tool_name_same(struct str a, struct str b)
{
	return str_eq(a, b) || is_tail(a, b) || is_tail(b, a);
}

struct str
tool_name_in_span(struct str name)
{
	static const char *const before[] = { "execute_tool ", "tools/call ",
		"running tool: " };

	for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
		if (str_starts(name, str_of(before[i])))
			return str_from(name, str_of(before[i]).n);
	return name;
}
