/*
 * Google's Gemini API (generateContent): contents of a conversation, requests
 * with responses, and streamed responses. A response without its request is a
 * run of its own.
 */
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"
#include "extract/run/builder.h"
#include "extract/value/copy.h"
#include "extract/value/fields.h"
#include "extract/value/unflatten.h"

/* ---- arguments in parts ---- */

/*
 * A streamed call may have its arguments in parts: each is a value at a JSONPath, or
 * goes on with the string of the part before. In the run's arena; zeroed at first.
 */
struct args_state {
	struct text members; /* source: "p.order.items.0":"17","p.all":true */
	struct str path;     /* of the last member, as logged */
	bool string;         /* the last member is a string, not ended yet */
};

/* Returns the path $.order.items[0] in the form that unflatten takes. */
static struct str
arg_name(struct arena *a, struct str path)
{
	char *to = arena_room(a, path.n + 2), *s = to;

	*s++ = 'p';
	for (size_t i = 0; i < path.n; i++) {
		char c = path.s[i];

		if (c == '[')
			*s++ = '.';
		else if (c != ']' && c != '$')
			*s++ = c;
	}
	return (struct str){ to, (size_t)(s - to) };
}

static void
add_part(struct args_state *args, struct arena *a, const struct json *part)
{
	struct str path = json_raw(field_find(part, "jsonPath json_path"));
	const struct json *string =
	    field_find(part, "stringValue string_value");
	const struct json *other =
	    field_find(part, "numberValue number_value boolValue bool_value");
	struct str name = arg_name(a, path);

	if (args->members.n == 0 || !str_eq(path, args->path)) {
		text_append(a, &args->members,
		    str_printf(a, "%s%s\"%.*s\":%s", args->string ? "\"" : "",
			args->members.n == 0 ? "{" : ",", STR_FMT(name),
			string != NULL ? "\"" : ""));
		args->path = str_dup(a, path);
		args->string = string != NULL;
	} else if (string == NULL || !args->string) {
		return;
	}
	text_append(a, &args->members,
	    string != NULL      ? json_raw(string)
		: other != NULL ? other->text
				: STR("null"));
}

static const struct json *
join_args(struct args_state *args, struct arena *a)
{
	text_append(a, &args->members, args->string ? STR("\"}") : STR("}"));
	return unflatten(a,
	    copy_parsed(a, (struct str){ args->members.s, args->members.n }),
	    STR("p"));
}

/* Reads the arguments in a functionCall, after the builder has the call. With
 * the last part, passes all arguments to the builder. */
static void
read_args(struct args_state *args, struct builder *b, const struct json *call)
{
	struct arena *a = builder_arena(b);

	if (call == NULL && args->members.n == 0)
		return;
	if (json_raw(json_get(call, "name")).n != 0)
		*args = (struct args_state){ 0 };
	for (json_each(part, field_find(call, "partialArgs partial_args")))
		add_part(args, a, part);
	if (args->members.n == 0 ||
	    json_is(field_find(call, "willContinue will_continue"), JSON_TRUE))
		return;
	builder_set_args(b, NULL, join_args(args, a));
	*args = (struct args_state){ 0 };
}

/* ---- requests and responses ---- */

#define CONTENTS "request.contents request.request.contents contents history"
#define SYSTEM \
	"request.systemInstruction request.system_instruction " \
	"request.request.systemInstruction systemInstruction " \
	"system_instruction request.config.systemInstruction " \
	"request.config.system_instruction config.systemInstruction " \
	"config.system_instruction"
#define ERRORS "error response.error"
#define MODEL "modelVersion model_version"
#define RESPONSE \
	"candidates=[ candidates.0.content|candidates.0.finishReason|" \
	"candidates.0.finish_reason|usageMetadata|usage_metadata, " \
	"promptFeedback.blockReason|prompt_feedback.block_reason"
/* A content by itself, whose run is the file. The parts of other APIs have a
 * type. */
#define LINE " parts=[ !id=? !parts.0.type=?"

struct responses {
	struct str id;  /* body: the response that is streamed */
	bool nameless;  /* that response has no id, and more of it may follow */
	struct str key; /* key under which its usage is counted */
	bool ended;     /* the response has ended */
	struct args_state args; /* arguments of a call, in parts */
};

/* Returns the list of contents in r, or NULL. In a request the role of a single
 * content may be left out. A message with an id is of another protocol. */
