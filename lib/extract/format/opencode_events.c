/*
 * Events of opencode's server, as a client of it logs them: bare, after
 * "data:", in lists, or each with the folder that it belongs to. A message and
 * its parts are sent again whenever they change, so a session is emitted at the
 * end of the file.
 */
#include "base/hash.h"
#include "extract/format/opencode.h"

struct part {
	struct part *next;
	const struct json *v; /* NULL: removed */
};

struct message {
	struct message *next;
	const struct json *info;
	struct part *parts, *last;
};

struct session {
	struct session *next;
	struct str id; /* body */
	size_t line;
	struct message *messages, *last;
	const struct json *error; /* the value that holds the error */
	struct message *failed;   /* the last message before the error */
};

struct events {
	struct hash_table sessions, messages, parts; /* by id */
	struct session *first, *last;
};

static const struct json *
event_of(const struct json *r)
{
	const struct json *payload = json_get(r, "payload");

	return payload != NULL ? payload : r;
}

static bool
is_event(const struct json *r)
{
	const struct json *event = event_of(r);
	struct str type = json_raw(json_get(event, "type"));

	return json_is(json_get(event, "properties"), JSON_OBJECT) &&
	    (str_starts(type, "session.") || str_starts(type, "message.") ||
		str_starts(type, "server."));
}

static int
score(const struct json *r)
{
	return is_event(r) || is_event(json_at(r, 0)) ? LOG_FORMAT_SURE : 0;
}

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
	if (e->last == NULL)
		e->first = s;
	else
		e->last->next = s;
	e->last = s;
	return s;
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
	if (s->last == NULL)
		s->messages = m;
	else
		s->last->next = m;
	s->last = m;
	return m;
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
		if (m->last == NULL)
			m->parts = p;
		else
			m->last->next = p;
		m->last = p;
	}
	p->v = copy_tree(log->arena, v);
}

static void
remove_part(struct log *log, const struct json *id)
{
	struct events *e = log->state;
	struct part *p = hash_get(&e->parts, json_raw(id));

	if (p != NULL)
		p->v = NULL;
}

static void
remove_message(struct log *log, const struct json *id)
{
	struct events *e = log->state;
	struct message *m = hash_get(&e->messages, json_raw(id));

	if (m != NULL)
		m->info = NULL;
}

/* Notes an error of the session, which may have failed before a message could
 * hold the error. */
static void
note_error(struct log *log, const struct json *of)
{
	struct session *s = session_of(log, json_get(of, "sessionID"));

	s->error = copy_tree(log->arena, of);
	s->failed = s->last;
}

static void
read_event(struct log *log, const struct json *event)
{
	const struct json *of = json_get(event, "properties");
	const struct json *info = json_get(of, "info");

	if (field_is_type(event, "message.updated"))
		message_of(
		    log, json_get(info, "id"), json_get(info, "sessionID"))
		    ->info = copy_tree(log->arena, info);
	else if (field_is_type(event, "message.part.updated"))
		update_part(log, json_get(of, "part"));
	else if (field_is_type(event, "message.part.removed"))
		remove_part(log, json_get(of, "partID"));
	else if (field_is_type(event, "session.error") &&
	    field_find(of, "sessionID") != NULL)
		note_error(log, of);
	else if (field_is_type(event, "message.removed"))
		remove_message(log, json_get(of, "messageID"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct events *e = log->state;

	if (e == NULL) {
		log->state = e = arena_new(log->arena, struct events);
		e->sessions.arena = e->messages.arena = e->parts.arena =
		    log->arena;
	}
	if (is_event(r))
		read_event(log, event_of(r));
	for (json_each(one, r))
		if (is_event(one))
			read_event(log, event_of(one));
}

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
	for (const struct part *p = m->parts; p != NULL; p = p->next)
		if (p->v != NULL)
			out_json_raw(&o, p->v->text);
	out_end(&o, ']');
	out_end(&o, '}');
	return copy_parsed(log->arena, out_keep(&o, log->arena));
}

static void
read_messages(struct log *log, const struct message *m)
{
	const struct json *before = NULL;

	for (; m != NULL; m = m->next) {
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
	struct events *e = log->state;
	const struct session *s = e == NULL ? NULL : e->first;

	for (; s != NULL; s = s->next) {
		builder_source(log->builder, log->path, s->line);
		builder_begin_run(log->builder);
		if (s->id.n != 0)
			builder_set_body(log->builder, RUN_ID, s->id);
		read_messages(log, s->messages);
		if (s->error != NULL && s->failed == s->last)
			builder_error(log->builder, opencode_error(s->error));
		builder_end_run(log->builder);
	}
}

const struct log_format log_format_opencode_events = {
	.name = "opencode-events",
	.what = "opencode: events of its server",
	.score = score,
	.signs = "payload properties",
	.read = read_record,
	.end = end,
};
