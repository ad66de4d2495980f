/*
 * opencode's storage, a folder of small files of JSON: session/PROJECT/SESSION.json,
 * message/SESSION/MESSAGE.json and part/MESSAGE/PART.json; of older versions, session/
 * has info/SESSION.json, message/SESSION/MESSAGE.json and part/SESSION/MESSAGE/PART.json.
 * The file of a session becomes its messages, with those of its sub-agents, as the rows
 * of the database are read (format/opencode.sql).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "extract/notation/notation.h"
#include "io/list_files.h"
#include "io/slurp.h"
#include "json/json.h"

enum { FILE_MAX = 1 << 30 }; /* bytes */

struct message {
	struct str session, file;
	const struct json *info;
	const struct json **parts; /* NULL: could not be read */
	size_t n;
	double created;
};

struct session {
	struct str id;
	const struct json *info; /* NULL: its file is not there */
};

/* A session, and those of its sub-agents. */
struct storage {
	struct arena *arena;
	struct json_reader reader;
	struct str folder; /* of the sessions' files, with its slash */
	struct str base;   /* the folder with message/ and part/, likewise */
	struct session *sessions;
	size_t n_sessions;
	struct message *messages;
	size_t n_messages;
	const char *torn; /* a file that has no object of JSON */
};

enum converter_owns
opencode_storage_owns(struct str start)
{
	struct str first = str_from(start, str_find_char(start, '"'));

	return str_starts(str_trim(start), "{") &&
		str_starts(first, "\"id\"") &&
		str_contains(start, "\"version\"") &&
		str_contains(start, "\"directory\"") &&
		str_contains(start, "\"time\"") &&
		!str_contains(start, "\"role\"") &&
		!str_contains(start, "\"sessionID\"")
	    ? CONVERTER_OWNS
	    : CONVERTER_OWNS_NOT;
}

/* Returns whether an id of the log can be the name of a file within a folder. */
static bool
is_name(struct str id)
{
	return id.n != 0 && *id.s != '.' && !str_contains(id, "/");
}

/* Returns the folder of the path, with its slash. */
static struct str
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? STR("./")
			     : (struct str){ path, (size_t)(slash - path) + 1 };
}

static const char *
path_of(struct storage *s, struct str folder, const char *kind, struct str id,
    const char *end)
{
	return str_printf(
	    s->arena, "%.*s%s%.*s%s", STR_FMT(folder), kind, STR_FMT(id), end)
	    .s;
}

/* Returns the object in the file, or NULL. */
static const struct json *
read_object(struct storage *s, const char *path)
{
	struct json_error error;
	const struct json *v = NULL;
	struct str text;

	if (slurp_file(s->arena, path, FILE_MAX, &text))
		v = json_read(&s->reader, text, NULL, &error);
	if (json_is(v, JSON_OBJECT))
		return json_keep(s->arena, v);
	s->torn = path;
	return NULL;
}

static bool
has_session(const struct storage *s, struct str id)
{
	for (size_t i = 0; i < s->n_sessions; i++)
		if (str_eq(s->sessions[i].id, id))
			return true;
	return false;
}

/* Adds the session with this id, unless the session is there. */
static void
add_session(struct storage *s, struct str id, const struct json *info)
{
	const char *path = path_of(s, s->folder, "", id, ".json");

	if (!is_name(id) || has_session(s, id))
		return;
	if (info == NULL && access(path, R_OK) == 0)
		info = read_object(s, path);
	*arena_push(s->arena, s->sessions, s->n_sessions) =
	    (struct session){ id, info };
}

/* Reads the parts of the message, and adds the sessions that its calls began. */
static void
read_parts(struct storage *s, struct message *m)
{
	struct str id = json_raw(json_get(m->info, STR("id")));
	struct folder files = { 0 };

	if (!is_name(id))
		return;
	files = list_files(s->arena, path_of(s, s->base, "part/", id, ""));
	if (files.n == 0)
		files = list_files(s->arena,
		    path_of(s, s->base, "part/", m->session,
			str_printf(s->arena, "/%.*s", STR_FMT(id)).s));
	m->parts = arena_new_n(s->arena, const struct json *, files.n);
	for (m->n = 0; m->n < files.n; m->n++) {
		const struct json *part = read_object(s, files.paths[m->n]);

		m->parts[m->n] = part;
		add_session(s,
		    json_raw(json_path(part, "state.metadata.sessionId")),
		    NULL);
	}
}

static int
by_time(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->created != y->created)
		return x->created < y->created ? -1 : 1;
	return str_cmp(x->file, y->file);
}

/* Reads the messages of the session whose file's text this is, and of the sessions of
 * its sub-agents. Returns false if there are none. */
static bool
read_storage(struct storage *s, const char *path, struct str text)
{
	struct json_error error;
	const struct json *info = json_read(&s->reader, text, NULL, &error);
	struct str id = json_raw(json_get(info, STR("id")));

	if (!is_name(id))
		return false;
	info = json_keep(s->arena, info);
	s->folder = folder_of(path);
	s->base = str_cat(s->arena, s->folder, STR("../"));
	if (access(path_of(s, s->base, "message/", id, ""), R_OK) != 0)
		s->base = str_cat(s->arena, s->base, STR("../"));
	add_session(s, json_raw(json_get(info, STR("id"))), info);
	for (size_t i = 0; i < s->n_sessions; i++) {
		struct folder files = list_files(s->arena,
		    path_of(s, s->base, "message/", s->sessions[i].id, ""));

		for (size_t k = 0; k < files.n; k++) {
			struct message m = { .session = s->sessions[i].id,
				.file = str_of(files.paths[k]),
				.info = read_object(s, files.paths[k]) };

			m.created =
			    json_double(json_path(m.info, "time.created"));
			read_parts(s, &m);
			*arena_push(s->arena, s->messages, s->n_messages) = m;
		}
	}
	if (s->n_messages > 1)
		qsort(s->messages, s->n_messages, sizeof *s->messages, by_time);
	return s->n_messages > 0;
}

