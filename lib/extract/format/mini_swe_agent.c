/*
 * Trajectories of mini-swe-agent. In version 1 they may be a bare list of
 * messages: a command is a code block in the model's text, and its output is
 * the user message after it. Since version 2 a message also says what was run,
 * or calls a tool.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/swe_agent.h"
#include "extract/format/unread.h"

/* number of messages that suffice to recognise the format */
enum { LOOKED_AT = 50 };

/* The state of a trajectory. */
struct reading {
	struct log *log;
	struct builder *builder; /* the log's */
	struct arena *scratch;
	struct str mark; /* the opening of a code block that is a command */
	bool prompted;   /* the prompt was read */
	bool acting;     /* a call waits for its result */
};

static bool
has_role(const struct json *m, const char *role)
{
	return json_str_is(json_get(m, "role"), str_of(role));
}

static bool
contains(const struct json *m, struct str words)
{
	return str_contains(json_raw(json_get(m, "content")), words);
}

/* ---- commands in a text ---- */

/* Skips the white space at the begin of the text; returns whether there is the
 * end of a line in it. */
static bool
cut_line(struct str *text)
{
	const struct str space = STR(" \t\r\n");
	size_t n = 0;
	bool line = false;

	for (; n < text->n && str_find_char(space, text->s[n]) != space.n; n++)
		line |= text->s[n] == '\n';
	*text = str_from(*text, n);
	return line;
}

/* Returns the command in a text, in a block that opens with the mark; absent if
 * there is no such block, or more than one: then no command is run. */
static struct str
only_command(struct str text, struct str mark)
{
	const struct str end = STR("\n```");
	struct str found = { 0 };
	size_t n = 0;

	while (str_contains(text, mark)) {
		size_t length;

		text = str_from(text, str_find(text, mark) + mark.n);
		if (!cut_line(&text))
			continue;
		length = str_find(text, end);
		if (length == text.n)
			break;
		found = str_trim(str_slice(text, 0, length));
		text = str_from(text, length + end.n);
		n++;
	}
	return n == 1 ? found : (struct str){ 0 };
}

/* Returns the opening of code blocks that are commands. Later versions mark
 * commands with a word of their own, and ignore other blocks. */
static struct str
mark_in(const struct json *messages)
{
	for (json_each(m, messages))
		if (contains(m, STR("```mswea_bash_command")))
			return STR("```mswea_bash_command");
	return STR("```bash");
}

static void
run_command(struct reading *t, const struct json *content)
{
	struct str command =
	    only_command(json_text(content, t->scratch), t->mark);
	struct out args;

	if (command.n == 0)
		return;
	out_open_memory(&args);
	out_begin(&args, '{');
	out_member_str(&args, "command", command);
	out_end(&args, '}');
	builder_call(t->builder, .tool = builder_str(t->builder, STR("bash")),
	    .args = copy_parsed(t->scratch, out_keep(&args, t->scratch)));
	t->acting = true;
}

/* ---- messages ---- */

/* Reads the model's response; returns false if it is not logged. */
static bool
read_response(struct builder *b, const struct json *response)
{
	const struct json *counts = json_get(response, "usage");
	struct usage u = { 0 };

	openai_usage_read(&u, counts);
	if (u.known == 0)
		return false;
	builder_model(b, json_get(response, "model"));
	builder_usage(b, json_raw(json_get(response, "id")), &u, false);
	return true;
}

static void
read_assistant(struct reading *t, const struct json *m)
{
	const struct json *extra = json_get(m, "extra");
	const struct json *actions = json_get(extra, "actions");
	const struct json *ts = json_get(extra, "timestamp");

	builder_locate(t->builder, .ts = ts);
	openai_message_read(t->builder, m, ts,
	    read_response(t->builder, json_get(extra, "response")));
	t->acting = json_first(json_get(m, "tool_calls")) != NULL;
	if (t->acting)
		return;
	for (json_each(one, actions)) {
		builder_call(t->builder,
		    .tool = builder_str(t->builder, STR("bash")), .args = one);
		t->acting = true;
	}
	if (actions == NULL)
		run_command(t, json_get(m, "content"));
}

/* Returns whether the command failed, or NULL if that is not logged. */
static const struct json *
failed(const struct json *m)
{
	const struct json *code = json_path(m, "extra.returncode");
	struct str text = json_raw(json_get(m, "content"));

	if (json_is(code, JSON_NUMBER))
		return builder_bool(json_double(code) != 0);
	if (!str_starts(text, "<returncode>"))
		return NULL;
	return builder_bool(!str_starts(text, "<returncode>0<"));
}

/* Reads a message. The result of a command is in a user's message, or in a
 * tool's. */
static void
read_message(struct reading *t, const struct json *m)
{
	const struct json *ts = json_path(m, "extra.timestamp");

	if (has_role(m, "assistant")) {
		read_assistant(t, m);
		return;
	}
	builder_locate(t->builder, .ts = ts);
	if (has_role(m, "tool") || (has_role(m, "user") && t->acting)) {
		builder_result(t->builder, .id = json_get(m, "tool_call_id"),
		    .value = json_get(m, "content"), .is_error = failed(m));
		t->acting = has_role(m, "tool");
	} else if (has_role(m, "user") && !t->prompted) {
		builder_prompt(t->builder, json_get(m, "content"));
		t->prompted = true;
	} else if (has_role(m, "system")) {
		builder_system_message(t->builder, json_get(m, "content"));
	} else if (!field_is(m, "role", "user exit")) {
		log_unread(t->log, m);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *messages =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");
	struct reading t = { .log = log,
		.builder = log->builder,
		.scratch = log->scratch,
		.mark = mark_in(messages) };

	builder_begin_run(t.builder);
	builder_set(t.builder, RUN_SCENARIO, field_find(r, "instance_id"));
	for (json_each(m, messages))
		read_message(&t, m);
	swe_agent_info(t.builder, json_get(r, "info"));
	builder_end_run(t.builder);
}

/* Words of the prompts, which ask a model to print them at the end. */
#define ENDS \
	"*COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT*|" \
	"*MINI_SWE_AGENT_FINAL_OUTPUT*"

static const struct log_row rows[] = {
	LOG_ROW("=[, messages=[", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_mini_swe_agent = {
	.name = "mini-swe-agent",
	.what = "mini-swe-agent: trajectories",
	.sure = "trajectory_format=mini-swe-agent*, "
		"messages.*.content=<returncode>*, *.content=<returncode>*, "
		"messages.0.content=" ENDS
		" messages.0.role=system, 0.content=" ENDS " 0.role=system",
	.rows = rows,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
