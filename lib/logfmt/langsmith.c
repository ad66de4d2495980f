/*
 * Runs of LangSmith, which are spans: one a line, a list of them, or what its
 * SDK sends: runs that begin ("post") and what is known of them when they end
 * ("patch").
 */
#include "../hash.h"
#include "../keep.h"
#include "../openai_message.h"
#include "../otel.h"
#include "../spans.h"
#include "langchain.h"

struct runs {
	void *spans;
	struct hash_table by_id; /* the span of a run */
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
	return json_get(v, STR("run_type")) != NULL &&
	    log_find(v, "trace_id dotted_order inputs") != NULL;
}

static int
score(const struct json *r)
{
	const struct json *posts = json_get(r, STR("post"));

	return is_run(r) || is_run(json_first(posts)) ||
		is_run(json_first(json_is(r, JSON_ARRAY) ? r : NULL))
	    ? LOGFMT_SURE
	    : 0;
}

static void
read_kind(struct span *s, const struct json *type)
{
	if (json_str_is(type, STR("llm")))
		s->kind = SPAN_MODEL;
	else if (json_str_is(type, STR("tool")))
		s->kind = SPAN_TOOL;
}

static void
read_usage(struct usage *u, const struct json *v)
{
	const struct json *counts =
	    log_find(v, "outputs.usage_metadata outputs.usage");
	const struct json *message = json_get(
	    json_at(json_at(json_path(v, "outputs.generations"), 0), 0),
	    STR("message"));

	if (counts == NULL)
		counts =
		    log_find(message, "kwargs.usage_metadata usage_metadata");
	if (counts == NULL)
		counts = log_find(v,
		    "outputs.llm_output.token_usage "
		    "extra.metadata.usage_metadata");
	if (counts == NULL)
		counts = v;
	openai_usage_read(u, counts);
	langchain_usage_read(u, counts);
	usage_read(u, USAGE_COST, json_get(v, STR("total_cost")));
}

/* What the run began with. */
static void
read_begin(struct span *s, const struct json *v)
{
	read_kind(s, json_get(v, STR("run_type")));
	s->id = json_raw(json_get(v, STR("id")));
	s->trace = json_raw(log_find(v, "trace_id id"));
	s->parent = json_raw(json_get(v, STR("parent_run_id")));
	s->start = otel_time(json_get(v, STR("start_time")), false);
	s->model = log_find(v, "extra.metadata.ls_model_name inputs.model");
	s->provider = log_find(v, "extra.metadata.ls_provider");
	s->conversation =
	    log_find(v, "extra.metadata.thread_id extra.metadata.session_id");
	s->is_error = builder_bool(false);
	if (s->kind != SPAN_MODEL)
		s->tool = json_get(v, STR("name"));
}

/* What is known of it by now: what is not said again stays. */
static void
read_rest(struct span *s, const struct json *v)
{
	const struct json *inputs = log_find(v, "inputs");
	const struct json *outputs = log_find(v, "outputs");
	const struct json *end = log_find(v, "end_time");
	const struct json *model = log_find(v, "outputs.model");
	const struct json *error = json_get(v, STR("error"));
	struct usage u = { 0 };

	if (inputs != NULL)
		s->input = inputs;
	if (inputs != NULL && s->kind != SPAN_MODEL)
		s->args = log_find(v, "inputs.input inputs");
	if (end != NULL)
		s->end = otel_time(end, false);
	if (model != NULL)
		s->model = model;
	if (json_raw(error).n != 0) {
		s->is_error = builder_bool(true);
		s->error = error;
	}
	if (s->kind == SPAN_MODEL)
		read_usage(&u, v);
	if (u.known != 0)
		s->usage = u;
	if (outputs == NULL)
		return;
	s->output = json_count(outputs) == 0 ? NULL : outputs;
	s->result = log_find(v,
	    "outputs.output.kwargs.content outputs.output.content "
	    "outputs.output outputs");
	s->call = log_find(v,
	    "outputs.output.kwargs.tool_call_id outputs.output.tool_call_id");
	/* An agent may go on from a tool's error: then the run has none. */
	if (json_str_is(log_find(v,
			    "outputs.output.kwargs.status "
			    "outputs.output.status"),
		STR("error")) &&
	    s->call != NULL)
		s->is_error = builder_bool(true);
}

/* A run, its copy that stays, and the runs within it where they are logged
 * there. */
static struct span *
add_kept(struct log *log, const struct json *run, const struct json *kept)
{
	struct runs *runs = runs_of(log);
	struct place at = log_place(log, run);
	struct span *s =
	    spans_add(spans_in(log->arena, &runs->spans), at.file, at.line);

	read_begin(s, kept);
	read_rest(s, kept);
	if (s->id.n != 0)
		*hash_put(&runs->by_id, s->id) = s;
	for (json_each(child, json_get(run, STR("child_runs"))))
		if (is_run(child))
			add_kept(log, child, kept + (child - run));
	return s;
}

static struct span *
add_run(struct log *log, const struct json *run)
{
	return add_kept(log, run, keep_tree(log->arena, run));
}

/* A patch is of the run with its id, which may have been sent long before;
 * without an id, of the one that was sent at its place. */
static void
read_sent(struct log *log, const struct json *posts, const struct json *patches)
{
	struct runs *runs = runs_of(log);
	const struct json *at_place = json_at(patches, 0);

	for (json_each(run, posts)) {
		struct span *s = is_run(run) ? add_run(log, run) : NULL;

		if (s != NULL && json_get(at_place, STR("id")) == NULL)
			read_rest(s, keep_tree(log->arena, at_place));
		if (at_place != NULL)
			at_place = json_next(patches, at_place);
	}
	for (json_each(patch, patches)) {
		struct str id = json_raw(json_get(patch, STR("id")));
		struct span *s = hash_get(&runs->by_id, id);

		if (s != NULL && id.n != 0)
			read_rest(s, keep_tree(log->arena, patch));
		else if (id.n != 0 && is_run(patch))
			add_run(log, patch);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	if (is_run(r))
		add_run(log, r);
	for (json_each(run, r))
		if (is_run(run))
			add_run(log, run);
	read_sent(log, json_get(r, STR("post")), json_get(r, STR("patch")));
}

static void
end(struct log *log)
{
	spans_tell(spans_in(log->arena, &runs_of(log)->spans), log->builder);
}

const struct logfmt logfmt_langsmith = {
	.name = "langsmith",
	.what = "LangSmith runs, one a line, in lists, or as they are sent",
	.score = score,
	.read = read_record,
	.end = end,
};
