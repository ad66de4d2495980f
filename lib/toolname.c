#include "toolname.h"

static bool
is_tail(struct str whole, struct str tail)
{
	const struct str signs = STR("_-./:");
	size_t before = whole.n - tail.n;

	return tail.n != 0 && whole.n > tail.n && str_ends(whole, tail) &&
	    str_find_char(signs, whole.s[before - 1]) != signs.n;
}

bool
toolname_same(struct str a, struct str b)
{
	return str_eq(a, b) || is_tail(a, b) || is_tail(b, a);
}
