#include "extract/api/chat.h"

#include "extract/run/builder.h"
#include "extract/value/copy.h"
#include "extract/value/lookup.h"
#include "text/caseless.h"

enum { DEPTH_MAX = 16 };

struct reading {
	struct arena *arena;
	struct chat found;
	enum chat_role role; /* of a message that names no role */
};

const struct json *
chat_value(struct arena *a, const struct json *v)
{
	struct str text;
	const struct json *inner;

	if (!json_is(v, JSON_STRING))
		return v;
	text = str_trim(json_text(v, a));
	if (text.n == 0 || (text.s[0] != '{' && text.s[0] != '['))
		return v;
	inner = copy_parsed(a, text);
	return inner != NULL ? inner : v;
}

/* ---- names ---- */

#define N(name) STR_CONST(name)
#define LAST \
	{ \
		NULL, 0 \
	}

static const struct str call_ids[] = { N("call_id"), N("toolCallId"),
	N("tool_call_id"), N("toolUseId"), N("id"), LAST };
static const struct str result_ids[] = { N("tool_call_id"), N("tool_use_id"),
	N("toolCallId"), N("call_id"), N("toolUseId"), N("id"), LAST };
static const struct str tools[] = { N("name"), N("toolName"), N("tool_name"),
	LAST };
static const struct str arguments[] = { N("arguments"), N("args"), N("input"),
	N("tool_kwargs"), LAST };
static const struct str results[] = { N("response"), N("result"), N("output"),
	N("content"), LAST };
static const struct str errors[] = { N("is_error"), N("isError"), LAST };

/* Names in parts. Gemini's and Bedrock's parts are distinguished by which
 * member they have. */
static const struct str types[] = { N("type"), N("block_type"), LAST };
static const struct str calls_within[] = { N("function_call"),
	N("functionCall"), N("toolUse"), LAST };
static const struct str results_within[] = { N("function_response"),
	N("functionResponse"), N("toolResult"), LAST };
static const struct str texts[] = { N("text"), N("content"), LAST };

/* Names in messages. */
static const struct str contents[] = { N("parts"), N("content"), N("contents"),
	N("blocks"), LAST };
static const struct str call_lists[] = { N("tool_calls"), N("toolCalls"),
	LAST };
static const struct str legacy_calls[] = { N("function_call"),
	N("additional_kwargs.function_call"), LAST };

static const struct str stops[] = { N("finish_reason"), N("stop_reason"),
	N("finishReason"), N("stopReason"),
	N("response_metadata.finish_reason"),
	N("response_metadata.stop_reason"), LAST };

/* Names under which requests and responses hold messages. */
static const struct str holders[] = { N("messages"), N("message"), N("choices"),
	N("candidates"), N("generations"), N("contents"), N("content"),
	N("output"), N("input"), N("response"), N("parts"), N("text"),
	N("prompt"), N("query"), N("question"), LAST };

/* ---- words ---- */

enum { OTHER = -1 };

/* A word and its meaning; case does not matter. The last word of a list has no
 * name. */
struct word {
	struct str name;
	int means;
};

static int
meaning(const struct word *words, struct str word)
{
	while (words->name.s != NULL &&
	    (words->name.n != word.n ||
		!str_eq_ascii_nocase(words->name, word)))
		words++;
	return words->means;
}

static const struct word roles[] = {
	{ N("system"), CHAT_SYSTEM },
	{ N("developer"), CHAT_SYSTEM },
	{ N("SystemMessage"), CHAT_SYSTEM },
	{ N("user"), CHAT_USER },
	{ N("human"), CHAT_USER },
	{ N("HumanMessage"), CHAT_USER },
	{ N("assistant"), CHAT_MODEL },
	{ N("ai"), CHAT_MODEL },
	{ N("model"), CHAT_MODEL },
	{ N("AIMessage"), CHAT_MODEL },
	{ N("AIMessageChunk"), CHAT_MODEL },
	{ N("tool"), CHAT_TOOL },
	{ N("function"), CHAT_TOOL },
	{ N("ToolMessage"), CHAT_TOOL },
	{ LAST, OTHER },
};

/* The types of parts. */
static const struct word kinds[] = {
	{ N("text"), CHAT_TEXT },
	{ N("input_text"), CHAT_TEXT },
	{ N("output_text"), CHAT_TEXT },
	{ N("tool_call"), CHAT_CALL },
	{ N("tool_use"), CHAT_CALL },
	{ N("tool-call"), CHAT_CALL },
	{ N("function_call"), CHAT_CALL },
	{ N("toolUse"), CHAT_CALL },
	{ N("tool_call_response"), CHAT_RESULT },
	{ N("tool_result"), CHAT_RESULT },
	{ N("tool-result"), CHAT_RESULT },
	{ N("function_call_output"), CHAT_RESULT },
	{ N("toolResult"), CHAT_RESULT },
	{ LAST, OTHER },
};

