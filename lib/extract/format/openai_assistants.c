/*
 * Threads of OpenAI's Assistants, as programs save them: the API's objects of
 * messages, runs and run steps, one a line, in pages, in any object that holds
 * them, or as the events of a stream. The API lists the latest object first, and
 * a step refers to the message that it created; the format is C because the
 * objects of a thread are put into their order before they are reported. The
 * names are those of OpenAI's reference of the API (thread.message, thread.run,
 * thread.run.step).
 */
#include <stdlib.h>

#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

enum kind {
	THREAD,
	PROMPT,
	RUN,
	STEP,
	ANSWER,
	OTHER,  /* is not read */
	SILENT, /* carries nothing that no other object has */
	NONE,   /* no object, but perhaps a value that holds some */
};

struct item {
	double created; /* seconds since 1970 */
	enum kind kind;
	size_t order;
	struct str id;
	const struct json *json;
	bool done; /* a message that its step has reported */
};

struct thread_log {
	struct str id; /* body */
	struct item **list;
	size_t n;
	bool has_usage; /* a run has counts: those of its steps are in them */
	struct place at;
};

struct state {
	struct thread_log **list;
	size_t n;
	struct hash_table threads, items; /* by id */
};

enum { NESTING = 6 };

/* ---- collection of the objects ---- */

static enum kind
kind_of(const struct json *v)
{
	struct str object = json_raw(json_get(v, "object"));

	if (field_is(v, "object",
		"thread.message.delta thread.run.step.delta thread.deleted "
		"thread.message.deleted assistant assistant.deleted") ||
	    json_str_is(v, "[DONE]"))
		return SILENT;
	if (str_is(object, "thread.message"))
		return field_is(v, "role", "user") ? PROMPT : ANSWER;
	return str_is(object, "thread")         ? THREAD
	    : str_is(object, "thread.run")      ? RUN
	    : str_is(object, "thread.run.step") ? STEP
	    : str_starts(object, "thread.") && json_get(v, "thread_id") != NULL
	    ? OTHER
	    : NONE;
}

static struct thread_log *
thread_named(struct log *log, struct str id)
{
	struct state *s = log->state;
	void **slot;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct state);
		s->threads.arena = s->items.arena = log->arena;
	}
	slot = hash_put_copy(&s->threads, id);
	if (*slot == NULL) {
		struct thread_log *t = arena_new(log->arena, struct thread_log);

		t->id = str_dup(log->arena, id);
		t->at = log->at;
		*slot = *arena_push(log->arena, s->list, s->n) = t;
	}
	return *slot;
}

/* Adds an object, or replaces an earlier state of it. */
static void
add_item(struct log *log, const struct json *v, enum kind kind)
{
	const struct json *of =
	    field_find(v, kind == THREAD ? "id" : "thread_id");
	struct thread_log *t = thread_named(log, json_raw(of));
	struct state *s = log->state;
	struct str id = json_raw(json_get(v, "id"));
	struct item *item = id.n == 0 ? NULL : hash_get(&s->items, id);

	if (item == NULL) {
		item = arena_new(log->arena, struct item);
		item->order = t->n;
		item->id = str_dup(log->arena, id);
		*arena_push(log->arena, t->list, t->n) = item;
		if (id.n != 0)
			*hash_put(&s->items, item->id) = item;
	}
	item->kind = kind;
	item->created = json_double(json_get(v, "created_at"));
	item->json = copy_tree(log->arena, v);
	if (kind == RUN && json_count(json_get(v, "usage")) != 0)
		t->has_usage = true;
}

static bool collect(struct log *, const struct json *, int depth);

/* Collects from a list in the order of time. */
static bool
collect_list(struct log *log, const struct json *list, int depth)
{
	const struct json *first = json_get(json_first(list), "created_at");
	const struct json *last = json_get(json_last(list), "created_at");
	bool latest_first = json_double(first) > json_double(last);
	const struct json **all = NULL;
	bool found = false;
	size_t n = 0;

	for (json_each(v, list))
		*arena_push(log->scratch, all, n) = v;
	for (size_t i = 0; i < n; i++)
		found |= collect(log, all[latest_first ? n - 1 - i : i], depth);
	return found || n == 0;
}

/* Collects the objects in a value. Returns whether there is one, or the value is
 * known to have none. */
static bool
collect(struct log *log, const struct json *v, int depth)
{
	enum kind kind = kind_of(v);
	bool found = kind == SILENT;

	if (kind <= OTHER) {
		add_item(log, v, kind);
		return true;
	}
	if (depth == NESTING)
		return false;
	if (json_is(v, JSON_ARRAY))
		found = collect_list(log, v, depth + 1);
	for (json_members(key, v))
		found |= collect(log, json_value(key), depth + 1);
	return found;
}

static void
read_record(struct log *log, const struct json *r)
{
	if (collect(log, r, 0))
		log->builder->reported |= BUILDER_NOTHING; /* until end() */
	else
		log_unread(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK, .read = read_record), /* whatever holds objects */
	LOG_LAST,
};

/* ---- the objects in their order ---- */