static const struct json *
contents_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : field_find(r, CONTENTS);
	const struct json *first = json_at(list, 0);

	return gemini_content_is(first) &&
		(json_is(r, JSON_OBJECT) || json_get(first, "role") != NULL) &&
		json_get(first, "id") == NULL &&
		json_get(first, "messageId") == NULL
	    ? list
	    : NULL;
}

static const struct json *
response_of(const struct json *r)
{
	const struct json *in = json_get(r, "response");
	const struct json *within = json_get(in, "response");

	return log_rows_holds(RESPONSE, r)     ? r
	    : log_rows_holds(RESPONSE, in)     ? in
	    : log_rows_holds(RESPONSE, within) ? within
					       : NULL;
}

/* Returns the list of responses to a request that was answered in a stream, or
 * NULL. */
static const struct json *
chunks_of(const struct json *r)
{
	const struct json *list = json_get(r, "response");

	return response_of(json_at(list, 0)) != NULL ? list : NULL;
}

static bool
by_model(const struct json *content)
{
	return json_str_is(json_get(content, "role"), "model");
}

/* Forgets the last response: the next record does not continue it. */
static void
forget(struct log *log)
{
	*(struct responses *)log->state = (struct responses){ 0 };
}

static void
read_contents(struct log *log, const struct json *r, const struct json *list,
    const struct json *answer)
{
	struct resent_history history =
	    resent_history_emitted(log->builder, list, by_model);

	if (history.n == 0)
		builder_begin_run(log->builder);
	forget(log);
	resent_history_note(log->builder, &history, answer != NULL);
	if (answer == NULL && field_find(r, ERRORS) != NULL)
		resent_history_failed(log->builder, &history, by_model);
	/* Drops the error of a request that is sent again. */
	builder_error(log->builder, NULL);
	if (field_find(answer, MODEL) == NULL)
		builder_model(log->builder,
		    field_find(r, "model meta.model request.model"));
	builder_system(log->builder, field_find(r, SYSTEM));
	for (json_each(content, list)) {
		if (history.n != 0) {
			history.n--;
			continue;
		}
		builder_locate(
		    log->builder, .ts = field_find(content, "ts timestamp"));
		gemini_content_read(log->builder, content, false);
	}
}

/* Returns whether a chunk with this id continues the response. The chunks of
 * one response have one id; in older streams they have none until the end. */
static bool
continues(const struct responses *s, const struct json *id)
{
	/* A chunk that was cut short may lack the id. */
	if (json_raw(id).n == 0)
		return s->id.n != 0 || s->nameless;
	return str_eq(s->id, json_raw(id));
}

/* Returns the candidate with index 0, or without an index. */
static const struct json *
candidate_of(const struct json *r)
{
	for (json_each(one, json_get(r, "candidates"))) {
		const struct json *index = json_get(one, "index");

		if (index == NULL || json_double(index) == 0)
			return one;
	}
	return NULL;
}

/* Reads the finish reason. A stream ends with a reason; a response that came
 * whole may lack one. */
static void
read_reason(struct responses *s, struct builder *b, const struct json *reason,
    bool more)
{
	s->ended = reason != NULL || (more && s->ended);
	builder_set_broken(b, more && !s->ended);
	builder_stop_reason(b, reason);
}

/* Reads the parts of a content. Arguments may come in the parts after that of
 * their call. */
static void
read_content(struct responses *s, struct builder *b, const struct json *content)
{
	for (json_each(part, json_get(content, "parts"))) {
		gemini_part_read(b, part, true, true);
		read_args(&s->args, b,
		    field_find(part, "functionCall function_call"));
	}
}

/* Reads a response or a chunk. Each chunk counts all tokens so far. alone: no
 * request goes with it; streamed: it may be one of several chunks. */
