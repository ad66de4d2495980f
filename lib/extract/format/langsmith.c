/*
 * Runs exported from LangSmith, which are spans: one a line, or a list; and the
 * batches that its SDK sends: runs that begin ("post") and what is known when
 * they end ("patch").
 */
#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/langchain.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/otel/otel.h"
#include "extract/span/spans.h"
#include "extract/value/copy.h"

struct runs {
	void *spans;
	/* The span of each run; before the end of the file, the trace of each run that
	 * was posted. */
	struct hash_table by_id;
	struct span *last;
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

/* Adds a run, and the runs within it, where these are logged there. A known run is
 * updated: it was sent again, or is on two pages. */
static void
add_run(struct log *log, const struct json *run)
{
	struct runs *runs = runs_of(log);
	struct place at = log_place(log, run);
	struct known k = known_of(run);
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
			add_run(log, child);
	runs->last = s;
}

static void
read_patch(struct log *log, const struct json *patch)
{
	struct str id = json_raw(json_get(patch, "id"));
	struct runs *runs = runs_of(log);
	struct span *s = id.n == 0 ? runs->last : hash_get(&runs->by_id, id);
	struct known k = known_of(patch);

	if (s != NULL) {
		read_rest(s, &k);
	} else if (is_run(patch)) {
		add_run(log, patch);
	} else {
		builder_source(log->builder, log->at.file, log->at.line);
		log_unread(log, patch);
	}
}

/* Keeps the run of a batch, and the patch at the same index (or NULL), if that has no
 * id. */
static void
keep_post(struct log *log, const struct json *run, const struct json *patch)
{
	struct str *trace = arena_new(log->arena, struct str);
	struct str id = json_raw(json_get(run, "id"));

	*trace = copy_body(log->arena, field_find(run, "trace_id id"));
	log_keep(log, *trace, false, add_run, run);
	if (patch != NULL && json_get(patch, "id") == NULL)
		log_keep(log, *trace, false, read_patch, patch);
	if (id.n != 0)
		*hash_put_copy(&runs_of(log)->by_id, id) = trace;
}

static void
keep_patch(struct log *log, const struct json *patch)
{
	struct str id = json_raw(json_get(patch, "id"));
	const struct str *trace =
	    id.n == 0 ? NULL : hash_get(&runs_of(log)->by_id, id);

	if (id.n != 0)
		log_keep(log,
		    trace != NULL ? *trace
				  : json_raw(json_get(patch, "trace_id")),
		    false, read_patch, patch);
}

/* Reads a batch. A patch belongs to the run with its id, which may have been
 * sent long before; without an id, to the run that was posted at the same
 * index. */
static void
read_sent(struct log *log, const struct json *r)
{
	const struct json *patches = json_get(r, "patch");
	const struct json *at_place = json_at(patches, 0);

	for (json_each(run, json_get(r, "post"))) {
		if (is_run(run))
			keep_post(log, run, at_place);
		if (at_place != NULL)
			at_place = json_next(patches, at_place);
	}
	for (json_each(patch, patches))
		keep_patch(log, patch);
}

/* A run, a list of runs, or a page of the API. */
static const struct log_row rows[] = {
	LOG_ROW("run_type trace_id, run_type dotted_order, run_type inputs",
	    LOG_KEEP, .id = "trace_id id", .read = add_run),
	LOG_ROW("=[", LOG_EACH, .rows = rows, .apart = true),
	LOG_ROW("runs=[", LOG_EACH, .of = "runs", .rows = rows, .apart = true),
	LOG_ROW("post, patch", LOG_HOOK, .read = read_sent),
	LOG_LAST,
};

static void
end(struct log *log)
{
	spans_emit(spans_in(log->arena, &runs_of(log)->spans), log->builder,
	    log->text);
}

const struct log_format log_format_langsmith = {
	.name = "langsmith",
	.what = "LangSmith: runs (lines or lists), or as its SDK sends them",
	.shared_keys = "trace_id",
	.sure = "run_type trace_id|dotted_order|inputs",
	.nested = "0 post.0 runs.0",
	.lists = ". runs",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
