#include "dialogue.h"

#include "builder.h"
#include "caseless.h"
#include "keep.h"
#include "log.h"

enum { DEPTH_MAX = 16 };

struct reading {
	struct arena *arena;
	struct dialogue found;
	enum dialogue_role role; /* of what says none */
};

const struct json *
dialogue_value(struct arena *a, const struct json *v)
{
	struct str text;
	const struct json *inner;

	if (!json_is(v, JSON_STRING))
		return v;
	text = str_trim(json_text(v, a));
	if (text.n == 0 || (text.s[0] != '{' && text.s[0] != '['))
		return v;
	inner = keep_parsed(a, text);
	return inner != NULL ? inner : v;
}

/* ---- parts of a message ---- */

static struct dialogue_part *
add_part(struct reading *r, enum dialogue_kind kind)
{
	struct dialogue_message *m = &r->found.list[r->found.n - 1];
	struct dialogue_part *p = arena_push(r->arena, m->parts, m->n);

	p->kind = kind;
	return p;
}

static void
add_text(struct reading *r, const struct json *text)
{
	if (json_is(text, JSON_STRING))
		add_part(r, DIALOGUE_TEXT)->value = text;
}

static void
add_call(struct reading *r, const struct json *call)
{
	const struct json *within = log_find(call, "tool_call"), *of;
	struct dialogue_part *p = add_part(r, DIALOGUE_CALL);

	if (json_is(within, JSON_OBJECT))
		call = within;
	of = log_find(call, "function");
	if (!json_is(of, JSON_OBJECT))
		of = call;
	p->id = log_find(call, "call_id toolCallId tool_call_id toolUseId id");
	p->tool = log_find(of, "name toolName tool_name");
	p->value = log_find(of, "arguments args input tool_kwargs");
}

static void
add_result(struct reading *r, const struct json *v)
{
	struct dialogue_part *p = add_part(r, DIALOGUE_RESULT);

	p->id = log_find(
	    v, "tool_call_id tool_use_id toolCallId call_id toolUseId id");
	p->tool = log_find(v, "name toolName tool_name");
	p->value = log_find(v, "response result output content");
	p->is_error = log_find(v, "is_error isError");
	if (log_find(log_find(v, "response"), "error") != NULL ||
	    json_str_is(log_find(v, "status"), STR("error")))
		p->is_error = builder_bool(true);
}

static bool
is_call(struct str type)
{
	return caseless_is_one_of(
	    type, "tool_call tool_use tool-call function_call");
}

static bool
is_result(struct str type)
{
	return caseless_is_one_of(type,
	    "tool_call_response tool_result tool-result function_call_output");
}

/* Parts that are told from each other by a member: Gemini's, Bedrock's. */
#define CALLS "function_call functionCall toolUse"
#define RESULTS "function_response functionResponse toolResult"

static void
read_part(struct reading *r, const struct json *v)
{
	const struct json *within = log_find(v, "message_content");
	struct str type;

	if (json_is(v, JSON_STRING))
		add_text(r, v);
	if (within != NULL)
		v = within;
	type = json_raw(log_find(v, "type block_type"));
	if (is_call(type))
		add_call(r, v);
	else if (is_result(type))
		add_result(r, v);
	else if (log_find(v, CALLS) != NULL)
		add_call(r, log_find(v, CALLS));
	else if (log_find(v, RESULTS) != NULL)
		add_result(r, log_find(v, RESULTS));
	else if (json_is(log_find(v, "thought"), JSON_TRUE))
		return;
	else if (type.n == 0 ||
	    caseless_is_one_of(type, "text input_text output_text"))
		add_text(r, log_find(v, "text content"));
}

bool
dialogue_is_blocks(const struct json *v)
{
	const struct json *first =
	    json_is(v, JSON_ARRAY) ? json_first(v) : NULL;

	return json_is(first, JSON_OBJECT) && json_count(first) == 1 &&
	    caseless_is_one_of(json_raw(json_first(first)),
		"text toolUse toolResult reasoningContent cachePoint image "
		"document video guardContent citationsContent");
}

/* A list of parts may have been made a string. */
static bool
is_list_of_parts(const struct json *v)
{
	return json_is(log_find(json_first(v), "type"), JSON_STRING) ||
	    dialogue_is_blocks(v);
}

static void
read_content(struct reading *r, const struct json *content)
{
	const struct json *inner = dialogue_value(r->arena, content);

	if (json_is(content, JSON_OBJECT))
		inner = content = log_find(content, "parts");
	if (!json_is(inner, JSON_ARRAY) ||
	    (inner != content && !is_list_of_parts(inner)))
		add_text(r, content);
	else
		for (json_each(part, inner))
			read_part(r, part);
}

/* ---- messages ---- */