/* Returns what the value is by its type; OTHER if it is no part. Calls of the
 * Vercel AI SDK's steps, and their results, have no type; the type of calls of
 * Chat Completions is the name of a role, too. */
static int
kind_of(const struct lookup *m, struct str type)
{
	if (type.n == 0 && lookup_get(m, "toolCallId") != NULL &&
	    lookup_get(m, "toolName") != NULL)
		return lookup_first(m, results) != NULL ? CHAT_RESULT
							: CHAT_CALL;
	if (str_is(type, "function") &&
	    json_is(lookup_get(m, "function"), JSON_OBJECT))
		return CHAT_CALL;
	return meaning(kinds, type);
}

/* ---- parts of a message ---- */

static struct chat_part *
add_part(struct reading *r, enum chat_kind kind)
{
	struct chat_message *m = &r->found.list[r->found.n - 1];
	struct chat_part *p = arena_push(r->arena, m->parts, m->n);

	p->kind = kind;
	return p;
}

static void
add_text(struct reading *r, const struct json *text)
{
	if (json_is(text, JSON_STRING))
		add_part(r, CHAT_TEXT)->value = text;
}

static void
add_call(struct reading *r, const struct json *call)
{
	struct chat_part *p = add_part(r, CHAT_CALL);
	struct lookup of, m = lookup_of(call);
	const struct json *within = lookup_get(&m, "tool_call");

	if (json_is(within, JSON_OBJECT))
		m = lookup_of(within);
	within = lookup_get(&m, "function");
	of = json_is(within, JSON_OBJECT) ? lookup_of(within) : m;
	p->id = lookup_first(&m, call_ids);
	p->tool = lookup_first(&of, tools);
	p->value = lookup_first(&of, arguments);
}

static void
add_result(struct reading *r, const struct lookup *m)
{
	struct chat_part *p = add_part(r, CHAT_RESULT);

	p->id = lookup_first(m, result_ids);
	p->tool = lookup_first(m, tools);
	p->value = lookup_first(m, results);
	p->is_error = lookup_first(m, errors);
	if (p->is_error == NULL) /* of MCP */
		p->is_error = lookup_get(m, "response.isError");
	if (lookup_get(m, "response.error") != NULL ||
	    json_str_is(lookup_get(m, "status"), "error"))
		p->is_error = builder_bool(true);
}

static void
add_unread(struct reading *r, struct str type)
{
	*arena_push(r->arena, r->found.unread, r->found.n_unread) = type;
}

/* Returns whether a part without a type has a member whose name says that the part
 * is a call or a result, of no known form; sets the type to that name. */
static bool
is_keyed_call(const struct json *part, struct str *type)
{
	for (json_members(key, part)) {
		struct str name = json_raw(key);

		if (json_is(json_value(key), JSON_OBJECT) &&
		    (str_starts(name, "tool") ||
			str_starts(name, "function"))) {
			*type = name;
			return true;
		}
	}
	return false;
}

static void
read_part(struct reading *r, const struct json *v)
{
	struct lookup m = lookup_of(v), of;
	const struct json *within = lookup_get(&m, "message_content");
	struct str type;
	int kind;

	if (json_is(v, JSON_STRING))
		add_text(r, v);
	if (within != NULL)
		m = lookup_of(within);
	type = json_raw(lookup_first(&m, types));
	kind = kind_of(&m, type);
	if (kind == CHAT_CALL) {
		add_call(r, m.json);
	} else if (kind == CHAT_RESULT) {
		add_result(r, &m);
	} else if ((within = lookup_first(&m, calls_within)) != NULL) {
		add_call(r, within);
	} else if ((within = lookup_first(&m, results_within)) != NULL) {
		of = lookup_of(within);
		add_result(r, &of);
	} else if (json_is(lookup_get(&m, "thought"), JSON_TRUE)) {
		return;
	} else if (kind == CHAT_TEXT ||
	    (type.n == 0 && !is_keyed_call(m.json, &type))) {
		add_text(r, lookup_first(&m, texts));
	} else {
		add_unread(r, type);
	}
}

bool
chat_is_blocks(const struct json *v)
{
	const struct json *first =
	    json_is(v, JSON_ARRAY) ? json_first(v) : NULL;

	return json_is(first, JSON_OBJECT) && json_count(first) == 1 &&
	    caseless_is_one_of(json_raw(json_first(first)),
		"text toolUse toolResult reasoningContent cachePoint image "
		"document video guardContent citationsContent");
}

/* Returns whether the value, which may have been decoded from a string, is a
 * list of parts. */
