/*
 * Messages of LangChain and LangGraph: a list, bare or under a name, or one
 * message a line; and the streams of a graph: its values, its updates, and
 * events.
 */
#include "extract/format/langchain.h"

#include "extract/api/anthropic_message.h"
#include "extract/api/chat_emit.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

/* The state of a file. */
struct reading {
	struct str id; /* body: id of the message that comes in pieces */
	/* For a stream of events, bodies: id of the outermost chain while it
	 * runs, and of its thread. */
	struct str chain, thread;
	bool parents; /* the events have parent_ids */
	const struct json
	    *node; /* the agent of the record, or the graph's node */
	/* Calls of the run. `asked`, by tool: struct asked; `begun`, by the id of
	 * the event that begins a tool: struct call. */
	struct hash_table asked, begun;
};

/* A call that a model asked for, or a program. */
struct call {
	const struct json *id; /* NULL: none */
	bool by_program;
};

/* The calls of a tool that a model asked for; those from `next` on have not begun. */
struct asked {
	struct call **list;
	size_t n, next;
};

static bool
is_message(const struct json *m)
{
	if (json_get(m, "lc") != NULL)
		return field_find(m, "kwargs.content") != NULL;
	if (field_find(m, "data.content") != NULL)
		return field_is_type(m, "human ai tool system AIMessageChunk");
	return json_get(m, "role") == NULL && json_get(m, "content") != NULL &&
	    field_is_type(m,
		"human ai tool system HumanMessage AIMessage ToolMessage "
		"SystemMessage AIMessageChunk") &&
	    field_find(m,
		"additional_kwargs response_metadata tool_calls "
		"tool_call_id id") != NULL;
}

/* Returns the list of messages in r, or NULL. In a thread's state the messages
 * are under "values". */
static const struct json *
messages_of(const struct json *r)
{
	const struct json *list = json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(r,
		  "messages values.messages output.messages "
		  "channel_values.messages");
	size_t n = 0;

	for (json_each(m, list))
		if (is_message(m) || ++n == 3)
			return n < 3 ? list : NULL;
	return NULL;
}

/* Returns whether r is an update: an object with a member for each node of the
 * graph, which holds messages. */
static bool
is_update(const struct json *r)
{
	for (json_members(name, r))
		if (messages_of(json_value(name)) == NULL)
			return false;
	return json_is(r, JSON_OBJECT) && json_count(r) != 0;
}

static bool
is_event(const struct json *r)
{
	return str_starts(json_raw(json_get(r, "event")), "on_") &&
	    json_get(r, "run_id") != NULL &&
	    json_is(json_get(r, "data"), JSON_OBJECT);
}

static int
score(const struct json *r)
{
	return is_message(r) || is_event(r) || messages_of(r) != NULL ||
		is_update(r)
	    ? LOG_FORMAT_SURE
	    : 0;
}

void
langchain_usage_read(struct usage *u, const struct json *counts)
{
	const struct json *in = json_get(counts, "input_token_details");

	field_usage(
	    u, in, .cache_read = "cache_read", .cache_write = "cache_creation");
	usage_read_writes(u, json_get(in, "ephemeral_5m_input_tokens"),
	    json_get(in, "ephemeral_1h_input_tokens"));
	field_usage(u, counts, .input_and_cache = "input_tokens",
	    .output = "output_tokens",
	    .reasoning = "output_token_details.reasoning");
}

/* Reads the counts. Those of older messages have the words of the model's API. */
static void
read_usage(struct builder *b, const struct json *m)
{
	const struct json *counts = field_find(m, "usage_metadata");
	struct usage u = { 0 };

	langchain_usage_read(&u, counts);
	if (counts == NULL) {
		openai_usage_read(
		    &u, field_find(m, "response_metadata.token_usage"));
		anthropic_usage_read(
		    &u, field_find(m, "response_metadata.usage"));
	}
	builder_usage(b, json_raw(json_get(m, "id")), &u, false);
}

