/*
 * Calls of tools as mcp-agent and fast-agent log them: that the agent asks for
 * one, and what goes over the wire, in either order and without ids. The first
 * that was sent is the first that is answered.
 */
#pragma once

#include "base/hash.h"
#include "extract/span/span.h"

struct mcp_agent_call;

struct mcp_agent_queue {
	struct mcp_agent_call *first, *last;
};

struct mcp_agent_calls {
	struct arena *arena;
	struct hash_table tools; /* by their name */
	struct mcp_agent_queue sent;
};

void mcp_agent_calls_init(struct mcp_agent_calls *, struct arena *);

/* The place of the span of a call of which one half, that it was sent or not,
 * is told now; it holds NULL if the other half was not told before. */
struct span **mcp_agent_calls_half(
    struct mcp_agent_calls *, const struct json *name, bool sent);

/* The span of the call that is answered now; NULL: none waits. */
struct span *mcp_agent_calls_answered(struct mcp_agent_calls *);