static bool
is_list_of_parts(const struct json *v)
{
	return json_is(json_get(json_first(v), "type"), JSON_STRING) ||
	    chat_is_blocks(v);
}

/* Returns whether a string may hold a list as JSON. */
static bool
may_hold_list(const struct json *string)
{
	struct str text = str_trim(json_raw(string));

	return text.n != 0 && (text.s[0] == '[' || text.s[0] == '\\');
}

static void
read_content(struct reading *r, const struct json *content)
{
	const struct json *inner =
	    may_hold_list(content) ? chat_value(r->arena, content) : content;

	if (json_is(content, JSON_OBJECT))
		inner = content = json_get(content, "parts");
	if (!json_is(inner, JSON_ARRAY) ||
	    (inner != content && !is_list_of_parts(inner)))
		add_text(r, content);
	else
		for (json_each(part, inner))
			read_part(r, part);
}

/* ---- messages ---- */

static bool
role_named(struct str name, enum chat_role *role)
{
	int found = meaning(roles, name);

	if (found != OTHER)
		*role = (enum chat_role)found;
	return found != OTHER;
}

/* Returns the message inside a message of LangChain, which is wrapped as a type
 * and its data, or as a class and its arguments; sets the role that the wrapper
 * names. */
static struct lookup
unwrapped(const struct lookup *m, enum chat_role *role)
{
	const struct json *class = lookup_get(m, "id");
	const struct json *within = lookup_get(m, "data");

	if (lookup_get(m, "data.content") != NULL &&
	    role_named(json_raw(lookup_get(m, "type")), role))
		return lookup_of(within);
	within = lookup_get(m, "kwargs");
	if (within == NULL || json_count(class) == 0)
		return *m;
	role_named(json_raw(json_last(class)), role);
	return lookup_of(within);
}

static void
begin_message(struct reading *r, enum chat_role role)
{
	arena_push(r->arena, r->found.list, r->found.n)->role = role;
}

/* Turns a tool's message into a result, unless one of its parts is a result.
 * LlamaIndex has the text in blocks, and the id and name outside them. */
static void
read_answer(struct reading *r, const struct lookup *m)
{
	struct chat_message *message = &r->found.list[r->found.n - 1];
	const struct json *text = NULL;
	struct chat_part *result;

	for (size_t i = 0; i < message->n; i++)
		if (message->parts[i].kind != CHAT_TEXT)
			return;
	if (message->n != 0)
		text = message->parts[0].value;
	message->n = 0;
	message->parts = NULL;
	add_result(r, m);
	result = &message->parts[0];
	if (result->value == NULL)
		result->value = text;
	if (result->id == NULL)
		result->id = lookup_get(m, "additional_kwargs.tool_call_id");
	if (result->tool == NULL)
		result->tool = lookup_get(m, "additional_kwargs.name");
}

/* Notes why the last message ended, which a model's message or what holds the
 * message says. */
static void
note_stop(struct reading *r, const struct lookup *m)
{
	struct chat_message *last = &r->found.list[r->found.n - 1];

	if (last->role == CHAT_MODEL && last->stop == NULL)
		last->stop = lookup_first(m, stops);
}

static void
read_message(struct reading *r, const struct lookup *message)
{
	enum chat_role role = r->role;
	const struct lookup m = unwrapped(message, &role);
	const struct json *says = lookup_get(&m, "role");
	const struct json *calls, *legacy;

	if (json_raw(says).n == 0)
		role_named(json_raw(lookup_get(&m, "type")), &role);
	else if (!role_named(json_raw(says), &role)) {
		role = CHAT_OTHER; /* any other role is neither user nor model
				     * */
		if (str_contains(json_raw(says), STR("tool")))
			add_unread(r, json_raw(says));
	}
	begin_message(r, role);
	read_content(r, lookup_first(&m, contents));
	calls = chat_value(r->arena, lookup_first(&m, call_lists));
	if (json_count(calls) == 0) /* older LangChain, or invalid arguments */
		calls = lookup_get(&m, "additional_kwargs.tool_calls");
	for (json_each(call, calls))
		add_call(r, call);
	legacy = lookup_first(&m, legacy_calls);
	if (json_raw(json_get(legacy, "name")).n != 0)
		add_call(r, legacy);
	if (role == CHAT_TOOL)
		read_answer(r, &m);
	note_stop(r, &m);
}

static bool
is_message(const struct lookup *m)
{
	enum chat_role role;

	return json_raw(lookup_get(m, "role")).n != 0 ||
	    role_named(json_raw(lookup_get(m, "type")), &role) ||
	    (lookup_get(m, "kwargs") != NULL && lookup_get(m, "lc") != NULL);
}

