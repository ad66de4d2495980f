/*
 * Logs of inspect_ai (UK AISI) as JSON: each sample and epoch is a run; all
 * samples are in one object, or each sample is in a file of its own, as in
 * archives.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/run/builder.h"
#include "extract/value/copy.h"
#include "io/out.h"
#include "json/keys.h"

/* ---- samples ---- */
struct sample_state {
	struct log *log; /* its scratch memory is the sample's */
	/* Long texts, by their names; see json_keys_last. */
	struct hash_table attachments;
	/* Ids of the messages that the builder has. */
	struct hash_table emitted;
	struct hash_table spans; /* struct enclosing, by their ids */
};

/* ---- attachments ---- */

#define MARK STR("attachment://")

/* Returns the attachment if text is a reference "attachment://HASH" to one, in
 * place of which a long text is kept; else text. */
static const struct json *
text_of(const struct sample_state *s, const struct json *text)
{
	const struct json_member *there;

	if (!str_starts(json_raw(text), MARK))
		return text;
	there = hash_get(&s->attachments, str_from(json_raw(text), MARK.n));
	return there != NULL ? there->value : text;
}

static void
put_attached(const struct sample_state *s, struct out *o, const struct json *v)
{
	if (json_is(v, JSON_ARRAY)) {
		out_begin(o, '[');
		for (json_each(element, v))
			put_attached(s, o, element);
		out_end(o, ']');
	} else if (json_is(v, JSON_OBJECT)) {
		out_begin(o, '{');
		for (json_members(key, v)) {
			out_key_body(o, json_raw(key));
			put_attached(s, o, json_value(key));
		}
		out_end(o, '}');
	} else {
		out_json_raw(o, text_of(s, v)->text);
	}
}

/* Returns the value with its attachments put in. */
static const struct json *
attached(struct sample_state *s, const struct json *v)
{
	struct out o;

	if (v == NULL || !str_contains(v->text, MARK))
		return v;
	if (json_is(v, JSON_STRING))
		return text_of(s, v);
	out_open_memory(&o);
	put_attached(s, &o, v);
	return copy_parsed(s->log->scratch, out_keep(&o, s->log->scratch));
}

/* ---- messages of the assistant ---- */

/* Reads a call of a tool that the model's provider ran, perhaps one of an MCP
 * server. */
static void
read_provider_call(struct builder *b, const struct json *part)
{
	const struct json *error = field_find(part, "error");

	builder_call(b, .id = json_get(part, "id"),
	    .tool = json_get(part, "name"),
	    .server = field_is(part, "tool_type", "mcp_call")
		? field_find(part, "context")
		: NULL,
	    .args = json_get(part, "arguments"), .decode = true);
	builder_result(b, .last = true,
	    .value = error != NULL ? error : json_get(part, "result"),
	    .is_error = builder_bool(error != NULL));
}

/* Reads a message of an assistant: its texts and calls. */
static void
emit_assistant(struct sample_state *s, const struct json *m)
{
	const struct json *content = attached(s, json_get(m, "content"));
	struct builder *b = s->log->builder;

	builder_model(b, json_get(m, "model"));
	builder_message(b);
	builder_text(b, content);
	for (json_each(part, content)) {
		if (field_is_type(part, "text"))
			builder_text(b, json_get(part, "text"));
		else if (field_is_type(part, "tool_use"))
			read_provider_call(b, part);
		else if (!field_is_type(part, "data"))
			builder_unread_block(
			    b, json_raw(json_get(part, "type")));
	}
	for (json_each(call, json_get(m, "tool_calls")))
		builder_call(b, .id = json_get(call, "id"),
		    .tool = json_get(call, "function"),
		    .args = attached(s, json_get(call, "arguments")));
}

/* ---- events: durations of tools, and the work of sub-agents within a tool's
 * call ---- */

/* A span: its parent, and the call that it belongs to. */
struct enclosing {
	struct str parent;
	bool of_tool;
	const struct json *call; /* id of the call; NULL: none */
};

static struct enclosing *
span_of(struct sample_state *s, const struct json *id)
{
	void **slot = hash_put(&s->spans, json_raw(id));

	if (*slot == NULL)
		*slot = arena_new(s->log->scratch, struct enclosing);
	return *slot;
}

/* Notes the span of an event. The event of a tool is in a span of its own, and
 * may name the span of an agent. */