static void
read_response(struct log *log, const struct json *r, bool alone, bool streamed)
{
	const struct json *id = field_find(r, "responseId response_id");
	const struct json *first = candidate_of(r), *blocked;
	const struct json *reason =
	    field_find(first, "finishReason finish_reason");
	struct responses *s = log->state;
	struct builder *b = log->builder;
	struct usage u = { 0 };
	bool more;

	more = continues(s, id);
	if (alone && !more) {
		builder_begin_run(b);
		builder_set(b, RUN_ID, id);
	}
	if (!more) {
		s->id = str_dup(log->arena, json_raw(id));
		s->key =
		    s->id.n == 0 && streamed ? builder_usage_key(b) : s->id;
		s->args = (struct args_state){ 0 };
	}
	s->nameless = s->id.n == 0 && (alone ? reason == NULL : streamed);
	builder_locate(
	    b, .ts = field_find(r, "createTime create_time"), .message = id);
	if (s->key.n == 0)
		builder_message(b);
	else
		builder_message_named(b, builder_str(b, s->key));
	builder_model(b, field_find(r, MODEL));
	read_content(s, b, json_get(first, "content"));
	read_reason(s, b, reason, more);
	gemini_usage_read(&u, field_find(r, "usageMetadata usage_metadata"));
	builder_usage(b, s->key, &u, false);
	blocked = field_find(
	    r, "promptFeedback.blockReason prompt_feedback.block_reason");
	if (blocked != NULL)
		builder_error(b, blocked);
}

/* Returns whether v is an answer, though of no known form: the parts of an answer
 * are in lists. */
static bool
is_full(const struct json *v)
{
	bool full = json_is(v, JSON_ARRAY) && json_count(v) != 0;

	for (json_members(key, v))
		full = full ||
		    (json_is(json_value(key), JSON_ARRAY) &&
			json_count(json_value(key)) != 0);
	return full;
}

/* Reads an error in place of a response: of a batch's request, or in a
 * stream. Vertex has the error in the status of the request, which is empty
 * otherwise. */
static void
read_error(struct log *log, const struct json *r)
{
	const struct json *error = field_find(r, ERRORS);
	const struct json *key = json_get(r, "key");

	if (error == NULL && json_get(r, "processed_time") != NULL)
		error = json_get(r, "status");
	if (error == NULL) {
		if (is_full(json_get(r, "response")))
			log_unread_as(log, json_get(r, "response"),
			    RUN_LOST_CALL | RUN_LOST_TEXT);
		else if (contents_of(r) == NULL &&
		    field_find(r,
			"key processed_time usageMetadata usage_metadata "
			"candidates") == NULL)
			log_unread(log, r);
		return;
	}
	if (json_is(key, JSON_STRING) && contents_of(r) == NULL) {
		builder_begin_run(log->builder);
		forget(log);
	}
	builder_error(log->builder, error);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *response = response_of(r), *chunks = chunks_of(r);
	const struct json *contents = contents_of(r);
	const struct json *first =
	    chunks != NULL ? response_of(json_at(chunks, 0)) : response;
	bool alone = contents == NULL;

	if (log_rows_holds("role=user|model" LINE, r)) {
		builder_locate(
		    log->builder, .ts = field_find(r, "ts timestamp"));
		gemini_content_read(log->builder, r, false);
		return;
	}
	if (alone && first == NULL && json_is(r, JSON_ARRAY)) {
		for (json_each(one, r))
			read_record(log, one);
		return;
	}
	if (contents != NULL)
		read_contents(log, r, contents, first);
	if (response != NULL)
		read_response(log, response, alone, alone);
	for (json_each(chunk, chunks)) {
		if (response_of(chunk) != NULL)
			read_response(log, response_of(chunk), alone, true);
		else
			read_error(log, chunk);
	}
	if (contents != NULL)
		forget(log);
	if (first == NULL)
		read_error(log, r);
	if (json_is(json_get(r, "key"), JSON_STRING))
		builder_set(log->builder, RUN_ID, json_get(r, "key"));
}

static const struct log_row rows[] = {
	LOG_ROW("=[, parts, contents, history, request.contents, "
		"request.request.contents, candidates, response, error, "
		"promptFeedback, prompt_feedback, usageMetadata, "
		"usage_metadata, key, processed_time",
	    LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_gemini_api = {
	.name = "gemini-api",
	.what = "Gemini API: conversations, requests with responses, streams",
	.sure = RESPONSE ", role=model" LINE
			 ", 0.role=? 0.parts=[ !0.id=? !0.messageId=?, "
			 "contents.0.parts=[ !contents.0.id=? "
			 "!contents.0.messageId=?, "
			 "history.0.parts=[ !history.0.id=? "
			 "!history.0.messageId=?, "
			 "request.contents.0.parts=[ !request.contents.0.id=? "
			 "!request.contents.0.messageId=?, "
			 "request.request.contents.0.parts=[ "
			 "!request.request.contents.0.id=? "
			 "!request.request.contents.0.messageId=?",
	.hint = "50 role=user" LINE,
	.nested = "response response.response 0 0.response response.0",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct responses),
	.knows_blocks = true,
	.common = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
