#include "check/tool_names.h"

#include "text/unicode.h"

/* ---- servers that were not recorded ---- */

static bool
may_be_called(struct trace_calls calls, struct str tool)
{
	if (str_find_char(tool, ':') == tool.n)
		return false;
	for (size_t i = 0; i < calls.n; i++)
		if (trace_call_may_be(&calls.list[i], tool))
			return true;
	return false;
}

struct str
tool_names_unknown(
    struct str_list named, struct trace_calls calls, struct arena *a)
{
	for (size_t i = 0; i < named.n; i++) {
		struct str tool = named.list[i];

		if (may_be_called(calls, tool) &&
		    trace_calls_of(calls, tool) == 0)
			return str_printf(a,
			    "not recorded: the server of a call, which '%.*s' "
			    "needs",
			    STR_FMT(tool));
	}
	return (struct str){ 0 };
}

/* ---- similar names ---- */

static bool
is_caseless_equal(struct str one, struct str other, struct arena *a)
{
	return str_eq(unicode_lower_js(a, one), unicode_lower_js(a, other));
}

/* Returns whether the longer name ends with the shorter one, after a sign that
 * separates servers from tools. */
static bool
has_prefix(struct str longer, struct str shorter, struct arena *a)
{
	size_t from = longer.n - shorter.n;

	return longer.n > shorter.n + 1 && shorter.n > 0 &&
	    str_find_char(STR("_:./-"), longer.s[from - 1]) < 5 &&
	    is_caseless_equal(str_from(longer, from), shorter, a);
}

/* Returns what differs between two names that are not equal; NULL: too much. */
static const char *
difference(struct str one, struct str other, struct arena *a)
{
	if (is_caseless_equal(one, other, a))
		return "only letter case differs";
	if (has_prefix(one, other, a) || has_prefix(other, one, a))
		return str_ends(one, other) || str_ends(other, one)
		    ? "only a prefix like a server's differs"
		    : "only letter case and a prefix like a server's differ";
	return NULL;
}

/* Returns a text about the first called tool whose name is similar. */
static struct str
similar_call(struct trace_calls calls, struct str tool, struct arena *a)
{
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		const char *what = NULL;

		if (call->name.s != NULL)
			what = difference(call->name, tool, a);
		if (what == NULL)
			what = difference(call->tool, tool, a);
		if (what != NULL)
			return str_printf(a, "%s: '%.*s' was called", what,
			    STR_FMT(call->tool));
	}
	return (struct str){ 0 };
}

static bool
is_named_before(struct str_list named, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (str_eq(named.list[i], named.list[at]))
			return true;
	return false;
}

struct str
tool_names_similar(
    struct str_list named, struct trace_calls calls, struct arena *a)
{
	struct str *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < named.n; i++) {
		struct str text = { 0 };

		if (!is_named_before(named, i) &&
		    trace_calls_of(calls, named.list[i]) == 0)
			text = similar_call(calls, named.list[i], a);
		if (text.s != NULL)
			*arena_push(a, found, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, found, n, STR("; "));
}
