/*
 * The messages that Cline, Roo Code and Kilo Code sent to the model
 * (api_conversation_history.json). They have Anthropic's form, but calls may be
 * tags in the model's text, and results may be texts of the user: "[TOOL for
 * 'X'] Result:", and the texts after it.
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/cline.h"
#include "extract/format/unread.h"
#include "extract/run/builder.h"

/* The state of a list. */
struct history {
	struct builder *b;
	struct str tool; /* body: tool of the result that is read; or absent */
	struct text result; /* of that tool, as far as it was read */
};

/* ---- calls in the model's text ---- */

/* The tools that may be tags, in Cline, Roo Code or Kilo Code. */
static const char *const tools[] = { "execute_command", "read_file",
	"write_to_file", "replace_in_file", "apply_diff", "insert_content",
	"search_and_replace", "edit_file", "search_files", "list_files",
	"list_code_definition_names", "codebase_search", "browser_action",
	"use_mcp_tool", "access_mcp_resource", "ask_followup_question",
	"attempt_completion", "plan_mode_respond", "new_task", "switch_mode",
	"fetch_instructions", "update_todo_list", "web_fetch",
	"load_mcp_documentation", "new_rule", "condense", "report_bug" };

/* Returns the text without line breaks (escapes) and spaces at both ends. */
static struct str
trimmed(struct str body)
{
	body = str_trim(body);
	while (str_starts(body, STR("\\n")))
		body = str_trim(str_from(body, 2));
	while (str_ends(body, STR("\\n")))
		body = str_trim(str_slice(body, 0, body.n - 2));
	return body;
}

/* Returns the offset of the last `what` in the body, or the body's length. */
static size_t
find_last(struct str body, struct str what)
{
	size_t found = body.n, at = 0;

	while (str_contains(str_from(body, at), what)) {
		found = at + str_find(str_from(body, at), what);
		at = found + 1;
	}
	return found;
}

/* Returns what is between the tags of this name in *rest, and moves *rest behind
 * these. Text with tags in it may hold any text: its last end counts. */
static struct str
take_tag(struct arena *a, struct str *rest, struct str name)
{
	struct str close = str_printf(a, "</%.*s>", STR_FMT(name));
	bool any = str_is(name, "content") || str_is(name, "diff") ||
	    str_is(name, "arguments");
	struct str in = str_from(*rest, name.n + 2);
	size_t end = any ? find_last(in, close) : str_find(in, close);

	*rest = str_from(in, end == in.n ? end : end + close.n);
	return str_slice(in, 0, end);
}

/* Returns the name of the tag that the body begins with; absent: with none. */
static struct str
tag_of(struct str body)
{
	size_t n = 1;

	while (n < body.n &&
	    (body.s[n] == '_' || (body.s[n] >= 'a' && body.s[n] <= 'z')))
		n++;
	return body.n != 0 && body.s[0] == '<' && n > 1 && n < body.n &&
		body.s[n] == '>'
	    ? str_slice(body, 1, n)
	    : (struct str){ 0 };
}

/* Returns the member of this name, else an absent text. */
static struct str
member(struct arena *a, struct str in, const char *name)
{
	for (in = trimmed(in); tag_of(in).n != 0; in = trimmed(in)) {
		struct str tag = tag_of(in);
		struct str v = trimmed(take_tag(a, &in, tag));

		if (str_is(tag, name))
			return v;
	}
	return (struct str){ 0 };
}

/* Returns the tags in a call's tag as an object of texts. */
static const struct json *
args_of(struct arena *a, struct str in)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	for (in = trimmed(in); tag_of(in).n != 0; in = trimmed(in)) {
		struct str tag = tag_of(in);

		out_key_body(&o, tag);
		out_body(&o, trimmed(take_tag(a, &in, tag)));
	}
	out_end(&o, '}');
	return copy_parsed(a, out_keep(&o, a));
}

static bool
is_tool(struct str name)
{
	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
		if (str_is(name, tools[i]))
			return true;
	return false;
}

/* Reads a call that is a tag; `in` is what the tag holds. */
static void
read_tag(struct builder *b, struct str tool, struct str in)
{
	struct arena *a = builder_arena(b);

	if (str_is(tool, "use_mcp_tool"))
		builder_call(b,
		    .tool = builder_str(b, member(a, in, "tool_name")),
		    .server = builder_str(b, member(a, in, "server_name")),
		    .args = builder_str(b, member(a, in, "arguments")),
		    .decode = true);
	else
		builder_call(
		    b, .tool = builder_str(b, tool), .args = args_of(a, in));
}

/* Reads a text of the model, and the calls that are tags in it, which begin a
 * line. What attempt_completion is given is the answer. */