/* Returns the message within its serialised form. */
static const struct json *
within(const struct json *m)
{
	if (json_get(m, "lc") != NULL)
		return json_get(m, "kwargs");
	return field_find(m, "data.content") != NULL ? json_get(m, "data") : m;
}

/* ---- tools ---- */

/* Returns the slot of the key in a table of the run. */
static void **
slot_of(struct log *log, struct hash_table *table, const struct json *key)
{
	table->arena = log->arena;
	return hash_put_copy(table, json_raw(key));
}

static struct asked *
asked(struct log *log, const struct json *tool)
{
	void **slot =
	    slot_of(log, &((struct reading *)log->state)->asked, tool);

	if (*slot == NULL)
		*slot = arena_new(log->arena, struct asked);
	return *slot;
}

static struct call *
new_call(struct log *log, const struct json *id, bool by_program)
{
	struct call *call = arena_new(log->arena, struct call);

	call->by_program = by_program;
	call->id = id == NULL ? NULL : copy_string(log->arena, json_raw(id));
	return call;
}

static void
note_calls(struct log *log, const struct chat_message *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct chat_part *p = &m->parts[i];
		struct asked *of;

		if (p->kind != CHAT_CALL)
			continue;
		of = asked(log, p->tool);
		*arena_push(log->arena, of->list, of->n) =
		    new_call(log, p->id, false);
	}
}

/* Reads the begin of a tool, which alone shows a call that no model's event
 * has. Returns the call: the calls of a tool begin in their order. */
static const struct call *
begin_tool(struct log *log, const struct json *r)
{
	const struct json *name = json_get(r, "name"),
			  *id = json_get(r, "run_id");
	struct asked *of = asked(log, name);
	void **slot = slot_of(log, &((struct reading *)log->state)->begun, id);

	if (*slot != NULL)
		return *slot;
	if (of->next < of->n)
		return *slot = of->list[of->next++];
	*slot = new_call(log, id, true);
	builder_locate(log->builder, .ts = NULL);
	builder_call(log->builder, .id = id, .tool = name,
	    .args = json_path(r, "data.input"));
	return *slot;
}

/* Returns the name of the agent that wrote the message, or NULL. Of nested graphs, the
 * node of the outermost one is the agent. */
static const struct json *
agent_of(struct log *log, const struct json *message)
{
	const struct reading *t = log->state;
	const struct json *name = json_get(message, "name");
	struct str node = json_raw(t->node);

	if (json_raw(name).n != 0 || node.n == 0)
		return name;
	return builder_str(
	    log->builder, str_slice(node, 0, str_find_char(node, ':')));
}

static void
read_message(struct log *log, const struct json *m)
{
	const struct json *in = within(m);
	struct chat d;
	bool by_model;

	arena_reset(log->scratch);
	d = chat_read(log->scratch, m, CHAT_OTHER);
	by_model = d.n != 0 && d.list[0].role == CHAT_MODEL;
	builder_locate(log->builder,
	    .ts = field_find(in, "created_at timestamp"),
	    .message = by_model ? json_get(in, "id") : NULL,
	    .name = by_model ? agent_of(log, in) : NULL);
	chat_emit(log->builder, &d);
	if (by_model)
		note_calls(log, &d.list[0]);
	if (field_is(in, "status", "error success"))
		builder_result(log->builder, .id = json_get(in, "tool_call_id"),
		    .is_error = builder_bool(field_is(in, "status", "error")));
	if (!by_model)
		return;
	builder_model(log->builder,
	    field_find(
		in, "response_metadata.model_name response_metadata.model"));
	read_usage(log->builder, in);
}

/* ---- messages in pieces ---- */

/* Returns the message of a streamed pair of the message and the graph's metadata, or
 * NULL. */
static const struct json *
streamed(const struct json *r)
{
	return json_is(r, JSON_ARRAY) && json_count(r) == 2 &&
		is_message(json_at(r, 0)) &&
		json_get(json_at(r, 1), "langgraph_node") != NULL
	    ? json_at(r, 0)
	    : NULL;
}

