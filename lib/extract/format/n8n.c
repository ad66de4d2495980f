/*
 * Executions of n8n's workflows with their data, as its API gives them:
 * {"id", "workflowData", "data": {"resultData": {"runData": {NODE: [{...}]}}}}.
 * An agent's models and tools are nodes of their own, whose runs name the agent
 * as their source and have their data under ai_languageModel and ai_tool; the
 * runs of all nodes are put into their order in time, which no map does. The
 * names are those of n8n's packages/workflow/src/run-execution-data, of
 * requests-response.ts and of N8nLlmTracing.ts.
 */
#include <math.h>
#include <stdlib.h>

#include "extract/format/log_rows.h"

enum kind {
	MODEL,
	TOOL,
	ANSWER, /* the output of a node that has models or tools */
};

struct event {
	double at; /* milliseconds since 1970 */
	size_t order;
	enum kind kind;
	const struct json *node; /* its name */
	const struct json *run;
};

struct events {
	struct event *list;
	size_t n;
	/* Names of the nodes that asked for runs of models and tools. */
	struct hash_table agents;
	const struct json *chat; /* what the user wrote in a chat, or NULL */
};

/* The data of an execution, or the execution itself, may hold the result. */
static const struct json *
data_of(const struct json *r)
{
	const struct json *data = json_get(r, "data");

	return json_is(data, JSON_OBJECT) ? data : r;
}

/* Returns the items of a connection's first output (data) or input. */
static const struct json *
items_of(const struct json *run, const char *side, const char *connection)
{
	return json_first(
	    json_get(json_get(run, str_of(side)), str_of(connection)));
}

/* Returns the JSON of the first item, or NULL. */
static const struct json *
item_of(const struct json *run, const char *side, const char *connection)
{
	return json_get(json_first(items_of(run, side, connection)), "json");
}

/* Returns the name of the node that asked for the run. */
static const struct json *
asker(const struct json *run)
{
	return json_get(json_first(json_get(run, "source")), "previousNode");
}

static bool
has_connection(const struct json *run, const char *connection)
{
	return json_has(json_get(run, "data"), connection) ||
	    json_has(json_get(run, "inputOverride"), connection);
}

/* ---- the order of the runs ---- */

static int
compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if ((x->kind == ANSWER) != (y->kind == ANSWER))
		return x->kind == ANSWER ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Adds a run of a node. An answer takes its place among the others at its end, and a
 * tool that was asked for but never ran, whose time is 0, at last. */
static void
add_run(struct arena *a, struct events *e, const struct json *node,
    const struct json *run)
{
	double start = json_double(json_get(run, "startTime"));
	double took = json_double(json_get(run, "executionTime"));
	struct str agent = json_raw(asker(run));
	const struct json *chat =
	    json_get(item_of(run, "data", "main"), "chatInput");
	enum kind kind = has_connection(run, "ai_tool") ? TOOL
	    : has_connection(run, "ai_languageModel")   ? MODEL
							: ANSWER;

	if (kind != ANSWER && agent.n != 0)
		*hash_put(&e->agents, agent) = e;
	if (e->chat == NULL && json_raw(chat).n != 0)
		e->chat = chat;
	*arena_push(a, e->list, e->n) = (struct event){
		.at = !(start > 0)                ? INFINITY
		    : kind == ANSWER && took >= 0 ? start + took
						  : start,
		.order = e->n,
		.kind = kind,
		.node = node,
		.run = run,
	};
}

/* Returns the runs of models and tools, and of the nodes that asked for them. */
static struct events
collect(struct arena *a, const struct json *nodes)
{
	struct events e = { .agents.arena = a };
	size_t n = 0;

	for (json_members(node, nodes))
		for (json_each(run, json_value(node)))
			add_run(a, &e, node, run);
	for (size_t i = 0; i < e.n; i++)
		if (e.list[i].kind != ANSWER ||
		    hash_get(&e.agents, json_raw(e.list[i].node)) != NULL)
			e.list[n++] = e.list[i];
	e.n = n;
	if (n != 0)
		qsort(e.list, n, sizeof *e.list, compare);
	return e;
}

/* ---- runs of nodes ---- */

/* Returns the arguments that a tool was given: the input without the id of the
 * call. Older versions put an object under `query`. */
static const struct json *
args_of(struct builder *b, const struct json *input)
{
	struct arena *a = builder_arena(b);
	const struct json *query = json_get(input, "query");
	struct str text = STR("{");

	if (json_count(input) == 1 && json_is(query, JSON_OBJECT))
		return query;
	if (!json_has(input, "toolCallId"))
		return input;
	for (json_members(key, input)) {
		if (json_key_is(key, "toolCallId"))
			continue;
		text = str_printf(a, "%.*s%s%.*s:%.*s", STR_FMT(text),
		    text.n == 1 ? "" : ",", STR_FMT(key->text),
		    STR_FMT(json_value(key)->text));
	}
	return copy_parsed(a, str_cat(a, text, STR("}")));
}

/* Returns the result of a tool: the response, or the item, or several items. */
static const struct json *
result_of(const struct json *run)
{
	const struct json *items = items_of(run, "data", "ai_tool");
	const struct json *item = item_of(run, "data", "ai_tool");
	const struct json *response = json_get(item, "response");

	if (json_count(items) > 1)
		return items;
	return json_count(item) == 1 && response != NULL ? response : item;
}

