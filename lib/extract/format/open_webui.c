/*
 * Chats of Open WebUI, as it exports them, as its API gives them, and as its
 * database holds them: {"chat": {"history": {"messages": {ID: {...}},
 * "currentId"}}}, or the value of "chat" alone. An answer has its steps as items
 * of OpenAI's Responses ("output"). Versions before 0.7 keep the steps only in
 * the answer's text, as elements <details type="tool_calls" ...>, whose
 * attributes no path of a map reaches. The names are those of
 * backend/open_webui/utils/middleware.py (serialize_output) and of Chat.svelte.
 */
#include "extract/api/openai_item.h"
#include "extract/api/openai_message.h"
#include "extract/format/branches.h"
#include "extract/format/log_rows.h"

static const struct json *
chat_of(const struct json *r)
{
	const struct json *chat = json_get(r, "chat");

	return json_is(chat, JSON_OBJECT) ? chat : r;
}

/* ---- steps in the text of an answer ---- */

/* Returns the text of an attribute of an element's tag, in the arena; absent if
 * the tag lacks the attribute. `mark` is the name with a blank and ="
 * around it. */
static struct str
attribute(struct arena *a, struct str tag, struct str mark)
{
	static const char *const escapes[][2] = {
		{ "&quot;", "\"" }, { "&#x27;", "'" }, { "&#39;", "'" },
		{ "&lt;", "<" }, { "&gt;", ">" },
		{ "&amp;", "&" }, /* the last one */
	};
	size_t at = str_find(tag, mark);
	struct str value;

	if (at == tag.n)
		return (struct str){ 0 };
	value = str_from(tag, at + mark.n);
	value = str_slice(value, 0, str_find_char(value, '"'));
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
		value = str_replace(
		    a, value, str_of(escapes[i][0]), str_of(escapes[i][1]));
	return value;
}

/* Returns a string that holds the text; NULL for an empty text. */
static const struct json *
string_of(struct arena *a, struct str text)
{
	return text.n == 0 ? NULL : copy_string(a, copy_escaped(a, text));
}

/* Returns the JSON in an attribute, or its text if the text is not JSON; NULL
 * if the tag lacks the attribute or its value is empty. */
static const struct json *
attribute_json(struct arena *a, struct str tag, struct str mark)
{
	struct str text = attribute(a, tag, mark);
	const struct json *v = text.n == 0 ? NULL : copy_parsed(a, text);

	return v != NULL ? v : string_of(a, text);
}

/* Returns the code in the body of an element, without the fence around it. */
static struct str
code_in(struct str body)
{
	const struct str fence = STR("```");
	struct str code =
	    str_from(body, str_find(body, STR("</summary>")) + 10);

	code = str_trim(code);
	if (!str_starts(code, fence) || !str_ends(code, fence))
		return code;
	code = str_from(code, str_find_char(code, '\n') + 1);
	return code.n < fence.n
	    ? code
	    : str_trim(str_slice(code, 0, code.n - fence.n));
}

/* Reads an element <details ...>...</details>. */
static void
read_element(struct builder *b, struct str tag, struct str body)
{
	struct arena *a = builder_arena(b);
	struct str type = attribute(a, tag, STR(" type=\""));
	const struct json *id = string_of(a, attribute(a, tag, STR(" id=\"")));
	const struct json *result;

	if (str_is(type, "tool_calls")) {
		builder_call(b, .id = id,
		    .tool = string_of(a, attribute(a, tag, STR(" name=\""))),
		    .args = attribute_json(a, tag, STR(" arguments=\"")),
		    .decode = true);
		result = attribute_json(a, tag, STR(" result=\""));
	} else if (str_is(type, "code_interpreter")) {
		builder_call(b, .tool = builder_str(b, STR("code_interpreter")),
		    .args = string_of(a, code_in(body)));
		result = attribute_json(a, tag, STR(" output=\""));
	} else {
		if (!str_is(type, "reasoning"))
			builder_unread_block(b, type);
		return;
	}
	if (result != NULL)
		builder_result(b, .last = true, .value = result);
}

