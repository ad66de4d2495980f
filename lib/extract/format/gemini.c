/*
 * Session files of Google's Gemini CLI: one object, or one line for each change
 * to the session. The sessions of its sub-agents are in the folder
 * chats/SESSION_ID, beside the session's file chats/session-TIME-ID8.jsonl.
 */
#include "base/hash.h"
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"
#include "extract/format/unread.h"

enum { LOOKS_MAX = 1 << 22 }; /* at messages, for the messages of a list */

/* A message that was read. */
struct entry {
	uint64_t text;  /* hash of its type and text */
	size_t at;      /* its index in the history, if it is there */
	size_t turn;    /* number of prompts before it */
	bool prompt;    /* it is a prompt */
	bool text_read; /* its text was read */
	bool answered;  /* a call of it has a result */
};

struct session {
	struct hash_table entry; /* all messages that were read, by id */
	struct entry **history;  /* the messages that were not taken back */
	size_t n, turns;         /* length of the history; prompts in it */
	size_t most; /* greatest length so far, for which it has room */
	bool sub;    /* a sub-agent's, read with the session that started it */
	struct str id; /* body: that sub-agent's */
};

/* The state of the whole log. */
struct files {
	const char *main; /* path of the session's file */
	const char *path; /* path of the file that is read */
	struct session sub;
};

/* ---- sessions ---- */

/* Reads the counts of a message. The output count excludes reasoning. */
static void
read_tokens(struct builder *b, const struct json *m)
{
	struct usage u = { 0 };

	field_usage(&u, json_get(m, "tokens"), .input_and_cache = "input",
	    .output = "output", .cache_read = "cached",
	    .reasoning = "thoughts");
	u.n[USAGE_OUTPUT] += u.n[USAGE_REASONING];
	builder_usage(b, json_raw(json_get(m, "id")), &u, false);
}

/* Reads a call, which has its result beside it once the call is over. */
static void
read_call(struct builder *b, const struct json *call)
{
	const struct json *id = json_get(call, "id");
	const struct json *status = json_get(call, "status");
	const struct json *result = json_get(call, "result");
	const struct json *response =
	    json_path(json_at(result, 0), "functionResponse.response");
	const struct json *value = field_find(response, "output error");

	if (!builder_has_call(b, id))
		gemini_call(
		    b, id, json_get(call, "name"), json_get(call, "args"));
	if (status == NULL && result == NULL)
		return;
	builder_result(b, .id = id, .agent = json_get(call, "agentId"),
	    .value = value != NULL ? value
		: response != NULL ? response
				   : result,
	    .is_error = field_is(call, "status", "success error cancelled")
		? builder_bool(!json_str_is(status, "success"))
		: NULL);
}

/* Returns whether the program itself wrote this in the user's place: results of
 * calls, which are also beside the calls, and the session's environment. */
static bool
is_injected(const struct json *content)
{
	const struct json *part = json_at(content, 0);
	const struct json *text =
	    part != NULL ? json_get(part, "text") : content;

	return json_get(part, "functionResponse") != NULL ||
	    str_starts(json_raw(text), "<session_context>");
}

static bool
is_prompt(const struct json *m)
{
	return field_is_type(m, "user") && !is_injected(json_get(m, "content"));
}

/* Returns the hash of the message's type and text; 0 for a message without text. */
static uint64_t
text_of(const struct json *m)
{
	const struct json *content = json_get(m, "content");
	uint64_t start = hash_add(HASH_START, json_raw(json_get(m, "type")));
	uint64_t hash = start;

	if (json_is(content, JSON_STRING) && json_raw(content).n != 0)
		hash = hash_add(hash, json_raw(content));
	for (json_each(part, content))
		hash = hash_add(hash, json_raw(json_get(part, "text")));
	return hash == start ? 0 : hash;
}

/* Returns the state of the session whose records are read. */
static struct session *
session_of(struct log *log)
{
	struct files *files = log->whole;

	return files->path != files->main ? &files->sub : log->state;
}

/* Returns the message with this id if it is in the history, else NULL. */
static struct entry *
entry_of(const struct session *s, const struct json *id)
{
	struct entry *place = hash_get(&s->entry, json_raw(id));

	return place != NULL && place->at < s->n &&
		s->history[place->at] == place
	    ? place
	    : NULL;
}

