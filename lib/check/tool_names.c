#include "check/tool_names.h"

#include <strings.h>

#include "base/hash.h"

/* ---- servers that were not recorded ---- */

/* Returns the TOOL of SERVER:TOOL; absent for any other name. */
static struct str
tool_of_server(struct str name)
{
	size_t from = name.n;

	if (str_find_char(name, ':') == name.n)
		return (struct str){ 0 };
	while (name.s[from - 1] != ':')
		from--;
	return from > 1 ? str_from(name, from) : (struct str){ 0 };
}

/* Adds the tools of calls whose server was not recorded. */
static void
collect_unknown(struct hash_table *tools, struct trace_calls calls)
{
	for (size_t i = 0; i < calls.n; i++)
		if (calls.list[i].server.s == NULL)
			*hash_put(tools, calls.list[i].tool) = &calls.list[i];
}

struct str
tool_names_unknown(
    struct str_list named, struct trace_calls calls, struct arena *a)
{
	struct hash_table unknown = { .arena = a };
	bool collected = false;

	for (size_t i = 0; i < named.n; i++) {
		struct str tool = tool_of_server(named.list[i]);

		if (tool.s == NULL)
			continue;
		if (!collected)
			collect_unknown(&unknown, calls);
		collected = true;
		if (hash_get(&unknown, tool) != NULL &&
		    trace_calls_of(calls, named.list[i]) == 0)
			return str_printf(a,
			    "not recorded: the server of a call, which '%.*s' "
			    "needs",
			    STR_FMT(named.list[i]));
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

static bool
ends_alike(struct str one, struct str other)
{
	return one.n > 0 && other.n > 0 &&
	    ((one.s[one.n - 1] ^ other.s[other.n - 1]) & ~0x20) == 0;
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

		/* Similar and equal names end with the same letter. */
		if (!ends_alike(call->tool, tool) &&
		    !ends_alike(call->name, tool))
			continue;
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

enum { NAMES_COMPARED = 32 }; /* with all calls */

struct str
tool_names_similar(struct str_list named, struct trace_calls calls,
    bool as_logged, struct arena *a)
{
	struct str *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < named.n && i < NAMES_COMPARED; i++) {
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