static int
compare(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->created != y->created)
		return x->created < y->created ? -1 : 1;
	/* A prompt, its run, and the steps may be of the same second. */
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void
read_message(struct builder *b, struct item *item)
{
	const struct json *m = item->json;

	item->done = true;
	builder_locate(b, .ts = json_get(m, "created_at"));
	builder_message(b);
	if (item->kind == ANSWER)
		builder_set_first(b, RUN_AGENT, json_get(m, "assistant_id"));
	else
		builder_input(b);
	for (json_each(part, json_get(m, "content"))) {
		const struct json *text = json_get(part, "text");
		const struct json *value =
		    json_is(text, JSON_STRING) ? text : json_get(text, "value");

		if (value != NULL && item->kind == PROMPT)
			builder_prompt(b, value);
		else
			builder_text(b,
			    value != NULL ? value : json_get(part, "refusal"));
		if (value == NULL && json_get(part, "refusal") == NULL)
			builder_unread_part(b, part);
	}
}

static void
read_run(struct builder *b, const struct json *run)
{
	struct usage u = { 0 };

	builder_locate(b, .ts = json_get(run, "created_at"));
	builder_model(b, json_get(run, "model"));
	builder_set_first(b, RUN_AGENT, json_get(run, "assistant_id"));
	openai_usage_read(&u, json_get(run, "usage"));
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
	builder_error(b,
	    field_find(run,
		"last_error.message last_error incomplete_details.reason"));
	if (field_is(run, "status", "cancelled cancelling expired"))
		builder_meta(b, "interrupted", json_get(run, "status"));
}

/* Reads a call and, after it, its result. What is special to its type is in the
 * member with the type's name. */
static void
read_call(struct builder *b, const struct json *step, const struct json *call)
{
	const struct json *type = json_get(call, "type");
	const struct json *of = json_get(call, json_raw(type));
	const struct json *value = field_find(of, "output outputs results");
	const struct json *name = field_find(of, "name");
	const struct json *error = field_find(step, "last_error.message");

	builder_locate(b, .ts = json_get(step, "created_at"));
	builder_message_named(b, json_get(step, "id"));
	builder_call(b, .id = json_get(call, "id"),
	    .tool = name != NULL ? name : type,
	    .args = field_find(of, "arguments input"), .decode = true);
	if (value == NULL && error == NULL)
		return;
	builder_locate(
	    b, .ts = field_find(step, "completed_at failed_at cancelled_at"));
	builder_result(b, .last = true, .value = value != NULL ? value : error,
	    .is_error = error != NULL ? builder_bool(true) : NULL);
}

static void
read_step(struct log *log, const struct thread_log *t, const struct json *step)
{
	struct builder *b = log->builder;
	struct state *s = log->state;
	const struct json *details = json_get(step, "step_details");
	const struct json *id =
	    json_path(details, "message_creation.message_id");
	struct item *message = hash_get(&s->items, json_raw(id));
	struct usage u = { 0 };

	for (json_each(call, json_get(details, "tool_calls")))
		read_call(b, step, call);
	if (field_find(details, "message_creation tool_calls") == NULL)
		log_unread_as(
		    log, details != NULL ? details : step, RUN_LOST_CALL);
	if (message != NULL && message->kind == ANSWER && !message->done)
		read_message(b, message);
	openai_usage_read(&u, json_get(step, "usage"));
	if (t->has_usage)
		builder_llm_call(b, (struct str){ 0 });
	else
		builder_usage(b, (struct str){ 0 }, &u, false);
}

static bool
has_kind(const struct thread_log *t, enum kind from, enum kind to)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i]->kind >= from && t->list[i]->kind <= to)
			return true;
	return false;
}

static void
read_thread(struct log *log, const struct thread_log *t)
{
	struct builder *b = log->builder;

	qsort(t->list, t->n, sizeof *t->list, compare);
	builder_source(b, t->at.file, t->at.line);
	builder_begin_run(b);
	builder_set_body(b, RUN_ID, t->id);
	if (!has_kind(t, STEP, STEP))
		builder_no_calls(b);
	for (size_t i = 0; i < t->n; i++) {
		struct item *item = t->list[i];

		if (item->kind == RUN)
			read_run(b, item->json);
		else if (item->kind == STEP)
			read_step(log, t, item->json);
		else if (item->kind == OTHER)
			log_unread(log, item->json);
		else if (item->kind != THREAD && !item->done)
			read_message(b, item);
	}
	builder_end_run(b);
}

static void
end(struct log *log)
{
	struct state *s = log->state;

	for (size_t i = 0; s != NULL && i < s->n; i++)
		if (has_kind(s->list[i], PROMPT, ANSWER))
			read_thread(log, s->list[i]);
}

const struct log_format log_format_openai_assistants = {
	.name = "openai-assistants",
	.what = "OpenAI Assistants: messages, runs and steps of threads",
	.sure = "object=thread|thread.message|thread.run|thread.run.step",
	.nested = "0 data data.0 thread messages.0 messages.data.0 "
		  "run_steps.0 run_steps.data.0 steps.0 steps.data.0",
	.rows = rows,
	.end = end,
};
