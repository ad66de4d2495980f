/*
 * Events of opencode's server, as a client of it logs them: bare, after
 * "data:", in lists, or each with the folder that it belongs to. A message and
 * its parts are sent again whenever they change, so a session is emitted at the
 * end of the file.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"
#include "extract/format/opencode.h"
#include "extract/format/unread.h"

struct part {
	const struct json *v; /* NULL: removed */
};

struct message {
	const struct json *info;
	struct part **parts;
	size_t n;
};

/* An event of no known kind, which is counted with its session. */
struct unknown {
	struct unknown *next;
	const struct json *event;
	size_t line;
};

struct session {
	struct str id; /* body */
	size_t line;
	struct message **messages;
	size_t n;
	const struct json *error; /* the value that holds the error */
	size_t failed;            /* number of messages before the error */
	struct unknown *unknown;
};

struct events {
	struct hash_table sessions, messages, parts; /* by id */
	struct session **list;
	size_t n;
};

static struct session *
session_of(struct log *log, const struct json *id)
{
	struct events *e = log->state;
	void **slot = hash_put(&e->sessions, copy_body(log->arena, id));
	struct session *s = *slot;

	if (s != NULL)
		return s;
	*slot = s = arena_new(log->arena, struct session);
	s->id = copy_body(log->arena, id);
	s->line = log->at.line;
	return *arena_push(log->arena, e->list, e->n) = s;
}

static struct message *
message_of(struct log *log, const struct json *id, const struct json *session)
{
	struct events *e = log->state;
	void **slot = hash_put(&e->messages, copy_body(log->arena, id));
	struct message *m = *slot;
	struct session *s;

	if (m != NULL)
		return m;
	s = session_of(log, session);
	*slot = m = arena_new(log->arena, struct message);
	return *arena_push(log->arena, s->messages, s->n) = m;
}

static void
update_part(struct log *log, const struct json *v)
{
	struct events *e = log->state;
	struct message *m =
	    message_of(log, json_get(v, "messageID"), json_get(v, "sessionID"));
	void **slot =
	    hash_put(&e->parts, copy_body(log->arena, json_get(v, "id")));
	struct part *p = *slot;

	if (p == NULL) {
		*slot = p = arena_new(log->arena, struct part);
		*arena_push(log->arena, m->parts, m->n) = p;
	}
	p->v = copy_tree(log->arena, v);
}

static void
remove_part(struct log *log, const struct json *of)
{
	struct events *e = log->state;
	struct part *p = hash_get(&e->parts, json_raw(json_get(of, "partID")));

	if (p != NULL)
		p->v = NULL;
}

static void
remove_message(struct log *log, const struct json *of)
{
	struct events *e = log->state;
	struct message *m =
	    hash_get(&e->messages, json_raw(json_get(of, "messageID")));

	if (m != NULL)
		m->info = NULL;
}

static void
update_message(struct log *log, const struct json *info)
{
	message_of(log, json_get(info, "id"), json_get(info, "sessionID"))
	    ->info = copy_tree(log->arena, info);
}

/* Notes an error of the session, which may have failed before a message could
 * hold the error. */
static void
note_error(struct log *log, const struct json *of)
{
	struct session *s = session_of(log, json_get(of, "sessionID"));

	s->error = copy_tree(log->arena, of);
	s->failed = s->n;
}

static void
note_unknown(struct log *log, const struct json *event)
{
	const struct json *of = json_get(event, "properties");
	const struct json *id =
	    field_find(of, "sessionID info.sessionID part.sessionID");
	struct unknown *u;
	struct session *s;

	if (id == NULL) {
		log_unread(log, event);
		return;
	}
	s = session_of(log, id);
	u = arena_new(log->arena, struct unknown);
	u->next = s->unknown;
	u->event = copy_tree(log->arena, event);
	u->line = log->at.line;
	s->unknown = u;
}

