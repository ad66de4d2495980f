/*
 * Runs of LangSmith, which are spans: one a line, a list of them, or what its
 * SDK sends: runs that begin ("post") and what is known of them when they end
 * ("patch").
 */
#include "../keep.h"
#include "../logfmt.h"
#include "../otel.h"
#include "../spans.h"

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
	const struct json *counts = log_find(v,
	    "outputs.usage_metadata outputs.usage "
	    "outputs.llm_output.token_usage extra.metadata.usage_metadata");
	const struct json *message = json_get(
	    json_at(json_at(json_path(v, "outputs.generations"), 0), 0),
	    STR("message"));

	if (counts == NULL)
		counts =
		    log_find(message, "kwargs.usage_metadata usage_metadata");
	if (counts == NULL)
		counts = v;
	usage_read(u, USAGE_CACHE_READ,
	    log_find(counts,
		"input_token_details.cache_read "
		"prompt_tokens_details.cached_tokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    log_find(counts, "input_token_details.cache_creation"));
	usage_input_with_cache(
	    u, log_find(counts, "input_tokens prompt_tokens"));
	usage_read(u, USAGE_OUTPUT,
	    log_find(counts, "output_tokens completion_tokens"));
	usage_read(u, USAGE_REASONING,
	    log_find(counts,
		"output_token_details.reasoning "
		"completion_tokens_details.reasoning_tokens"));
	usage_read(u, USAGE_COST, json_get(v, STR("total_cost")));
}

/* What the run began with, and what it was given in the end. */
static void
read_run(struct log *log, struct span *s, const struct json *v)
{
	struct arena *a = log->arena;
	const struct json *error = json_get(v, STR("error"));

	read_kind(s, json_get(v, STR("run_type")));
	s->id = json_raw(json_get(v, STR("id")));
	s->trace = json_raw(log_find(v, "trace_id id"));
	s->parent = json_raw(json_get(v, STR("parent_run_id")));
	s->start = otel_time(json_get(v, STR("start_time")), false);
	s->model = log_find(
	    v, "outputs.model extra.metadata.ls_model_name inputs.model");
	s->provider = log_find(v, "extra.metadata.ls_provider");
	s->conversation =
	    log_find(v, "extra.metadata.thread_id extra.metadata.session_id");
	s->input = json_get(v, STR("inputs"));
	s->is_error =
	    keep_parsed(a, json_raw(error).n != 0 ? STR("true") : STR("false"));
	if (json_raw(error).n != 0)
		s->error = error;
	if (s->kind == SPAN_MODEL)
		return;
	s->tool = json_get(v, STR("name"));
	s->args = log_find(v, "inputs.input inputs");
}

/* What is known of it when it ends. */
static void
read_end(struct span *s, const struct json *v)
{
	const struct json *model = log_find(v, "outputs.model");

	s->end = otel_time(json_get(v, STR("end_time")), false);
	s->output = json_get(v, STR("outputs"));
	if (json_count(s->output) == 0)
		s->output = NULL;
	if (model != NULL)
		s->model = model;
	s->result = log_find(v,
	    "outputs.output.kwargs.content outputs.output.content "
	    "outputs.output outputs");
	s->call = log_find(v,
	    "outputs.output.kwargs.tool_call_id outputs.output.tool_call_id");
	if (s->kind == SPAN_MODEL)
		read_usage(&s->usage, v);
}

static void
add_run(struct log *log, const struct json *begun, const struct json *ended)
{
	struct spans *spans = spans_in(log->arena, &log->state);
	struct place at = log_place(log, begun);
	struct span *s = spans_add(spans, at.file, at.line);

	read_run(log, s, keep_tree(log->arena, begun));
	read_end(s, keep_tree(log->arena, ended));
}

/* That which the patch is of; without an id, the one at its place. */
static const struct json *
patch_of(const struct json *r, const struct json *run, size_t place)
{
	const struct json *patches = json_get(r, STR("patch"));
	struct str id = json_raw(json_get(run, STR("id")));

	for (json_each(patch, patches))
		if (id.n != 0 &&
		    str_eq(json_raw(json_get(patch, STR("id"))), id))
			return patch;
	patches = json_at(patches, place);
	return json_get(patches, STR("id")) == NULL ? patches : NULL;
}

/* A run, and those within it where they are logged there. */
static void
add_tree(struct log *log, const struct json *run)
{
	add_run(log, run, run);
	for (json_each(child, json_get(run, STR("child_runs"))))
		if (is_run(child))
			add_tree(log, child);
}

static void
read_record(struct log *log, const struct json *r)
{
	size_t place = 0;

	if (is_run(r))
		add_tree(log, r);
	for (json_each(run, r))
		if (is_run(run))
			add_tree(log, run);
	for (json_each(run, json_get(r, STR("post")))) {
		const struct json *patch = patch_of(r, run, place++);

		if (is_run(run))
			add_run(log, run, patch == NULL ? run : patch);
	}
}

static void
end(struct log *log)
{
	spans_tell(spans_in(log->arena, &log->state), log->builder);
}

const struct logfmt logfmt_langsmith = {
	.name = "langsmith",
	.what = "LangSmith runs, one a line, in lists, or as they are sent",
	.score = score,
	.read = read_record,
	.end = end,
};