static struct entry *
append(struct log *log, const struct json *m)
{
	struct session *s = session_of(log);
	struct entry *place = arena_new(log->arena, struct entry);

	*hash_put_copy(&s->entry, json_raw(json_get(m, "id"))) = place;
	place->text = text_of(m);
	place->at = s->n;
	place->turn = s->turns;
	place->prompt = is_prompt(m);
	s->turns += place->prompt;
	if (s->n == s->most)
		arena_push(log->arena, s->history, s->most);
	s->history[s->n++] = place;
	return place;
}

static void
locate(struct log *log, const struct json *m, const struct json *id)
{
	const struct session *s = session_of(log);

	builder_locate(log->builder, .ts = json_get(m, "timestamp"),
	    .message = id, .sidechain = s->sub,
	    .agent = s->sub ? builder_str(log->builder, s->id) : NULL);
	builder_message(log->builder);
}

/* Reads a message of the model. The calls of a later answer without a text are
 * added to the message when it is written again, with the results of the earlier
 * calls. */
static void
read_answer(struct log *log, const struct json *m, struct entry *place)
{
	struct builder *b = log->builder;
	const struct json *content = json_get(m, "content");
	bool answered = place->answered, later = false;

	builder_error(b, NULL);
	builder_model(b, json_get(m, "model"));
	builder_text_blocks(b, place->text_read ? NULL : content);
	for (json_each(call, json_get(m, "toolCalls"))) {
		if (answered && !later &&
		    !builder_has_call(b, json_get(call, "id"))) {
			locate(log, m, NULL);
			later = true;
		}
		read_call(b, call);
		place->answered |= json_get(call, "result") != NULL;
	}
	for (json_each(part, content)) {
		const struct json *call = json_get(part, "functionCall");
		const struct json *id = json_get(call, "id");

		if (json_raw(id).n != 0 && !builder_has_call(b, id))
			gemini_call(b, id, json_get(call, "name"),
			    json_get(call, "args"));
	}
}

/* Reads a message, which may be one of a list. A message is written again when its
 * calls are over. */
static void
read_message(struct log *log, const struct json *m, bool listed)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(m, "id");
	const struct json *content = json_get(m, "content");
	struct entry *place = entry_of(session_of(log), id);

	if (place == NULL)
		place = append(log, m);
	locate(log, m, id);
	if (field_is_type(m, "gemini")) {
		read_answer(log, m, place);
		/* The program writes answers of its own into a list. */
		if (!listed || field_find(m, "tokens model") != NULL)
			read_tokens(b, m);
	} else if (place->prompt && !place->text_read) {
		/* The text as typed, without the files that it names. */
		builder_prompt(b, field_find(m, "displayContent content"));
	} else if (field_is_type(m, "error")) {
		builder_error(b, content);
	} else if (!field_is_type(m, "user info warning")) {
		log_unread(log, m);
	}
	place->text_read = place->text_read || place->prompt ||
	    json_raw(content).n != 0 || json_count(content) != 0;
}

/* Takes back everything after this number of prompts. */
static void
take_back(struct log *log, size_t keep)
{
	struct session *s = session_of(log);

	if (keep < s->turns) {
		builder_rewind(log->builder, s->turns - keep);
		s->turns = keep;
	}
}

/* Takes back the message with this id and all after it, as the user did; for a
 * message that is not in the history, the program takes back everything. */
static void
rewind_to(struct log *log, const struct json *id)
{
	struct session *s = session_of(log);
	const struct entry *place = entry_of(s, id);

	locate(log, NULL, NULL);
	s->n = place == NULL ? 0 : place->at;
	take_back(log, place == NULL ? 0 : place->turn);
}

/* Returns the message of the history that this one, of a list, is: the one with its
 * id, or, since the program may give messages new ids, the first from `from` on that
 * says the same; NULL if there is none. Looks at no more than *looks messages, which
 * it counts down. */
static struct entry *
same_message(
    struct session *s, const struct json *m, size_t from, size_t *looks)
{
	struct entry *place = entry_of(s, json_get(m, "id"));
	uint64_t text = text_of(m);

	for (size_t i = from;
	     place == NULL && text != 0 && i < s->n && *looks != 0;
	     i++, --*looks)
		if (s->history[i]->text == text)
			place = s->history[i];
	if (place != NULL)
		*hash_put_copy(&s->entry, json_raw(json_get(m, "id"))) = place;
	return place;
}

