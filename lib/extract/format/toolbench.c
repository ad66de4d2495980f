/*
 * Answers of ToolBench: {"win", "tree", "answer_generation"}. The messages of the
 * chain that led to the answer are OpenAI's, of the time of function_call; they are
 * the last of the lists in train_messages, each of which repeats the one before. The
 * answer is an argument of the tool Finish. A search that came to no end has no such
 * messages: its calls are in the tree alone.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

/* Codes of nodes that hold no result: of the answer, and of giving up. */
enum { ANSWERED = 3, GAVE_UP = 4 };

/* Returns whether the text of a result, which may be cut short, reports an error. */
static bool
is_failed(struct arena *a, const struct json *result)
{
	static const struct str mark = STR_CONST("{\"error\":");
	struct str text = json_text(result, a), error;

	if (!str_starts(text, mark))
		return false;
	error = str_trim(str_from(text, mark.n));
	return str_starts(error, "\"") && !str_starts(error, "\"\"");
}

/* Reads what the model thought: the answer is what it gives to Finish. */
static void
read_thought(struct log *log, const struct json *text)
{
	if (json_raw(text).n == 0)
		return;
	builder_text(log->builder, text);
	builder_text_is_interim(log->builder);
}

static void
read_message(struct log *log, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	const struct json *call = json_get(m, "function_call");

	if (field_is(m, "role", "function")) {
		builder_result(log->builder, .tool = json_get(m, "name"),
		    .value = content,
		    .is_error = builder_bool(is_failed(log->scratch, content)));
	} else if (field_is(m, "role", "assistant")) {
		builder_locate(log->builder, 0);
		builder_message(log->builder);
		read_thought(log, content);
		if (json_is(call, JSON_OBJECT))
			openai_call_read(log->builder, call);
	} else {
		openai_message_read(log->builder, m, NULL, false);
	}
}

static void
read_chain(struct log *log, const struct json *chains)
{
	for (json_each(m, json_last(chains)))
		read_message(log, m);
}

/* Reads a call and its result from a node of the tree: the node of its arguments,
 * whose parent has the name of the tool. */
static void
read_call(struct log *log, const struct json *tool, const struct json *node)
{
	const struct json *observed = json_get(node, "observation");
	double code = json_double(json_get(node, "observation_code"));
	bool ended = code == ANSWERED || code == GAVE_UP;

	builder_call(log->builder, .tool = json_get(tool, "description"),
	    .args = json_get(node, "description"), .decode = true);
	if (json_is(observed, JSON_STRING) && !ended)
		builder_result(log->builder, .last = true, .value = observed,
		    .is_error = builder_bool(
			code != 0 || is_failed(log->scratch, observed)));
}

/* Reads the nodes in the order of the search. */
static void
read_nodes(struct log *log, const struct json *parent, const struct json *node)
{
	if (field_is(node, "node_type", "Thought"))
		read_thought(log, json_get(node, "description"));
	else if (json_str_is(json_get(node, "node_type"), "Action Input") &&
	    field_is(parent, "node_type", "Action"))
		read_call(log, parent, node);
	for (json_each(child, json_get(node, "children")))
		read_nodes(log, node, child);
}

static void
read_tree(struct log *log, const struct json *r)
{
	builder_prompt(log->builder, json_path(r, "answer_generation.query"));
	read_nodes(log, NULL, json_path(r, "tree.tree"));
}

/* Reads the answer, which is JSON in a text. */
static void
read_answer(struct log *log, const struct json *answer)
{
	const struct json *given = field_decode(log->scratch, answer);

	builder_locate(log->builder, 0);
	if (!field_is(given, "return_type", "give_up_and_restart"))
		builder_text(log->builder, json_get(given, "final_answer"));
}

static const struct log_row answer[] = {
	LOG_ROW("", LOG_META, .name = "finish_type", .of = "finish_type"),
	LOG_ROW("", LOG_META, .name = "query_count", .of = "query_count"),
	LOG_ROW("", LOG_META, .name = "total_tokens", .of = "total_tokens"),
	LOG_ROW("train_messages.0", LOG_HOOK, .of = "train_messages",
	    .read = read_chain),
	LOG_LAST,
};

static const struct log_row run[] = {
	LOG_ROW("", LOG_HOOK, .read = log_whole_run),
	LOG_ROW("", LOG_META, .name = "win", .of = "win"),
	LOG_ROW("", LOG_IN, .of = "answer_generation", .rows = answer),
	LOG_ROW(
	    "!answer_generation.train_messages.0", LOG_HOOK, .read = read_tree),
	LOG_ROW("", LOG_HOOK, .of = "answer_generation.final_answer",
	    .read = read_answer),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("answer_generation={", LOG_IN, .of = "", .rows = run),
	LOG_LAST,
};

const struct log_format log_format_toolbench = {
	.name = "toolbench",
	.what = "ToolBench: answers and search trees",
	.sure = "answer_generation={ tree={",
	.rows = rows,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
	.knows_blocks = true, /* the tree's other branches led to no answer */
};