/* Returns whether the value is a message that names no role. */
static bool
has_parts(const struct lookup *m)
{
	return json_is(lookup_get(m, "parts"), JSON_ARRAY) ||
	    is_list_of_parts(lookup_get(m, "content"));
}

static void
read_any(struct reading *r, const struct json *v, int depth)
{
	struct lookup m = lookup_of(v);
	struct str type;
	int kind;

	if (v == NULL || depth == DEPTH_MAX)
		return;
	type = json_raw(lookup_get(&m, "type"));
	kind = kind_of(&m, type);
	if (json_is(v, JSON_STRING)) {
		begin_message(r, r->role);
		add_text(r, v);
	} else if (kind == CHAT_CALL && lookup_get(&m, "role") == NULL) {
		begin_message(r, CHAT_MODEL);
		add_call(r, v);
	} else if (is_message(&m) || has_parts(&m)) {
		read_message(r, &m);
	} else if (kind == CHAT_RESULT) {
		begin_message(r, CHAT_TOOL);
		add_result(r, &m);
	} else if (json_is(v, JSON_ARRAY)) {
		for (json_each(element, v))
			read_any(r, element, depth + 1);
	} else if (type.n == 0 || caseless_is_one_of(type, "message text") ||
	    lookup_get(&m, "message") != NULL) {
		size_t before = r->found.n;

		read_any(r, lookup_first(&m, holders), depth + 1);
		if (r->found.n != before)
			note_stop(r, &m);
	}
}

/* Returns the messages of the value, and sets *list to whether they are a list's. */
static struct chat
read_whole(
    struct arena *a, const struct json *v, enum chat_role role, bool *list)
{
	struct reading r = { .arena = a, .role = role };
	const struct json *inner = chat_value(a, v);

	read_any(&r, inner, 0);
	/* An answer may be any JSON; a program's input of that kind is no
	 * prompt. */
	if (r.found.n == 0 && inner != v && role == CHAT_MODEL)
		read_any(&r, v, 0);
	*list = json_is(inner, JSON_ARRAY);
	return r.found;
}

struct chat
chat_read(struct arena *a, const struct json *v, enum chat_role role)
{
	bool list;

	return read_whole(a, v, role, &list);
}

/* ---- inputs that repeat earlier ones ---- */

static struct str
source_of(const struct json *v)
{
	return json_is(v, JSON_STRING) ? json_raw(v)
	    : json_is(v, JSON_ARRAY)   ? v->text
				       : (struct str){ 0 };
}

/* Returns the number of bytes of a list that also begin a longer list with the same
 * elements: all without the end of the list, or 0 for no list. */
static size_t
unclosed(struct str list)
{
	size_t n = list.n;

	if (n < 2 || list.s[0] != '[' || list.s[n - 1] != ']')
		return 0;
	do
		n--;
	while (json_is_space(list.s[n - 1]));
	return n;
}

/* Returns a list whose elements from *first on are those of v behind the elements of
 * `before`, which is of the same type; NULL: v is no such list. */
static const struct json *
rest_of(struct arena *a, const struct json *before, const struct json *v,
    size_t *first)
{
	struct str was = source_of(before), all = source_of(v), text;
	size_t n = unclosed(was);
	struct json rest;

	*first = 0;
	if (n < 2 || before->type != v->type || all.n <= n || all.s[n] != ',' ||
	    memcmp(was.s, all.s, n) != 0)
		return NULL;
	if (json_is(v, JSON_ARRAY)) {
		*first = json_count(before);
		return v;
	}
	rest = *v; /* with the comma for its quote */
	rest.text = str_from(v->text, n + 1);
	text = str_cat(a, STR("["), json_text(&rest, a));
	v = copy_parsed(a, text);
	return json_is(v, JSON_ARRAY) && v->span > 1 ? v : NULL;
}

struct chat_source
chat_read_after(struct arena *a, const struct chat_source *before,
    const struct json *v, enum chat_role role)
{
	struct chat_source new = { .value = v, .list = true };
	struct reading r = { .arena = a, .role = role };
	const struct json *rest = NULL;
	size_t first = 0, n = 0;

	if (before->list)
		rest = rest_of(a, before->value, v, &first);
	if (rest == NULL) {
		new.chat = read_whole(a, v, role, &new.list);
		return new;
	}
	for (json_each(one, rest))
		if (n++ >= first)
			read_any(&r, one, 1);
	new.chat = before->chat;
	n = before->chat.n;
	new.chat.list = arena_new_n(a, struct chat_message, n + r.found.n);
	if (n != 0)
		memcpy(new.chat.list, before->chat.list,
		    n * sizeof *new.chat.list);
	if (r.found.n != 0)
		memcpy(new.chat.list + n, r.found.list,
		    r.found.n * sizeof *new.chat.list);
	new.chat.n += r.found.n;
	return new;
}