static bool
is_piece(const struct json *in)
{
	return field_is_type(in, "AIMessageChunk") &&
	    json_is(json_get(in, "tool_call_chunks"), JSON_ARRAY);
}

static void
read_piece(struct log *log, const struct json *in)
{
	const struct json *content = json_get(in, "content");
	const struct json *id = json_get(in, "id");
	struct reading *t = log->state;
	struct builder *b = log->builder;

	builder_locate(b, .message = id, .name = agent_of(log, in));
	builder_message(b);
	if (!str_eq(t->id, json_raw(id))) {
		builder_end_text(b);
		t->id = str_dup(log->arena, json_raw(id));
	}
	builder_append_text(b, content);
	for (json_each(part, content))
		builder_append_text(b, json_get(part, "text"));
	for (json_each(call, json_get(in, "tool_call_chunks"))) {
		const struct json *name = json_get(call, "name");

		if (json_raw(name).n != 0)
			builder_call(
			    b, .id = json_get(call, "id"), .tool = name);
		builder_append_args(
		    b, json_get(call, "id"), json_get(call, "args"));
	}
	builder_model(b, field_find(in, "response_metadata.model_name"));
	read_usage(b, in);
}

static const struct log_row message_rows[] = {
	LOG_ROW("lc, "
		"role=system|developer|user|human|assistant|ai|tool|function, "
		"type=human|ai|tool|system|function|chat|developer|user|"
		"assistant, "
		"type=HumanMessage*|AIMessage*|ToolMessage*|SystemMessage*|"
		"FunctionMessage*|ChatMessage*",
	    LOG_HOOK, .read = read_message),
	LOG_ROW("type=remove|RemoveMessage else", LOG_NOTHING),
	LOG_LAST,
};

/* ---- records ---- */

/* Returns the agent, or the node, that the graph's metadata name. */
static const struct json *
node_of(const struct json *meta)
{
	return field_find(meta,
	    "lc_agent_name langgraph_checkpoint_ns checkpoint_ns "
	    "langgraph_node");
}

/* Reads a list of messages. Streamed values repeat all messages. */
static void
read_list(struct log *log, const struct json *r, const struct json *list)
{
	struct resent_history history =
	    resent_history_emitted(log->builder, list, NULL);

	if (history.n == 0)
		builder_begin_run(log->builder);
	resent_history_note(log->builder, &history, true);
	builder_set(log->builder, RUN_ID,
	    field_find(r, "thread_id config.configurable.thread_id"));
	for (json_each(m, list)) {
		if (history.n != 0)
			history.n--;
		else
			log_read_part(log, message_rows, m);
	}
}

/* Returns the message that a model or a tool ended with, or NULL. The events of
 * version 1 have a model's message within lists. */
static const struct json *
output_of(const struct json *data)
{
	const struct json *output = json_get(data, "output");
	const struct json *first =
	    json_first(json_first(json_get(output, "generations")));
	const struct json *m =
	    first != NULL ? json_get(first, "message") : output;

	return is_message(m) ? m : NULL;
}

/* Reads the end of a tool: with its message, if a model asked for the call. A
 * tool that a program called may have any output. */
static void
read_tool_end(struct log *log, const struct json *r)
{
	const struct json *message = output_of(json_get(r, "data"));
	bool failed = field_is(r, "event", "on_tool_error");
	const struct call *call = begin_tool(log, r);
	const struct json *value =
	    field_find(r, failed ? "data.error" : "data.output");

	if (!call->by_program && message != NULL) {
		read_message(log, message);
		return;
	}
	if (message != NULL) {
		value = json_get(within(message), "content");
		failed = field_is(within(message), "status", "error");
	}
	builder_result(log->builder, .id = call->id,
	    .tool = json_get(r, "name"), .value = value,
	    .is_error = builder_bool(failed));
}

/* Returns whether the chain that begins is the outermost one. A chain that
 * failed has no end, but what follows it has no parents; in version 1 no event
 * has parents. */
static bool
is_outermost(const struct reading *t, const struct json *r)
{
	return t->chain.n == 0 ||
	    (t->parents && json_count(json_get(r, "parent_ids")) == 0);
}

