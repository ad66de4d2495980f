/*
 * Sessions of Kiro's command line, version 2: UUID.jsonl, one entry a line,
 * {"version": "v1", "kind": "Prompt", "data": {"message_id", "content": [{"kind",
 * "data"}]}}, and UUID.json beside it with the model and what became of each turn. The
 * names are those of crates/agent of Amazon Q's command line.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "extract/format/log_rows.h"

/* A prompt: its turn, and the number of the entry. */
struct begun {
	struct str message;
	struct turn *turn;
	size_t entry;
};

struct session {
	size_t n_entries;
	struct begun *list;
	size_t n; /* of prompts that the user did not take back */
	bool is_prompt, after_prompt; /* the entry; the entry before */
};

/* ---- entries ---- */

static void
before(struct log *log, const struct json *r)
{
	struct session *s;

	if (json_get(r, "kind") == NULL)
		return;
	s = log->state;
	s->n_entries++;
	s->after_prompt = s->is_prompt;
	s->is_prompt = field_is(r, "kind", "Prompt");
}

static void
read_result(struct log *log, const struct json *r)
{
	const struct json *content = json_get(r, "content"),
			  *one = json_first(content);

	builder_result(log->builder, .id = json_get(r, "toolUseId"),
	    .value = json_count(content) == 1 && json_get(one, "data") != NULL
		? json_get(one, "data")
		: content,
	    .is_error = builder_bool(!field_is(r, "status", "success")));
}

static void
begin_turn(struct log *log, const struct json *data)
{
	struct session *s = log->state;

	*arena_push(log->arena, s->list, s->n) = (struct begun){
		.message = copy_body(log->arena, json_get(data, "message_id")),
		.turn = builder_current_turn(log->builder),
		.entry = s->n_entries - 1,
	};
}

/* Goes back before the entry with this number: the turns since then are abandoned. */
static void
go_back(struct log *log, double entry)
{
	struct session *s = log->state;
	size_t n = s->n;

	while (s->n != 0 && (double)s->list[s->n - 1].entry >= entry)
		s->n--;
	if (s->n != n)
		builder_rewind(log->builder, n - s->n);
}

static void
reset(struct log *log, const struct json *index)
{
	go_back(log, json_double(index));
}

/* Takes back the last prompt, unless an answer has begun. */
static void
cancel(struct log *log, const struct json *r)
{
	struct session *s = log->state;

	(void)r;
	if (s->after_prompt && s->n != 0)
		go_back(log, (double)s->list[s->n - 1].entry);
}

#define RESULT \
	LOG_ROW("kind=toolResult", LOG_HOOK, .of = "data", .read = read_result)

