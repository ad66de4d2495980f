/*
 * Debug logs of agents in VS Code, debug-logs/SESSION/main.jsonl: one event a
 * line, {"ts", "dur", "sid", "type", "name", "spanId", "status", "attrs"}. Long
 * values are cut and end in a mark. A model's answer (agent_response) lists the
 * calls with their ids; the call itself (tool_call) is logged when it ended, has
 * no id, and is matched with the answer's calls. Sub-agents have files beside
 * main.jsonl, to which events of the type child_session_ref refer. The names are
 * those of VS Code's source (chatDebugFileLoggerService.ts).
 */
#include "extract/api/chat.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"
#include "extract/value/cut_mark.h"
#include "json/lenient.h"

/* A call that the model asked for and that has not ended. */
struct asked {
	struct asked *next;
	struct str id, tool; /* bodies */
	const struct json *args;
};

/* A file with the records of a sub-agent. */
struct child {
	struct str id, file, span; /* bodies; span: of the call */
	bool linked;               /* its call is known */
};

struct session {
	const char *path; /* of the first file */
	struct str id;    /* body: of the session that is read */
	struct asked *asked;
	struct child *children;
	size_t n_children;
	bool housekeeping; /* the file is not an agent's */
};

/* ---- files that belong together ---- */

static bool
is_subagent(struct str label)
{
	return str_contains(label, STR("Subagent"));
}

/* Returns whether the name is that of a file that the program writes for
 * itself, beside the session's file. */
static bool
is_housekeeping(struct str name)
{
	return str_starts(name, STR("title-")) ||
	    str_starts(name, STR("categorization-")) ||
	    str_starts(name, STR("summarize-"));
}

static struct str
name_of(const char *path)
{
	return str_from(str_of(path), subagent_files_folder(path).n);
}

/* Returns the path of another file in the folder of the log. */
static char *
file_beside(struct log *log, struct str name)
{
	return str_c(log->arena,
	    str_cat(log->arena, subagent_files_folder(log->path), name));
}

static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str name = name_of(log->path);

	return str_is(name, "main.jsonl") ||
		(json_path(record, "attrs.parentSessionId") == NULL &&
		    !is_housekeeping(name) && !is_subagent(name))
	    ? NULL
	    : file_beside(log, STR("main.jsonl"));
}

static char **
files_beside(struct log *log)
{
	const struct session *s = log->whole;
	size_t n = s == NULL ? 0 : s->n_children;
	char **files = arena_new_n(log->arena, char *, n + 1);

	for (size_t i = 0; i < n; i++)
		files[i] = file_beside(log, s->children[i].file);
	return files;
}

/* Notes a sub-agent's file. A name with a slash is not one of this program. */
static void
read_child(struct log *log, const struct json *r)
{
	struct session *s = log->whole;
	struct arena *a = log->arena;
	const struct json *file = json_path(r, "attrs.childLogFile");

	if (is_subagent(json_raw(json_path(r, "attrs.label"))) &&
	    json_raw(file).n != 0 && !str_contains(json_raw(file), "/"))
		*arena_push(a, s->children, s->n_children) = (struct child){
			.id =
			    copy_body(a, json_path(r, "attrs.childSessionId")),
			.file = str_dup(a, json_text(file, log->scratch)),
			.span = copy_body(a, json_get(r, "parentSpanId")),
		};
}

/* Returns the id of the sub-agent that the call started, or NULL. Older logs do
 * not name the call: then the calls of sub-agents are in the order of their
 * files. */
static const struct json *
started_by(struct builder *b, struct session *s, const struct json *r)
{
	struct str name = json_raw(json_get(r, "name"));
	struct str span = json_raw(json_get(r, "spanId"));
	bool may = is_subagent(name) || str_contains(name, "subagent");

	for (size_t i = 0; i < s->n_children; i++) {
		struct child *c = &s->children[i];

		if (c->span.n != 0 ? str_eq(c->span, span)
				   : may && !c->linked) {
			c->linked = true;
			return builder_str(b, c->id);
		}
	}
	return NULL;
}

/* ---- values that were cut ---- */

/* Reports the cut if the string ends in the mark of a value that was cut. */
static void
note_cut(struct builder *b, const struct json *string)
{
	if (cut_mark_is(string))
		builder_mark_cut(b);
}

/* Returns the value of a JSON text; of a text that was cut, as much as is whole
 * and the beginning of the string in which it was cut. */
static const struct json *
decode(struct arena *a, const struct json *string, bool *cut)
{
	const struct json *v = field_decode(a, string);
	struct str text;

	*cut = false;
	if (v != NULL || !json_is(string, JSON_STRING))
		return v;
	*cut = true;
	text = json_text(string, a);
	text = str_slice(text, 0, str_find(text, STR("[truncated")));
	if (str_ends(text, "..."))
		text.n -= 3;
	return copy_parsed(a, json_repair(a, str_cat(a, text, STR("\""))));
}

/* ---- events ---- */

static void
ask(struct builder *b, struct session *s, const struct chat_part *part)
{
	struct arena *a = builder_arena(b);
	struct asked *call = arena_new(a, struct asked), **end = &s->asked;

	builder_call(
	    b, .id = part->id, .tool = part->tool, .args = part->value);
	call->id = copy_body(a, part->id);
	call->tool = copy_body(a, part->tool);
	call->args = copy_tree(a, part->value);
	while (*end != NULL)
		end = &(*end)->next;
	*end = call;
}

/* Reads a model's answer. In an answer that was cut the last part is not
 * complete: a text is marked, and a call is read when it has ended. */
