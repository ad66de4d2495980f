/*
 * Calls that go on as tasks, which MCP has since 2025-11-25: a call is answered
 * at once, with the task's id, and what came of it is fetched by a request of
 * its own (tasks/result).
 */
#pragma once

#include "base/hash.h"
#include "json/json.h"

struct mcp_tasks {
	struct hash_table calls;   /* by the ids of their tasks */
	struct hash_table fetched; /* by the ids of the requests for them */
};

/* Nothing is known of any. The ids below must live as long as the arena. */
void mcp_tasks_init(struct mcp_tasks *, struct arena *);

/* Whether the result of the call with that id says that it goes on as a task;
 * if so, the task is noted. */
bool mcp_tasks_begin(
    struct mcp_tasks *, const struct json *call, const struct json *result);

/* Notes a request with that id, if it asks for what came of a known task. */
void mcp_tasks_fetch(
    struct mcp_tasks *, const struct json *id, const struct json *params);

/* The id of the call that the response to that request answers; NULL: the
 * request asked for no task. */
const struct json *mcp_tasks_call(
    const struct mcp_tasks *, const struct json *id);
