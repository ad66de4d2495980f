/*
 * Sessions of Strands, as its session managers keep them:
 * session_ID/agents/agent_ID/messages/message_N.json, a message a file:
 * {"message": {"role", "content": [...]}, "message_id": N, "created_at"}. The
 * message is one of Bedrock's Converse API. The format is C because the files of
 * a folder are one run, which a map cannot say. The names are those of
 * strands/types/session.py, strands/types/content.py and
 * session/file_session_manager.py.
 */
#include <stdlib.h>

#include "extract/format/bedrock.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"
#include "extract/format/unread.h"
#include "io/list_files.h"

struct entry {
	double number;
	size_t order;
	const struct json *record;
};

struct state {
	struct entry *list;
	size_t n;
};

/* ---- the files of a session ---- */

static bool
is_message_file(struct str name)
{
	return str_starts(name, "message_") && str_ends(name, STR(".json"));
}

static char **
files_beside(struct log *log)
{
	struct arena *a = log->arena;
	struct str folder = subagent_files_folder(log->path);
	struct str own = str_from(str_of(log->path), folder.n);
	struct folder all = { 0 };
	char **files;
	size_t n = 0;

	if (is_message_file(own))
		all = list_files(a,
		    folder.n == 0
			? "."
			: str_c(a, str_slice(folder, 0, folder.n - 1)));
	files = arena_new_n(a, char *, all.n + 1);
	for (size_t i = 0; i < all.n; i++) {
		struct str name = str_from(str_of(all.paths[i]),
		    subagent_files_folder(all.paths[i]).n);

		if (is_message_file(name) && !str_eq(name, own))
			files[n++] = all.paths[i];
	}
	return files;
}

/* Implements the member `owner` of struct log_format: the first message's file
 * is the owner of the others. */
static const char *
file_owner(struct log *log, const struct json *record)
{
	const struct str first = STR("message_0.json");
	struct str path = str_of(log->path),
		   folder = subagent_files_folder(log->path);
	struct str name = str_from(path, folder.n);

	(void)record;
	return !is_message_file(name) || str_eq(name, first)
	    ? NULL
	    : str_c(log->arena, str_cat(log->arena, folder, first));
}

/* Returns what follows the mark in a part of the path, up to the next slash;
 * absent if the mark is not in the path. */
static struct str
part_of_path(const char *path, struct str mark)
{
	struct str rest = str_of(path);

	if (!str_contains(rest, mark))
		return (struct str){ 0 };
	rest = str_from(rest, str_find(rest, mark) + mark.n);
	return str_slice(rest, 0, str_find_char(rest, '/'));
}

/* ---- messages ---- */

static void
read_record(struct log *log, const struct json *r)
{
	struct state *s = log->state;

	*arena_push(log->arena, s->list, s->n) = (struct entry){
		.number = json_double(json_get(r, "message_id")),
		.order = s->n,
		.record = copy_tree(log->arena, r),
	};
}

static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void
read_entry(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *redacted = field_find(r, "redact_message");
	const struct json *message =
	    redacted != NULL ? redacted : json_get(r, "message");

	if (!field_is(message, "role", "user assistant"))
		log_unread(log, message);
	bedrock_message_read(b, message, json_get(r, "created_at"));
	if (field_is(message, "role", "assistant"))
		bedrock_usage_read(b, json_path(message, "metadata.usage"));
}

/* Reports the messages in the order of their numbers, which is not the order of
 * the names of their files. */
static void
end(struct log *log)
{
	struct builder *b = log->builder;
	struct state *s = log->state;
	struct str session = part_of_path(log->path, STR("session_"));
	struct str agent = part_of_path(log->path, STR("/agents/agent_"));

	if (s->n == 0)
		return;
	qsort(s->list, s->n, sizeof *s->list, compare);
	builder_source(b, log->path, 1);
	builder_begin_run(b);
	if (session.n != 0 && agent.n != 0) {
		builder_set_body(b, RUN_ID, copy_escaped(log->arena, session));
		builder_set_body(b, RUN_AGENT, copy_escaped(log->arena, agent));
	}
	for (size_t i = 0; i < s->n; i++)
		read_entry(log, s->list[i].record);
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("message_id message.content=[", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_strands = {
	.name = "strands",
	.what = "Strands: folders of sessions",
	.sure = "message_id=# message.content=[ message.role=user|assistant",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct state),
	.knows_blocks = true,
	.end = end,
	.beside = files_beside,
	.owner = file_owner,
};