/* Begins the outermost chain: another run, unless it continues the thread of
 * the chain before. Its input is the user's prompt. */
static void
read_chain_start(struct log *log, const struct json *r)
{
	struct reading *t = log->state;
	struct str thread = json_raw(field_find(r, "metadata.thread_id"));
	struct chat d;

	if (!is_outermost(t, r))
		return;
	if (thread.n == 0 || !str_eq(thread, t->thread)) {
		builder_begin_run(log->builder);
		builder_set(log->builder, RUN_ID, json_get(r, "run_id"));
		t->asked = t->begun = (struct hash_table){ 0 };
	}
	builder_set_broken(log->builder, true); /* until its end is read */
	d = chat_read(log->scratch, field_find(r, "data.input"), CHAT_USER);
	chat_emit(log->builder, &d);
	t->chain = str_dup(log->arena, json_raw(json_get(r, "run_id")));
	t->thread = str_dup(log->arena, thread);
}

static void
read_chain_end(struct log *log, const struct json *r)
{
	struct reading *t = log->state;

	if (str_eq(json_raw(json_get(r, "run_id")), t->chain)) {
		builder_set_broken(log->builder, false);
		t->chain.n = 0;
	}
}

static void
read_model_end(struct log *log, const struct json *r)
{
	const struct json *output = output_of(json_get(r, "data"));

	if (output != NULL)
		read_message(log, output);
}

static void
read_tool_start(struct log *log, const struct json *r)
{
	begin_tool(log, r);
}

static const struct log_row events[] = {
	LOG_ROW("event=on_chain_start", LOG_HOOK, .read = read_chain_start),
	LOG_ROW("event=on_chain_end", LOG_HOOK, .read = read_chain_end),
	LOG_ROW("event=on_chat_model_end", LOG_MODEL,
	    .of = "metadata.ls_model_name"),
	LOG_ROW("event=on_chat_model_end", LOG_HOOK, .read = read_model_end),
	LOG_ROW("event=on_tool_start", LOG_HOOK, .read = read_tool_start),
	LOG_ROW(
	    "event=on_tool_end|on_tool_error", LOG_HOOK, .read = read_tool_end),
	/* The messages of models and tools are read at their ends. */
	LOG_ROW("event=on_chain_*|on_chat_model_start|on_chat_model_stream|"
		"on_chat_model_error|on_tool_start|on_llm_start|on_llm_stream|"
		"on_llm_error|on_retriever_*|on_prompt_*|on_parser_*|"
		"on_custom_event",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Reads an update; other members than lists of messages are states of nodes. */
static void
read_update(struct log *log, const struct json *r)
{
	bool any = false;

	for (json_members(node, json_is(r, JSON_OBJECT) ? r : NULL))
		any |= messages_of(json_value(node)) != NULL;
	if (!any)
		log_unread(log, r);
	for (json_members(node, any ? r : NULL)) {
		const struct json *list = messages_of(json_value(node));

		((struct reading *)log->state)->node = node;
		for (json_each(m, list))
			log_read_part(log, message_rows, m);
		if (list == NULL && unread_lost(json_value(node)) != 0)
			log_unread(log, json_value(node));
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *list = messages_of(r), *m = streamed(r);
	struct reading *t = log->state;

	t->node = m != NULL ? node_of(json_at(r, 1)) : NULL;
	if (m != NULL && is_piece(within(m))) {
		read_piece(log, within(m));
	} else if (m != NULL) {
		log_read_part(log, message_rows, m);
	} else if (list != NULL) {
		read_list(log, r, list);
	} else if (is_event(r)) {
		t->parents |= json_count(json_get(r, "parent_ids")) != 0;
		t->node = node_of(json_get(r, "metadata"));
		log_read_part(log, events, r);
	} else if (is_message(r)) {
		log_read_part(log, message_rows, r);
	} else {
		read_update(log, r);
	}
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_langchain = {
	.name = "langchain",
	.what = "LangChain, LangGraph: messages, streamed output of graphs",
	.score = score,
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct reading),
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