static bool
role_named(struct str name, enum dialogue_role *role)
{
	static const char *const names[] = {
		[DIALOGUE_SYSTEM] = "system developer SystemMessage",
		[DIALOGUE_USER] = "user human HumanMessage",
		[DIALOGUE_MODEL] =
		    "assistant ai model AIMessage AIMessageChunk",
		[DIALOGUE_TOOL] = "tool function ToolMessage",
	};

	for (int i = DIALOGUE_SYSTEM; i <= DIALOGUE_TOOL; i++) {
		if (caseless_is_one_of(name, names[i])) {
			*role = (enum dialogue_role)i;
			return true;
		}
	}
	return false;
}

/* What LangChain writes of a message: its type and its data, or its class and
 * what it was made of. */
static const struct json *
unwrapped(const struct json *m, enum dialogue_role *role)
{
	const struct json *class = log_find(m, "id");

	if (log_find(log_find(m, "data"), "content") != NULL &&
	    role_named(json_raw(log_find(m, "type")), role))
		return log_find(m, "data");
	if (log_find(m, "kwargs") == NULL || json_count(class) == 0)
		return m;
	role_named(json_raw(json_last(class)), role);
	return log_find(m, "kwargs");
}

static void
begin_message(struct reading *r, enum dialogue_role role)
{
	arena_push(r->arena, r->found.list, r->found.n)->role = role;
}

/* A tool's message is its result, where no part of it is. LlamaIndex has the
 * text in blocks, and the rest beside it. */
static void
read_answer(struct reading *r, const struct json *m)
{
	struct dialogue_message *message = &r->found.list[r->found.n - 1];
	const struct json *more = log_find(m, "additional_kwargs");
	const struct json *text = NULL;
	struct dialogue_part *result;

	for (size_t i = 0; i < message->n; i++)
		if (message->parts[i].kind != DIALOGUE_TEXT)
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
		result->id = log_find(more, "tool_call_id");
	if (result->tool == NULL)
		result->tool = log_find(more, "name");
}

static void
read_message(struct reading *r, const struct json *m)
{
	enum dialogue_role role = r->role;
	const struct json *says, *calls, *legacy, *more;

	m = unwrapped(m, &role);
	more = log_find(m, "additional_kwargs");
	says = log_find(m, "role");
	if (json_raw(says).n == 0)
		role_named(json_raw(log_find(m, "type")), &role);
	else if (!role_named(json_raw(says), &role))
		role = DIALOGUE_SYSTEM; /* neither asked nor answered */
	begin_message(r, role);
	read_content(r, log_find(m, "parts content contents blocks"));
	calls = dialogue_value(r->arena, log_find(m, "tool_calls toolCalls"));
	if (json_count(calls) == 0) /* older LangChain, or bad arguments */
		calls = log_find(more, "tool_calls");
	for (json_each(call, calls))
		add_call(r, call);
	legacy = log_find(m, "function_call");
	if (legacy == NULL)
		legacy = log_find(more, "function_call");
	if (json_is(legacy, JSON_OBJECT))
		add_call(r, legacy);
	if (role == DIALOGUE_TOOL)
		read_answer(r, m);
}

static bool
is_message(const struct json *v)
{
	enum dialogue_role role;

	return json_raw(log_find(v, "role")).n != 0 ||
	    role_named(json_raw(log_find(v, "type")), &role) ||
	    (log_find(v, "kwargs") != NULL && log_find(v, "lc") != NULL);
}

/* A message that says no role. */
static bool
has_parts(const struct json *v)
{
	return json_is(log_find(v, "parts"), JSON_ARRAY) ||
	    is_list_of_parts(log_find(v, "content"));
}

/* What holds messages, by the names that are common. */
#define HOLDERS \
	"messages message choices candidates generations contents content " \
	"output input response parts text prompt query question"

static void
read_any(struct reading *r, const struct json *v, int depth)
{
	struct str type;

	if (v == NULL || depth == DEPTH_MAX)
		return;
	type = json_raw(log_find(v, "type"));
	if (json_is(v, JSON_STRING)) {
		begin_message(r, r->role);
		add_text(r, v);
	} else if (is_message(v) || has_parts(v)) {
		read_message(r, v);
	} else if (is_call(type)) {
		begin_message(r, DIALOGUE_MODEL);
		add_call(r, v);
	} else if (is_result(type)) {
		begin_message(r, DIALOGUE_TOOL);
		add_result(r, v);
	} else if (json_is(v, JSON_ARRAY)) {
		for (json_each(element, v))
			read_any(r, element, depth + 1);
	} else if (type.n == 0 || caseless_is_one_of(type, "message text") ||
	    log_find(v, "message") != NULL) {
		read_any(r, log_find(v, HOLDERS), depth + 1);
	}
}

struct dialogue
dialogue_read(struct arena *a, const struct json *v, enum dialogue_role role)
{
	struct reading r = { .arena = a, .role = role };
	const struct json *inner = dialogue_value(a, v);

	read_any(&r, inner, 0);
	/* An answer may be JSON; what a program was given is no prompt. */
	if (r.found.n == 0 && inner != v && role == DIALOGUE_MODEL)
		read_any(&r, v, 0);
	return r.found;
}
