#include "call.h"

#include "../go.h"

enum { ARGS_SHOWN = 120 }; /* bytes */

/* As the log wrote them; but of a command that codex ran evolve sees how Go
 * writes it. A call without arguments has empty ones. */
static struct str
arguments(const struct trace_call *c, struct arena *a)
{
	if (c->args == NULL)
		return STR("");
	if (json_is(c->args, JSON_STRING) &&
	    str_is(c->tool, "command_execution"))
		return go_json_str(a, json_text(c->args, a));
	return c->args->text;
}

static struct str
shown(struct arena *a, struct str args)
{
	args = str_whole(args, ARGS_SHOWN);
	return args.n == 0 ? STR("") : str_cat(a, STR(" "), args);
}

/* The name as logged, or as mcp__SERVER__NAME: evolve's logs have the latter. */
static enum regex_found
match_name(
    const struct call_want *w, const struct trace_call *c, struct arena *a)
{
	enum regex_found found = regex_search(w->tool, c->tool, NULL, a);
	struct str parts[] = { STR("mcp"), c->server, c->name };

	if (found == REGEX_NO && c->server.s != NULL)
		found = regex_search(
		    w->tool, str_join(a, parts, 3, STR("__")), NULL, a);
	return found;
}

static enum regex_found
match(const struct call_want *w, const struct trace_call *c, struct arena *a)
{
	enum regex_found found = match_name(w, c, a);

	if (found == REGEX_YES && w->args != NULL)
		found = regex_search(w->args, arguments(c, a), NULL, a);
	return found;
}

/* Of a log that has the arguments of no call, who knows. */
static bool
lacks_arguments(
    const struct call_want *w, struct trace_calls calls, struct arena *a)
{
	bool needed = false;

	for (size_t i = 0; i < calls.n && w->args != NULL; i++) {
		if (calls.list[i].args != NULL)
			return false;
		needed |= match_name(w, &calls.list[i], a) == REGEX_YES;
	}
	return needed;
}

static struct finding
found_in(const struct trace_call *c, struct arena *a)
{
	return (struct finding){ .found = FOUND_YES,
		.why = str_cat(a, c->tool, shown(a, arguments(c, a))) };
}

static struct finding
find(const void *want, struct view *v)
{
	const struct call_want *w = want;
	struct finding f = { .open = v->cut & VIEW_CALLS };
	struct trace_calls calls = view_calls(v);

	if (lacks_arguments(w, calls, v->arena))
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: the arguments of a call") };
	for (size_t i = 0; i < calls.n; i++) {
		switch (match(w, &calls.list[i], v->arena)) {
		case REGEX_YES:
			return found_in(&calls.list[i], v->arena);
		case REGEX_LIMIT:
			f.found = FOUND_ERROR;
			f.why = STR("no verdict within the step limit");
			break;
		default:
			break;
		}
	}
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct call_want *w = want;

	out_key(o, "tool");
	out_json_str(o, w->tool_pattern);
	if (w->args != NULL) {
		out_key(o, "args");
		out_json_str(o, w->args_pattern);
	}
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct call_want *w = want;

	each(w->tool, arg);
	each(w->args, arg);
}

struct check
call_check(struct arena *a, const struct call_want *want)
{
	static const struct check_kind kind = {
		.name = "call", .find = find, .show = show, .patterns = patterns
	};
	struct call_want *w = arena_new(a, struct call_want);

	*w = *want;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