static void
note_span(struct sample_state *s, const struct json *event)
{
	const struct json *id = json_get(event, "id");
	const struct json *agent = field_find(event, "agent_span_id");
	struct enclosing *span;

	if (field_is(event, "event", "span_begin")) {
		span = span_of(s, id);
		span->parent = json_raw(field_find(event, "parent_id"));
		span->of_tool = field_is(event, "type", "tool");
	} else if (field_is(event, "event", "tool")) {
		span = span_of(s, field_find(event, "span_id"));
		if (span->of_tool)
			span->call = id;
		if (agent != NULL)
			span_of(s, agent)->call = id;
	}
}

enum { DEPTH_MAX = 1000 }; /* limit on the depth of spans; a cycle ends there */

/* Returns the id of the call within which the event happened, or NULL. */
static const struct json *
enclosing_call(struct sample_state *s, const struct json *event, bool tool)
{
	struct str id = json_raw(field_find(event, "span_id"));
	struct str own = json_raw(json_get(event, "id"));

	for (int depth = 0; id.n != 0 && depth < DEPTH_MAX; depth++) {
		const struct enclosing *in = hash_get(&s->spans, id);

		if (in == NULL)
			return NULL;
		if (in->call != NULL &&
		    !(tool && str_eq(json_raw(in->call), own)))
			return in->call;
		id = in->parent;
	}
	return NULL;
}

/* Reads the answer of a sub-agent's model. An answer that is among the sample's
 * messages too, as that of an agent that was handed over to, is skipped. Of the
 * agent itself, the others are those that the agent took back, as it does when it
 * replaces a long history by a summary: their calls are not read. */
static void
read_model_event(
    struct sample_state *s, const struct json *event, const struct json *call)
{
	const struct json *m =
	    json_get(json_first(json_path(event, "output.choices")), "message");
	struct str id = json_raw(json_get(m, "id"));

	if (id.n == 0 || hash_get(&s->emitted, id) != NULL)
		return;
	if (call == NULL) {
		if (json_count(json_get(m, "tool_calls")) != 0)
			log_unread_as(s->log, event, RUN_LOST_CALL);
		return;
	}
	*hash_put(&s->emitted, str_dup(s->log->scratch, id)) = s;
	builder_locate(s->log->builder, .sidechain = true, .agent = call,
	    .parent = json_raw(call), .message = json_get(m, "id"));
	emit_assistant(s, m);
}

/* Reads how long a tool worked, and, for a sub-agent's call, its result. */
static void
read_tool_event(
    struct sample_state *s, const struct json *event, const struct json *call)
{
	struct builder *b = s->log->builder;
	const struct json *id = json_get(event, "id");
	const struct json *error = field_find(event, "error");
	bool sub = call != NULL;

	if (!builder_has_call(b, id)) {
		log_unread_as(s->log, event, RUN_LOST_CALL);
		return;
	}
	builder_locate(
	    b, .sidechain = sub, .agent = call, .parent = json_raw(call));
	builder_result(b, .id = id,
	    .value = !sub       ? NULL
		: error != NULL ? field_find(error, "message")
				: attached(s, json_get(event, "result")),
	    .is_error = sub ? builder_bool(error != NULL) : NULL,
	    .ts_start = json_get(event, "timestamp"));
	builder_call_duration(
	    b, json_double(json_get(event, "working_time")) * 1000);
}

/* Other events that are known. */
#define OTHER \
	"span_begin span_end sample_init sample_limit state store step " \
	"subtask score score_edit sandbox approval input error logger info " \
	"compaction interrupt"

/* Reads events. In older logs a tool's event contains those that happened
 * within it. */
static void
read_events(struct sample_state *s, const struct json *list,
    const struct json *enclosing)
{
	for (json_each(event, list)) {
		bool tool = field_is(event, "event", "tool");
		const struct json *call = enclosing != NULL
		    ? enclosing
		    : enclosing_call(s, event, tool);

		if (tool) {
			read_tool_event(s, event, call);
			read_events(s, json_get(event, "events"),
			    json_get(event, "id"));
		} else if (field_is(event, "event", "model")) {
			read_model_event(s, event, call);
		} else if (!field_is(event, "event", OTHER)) {
			log_unread(s->log, event);
		}
	}
}

/* The parts of a sample. */
struct parts {
	const struct json **messages;
	size_t n_messages;
	const struct json **events; /* lists */
	size_t n_events;
	struct hash_table attachments;
};

/* ---- records ---- */

#define SAMPLE "epoch target messages=["
/* A sample in chunks, which follow it in the archive. */
#define SHELL "epoch target message_refs=["
/* The first record of an archive. */
#define START "eval.task plan !samples"
#define WHOLE "eval.task samples=[, samples.0.epoch samples.0.target"

