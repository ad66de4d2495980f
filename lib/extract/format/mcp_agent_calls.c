#include "extract/format/mcp_agent_calls.h"

enum { HALVES, ANSWERS };

struct mcp_agent_call {
	struct mcp_agent_call *next[2]; /* in queues: of halves, of answers */
	struct span *span;
};

/* Calls of which only one half was told. */
struct tool {
	struct mcp_agent_queue asked, sent;
};

void
mcp_agent_calls_init(struct mcp_agent_calls *calls, struct arena *a)
{
	*calls = (struct mcp_agent_calls){ .arena = a, .tools.arena = a };
}

static void
push(struct mcp_agent_queue *q, struct mcp_agent_call *c, int which)
{
	if (q->last == NULL)
		q->first = c;
	else
		q->last->next[which] = c;
	q->last = c;
}

/* The first, or NULL. */
static struct mcp_agent_call *
pop(struct mcp_agent_queue *q, int which)
{
	struct mcp_agent_call *c = q->first;

	if (c == NULL)
		return NULL;
	q->first = c->next[which];
	if (q->first == NULL)
		q->last = NULL;
	return c;
}

static struct tool *
tool_of(struct mcp_agent_calls *calls, const struct json *name)
{
	void **slot = hash_put(&calls->tools, json_raw(name));

	if (*slot == NULL)
		*slot = arena_new(calls->arena, struct tool);
	return *slot;
}

struct span **
mcp_agent_calls_half(
    struct mcp_agent_calls *calls, const struct json *name, bool sent)
{
	struct tool *t = tool_of(calls, name);
	struct mcp_agent_call *c = pop(sent ? &t->asked : &t->sent, HALVES);

	if (c == NULL) {
		c = arena_new(calls->arena, struct mcp_agent_call);
		push(sent ? &t->sent : &t->asked, c, HALVES);
	}
	if (sent)
		push(&calls->sent, c, ANSWERS);
	return &c->span;
}

struct span *
mcp_agent_calls_answered(struct mcp_agent_calls *calls)
{
	struct mcp_agent_call *c = pop(&calls->sent, ANSWERS);

	return c == NULL ? NULL : c->span;
}