/* ---- writing ---- */

static void
write_member(struct out *o, const char *key, const struct json *value)
{
	if (value == NULL)
		return;
	out_key(o, key);
	out_json_raw(o, value->text);
}

static void
write_info(struct out *o, const struct message *m, struct str root)
{
	out_member_begin(o, "info", '{');
	for (json_members(key, m->info))
		if (!json_key_is(key, STR("sessionID"))) {
			out_key_body(o, json_raw(key));
			out_json_raw(o, json_value(key)->text);
		}
	out_key(o, "sessionID");
	out_body(o, root);
	out_end(o, '}');
}

/* Writes the message, without what is behind the place to which the user went back. */
static void
write_message(struct storage *s, struct out *o, const struct message *m)
{
	struct str root = s->sessions[0].id;
	const struct json *of = NULL, *back, *until;
	int after;

	for (size_t i = 0; i < s->n_sessions; i++)
		if (str_eq(s->sessions[i].id, m->session))
			of = s->sessions[i].info;
	back = json_path(of, "revert.messageID");
	until = json_path(of, "revert.partID");
	after = back == NULL
	    ? -1
	    : str_cmp(json_raw(json_get(m->info, STR("id"))), json_raw(back));
	if (after > 0 || (after == 0 && until == NULL))
		return;
	o->comma = false;
	out_begin(o, '{');
	write_info(o, m, root);
	out_member_begin(o, "parts", '[');
	for (size_t i = 0; i < m->n; i++) {
		const struct json *part = m->parts[i];

		if (part != NULL &&
		    (after < 0 ||
			str_cmp(json_raw(json_get(part, STR("id"))),
			    json_raw(until)) < 0))
			out_json_raw(o, part->text);
	}
	out_end(o, ']');
	if (str_eq(m->session, root)) {
		out_member_begin(o, "session", '{');
		write_member(o, "title", json_get(of, STR("title")));
		write_member(o, "version", json_get(of, STR("version")));
		write_member(o, "directory", json_get(of, STR("directory")));
		out_end(o, '}');
	} else {
		out_key(o, "subagent");
		out_body(o, m->session);
	}
	out_end(o, '}');
}

bool
opencode_storage_convert(struct out *o, struct str text, const char *file)
{
	struct arena a = { 0 };
	struct storage s = { .arena = &a };

	if (!read_storage(&s, file, text))
		out_str(o, text);
	for (size_t i = 0; i < s.n_messages; i++)
		if (s.messages[i].info != NULL)
			write_message(&s, o, &s.messages[i]);
	if (s.torn != NULL) {
		diag_warn((struct place){ .file = s.torn },
		    "not an object of JSON: a part of a session is lost");
		out_text(o, "{\"torn"); /* as a record of a log may be */
	}
	out_line(o);
	json_reader_free(&s.reader);
	arena_free(&a);
	return true;
}

/* ---- folders ---- */

/* Returns whether one of the folders that hold sessions is beside the path's folder of
 * this kind. */
static bool
is_of(struct arena *a, const char *path, const char *kind)
{
	const char *at = NULL, *next = path;
	struct str base;

	while ((next = strstr(next, kind)) != NULL)
		at = next++;
	if (at == NULL)
		return false;
	base = (struct str){ path, (size_t)(at - path) };
	return access(str_c(a, str_cat(a, base, STR("/session"))), R_OK) == 0 ||
	    access(str_c(a, str_cat(a, base, STR("/info"))), R_OK) == 0;
}

/* Returns whether the file is the session of a sub-agent of whose parent the call that
 * began the sub-agent is known. */
static bool
is_within(struct arena *a, const char *path)
{
	struct storage s = { .arena = a };
	struct str text, folder = folder_of(path);
	const struct json *info, *id;
	const char *parent;
	bool is = false;

	if ((strstr(path, "/session/") == NULL &&
		strstr(path, "/info/") == NULL) ||
	    !slurp_file(a, path, FILE_MAX, &text) ||
	    opencode_storage_owns(text) != CONVERTER_OWNS)
		return false;
	info = json_keep(a, read_object(&s, path));
	id = json_get(info, STR("id"));
	parent = path_of(
	    &s, folder, "", json_raw(json_get(info, STR("parentID"))), ".json");
	if (json_is(json_get(info, STR("parentID")), JSON_STRING) &&
	    slurp_file(a, parent, FILE_MAX, &text))
		is = read_storage(&s, parent, text) &&
		    has_session(&s, json_raw(id));
	json_reader_free(&s.reader);
	return is;
}

bool
opencode_storage_is_part(const char *path)
{
	struct arena a = { 0 };
	bool is = is_of(&a, path, "/message/") || is_of(&a, path, "/part/") ||
	    is_within(&a, path);

	arena_free(&a);
	return is;
}
