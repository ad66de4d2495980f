/*
 * What a hook asks about a run (mcpl-check --guard): whether the event that comes now, a
 * call most often, breaks a check. What was broken before is not the event's fault, and
 * what may still be made good later is open until the agent ends its turn.
 */
#pragma once

#include "trace/trace.h"

enum guard_event {
	GUARD_NOTHING, /* there is nothing to ask about */
	GUARD_ASKS,    /* a call that is not made yet */
	GUARD_CALLED,  /* a call that was made */
	GUARD_PROMPT,  /* an input of the user */
	GUARD_STOPS,   /* the agent is about to end its turn */
};

/* The agents' products whose hooks are known. */
enum guard_agent {
	GUARD_CLAUDE,
	GUARD_CODEX,
	GUARD_CURSOR,
};

/* A hook's event, as mcpl-extract --hook notes it in the record. */
struct guard {
	enum guard_event event;
	enum guard_agent agent;
	struct str name; /* of the event, as the product has it */
	bool again;      /* the agent was held back at its end before */
	size_t call;     /* its number among the run's calls; SIZE_MAX: none */
	bool beside;     /* the event is one of another record's run */
};

/* Returns what the hook asks, of whose run this is a record. The event is NOTHING if the
 * record is not of a hook, or the event is `beside`. */
struct guard guard_read(
    const struct trace *, struct trace_calls, struct arena *);

enum guard_found {
	GUARD_FINE,
	GUARD_UNDECIDED, /* the event may break the check */
	GUARD_ASK,       /* a person is to decide */
	GUARD_BROKEN,
};

/* A finding of a check about the event. */
struct guard_finding {
	enum guard_found found;
	struct str why; /* unless FINE */
};
