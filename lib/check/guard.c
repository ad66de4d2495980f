#include "check/guard.h"

#include <string.h>

static enum guard_event
event_of(struct str name)
{
	static const struct {
		const char *begin;
		enum guard_event event;
	} events[] = {
		{ "Pre", GUARD_ASKS },
		{ "pre", GUARD_ASKS },
		{ "PermissionRequest", GUARD_ASKS },
		{ "before", GUARD_ASKS },
		{ "Post", GUARD_CALLED },
		{ "post", GUARD_CALLED },
		{ "after", GUARD_CALLED },
		{ "UserPrompt", GUARD_PROMPT },
		{ "Stop", GUARD_STOPS },
		{ "stop", GUARD_STOPS },
		{ "Subagent", GUARD_STOPS },
		{ "subagent", GUARD_STOPS },
	};

	if (str_is(name, "beforeSubmitPrompt"))
		return GUARD_PROMPT;
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		if (str_starts(name, events[i].begin))
			return events[i].event;
	return GUARD_NOTHING;
}

/* Returns the number of the call that the hook is about: the pending one, or the last one
 * with the id. */
static size_t
call_of(struct trace_calls calls, const struct json *id, bool pending)
{
	for (size_t i = calls.n; i-- > 0;) {
		const struct json *step = calls.list[i].step;

		if (pending ? json_is(json_get(step, "pending"), JSON_TRUE)
			    : id == NULL ||
			    str_eq(
				json_raw(json_get(step, "id")), json_raw(id)))
			return i;
	}
	return SIZE_MAX;
}

struct guard
guard_read(const struct trace *t, struct trace_calls calls, struct arena *a)
{
	static const char *const agents[] = {
		[GUARD_CLAUDE] = "claude-code",
		[GUARD_CODEX] = "codex",
		[GUARD_CURSOR] = "cursor",
	};
	const struct json *hook = json_get(t->member[TRACE_META], "hook");
	const struct json *name = json_get(hook, "event");
	struct guard g = { .call = SIZE_MAX };

	if (!json_is(name, JSON_STRING))
		return g;
	g.name = json_text(name, a);
	g.event = event_of(g.name);
	g.again = json_is(json_get(hook, "again"), JSON_TRUE);
	for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++)
		if (json_str_is(json_get(hook, "agent"), agents[i]))
			g.agent = (enum guard_agent)i;
	if (g.event == GUARD_ASKS || g.event == GUARD_CALLED) {
		g.call = call_of(
		    calls, json_get(hook, "call"), g.event == GUARD_ASKS);
		g.beside = g.call == SIZE_MAX;
	} else {
		/* A sub-agent's record is not the one of the run that ends. */
		g.beside = json_has(t->member[TRACE_META], "parent_run") &&
		    !str_starts(g.name, "Sub");
	}
	if (g.beside)
		g.event = GUARD_NOTHING;
	return g;
}