static void
read_tool(struct sample_state *s, const struct json *m)
{
	const struct json *error = field_find(m, "error");
	const struct json *content = attached(s, json_get(m, "content"));

	builder_result(s->log->builder, .id = json_get(m, "tool_call_id"),
	    .tool = json_get(m, "function"),
	    .value = error != NULL && json_raw(content).n == 0
		? json_get(error, "message")
		: content,
	    .is_error = builder_bool(error != NULL));
}

static void
read_message(struct sample_state *s, const struct json *m)
{
	struct str role = json_raw(json_get(m, "role"));
	struct builder *b = s->log->builder;

	builder_locate(b, .message = json_get(m, "id"));
	if (json_raw(json_get(m, "id")).n != 0)
		*hash_put(&s->emitted, json_raw(json_get(m, "id"))) = s;
	if (str_is(role, "user")) {
		builder_prompt(b, attached(s, json_get(m, "content")));
	} else if (str_is(role, "assistant")) {
		emit_assistant(s, m);
		builder_llm_call(b, (struct str){ 0 });
	} else if (str_is(role, "tool")) {
		read_tool(s, m);
	} else if (str_is(role, "system")) {
		builder_system_message(b, attached(s, json_get(m, "content")));
	} else {
		log_unread(s->log, m);
	}
}

/* Reads the counts of all models. The input count excludes cached tokens; the
 * output count includes reasoning. */
static void
read_usage(struct builder *b, const struct json *models)
{
	struct usage all = { 0 };

	for (json_members(name, models)) {
		const struct json *m = json_value(name);
		struct usage u = { 0 };

		field_usage(&u, m, .input = "input_tokens",
		    .output = "output_tokens",
		    .cache_read = "input_tokens_cache_read",
		    .cache_write = "input_tokens_cache_write",
		    .reasoning = "reasoning_tokens", .cost = "total_cost");
		usage_add(&all, &u);
	}
	builder_total(b, &all);
}

static void
read_about(
    struct builder *b, const struct json *eval, const struct json *sample)
{
	builder_set(b, RUN_GROUP, field_find(eval, "run_id task"));
	builder_set(b, RUN_SCENARIO, json_get(sample, "id"));
	builder_set(b, RUN_INDEX, json_get(sample, "epoch"));
	builder_model(b, json_get(eval, "model"));
	builder_meta(b, "task", json_get(eval, "task"));
	builder_meta(b, "scores", json_get(sample, "scores"));
	builder_meta(b, "limit", json_get(sample, "limit"));
	builder_meta(b, "retried",
	    json_path(
		json_first(json_get(sample, "error_retries")), "message"));
	builder_set_times(b, json_get(sample, "started_at"),
	    json_get(sample, "completed_at"));
	if (field_find(sample, "completed_at") == NULL)
		builder_duration(
		    b, json_double(json_get(sample, "total_time")) * 1000);
}

/* Reads a sample that lies in its parts; the run is begun. */
static void
read_parts(struct log *log, const struct json *eval, const struct json *sample,
    const struct parts *p)
{
	struct sample_state s = {
		.log = log,
		.attachments = p->attachments,
		.emitted.arena = log->scratch,
		.spans.arena = log->scratch,
	};

	read_about(log->builder, eval, sample);
	for (size_t i = 0; i < p->n_messages; i++)
		read_message(&s, p->messages[i]);
	builder_stop_reason(log->builder,
	    json_get(json_first(json_path(sample, "output.choices")),
		"stop_reason"));
	for (size_t i = 0; i < p->n_events; i++)
		for (json_each(event, p->events[i]))
			note_span(&s, event);
	for (size_t i = 0; i < p->n_events; i++)
		read_events(&s, p->events[i], NULL);
	read_usage(log->builder, json_get(sample, "model_usage"));
	if (eval == NULL)
		builder_model(log->builder, json_path(sample, "output.model"));
	builder_error(log->builder, json_get(sample, "error"));
	builder_end_run(log->builder);
}

static void
read_sample(struct log *log, const struct json *eval, const struct json *sample)
{
	const struct json *events = json_get(sample, "events");
	struct parts p = { .events = &events, .n_events = 1 };

	arena_reset(log->scratch);
	p.attachments =
	    json_keys_last(json_get(sample, "attachments"), log->scratch);
	for (json_each(m, json_get(sample, "messages")))
		*arena_push(log->scratch, p.messages, p.n_messages) = m;
	log_source(log, sample);
	builder_begin_run(log->builder);
	read_parts(log, eval, sample, &p);
}