/* Replaces the history by the list. Messages that are still in it stay as they
 * were read. If the first prompt is one of these, what was read after the last of
 * them is taken back; else the list sums up what was said before it. */
static void
replace_messages(struct log *log, const struct json *list)
{
	struct session *s = session_of(log);
	struct entry **kept = NULL;
	size_t n = 0, keep = 0, from = 0, looks = LOOKS_MAX;
	bool first = false;

	locate(log, NULL, NULL);
	for (json_each(m, list)) {
		struct entry *place = same_message(s, m, from, &looks);

		if (place == NULL)
			continue;
		*arena_push(log->arena, kept, n) = place;
		from = place->at + 1;
		first |= place->prompt && place->turn == 0;
		if (place->turn + place->prompt > keep)
			keep = place->turn + place->prompt;
	}
	for (size_t i = 0; i < n; i++)
		kept[i]->at = i;
	s->history = kept;
	s->n = s->most = n;
	if (first)
		take_back(log, keep);
	for (json_each(m, list))
		if (entry_of(s, json_get(m, "id")) == NULL)
			read_message(log, m, true);
}

/* ---- files ---- */

static char **
files_beside(struct log *log)
{
	struct arena *a = log->arena;
	struct str folder = subagent_files_folder(log->path);
	bool none = log->id.n == 0 || str_contains(log->id, STR("/"));

	return subagent_files_list(a,
	    none ? NULL : str_c(a, str_cat(a, folder, log->id)), STR(".jsonl"));
}

/* Implements the member `owner` of struct log_format: the session whose file's name
 * ends with the first characters of the id that the folder has as its name. */
static const char *
file_owner(struct log *log, const struct json *record)
{
	enum { SHORT = 8 };
	struct arena *a = log->arena;
	struct str folder = subagent_files_folder(log->path), id;
	size_t end = folder.n;
	char **all;

	if (!field_is(record, "kind", "subagent") || end < 2)
		return NULL;
	folder = subagent_files_folder(str_c(a, str_slice(folder, 0, end - 1)));
	id = str_slice(str_of(log->path), folder.n, end - 1);
	if (id.n > SHORT)
		id.n = SHORT;
	all = subagent_files_list(a, folder.n == 0 ? "." : str_c(a, folder),
	    str_printf(a, "-%.*s.jsonl", STR_FMT(id)));
	return all[0];
}

/* Returns the state of the session to which the record belongs: the first record of
 * a sub-agent's file says which one. */
static struct session *
enter(struct log *log, const struct json *r)
{
	const struct json *id = json_get(r, "sessionId");
	struct files *files = log->whole;
	struct session *s;

	if (files == NULL) {
		log->whole = files = arena_new(log->arena, struct files);
		files->main = log->path;
	}
	if (files->path != log->path)
		files->sub = (struct session){
			.entry = { .arena = log->arena },
			.id = copy_body(log->arena, id),
			.sub = true,
		};
	files->path = log->path;
	if (id != NULL && files->path == files->main)
		log_run(log, id);
	s = session_of(log);
	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->entry.arena = log->arena;
	}
	return s;
}

static void
read_record(struct log *log, const struct json *r)
{
	enter(log, r);
	for (json_each(m, json_get(r, "messages")))
		read_message(log, m, false);
	if (json_get(r, "sessionId") != NULL)
		return;
	if (json_get(r, "id") != NULL)
		read_message(log, r, false);
	else if (json_path(r, "$set.messages") != NULL)
		replace_messages(log, json_path(r, "$set.messages"));
	else if (json_get(r, "$rewindTo") != NULL)
		rewind_to(log, json_get(r, "$rewindTo"));
}

/* Which records are read; read_record reads them. */
static const struct log_row rows[] = {
	LOG_ROW("sessionId, id, $set, $rewindTo", LOG_HOOK),
	LOG_LAST,
};

const struct log_format log_format_gemini = {
	.name = "gemini",
	.what = "Gemini CLI: session files",
	.sure = "projectHash sessionId, $set, $rewindTo, "
		"type=gemini id timestamp content",
	.hint = "25 content type=user id timestamp",
	.rows = rows,
	.read = read_record,
	.beside = files_beside,
	.owner = file_owner,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