static void
read_tool(struct builder *b, const struct json *node, const struct json *run)
{
	const struct json *input = item_of(run, "inputOverride", "ai_tool");
	const struct json *error = field_find(run, "error.message error");
	const struct json *result = error != NULL ? error : result_of(run);

	builder_call(b, .id = json_get(input, "toolCallId"), .tool = node,
	    .args = args_of(b, input),
	    .duration = result == NULL ? NULL : json_get(run, "executionTime"));
	if (result != NULL)
		builder_result(b, .last = true, .value = result,
		    .is_error = builder_bool(error != NULL ||
			field_is(run, "executionStatus", "error")));
}

/* Returns the last text after "Human: " in what a model was given, which is one
 * text with a line for the role of each message; NULL if there is none. */
static const struct json *
human_text(struct builder *b, const struct json *run)
{
	const struct json *messages = json_get(
	    item_of(run, "inputOverride", "ai_languageModel"), "messages");
	struct str text = json_raw(
	    json_is(messages, JSON_ARRAY) ? json_last(messages) : messages);
	const struct str mark = STR("\\nHuman: "), first = STR("Human: ");
	struct str found = { 0 };

	if (str_starts(text, first))
		found = str_from(text, first.n);
	while (str_contains(text, mark))
		found = text = str_from(text, str_find(text, mark) + mark.n);
	return found.s == NULL ? NULL : builder_str(b, found);
}

/* Reads the run of a model. Returns the text that the model wrote, or NULL. */
static const struct json *
read_model(struct builder *b, const struct json *run)
{
	const struct json *output = item_of(run, "data", "ai_languageModel");
	const struct json *answers = json_path(output, "response.generations");
	const struct json *text =
	    json_get(json_first(json_first(answers)), "text");
	struct usage u = { 0 };

	builder_model(b,
	    field_find(item_of(run, "inputOverride", "ai_languageModel"),
		"options.model options.model_name"));
	field_usage(&u, json_get(output, "tokenUsage"), .input = "promptTokens",
	    .output = "completionTokens");
	builder_usage(b, (struct str){ 0 }, &u, false);
	builder_text(b, text);
	return text;
}

/* Reads what a node that has models or tools passed on, unless its model `said`
 * the same last. */
static void
read_answer(struct builder *b, const struct json *run, const struct json *said)
{
	const struct json *output = item_of(run, "data", "main");
	const struct json *text = field_find(output, "output text response");

	if (text == NULL ||
	    (said != NULL &&
		(json_equal(said, text) ||
		    json_equal(field_decode(builder_arena(b), said), text))))
		return;
	if (json_is(text, JSON_STRING))
		builder_text(b, text);
	else
		builder_text_value(b, text);
}

/* Counts the connections of agents that are of no known kind. */
static void
count_unknown(struct builder *b, const struct json *run)
{
	const struct str known = STR(
	    " ai_languageModel ai_tool ai_memory ai_outputParser ai_embedding "
	    "ai_vectorStore ai_retriever ai_document ai_textSplitter "
	    "ai_reranker ai_chain ai_agent ");
	struct arena *a = builder_arena(b);

	for (json_members(name, json_get(run, "data"))) {
		struct str word = json_raw(name);

		if (str_starts(word, "ai_") &&
		    !str_contains(
			known, str_printf(a, " %.*s ", STR_FMT(word))))
			builder_unread_block(b, word);
	}
}

/* ---- executions ---- */

/* Begins a turn if the run belongs to another agent than the one before. */
static void
read_prompt(
    struct builder *b, const struct event *e, bool chat, struct str *agent)
{
	struct str name = json_raw(asker(e->run));
	bool first = agent->s == NULL;

	if (e->kind != MODEL || name.n == 0 || str_eq(*agent, name))
		return;
	*agent = name;
	builder_set_first(b, RUN_AGENT, asker(e->run));
	if (!first || !chat)
		builder_prompt(b, human_text(b, e->run));
}

static void
read_events(struct builder *b, const struct events *e)
{
	const struct json *said = NULL;
	struct arena *a = builder_arena(b);
	struct str agent = { 0 };

	for (size_t i = 0; i < e->n; i++) {
		const struct event *at = &e->list[i];

		builder_locate(b,
		    .ts = isfinite(at->at)
			? copy_count(a, str_printf(a, "%.0f", at->at))
			: NULL);
		if (i == 0)
			builder_prompt(b, e->chat);
		read_prompt(b, at, e->chat != NULL, &agent);
		if (at->kind == TOOL)
			read_tool(b, at->node, at->run);
		else if (at->kind == ANSWER)
			read_answer(b, at->run, said);
		else
			said = read_model(b, at->run);
	}
}

static void
read_execution(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *nodes = json_path(data_of(r), "resultData.runData");
	const struct json *id = json_get(r, "id");
	struct events events = collect(log->scratch, nodes);

	if (events.n == 0)
		return;
	builder_begin_run(b);
	if (json_is(id, JSON_NUMBER))
		builder_set_body(b, RUN_ID, id->text);
	else
		builder_set(b, RUN_ID, id);
	builder_meta(b, "workflow", json_path(r, "workflowData.name"));
	builder_set_times(
	    b, json_get(r, "startedAt"), json_get(r, "stoppedAt"));
	read_events(b, &events);
	for (json_members(node, nodes))
		for (json_each(run, json_value(node)))
			count_unknown(b, run);
	builder_error(b,
	    field_find(
		data_of(r), "resultData.error.message resultData.error"));
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("data=[", LOG_EACH, .of = "data", .rows = rows, .apart = true),
	LOG_ROW("data.resultData.runData={, resultData.runData={", LOG_HOOK,
	    .read = read_execution),
	LOG_LAST,
};

const struct log_format log_format_n8n = {
	.name = "n8n",
	.what = "n8n: executions with their data",
	.sure = "resultData.runData={, data.resultData.runData={",
	.nested = "data.0",
	.lists = "data",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
};