static void
read_response(struct log *log, const struct json *response)
{
	struct session *s = log->whole;
	struct builder *b = log->builder;
	bool cut;
	const struct json *list = decode(log->scratch, response, &cut);
	struct chat chat = chat_read(log->scratch, list, CHAT_MODEL);

	builder_message(b);
	for (size_t i = 0; i < chat.n_unread; i++)
		builder_unread_block(b, chat.unread[i]);
	for (size_t i = 0; i < chat.n; i++)
		for (size_t k = 0; k < chat.list[i].n; k++) {
			const struct chat_part *part = &chat.list[i].parts[k];
			bool whole =
			    !cut || i + 1 < chat.n || k + 1 < chat.list[i].n;

			if (part->kind == CHAT_TEXT)
				builder_text(b, part->value);
			else if (part->kind == CHAT_CALL && whole)
				ask(b, s, part);
			if (part->kind == CHAT_TEXT && !whole)
				builder_mark_cut(b);
		}
}

/* Returns the call that ended, and takes it out of the calls that wait: the
 * first with this tool and these arguments, else the first with this tool. */
static struct asked *
take(struct session *s, struct str tool, const struct json *args)
{
	struct asked **found = NULL, *call;

	for (struct asked **p = &s->asked; *p != NULL; p = &(*p)->next) {
		bool fits = str_eq((*p)->tool, tool);
		bool same = fits && args != NULL && (*p)->args != NULL &&
		    json_equal(args, (*p)->args);

		if (fits && (found == NULL || same))
			found = p;
		if (same)
			break;
	}
	call = found == NULL ? NULL : *found;
	if (call != NULL)
		*found = call->next;
	return call;
}

static void
read_tool_call(struct log *log, const struct json *r)
{
	struct session *s = log->whole;
	struct builder *b = log->builder;
	const struct json *args = json_path(r, "attrs.args");
	const struct json *result = json_path(r, "attrs.result");
	bool cut;
	const struct json *decoded = decode(log->scratch, args, &cut);
	const struct asked *call =
	    take(s, json_raw(json_get(r, "name")), cut ? NULL : decoded);

	if (call == NULL) {
		builder_call(b, .tool = json_get(r, "name"),
		    .args = decoded != NULL ? decoded : args, .ended = true);
		if (cut)
			builder_mark_cut(b);
	}
	builder_result(b,
	    .id = call == NULL || call->id.n == 0 ? NULL
						  : builder_str(b, call->id),
	    .tool = json_get(r, "name"), .last = call == NULL,
	    .value = result != NULL ? result : json_path(r, "attrs.error"),
	    .is_error =
		builder_bool(json_str_is(json_get(r, "status"), "error")),
	    .duration = json_get(r, "dur"), .ts_start = json_get(r, "ts"),
	    .agent = started_by(b, s, r));
	note_cut(b, result);
}

/* Returns whether the file is that of the session, not of a sub-agent. */
static bool
is_main(const struct log *log)
{
	return log->path == ((const struct session *)log->whole)->path;
}

static void
read_request(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_model(b, json_path(r, "attrs.model"));
	field_usage(&u, json_get(r, "attrs"), .input = "inputTokens",
	    .output = "outputTokens");
	builder_usage(b, (struct str){ 0 }, &u, false);
	if (is_main(log))
		builder_error(b, json_path(r, "attrs.error"));
}

/* ---- records ---- */

static struct session *
session_of(struct log *log, const struct json *id)
{
	struct session *s = log->whole;

	if (s == NULL) {
		log->whole = s = arena_new(log->arena, struct session);
		s->path = log->path;
	}
	if (!str_eq(s->id, json_raw(id))) {
		s->id = copy_body(log->arena, id);
		s->asked = NULL;
		s->housekeeping = is_housekeeping(name_of(log->path));
	}
	return s;
}

/* Reads the first event of a session. */
static void
read_start(struct log *log, const struct json *attrs)
{
	struct builder *b = log->builder;

	if (!is_main(log))
		return;
	builder_meta(b, "copilot_version", json_get(attrs, "copilotVersion"));
	builder_meta(b, "vscode_version", json_get(attrs, "vscodeVersion"));
	builder_meta(b, "parent_session", json_get(attrs, "parentSessionId"));
}

static void
read_prompt(struct log *log, const struct json *content)
{
	builder_prompt(log->builder, content);
	note_cut(log->builder, content);
}

static const struct log_row rows[] = {
	LOG_ROW(
	    "type=session_start", LOG_HOOK, .of = "attrs", .read = read_start),
	LOG_ROW("type=user_message", LOG_HOOK, .of = "attrs.content",
	    .read = read_prompt),
	LOG_ROW("type=llm_request", LOG_HOOK, .read = read_request),
	LOG_ROW("type=agent_response", LOG_HOOK, .of = "attrs.response",
	    .read = read_response),
	LOG_ROW("type=tool_call", LOG_HOOK, .read = read_tool_call),
	LOG_ROW("type=child_session_ref", LOG_HOOK, .read = read_child),
	LOG_ROW("type=turn_start|turn_end|subagent|discovery|generic|hook",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *id = json_get(r, "sid");
	struct session *s = session_of(log, id);

	s->housekeeping |= json_path(r, "attrs.parentSessionId") != NULL &&
	    !is_subagent(json_raw(json_path(r, "attrs.label")));
	if (s->housekeeping) {
		log->builder->reported |= BUILDER_NOTHING;
		return;
	}
	if (is_main(log))
		log_run(log, id);
	builder_locate(log->builder, .ts = json_get(r, "ts"),
	    .sidechain = !is_main(log), .agent = is_main(log) ? NULL : id);
	log_read_by_rows(log, r);
}

const struct log_format log_format_vscode_debug = {
	.name = "vscode-debug",
	.what = "Copilot in VS Code: agent debug logs",
	.sure = "sid=\" ts=# spanId attrs={",
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.beside = files_beside,
	.owner = file_owner,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