static const struct log_row asked[] = {
	LOG_ROW("kind=text", LOG_PROMPT, .of = "data"),
	RESULT,
	LOG_ROW("kind=image", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row returned[] = {
	RESULT,
	LOG_ROW(
	    "kind=text|image", LOG_NOTHING), /* a result that was too large */
	LOG_LAST,
};

static const struct log_row answered[] = {
	LOG_ROW("kind=text", LOG_TEXT, .of = "data"),
	LOG_ROW("kind=toolUse", LOG_CALL, .id = "data.toolUseId",
	    .tool = "data.name", .args = "data.input"),
	LOG_ROW("kind=thinking|image", LOG_NOTHING),
	LOG_LAST,
};

/* ---- the file beside ---- */

static void
last_turn(struct log *log, const struct json *turn)
{
	struct builder *b = log->builder;
	const struct json *error = json_path(turn, "result.Err");

	builder_set_times(b, NULL, json_get(turn, "end_timestamp"));
	builder_meta(b, "end_reason", json_get(turn, "end_reason"));
	if (error != NULL)
		builder_error(b, error);
	else if (field_is(turn, "end_reason", "Error"))
		builder_error(b, json_get(turn, "end_reason"));
}

static const struct log_row alone[] = {
	LOG_ROW("", LOG_LOCATE, .of = "end_timestamp"),
	LOG_ROW("", LOG_INPUT),
	LOG_ROW("result.Ok.content=[", LOG_EACH, .of = "result.Ok.content",
	    .rows = answered),
	LOG_ROW("", LOG_USAGE, .of = "",
	    .counts = LOG_COUNTS([USAGE_LLM_CALLS] = "total_request_count")),
	LOG_LAST,
};

/* Returns the turn of the session's file whose prompt is the first of the messages, or
 * NULL. Prompts are searched from the one at *at on, behind the last that was found. */
static struct turn *
turn_of(const struct session *s, const struct json *messages, size_t *at)
{
	struct str first = json_raw(json_first(messages));

	for (size_t k = 0; k < s->n; k++) {
		size_t i = (*at + k) % s->n;

		if (str_eq(first, s->list[i].message)) {
			*at = i + 1;
			return s->list[i].turn;
		}
	}
	return NULL;
}

/* Reads the turns, which name the messages of the session's file. Without that file,
 * the last text of each turn is known, and neither prompts nor calls. */
static void
read_turns(struct log *log, const struct json *turns)
{
	struct session *s = log->state;
	const struct json *last = NULL;
	size_t at = 0;

	for (json_each(turn, turns)) {
		const struct json *d = json_get(turn, "turn_duration");
		struct turn *of;

		last = turn;
		if (s->n_entries == 0)
			log_read_part(log, alone, turn);
		of = s->n_entries == 0
		    ? builder_current_turn(log->builder)
		    : turn_of(s, json_get(turn, "message_ids"), &at);
		if (of != NULL && d != NULL)
			builder_turn_lasted(log->builder, of,
			    json_double(json_get(d, "secs")) * 1000 +
				json_double(json_get(d, "nanos")) / 1e6);
	}
	last_turn(log, last);
}

static void
begin_alone(struct log *log, const struct json *r)
{
	const struct session *s = log->state;

	(void)r;
	if (s->n_entries != 0)
		return;
	builder_begin_run(log->builder);
	builder_no_calls(log->builder);
}

/* Returns the path with another ending, which the arena holds; NULL if the path does
 * not end in `from`. */
static char *
renamed(struct log *log, const char *from, const char *to)
{
	struct str path = str_of(log->path);

	return str_ends(path, str_of(from))
	    ? str_c(log->arena,
		  str_cat(log->arena, str_slice(path, 0, path.n - strlen(from)),
		      str_of(to)))
	    : NULL;
}

static const char *
file_owner(struct log *log, const struct json *record)
{
	return json_get(record, "session_state") == NULL
	    ? NULL
	    : renamed(log, ".json", ".jsonl");
}

/* Another program's file may have that name, too. */
static bool
is_sidecar(const char *path)
{
	struct stat st;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "r")
							      : NULL;
	char room[4096];
	struct str head = { .s = room };

	if (f == NULL)
		return false;
	head.n = fread(room, 1, sizeof room, f);
	(void)fclose(f);
	return str_contains(head, "\"session_id\"") &&
	    str_contains(head, "\"created_at\"");
}

static char **
files_beside(struct log *log)
{
	char **files = arena_new_n(log->arena, char *, 2);
	char *path = renamed(log, ".jsonl", ".json");

	if (path != NULL && is_sidecar(path))
		files[0] = path;
	return files;
}

#define SIDECAR "session_state={ session_id"

static const struct log_row rows[] = {
	LOG_ROW("version kind", LOG_LOCATE, .of = "data.meta.timestamp",
	    .id = "data.message_id"),
	LOG_ROW("version kind=Prompt !data.content.*.kind=text", LOG_INPUT),
	LOG_ROW("version kind=Prompt", LOG_EACH, .of = "data.content",
	    .rows = asked),
	LOG_ROW(
	    "version kind=Prompt", LOG_HOOK, .of = "data", .read = begin_turn),
	LOG_ROW("version kind=AssistantMessage", LOG_MESSAGE),
	LOG_ROW("version kind=AssistantMessage", LOG_EACH, .of = "data.content",
	    .rows = answered),
	LOG_ROW("version kind=AssistantMessage", LOG_REQUEST),
	LOG_ROW("version kind=ToolResults", LOG_EACH, .of = "data.content",
	    .rows = returned),
	LOG_ROW("version kind=ResetTo", LOG_HOOK, .of = "data.target_index",
	    .read = reset),
	LOG_ROW("version kind=CancelledPrompt", LOG_HOOK, .read = cancel),
	/* A summary, and copies of the messages that stay. */
	LOG_ROW("version kind=Compaction|Clear|ResetTo|CancelledPrompt",
	    LOG_NOTHING),
	LOG_ROW(SIDECAR, LOG_HOOK, .read = begin_alone),
	LOG_ROW(SIDECAR, LOG_SET, .of = "session_id", .member = RUN_ID),
	LOG_ROW(SIDECAR, LOG_SET, .of = "session_state.agent_name",
	    .member = RUN_AGENT),
	LOG_ROW(SIDECAR, LOG_MODEL,
	    .of = "session_state.rts_model_state.model_info.model_id"),
	LOG_ROW(SIDECAR, LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW(SIDECAR, LOG_META, .name = "title", .of = "title"),
	LOG_ROW(SIDECAR, LOG_HOOK,
	    .of = "session_state.conversation_metadata.user_turn_metadatas",
	    .read = read_turns),
	LOG_LAST,
};

const struct log_format log_format_kiro = {
	.name = "kiro",
	.what = "Kiro CLI: session files",
	.sure = "kind=Prompt|AssistantMessage|ToolResults|Compaction data={ "
		"version=v*, kind=Clear|CancelledPrompt|ResetTo version=v*, "
		"session_state={ session_id=\" cwd created_at",
	.rows = rows,
	.state = sizeof(struct session),
	.before = before,
	.beside = files_beside,
	.owner = file_owner,
};
