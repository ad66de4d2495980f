/*
 * Runs exported from LangSmith, which are spans: one a line, or a list; and the
 * batches that its SDK sends: runs that begin ("post") and what is known when
 * they end ("patch").
 */
#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/langchain.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/otel/otel.h"
#include "extract/span/spans.h"
#include "extract/value/copy.h"

struct runs {
	void *spans;
	struct hash_table by_id; /* the span of each run */
};

static struct runs *
runs_of(struct log *log)
{
	struct runs *runs = log->state;

	if (runs == NULL) {
		log->state = runs = arena_new(log->arena, struct runs);
		runs->by_id.arena = log->arena;
	}
	return runs;
}

static bool
is_run(const struct json *v)
{
	return json_get(v, "run_type") != NULL &&
	    field_find(v, "trace_id dotted_order inputs") != NULL;
}

static int
score(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "runs");

	return is_run(r) || is_run(json_first(json_get(r, "post"))) ||
		is_run(json_at(list, 0))
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_kind(struct span *s, const struct json *type)
{
	if (json_str_is(type, "llm"))
		s->kind = SPAN_MODEL;
	else if (json_str_is(type, "tool"))
		s->kind = SPAN_TOOL;
}

/* The members of a run; null counts as absent. */
struct known {
	const struct json *run;
	const struct json *type, *id, *trace, *parent, *name, *start, *end;
	const struct json *inputs, *outputs, *error, *cost, *metadata;
};

static struct known
known_of(const struct json *run)
{
	enum { TYPE, ID, TRACE, PARENT, NAME, START, END };
	enum { INPUTS = END + 1, OUTPUTS, ERROR, COST, EXTRA, N };
	static const struct str names[N] = {
		[TYPE] = STR_CONST("run_type"),
		[ID] = STR_CONST("id"),
		[TRACE] = STR_CONST("trace_id"),
		[PARENT] = STR_CONST("parent_run_id"),
		[NAME] = STR_CONST("name"),
		[START] = STR_CONST("start_time"),
		[END] = STR_CONST("end_time"),
		[INPUTS] = STR_CONST("inputs"),
		[OUTPUTS] = STR_CONST("outputs"),
		[ERROR] = STR_CONST("error"),
		[COST] = STR_CONST("total_cost"),
		[EXTRA] = STR_CONST("extra"),
	};
	const struct json *m[N];

	field_pick(run, names, N, 0, m);
	return (struct known){ run, m[TYPE], m[ID], m[TRACE], m[PARENT],
		m[NAME], m[START], m[END], m[INPUTS], m[OUTPUTS], m[ERROR],
		m[COST], json_get(m[EXTRA], "metadata") };
}

static const struct json *
counts_of(const struct known *k)
{
	const struct json *message, *counts;

	counts = field_find(k->outputs, "usage_metadata usage");
	if (counts != NULL)
		return counts;
	message = json_get(
	    json_at(json_at(json_get(k->outputs, "generations"), 0), 0),
	    "message");
	counts = field_find(message, "kwargs.usage_metadata usage_metadata");
	if (counts == NULL)
		counts = field_find(k->outputs, "llm_output.token_usage");
	if (counts == NULL)
		counts = field_find(k->metadata, "usage_metadata");
	return counts != NULL ? counts : k->run;
}

static struct usage
usage_of_run(const struct known *k)
{
	const struct json *counts = counts_of(k);
	struct usage u = { 0 };

	openai_usage_read(&u, counts);
	langchain_usage_read(&u, counts);
	usage_read(&u, USAGE_COST, k->cost);
	return u;
}

/* Reads the members that a run begins with. */
static void
read_begin(struct span *s, const struct known *k)
{
	read_kind(s, k->type);
	if (!field_is(k->run, "run_type",
		"llm tool chain retriever embedding prompt parser"))
		s->unknown = json_raw(k->type);
	s->id = json_raw(k->id);
	s->trace = json_raw(k->trace != NULL ? k->trace : k->id);
	s->parent = json_raw(k->parent);
	s->start = otel_time(k->start, false);
	s->model = field_find(k->metadata, "ls_model_name");
	if (s->model == NULL)
		s->model = field_find(k->inputs, "model");
	s->provider = field_find(k->metadata, "ls_provider");
	s->conversation = field_find(k->metadata, "thread_id session_id");
	s->is_error = builder_bool(false);
	if (s->kind != SPAN_MODEL)
		s->tool = k->name;
}

