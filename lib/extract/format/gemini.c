/*
 * Session files of Google's Gemini CLI: one object, or one line for each change
 * to the session.
 */
#include "base/hash.h"
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* A message that was read. */
struct entry {
	size_t at;      /* its index in the history, if it is there */
	size_t turn;    /* number of prompts before it */
	bool prompt;    /* it is a prompt */
	bool text_read; /* its text was read */
};

struct session {
	struct hash_table entry; /* all messages that were read, by id */
	struct entry **history;  /* the messages that were not taken back */
	size_t n, turns;         /* length of the history; prompts in it */
	size_t most; /* greatest length so far, for which it has room */
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
	builder_result(b, .id = id,
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
append(struct log *log, const struct json *id, bool prompt)
{
	struct session *s = log->state;
	struct entry *place = arena_new(log->arena, struct entry);

	*hash_put_copy(&s->entry, json_raw(id)) = place;
	place->at = s->n;
	place->turn = s->turns;
	place->prompt = prompt;
	s->turns += prompt;
	if (s->n == s->most)
		arena_push(log->arena, s->history, s->most);
	s->history[s->n++] = place;
	return place;
}

/* Reads a message of the model, whose text may have been read before. */
static void
read_answer(struct builder *b, const struct json *m, bool text_read)
{
	builder_error(b, NULL);
	builder_model(b, json_get(m, "model"));
	builder_text_blocks(b, text_read ? NULL : json_get(m, "content"));
	for (json_each(call, json_get(m, "toolCalls")))
		read_call(b, call);
	read_tokens(b, m);
}

/* Reads a message. A message is written again when its calls are over. */
static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(m, "id");
	const struct json *content = json_get(m, "content");
	bool by_user = field_is_type(m, "user") && !is_injected(content);
	struct entry *place = entry_of(log->state, id);

	if (place == NULL)
		place = append(log, id, by_user);
	builder_locate(b, .ts = json_get(m, "timestamp"));
	if (by_user && !place->text_read)
		/* The text as typed, without the files that it names. */
		builder_prompt(b, field_find(m, "displayContent content"));
	else if (field_is_type(m, "gemini"))
		read_answer(b, m, place->text_read);
	else if (field_is_type(m, "error"))
		builder_error(b, content);
	else if (!field_is_type(m, "user info warning"))
		log_unread(log, m);
	place->text_read = place->text_read || by_user ||
	    json_raw(content).n != 0 || json_count(content) != 0;
}

/* Takes back everything after this number of prompts. */
static void
take_back(struct log *log, size_t keep)
{
	struct session *s = log->state;

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
	struct session *s = log->state;
	const struct entry *place = entry_of(s, id);

	s->n = place == NULL ? 0 : place->at;
	take_back(log, place == NULL ? 0 : place->turn);
}

/* Replaces the history by the list. Messages that are still in it stay as they
 * were read; what was read after the last of these is taken back. */
static void
replace_messages(struct log *log, const struct json *list)
{
	struct session *s = log->state;
	struct entry **kept = NULL;
	size_t n = 0, keep = 0;

	for (json_each(m, list)) {
		struct entry *place = entry_of(s, json_get(m, "id"));

		if (place == NULL)
			continue;
		*arena_push(log->arena, kept, n) = place;
		if (place->turn + place->prompt > keep)
			keep = place->turn + place->prompt;
	}
	for (size_t i = 0; i < n; i++)
		kept[i]->at = i;
	s->history = kept;
	s->n = s->most = n;
	take_back(log, keep);
	for (json_each(m, list))
		if (entry_of(s, json_get(m, "id")) == NULL)
			read_message(log, m);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct session *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->entry.arena = log->arena;
	}
	for (json_each(m, json_get(r, "messages")))
		read_message(log, m);
	if (json_get(r, "sessionId") != NULL)
		return;
	if (json_get(r, "id") != NULL)
		read_message(log, r);
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
	.hint = "25 type=user id timestamp content",
	.rows = rows,
	.session = "sessionId",
	.read = read_record,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