static void
read_text(struct builder *b, struct str body)
{
	struct str rest = body, tag;
	size_t at = 0;

	while (at < rest.n) {
		struct str from = str_from(rest, at), in;

		tag = tag_of(from);
		if (!is_tool(tag)) {
			at += str_find(from, "\\n");
			at = at < rest.n ? at + 2 : at;
			continue;
		}
		builder_text(
		    b, builder_str(b, trimmed(str_slice(rest, 0, at))));
		rest = from;
		at = 0;
		in = take_tag(builder_arena(b), &rest, tag);
		read_tag(b, tag, in);
		if (str_is(tag, "attempt_completion")) {
			builder_end_text(b);
			builder_text(b,
			    builder_str(
				b, member(builder_arena(b), in, "result")));
		}
	}
	builder_text(b, builder_str(b, trimmed(rest)));
}

static void
read_assistant(struct builder *b, const struct json *m)
{
	const struct json *content = json_get(m, "content");

	if (json_is(content, JSON_STRING))
		read_text(b, json_raw(content));
	for (json_each(block, content)) {
		if (field_is_type(block, "text"))
			read_text(b, json_raw(json_get(block, "text")));
		else
			anthropic_block_read(b, block);
		if (field_is_type(block, "tool_use") &&
		    field_is(block, "name", "attempt_completion"))
			builder_text(b, json_path(block, "input.result"));
	}
}

/* ---- results in the user's place ---- */

/* Ends the result that is read. The head of a result of an MCP server names no
 * tool of the server. */
static void
end_result(struct history *h)
{
	bool named = !str_is(h->tool, "use_mcp_tool");

	if (h->tool.s == NULL)
		return;
	builder_result(h->b, .tool = named ? builder_str(h->b, h->tool) : NULL,
	    .value =
		builder_str(h->b, (struct str){ h->result.s, h->result.n }));
	h->tool = (struct str){ 0 };
	h->result = (struct text){ 0 };
}

/* Reads the user's words if the text has them between marks; returns whether it
 * has. Within a result they are the user's only after a tool with which the
 * model ends its turn. */
static bool
read_words(struct history *h, struct str body)
{
	static const char *const marks[] = { "task", "feedback",
		"user_message" };
	struct arena *a = builder_arena(h->b);
	bool ended = h->tool.s == NULL ||
	    str_is(h->tool, "attempt_completion") ||
	    str_is(h->tool, "plan_mode_respond");

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		struct str open = str_printf(a, "<%s>", marks[i]);

		if (!(ended ? str_contains(body, open)
			    : str_starts(body, open)))
			continue;
		end_result(h);
		builder_prompt_body(h->b,
		    trimmed(log_between_marks(
			body, open, str_printf(a, "</%s>", marks[i]))));
		return true;
	}
	return false;
}

/* Begins a result if the body begins with the head of one: [TOOL for 'X']
 * Result: or [TOOL] Result:. Returns what follows the head, or the body. */
static struct str
begin_result(struct history *h, struct str body)
{
	const struct str mark = STR("] Result:");
	size_t head = str_find(body, mark), n = 1;

	if (body.n == 0 || body.s[0] != '[' || head == body.n ||
	    head > str_find(body, "\\n"))
		return body;
	while (n < head && body.s[n] != ' ')
		n++;
	end_result(h);
	h->tool = str_slice(body, 1, n);
	return trimmed(str_from(body, head + mark.n));
}

/* Reads a text in the user's place. Other texts in brackets or tags are the
 * program's. */
static void
read_user_text(struct history *h, struct str body, bool results)
{
	if (str_starts(body, "<environment_details>"))
		return;
	body = begin_result(h, body);
	if (read_words(h, body))
		return;
	if (h->tool.s != NULL)
		text_append_line(builder_arena(h->b), &h->result, body);
	else if (!results && body.n != 0 && body.s[0] != '<' &&
	    body.s[0] != '[')
		builder_prompt_body(h->b, body);
}

static void
read_user(struct history *h, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	bool results = false;

	if (json_is(content, JSON_STRING))
		read_user_text(h, json_raw(content), false);
	for (json_each(block, content)) {
		const struct json *text = json_get(block, "text");

		if (anthropic_block_is_result(block)) {
			anthropic_result_read(h->b, block, NULL);
			results = true;
		} else if (json_is(text, JSON_STRING)) {
			read_user_text(h, json_raw(text), results);
		} else {
			builder_unread_block(
			    h->b, json_raw(json_get(block, "type")));
		}
	}
	end_result(h);
}

void
cline_history_read(struct log *log, const struct json *list)
{
	struct history h = { .b = log->builder };

	builder_begin_run(h.b);
	for (json_each(m, list)) {
		builder_locate(h.b, .ts = json_get(m, "ts"));
		if (field_is(m, "role", "user"))
			read_user(&h, m);
		else if (field_is(m, "role", "assistant"))
			read_assistant(h.b, m);
		else
			log_unread(log, m);
	}
	builder_end_run(h.b);
}
