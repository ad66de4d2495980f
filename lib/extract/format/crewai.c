/*
 * CrewAI's output_log_file as JSON, or as text (notation/crew_text.c): a list of
 * {"timestamp", "task_name", "task", "agent", "status": "started" | "completed",
 * "output"}, to which each kickoff of a crew adds its tasks, without a mark. The log has
 * no calls.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"

struct crew {
	struct hash_table started; /* tasks of the open run */
	size_t running;
};

/* Begins a run if the crew starts a task again that the open run has had. */
static void
start(struct log *log, const struct json *r)
{
	struct crew *crew = log->state;
	struct str task = str_cat(log->arena, json_raw(json_get(r, "agent")),
	    json_raw(json_get(r, "task")));

	if (crew == NULL || hash_get(&crew->started, task) != NULL) {
		log_source(log, r);
		builder_begin_run(log->builder);
		builder_no_calls(log->builder);
		log->state = crew = arena_new(log->arena, struct crew);
		crew->started.arena = log->arena;
	}
	*hash_put(&crew->started, task) = crew;
	crew->running++;
	builder_set_broken(log->builder, true);
}

static void
complete(struct log *log, const struct json *r)
{
	struct crew *crew = log->state;

	(void)r;
	if (crew != NULL && crew->running != 0 && --crew->running == 0)
		builder_set_broken(log->builder, false);
}

static const struct log_row entries[] = {
	LOG_ROW("status=started", LOG_HOOK, .read = start),
	LOG_ROW("status=completed", LOG_HOOK, .read = complete),
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("status=started", LOG_PROMPT, .of = "task"),
	LOG_ROW("status=completed", LOG_AGENT, .of = "agent"),
	LOG_ROW("status=completed", LOG_BLOCKS, .of = "output"),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_EACH, .rows = entries),
	LOG_ROW("status", LOG_IN, .of = "", .rows = entries),
	LOG_LAST,
};

#define ENTRY(at) \
	at "task_name=? " at "status=started|completed " at "task " at \
	   "agent " at "timestamp"

const struct log_format log_format_crewai = {
	.name = "crewai",
	.what = "CrewAI: output_log_file, as JSON or text",
	.sure = ENTRY("0.") ", " ENTRY(""),
	.lists = ".",
	.rows = rows,
};