static void
read_outputs(struct span *s, const struct json *outputs)
{
	const struct json *output = field_find(outputs, "output");
	const struct json *content =
	    field_find(output, "kwargs.content content");

	s->output = json_count(outputs) == 0 ? NULL : outputs;
	s->result = content != NULL ? content
	    : output != NULL        ? output
				    : outputs;
	s->call = field_find(output, "kwargs.tool_call_id tool_call_id");
	/* An agent may continue after a tool's error: then the run itself has
	 * none. */
	if (s->call != NULL &&
	    json_str_is(field_find(output, "kwargs.status status"), "error"))
		s->is_error = builder_bool(true);
}

/* Reads the other members. Members that are not repeated keep their values. */
static void
read_rest(struct span *s, const struct known *k)
{
	const struct json *model = field_find(k->outputs, "model");
	const struct json *input;
	struct usage u = { 0 };

	if (k->inputs != NULL)
		s->input = k->inputs;
	if (k->inputs != NULL && s->kind != SPAN_MODEL) {
		input = field_find(k->inputs, "input");
		s->args = input != NULL ? input : k->inputs;
	}
	if (k->end != NULL)
		s->end = otel_time(k->end, false);
	if (model != NULL)
		s->model = model;
	if (json_raw(k->error).n != 0) {
		s->is_error = builder_bool(true);
		s->error = k->error;
	}
	if (s->kind == SPAN_MODEL)
		u = usage_of_run(k);
	if (u.known != 0)
		s->usage = u;
	if (k->outputs != NULL)
		read_outputs(s, k->outputs);
}

/* Adds a run, with its kept copy and the runs within it, where these are logged
 * there. A known run is updated: it was sent again, or is on two pages. */
static struct span *
add_kept(struct log *log, const struct json *run, const struct json *kept)
{
	struct runs *runs = runs_of(log);
	struct place at = log_place(log, run);
	struct known k = known_of(kept);
	struct str id = json_raw(k.id);
	struct span *s = id.n == 0 ? NULL : hash_get(&runs->by_id, id);

	if (s == NULL) {
		s = spans_add(
		    spans_in(log->arena, &runs->spans), at.file, at.line);
		read_begin(s, &k);
		if (id.n != 0)
			*hash_put(&runs->by_id, id) = s;
	}
	read_rest(s, &k);
	for (json_each(child, json_get(run, "child_runs")))
		if (is_run(child))
			add_kept(log, child, kept + (child - run));
	return s;
}

static struct span *
add_run(struct log *log, const struct json *run)
{
	return add_kept(log, run, copy_tree(log->arena, run));
}

static void
read_run(struct log *log, const struct json *run)
{
	(void)add_run(log, run);
}

static void
read_patch(struct log *log, struct span *s, const struct json *patch)
{
	struct known k = known_of(copy_tree(log->arena, patch));

	read_rest(s, &k);
}

/* Reads a batch. A patch belongs to the run with its id, which may have been
 * sent long before; without an id, to the run that was posted at the same
 * index. */
static void
read_sent(struct log *log, const struct json *r)
{
	const struct json *posts = json_get(r, "post");
	const struct json *patches = json_get(r, "patch");
	struct runs *runs = runs_of(log);
	const struct json *at_place = json_at(patches, 0);

	for (json_each(run, posts)) {
		struct span *s = is_run(run) ? add_run(log, run) : NULL;

		if (s != NULL && json_get(at_place, "id") == NULL)
			read_patch(log, s, at_place);
		if (at_place != NULL)
			at_place = json_next(patches, at_place);
	}
	for (json_each(patch, patches)) {
		struct str id = json_raw(json_get(patch, "id"));
		struct span *s = hash_get(&runs->by_id, id);

		if (s != NULL && id.n != 0)
			read_patch(log, s, patch);
		else if (id.n != 0 && is_run(patch))
			add_run(log, patch);
		else if (id.n != 0)
			log_unread(log, patch);
	}
}

/* A run, or, as a record of its own, a list of runs or a page of the API. */
#define RUN \
	LOG_ROW("run_type trace_id, run_type dotted_order, run_type inputs", \
	    LOG_HOOK, .read = read_run)

static const struct log_row list[] = {
	RUN,
	LOG_LAST,
};

static const struct log_row rows[] = {
	RUN,
	LOG_ROW("=[", LOG_EACH, .rows = list),
	LOG_ROW("runs=[", LOG_EACH, .of = "runs", .rows = list),
	LOG_ROW("post, patch", LOG_HOOK, .read = read_sent),
	LOG_LAST,
};

static void
end(struct log *log)
{
	spans_emit(spans_in(log->arena, &runs_of(log)->spans), log->builder);
}

const struct log_format log_format_langsmith = {
	.name = "langsmith",
	.what = "LangSmith: runs (lines or lists), or as its SDK sends them",
	.score = score,
	.signs = "run_type post runs",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
