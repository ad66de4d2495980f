#include "extract/format/mcp_tasks.h"

#include "extract/value/copy.h"

struct task {
	const struct json *call; /* its id */
};

void
mcp_tasks_init(struct mcp_tasks *t, struct arena *a)
{
	*t = (struct mcp_tasks){ .calls.arena = a, .fetched.arena = a };
}

bool
mcp_tasks_begin(
    struct mcp_tasks *t, const struct json *call, const struct json *result)
{
	const struct json *id = json_path(result, "task.taskId");
	struct arena *a = t->calls.arena;
	struct task *task;

	if (json_raw(id).n == 0)
		return false;
	task = arena_new(a, struct task);
	task->call = call;
	*hash_put(&t->calls, copy_body(a, id)) = task;
	return true;
}

void
mcp_tasks_fetch(
    struct mcp_tasks *t, const struct json *id, const struct json *params)
{
	struct str task = json_raw(json_get(params, "taskId"));
	struct task *known = hash_get(&t->calls, task);

	if (known != NULL)
		*hash_put(&t->fetched, json_raw(id)) = known;
}

const struct json *
mcp_tasks_call(const struct mcp_tasks *t, const struct json *id)
{
	const struct task *task = hash_get(&t->fetched, json_raw(id));

	return task == NULL ? NULL : task->call;
}
