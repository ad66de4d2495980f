#include "check/tool_names.h"

#include <strings.h>

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

/* Compares ASCII letters without regard to case. */
static bool
is_caseless_equal(struct str one, struct str other)
{
	return one.n == other.n && strncasecmp(one.s, other.s, one.n) == 0;
}

/* Returns whether the longer name ends with the shorter one, after a sign that
 * separates servers from tools. */
static bool
has_prefix(struct str longer, struct str shorter)
{
	size_t from = longer.n - shorter.n;

	return longer.n > shorter.n + 1 && shorter.n > 0 &&
	    str_find_char(STR("_:./-"), longer.s[from - 1]) < 5 &&
	    is_caseless_equal(str_from(longer, from), shorter);
}

/* Returns what differs between two names; NULL: nothing, or too much. */
static const char *
difference(struct str one, struct str other)
{
	if (str_eq(one, other))
		return NULL;
	if (is_caseless_equal(one, other))
		return "only letter case differs";
	if (has_prefix(one, other) || has_prefix(other, one))
		return str_ends(one, other) || str_ends(other, one)
		    ? "only a prefix like a server's differs"
		    : "only letter case and a prefix like a server's differ";
	return NULL;
}

/* Returns a text about the call if its tool has a similar name, with its server
 * or without. */
static struct str
similarity(const struct trace_call *call, struct str tool, struct arena *a)
{
	struct str shown = call->tool;
	const char *what;

	if (call->name.s != NULL && !str_eq(call->name, tool) &&
	    is_caseless_equal(call->name, tool))
		shown = call->name;
	what = difference(shown, tool);
	if (what == NULL && call->name.s != NULL)
		what = difference(call->name, tool);
	if (what == NULL)
		return (struct str){ 0 };
	return str_printf(a, "%s: '%.*s' was called", what, STR_FMT(shown));
}

/* Returns a text about the first call of a tool with a similar name; absent if
 * there is none, or if the tool itself was called. */
static struct str
similar_call(
    struct trace_calls calls, struct str tool, bool as_logged, struct arena *a)
{
	struct str found = { 0 };

	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];

		if (as_logged ? str_eq(call->tool, tool)
			      : trace_call_is(call, tool))
			return (struct str){ 0 };
		if (found.s == NULL)
			found = similarity(call, tool, a);
	}
	return found;
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
tool_names_similar(struct str_list named, struct trace_calls calls,
    bool as_logged, struct arena *a)
{
	struct str *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < named.n; i++) {
		struct str text = { 0 };

		if (!is_named_before(named, i))
			text = similar_call(calls, named.list[i], as_logged, a);
		if (text.s != NULL)
			*arena_push(a, found, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, found, n, STR("; "));
}