/* ---- samples in chunks ---- */

/* A sample whose chunks are being read. In an archive, the sample is followed
 * by other objects, a list of strings, and then by lists of its messages, its
 * events, of what the provider was sent, and its attachments. */
struct chunked {
	struct arena arena;
	const struct json *shell; /* NULL: no such sample is open */
	struct place at;
	struct parts parts; /* messages: all that are referred to by index */
	size_t n_attachments;
};

struct archive {
	const struct json *eval;
	struct chunked sample;
};

static void
begin_chunked(struct log *log, const struct json *shell)
{
	struct archive *archive = log->state;
	struct chunked *c = &archive->sample;

	c->shell = copy_tree(&c->arena, shell);
	c->at = log->at;
	c->parts.attachments.arena = &c->arena;
}

/* Reads a list that follows a sample. */
static void
read_chunk(struct chunked *c, const struct json *list)
{
	struct parts *p = &c->parts;
	const struct json *first = json_first(list);

	if (json_is(first, JSON_STRING) &&
	    (p->n_messages != 0 || p->n_events != 0)) {
		for (json_each(text, copy_tree(&c->arena, list))) {
			struct json_member *m =
			    arena_new(&c->arena, struct json_member);

			m->value = text;
			*hash_put_copy(&p->attachments,
			    str_int(&c->arena, (int64_t)c->n_attachments++)) =
			    m;
		}
	} else if (json_has(first, "event")) {
		*arena_push(&c->arena, p->events, p->n_events) =
		    copy_tree(&c->arena, list);
	} else if (json_has(first, "role") && p->n_events == 0) {
		for (json_each(m, copy_tree(&c->arena, list)))
			*arena_push(&c->arena, p->messages, p->n_messages) = m;
	}
}

/* Reads the sample when all its chunks are known. Its messages are ranges of
 * the messages in the chunks: [first, end]. */
static void
end_chunked(struct log *log)
{
	struct archive *archive = log->state;
	struct chunked *c = &archive->sample;
	struct parts p = c->parts;

	if (c->shell == NULL)
		return;
	p.messages = NULL;
	p.n_messages = 0;
	for (json_each(range, json_get(c->shell, "message_refs"))) {
		int64_t from = 0, to = 0;

		if (!json_int(json_at(range, 0), &from) || from < 0 ||
		    !json_int(json_at(range, 1), &to))
			continue;
		for (; from < to && (size_t)from < c->parts.n_messages; from++)
			*arena_push(&c->arena, p.messages, p.n_messages) =
			    c->parts.messages[from];
	}
	builder_source(log->builder, c->at.file, c->at.line);
	builder_begin_run(log->builder);
	read_parts(log, archive->eval, c->shell, &p);
	arena_free(&c->arena);
	*c = (struct chunked){ 0 };
}

/* Reads a record. In an archive the evaluation precedes its samples. */
static void
read_record(struct log *log, const struct json *r)
{
	const struct json *eval = json_get(r, "eval");
	struct archive *archive = log->state;

	if (json_is(r, JSON_ARRAY)) {
		if (archive->sample.shell != NULL)
			read_chunk(&archive->sample, r);
		else if (!json_has(json_first(r), "epoch"))
			log_unread(log, r); /* no summaries of samples */
		return;
	}
	if (log_rows_holds(SAMPLE ", " SHELL ", " START, r))
		end_chunked(log);
	if (log_rows_holds(SAMPLE, r))
		read_sample(log, archive->eval, r);
	else if (log_rows_holds(SHELL, r))
		begin_chunked(log, r);
	else if (log_rows_holds(START, r))
		archive->eval = copy_tree(log->arena, eval);
	for (json_each(sample, json_get(r, "samples")))
		read_sample(log, eval, sample);
}

/* The records that read_record reads; an archive has the others besides: its
 * summaries, its header, and lists that belong to a sample. */
static const struct log_row rows[] = {
	LOG_ROW(SAMPLE ", " SHELL ", " START ", " WHOLE, LOG_HOOK),
	LOG_ROW("=[, order, spans, chunks", LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_inspect = {
	.name = "inspect",
	.what = "inspect_ai: logs as JSON",
	.sure = SAMPLE ", " SHELL ", " START ", " WHOLE,
	.lists = "samples",
	.head = "eval",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct archive),
	.read = read_record,
	.knows_blocks = true,
	.end = end_chunked,
	.whole_file = true, /* an archive has lists of messages */
};