static void
before(struct log *log, const struct json *r)
{
	struct events *e = log->state;

	(void)r;
	if (e != NULL)
		return;
	log->state = e = arena_new(log->arena, struct events);
	e->sessions.arena = e->messages.arena = e->parts.arena = log->arena;
}

static const struct log_row events[] = {
	LOG_ROW("type=message.updated", LOG_HOOK, .of = "properties.info",
	    .read = update_message),
	LOG_ROW("type=message.removed", LOG_HOOK, .of = "properties",
	    .read = remove_message),
	LOG_ROW("type=message.part.updated", LOG_HOOK, .of = "properties.part",
	    .read = update_part),
	LOG_ROW("type=message.part.removed", LOG_HOOK, .of = "properties",
	    .read = remove_part),
	LOG_ROW("type=session.error properties.sessionID", LOG_HOOK,
	    .of = "properties", .read = note_error),
	LOG_ROW("type=session.error !properties.sessionID", LOG_NOTHING),
	/* Pieces of a part that is sent whole as well. */
	LOG_ROW("type=message.part.delta", LOG_NOTHING),
	LOG_ROW("type=session.created|session.updated|session.deleted|"
		"session.idle|session.status|session.diff|session.compacted|"
		"permission.updated|permission.asked|permission.replied|"
		"question.asked|question.replied|question.rejected|"
		"todo.updated|file.edited|file.watcher.updated|"
		"command.executed|lsp.updated|lsp.client.diagnostics|"
		"vcs.branch.updated|mcp.tools.changed|storage.write|"
		"installation.updated|installation.update-available|"
		"project.updated|ide.installed",
	    LOG_NOTHING),
	LOG_ROW("type=server.*|pty.*|tui.*|worktree.*|global.*", LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = note_unknown),
	LOG_LAST,
};

static const struct log_row event[] = {
	LOG_ROW("payload", LOG_IN, .of = "payload", .rows = events),
	LOG_ROW("else", LOG_IN, .rows = events),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("type, payload", LOG_IN, .rows = event),
	LOG_ROW("else", LOG_EACH, .rows = event), /* a list of events */
	LOG_LAST,
};

/* ---- at the end ---- */

/* Returns the message in the form in which sessions are exported. */
static const struct json *
whole_message(struct log *log, const struct message *m)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "info");
	out_json_raw(&o, m->info->text);
	out_member_begin(&o, "parts", '[');
	for (size_t i = 0; i < m->n; i++)
		if (m->parts[i]->v != NULL)
			out_json_raw(&o, m->parts[i]->v->text);
	out_end(&o, ']');
	out_end(&o, '}');
	return copy_parsed(log->arena, out_keep(&o, log->arena));
}

static void
read_messages(struct log *log, const struct session *s)
{
	const struct json *before = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct message *m = s->messages[i];
		const struct json *message =
		    m->info == NULL ? NULL : whole_message(log, m);

		if (message == NULL)
			continue;
		opencode_message_read(log->builder, message, before, NULL);
		before = message;
	}
}

static void
end(struct log *log)
{
	const struct events *e = log->state;

	for (size_t i = 0; e != NULL && i < e->n; i++) {
		const struct session *s = e->list[i];

		builder_source(log->builder, log->path, s->line);
		builder_begin_run(log->builder);
		if (s->id.n != 0)
			builder_set_body(log->builder, RUN_ID, s->id);
		read_messages(log, s);
		for (struct unknown *u = s->unknown; u != NULL; u = u->next) {
			builder_source(log->builder, log->path, u->line);
			log_unread(log, u->event);
		}
		if (s->error != NULL && s->failed == s->n)
			builder_error(log->builder, opencode_error(s->error));
		builder_end_run(log->builder);
	}
}

const struct log_format log_format_opencode_events = {
	.name = "opencode-events",
	.what = "opencode: events of its server",
	.sure = "properties={ type=session.*|message.*|server.*",
	.nested = "payload 0 0.payload",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
	.end = end,
};