static void
read_text(struct builder *b, const struct json *ts, struct str text)
{
	builder_locate(b, .ts = ts);
	builder_text(b, string_of(builder_arena(b), str_trim(text)));
}

/* Reads the text of an answer, with the elements in it. */
static void
read_content(
    struct builder *b, const struct json *content, const struct json *ts)
{
	struct str rest = json_text(content, builder_arena(b));

	while (rest.n != 0) {
		size_t at = str_find(rest, STR("<details type=\""));
		struct str tag = str_from(rest, at), body;
		size_t end;

		read_text(b, ts, str_slice(rest, 0, at));
		end = str_find(tag, STR("</details>"));
		body = str_slice(tag, 0, end);
		rest = str_from(tag, end == tag.n ? end : end + 10);
		tag = str_slice(body, 0, str_find_char(body, '>'));
		if (tag.n != 0)
			read_element(b, tag, str_from(body, tag.n));
	}
}

/* ---- messages ---- */

/* Reads an item of an answer. */
static void
read_item(struct builder *b, const struct json *item)
{
	const struct json *id = json_get(item, "id");
	const struct json *output = field_find(item, "output");

	if (!field_is_type(item, "open_webui:code_interpreter")) {
		openai_item_read(b, item);
		return;
	}
	builder_call(b, .id = id,
	    .tool = builder_str(b, STR("code_interpreter")),
	    .args = json_get(item, "code"));
	if (output != NULL)
		builder_result(b, .last = true, .value = output);
}

static void
read_usage(struct builder *b, const struct json *m)
{
	const struct json *counts = json_get(m, "usage");
	struct usage u = { 0 };

	if (json_has(counts, "eval_count")) { /* Ollama's */
		field_usage(&u, counts, .input = "prompt_eval_count",
		    .output = "eval_count");
	} else if (json_has(counts, "prompt_tokens")) {
		openai_usage_read(&u, counts);
	} else {
		openai_item_usage(&u, counts);
	}
	builder_usage_uncounted(b, &u);
}

static void
read_answer(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *ts = json_get(m, "timestamp");
	const struct json *output = json_get(m, "output");
	const struct json *error = field_find(m, "error.content error");

	builder_model(b, json_get(m, "model"));
	for (json_each(item, output)) {
		builder_locate(b, .ts = ts);
		read_item(b, item);
	}
	if (json_count(output) == 0)
		read_content(b, json_get(m, "content"), ts);
	read_usage(b, m);
	builder_error(
	    b, json_is(error, JSON_TRUE) ? json_get(m, "content") : error);
}

static const struct log_row message[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_answer),
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content"),
	LOG_LAST,
};

static void
read_message(struct log *log, const struct json *m)
{
	log_read_part(log, message, m);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *chat = chat_of(r);
	const struct json *history = json_get(chat, "history");
	const struct json *id = field_find(r, "id");
	struct branches tree = { .arena = log->scratch };

	builder_begin_run(b);
	if (json_raw(id).n != 0)
		builder_set(b, RUN_ID, id);
	builder_meta(b, "title", field_find(chat, "title"));
	for (json_members(key, json_get(history, "messages"))) {
		const struct json *m = json_value(key);

		branches_add(&tree,
		    &(struct branches_message){
			.message = m,
			.id = json_raw(key),
			.after = json_raw(json_get(m, "parentId")),
			.prompt = field_is(m, "role", "user") &&
			    json_is(json_get(m, "content"), JSON_STRING),
		    });
	}
	branches_read(
	    &tree, log, json_raw(json_get(history, "currentId")), read_message);
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("chat.history.messages={, history.messages={", LOG_HOOK,
	    .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_open_webui = {
	.name = "open-webui",
	.what = "Open WebUI: exported chats",
	.sure = "history.currentId history.messages={",
	.nested = "chat",
	.rows = rows,
	.knows_blocks = true,
};
