#include "extract/span/to_run.h"

#include "base/hash.h"
#include "base/timestamp.h"
#include "extract/span/agent.h"
#include "extract/span/tree.h"
#include "extract/value/copy.h"

/* A trace while it is told. */
struct telling {
	struct arena *arena;
	struct builder *builder;
	const struct span_options *options;
	struct span **list; /* in the order in which they are told */
	size_t n;
	struct span_agent main;
};

/* ---- values ---- */

static const struct json *
time_of(struct arena *a, int64_t ns)
{
	char buf[TIMESTAMP_SIZE];

	if (ns == SPAN_NO_TIME)
		return NULL;
	return copy_string(a, timestamp_print(ns / 1000000, buf));
}

/* In milliseconds, to the last digit. */
static const struct json *
duration_of(struct arena *a, const struct span *s)
{
	struct str text;
	int64_t ns;

	if (s->start == SPAN_NO_TIME || s->end == SPAN_NO_TIME ||
	    s->end < s->start || __builtin_sub_overflow(s->end, s->start, &ns))
		return NULL;
	text = str_printf(a, "%lld.%06lld", (long long)(ns / 1000000),
	    (long long)(ns % 1000000));
	while (text.s[text.n - 1] == '0')
		text.n--;
	if (text.s[text.n - 1] == '.')
		text.n--;
	return copy_count(a, text);
}

/* ---- one span ---- */

/* The agent that the span is told of. */
static struct span_agent *
agent_of(struct telling *t, const struct span *s)
{
	struct span *tool = span_tree_tool(s);
	struct span_agent *g;

	if (tool == NULL)
		return &t->main;
	if (tool->does == NULL) {
		g = tool->does = arena_new(t->arena, struct span_agent);
		span_agent_init(g, t->arena, t->builder);
		g->at.sidechain = true;
		g->at.agent = copy_string(t->arena,
		    str_printf(
			t->arena, "%.*s#%zu", STR_FMT(tool->id), tool->index));
	}
	return tool->does;
}

/* What is known of agents before their spans are told. */
static void
foresee(struct telling *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct span *s = t->list[i];
		struct span_agent *g;

		if (!span_is_part(s))
			continue;
		g = agent_of(t, s);
		for (size_t k = 0; s->kind == SPAN_MODEL && k < s->in.n; k++)
			g->asked |= s->in.list[k].role == CHAT_USER;
	}
}

static void
tell_counts(const struct span_agent *g, const struct span *s)
{
	struct usage u = s->usage;

	u.known &= ~s->below;
	builder_locate_at(g->builder, &g->at);
	builder_usage_uncounted(g->builder, &u);
}

/* What was used in the turn that has begun, as spans around it say. */
static void
tell_early(struct span_agent *g)
{
	for (size_t i = 0; i < g->n_early; i++)
		tell_counts(g, g->early[i]);
	g->early = NULL;
	g->n_early = 0;
}

/* What the span alone tells of what was used. */
static void
tell_usage(struct telling *t, struct span *s)
{
	struct usage u = s->usage;
	struct span_agent *g;

	u.known &= ~s->below;
	if (s->kind != SPAN_MODEL || s->model_below) {
		if (u.known == 0)
			return;
		g = agent_of(t, s);
		builder_locate_at(t->builder, &g->at);
		if (!builder_has_prompt(t->builder) && g->asked)
			*arena_push(t->arena, g->early, g->n_early) = s;
		else
			tell_counts(g, s);
		return;
	}
	if (t->options->counted)
		usage_set(&u, USAGE_LLM_CALLS, 0);
	builder_usage(t->builder, (struct str){ 0 }, &u, false);
}

static void
tell_model(struct telling *t, struct span *s)
{
	struct span_agent *g = agent_of(t, s);
	bool wraps = s->model_below && s->chat_below;

	g->at.ts = time_of(t->arena, s->start);
	builder_locate_at(t->builder, &g->at);
	if (!s->model_below)
		builder_model(t->builder, s->model);
	if (!wraps)
		span_agent_input(g, &s->in);
	if (!wraps || builder_has_prompt(t->builder))
		builder_turn_now(t->builder); /* else the prompt comes below */
	if (builder_has_prompt(t->builder))
		tell_early(g);
	if (s->end != SPAN_NO_TIME)
		g->at.ts = time_of(t->arena, s->end);
	builder_locate_at(t->builder, &g->at);
	if (!wraps)
		span_agent_output(g, &s->out);
}

/* An agent's own span says of its models what theirs do not. */
static void
tell_agent(struct telling *t, struct span *s)
{
	builder_locate_at(t->builder, &agent_of(t, s)->at);
	if (!s->model_below)
		builder_model(t->builder, s->model);
}

static void
tell_tool(struct telling *t, struct span *s)
{
	struct span_agent *g = agent_of(t, s);

	span_agent_tool(g,
	    &(struct span_tool){
		.tool = s->tool,
		.server = s->server,
		.name = s->name,
		.id = s->call,
		.args = s->args,
		.value = chat_value(t->arena, s->result),
		.is_error = s->is_error,
		.duration = duration_of(t->arena, s),
		.start = time_of(t->arena, s->start),
		.end = time_of(t->arena, s->end),
		.agent = s->does == NULL ? NULL : s->does->at.agent,
	    });
}

/* ---- a trace ---- */

bool
span_is_part(const struct span *s)
{
	return s->kind == SPAN_AGENT || s->kind == SPAN_MODEL ||
	    (s->kind == SPAN_TOOL && s->same == NULL);
}

/* The first of the main agent's spans that are outermost, an agent's before
 * others. */
static struct span *
root_of(struct telling *t)
{
	struct span *root = t->list[0];

	for (size_t i = t->n; i-- != 0;)
		if (t->list[i]->up == NULL)
			root = t->list[i];
	for (size_t i = t->n; i-- != 0;)
		if (t->list[i]->up == NULL && t->list[i]->kind == SPAN_AGENT)
			root = t->list[i];
	return root;
}

static void
tell_times(struct telling *t)
{
	int64_t start = SPAN_NO_TIME, end = SPAN_NO_TIME;

	for (size_t i = 0; i < t->n; i++) {
		const struct span *s = t->list[i];

		if (s->start != SPAN_NO_TIME &&
		    (start == SPAN_NO_TIME || s->start < start))
			start = s->start;
		if (s->end > end)
			end = s->end;
	}
	builder_span(
	    t->builder, time_of(t->arena, start), time_of(t->arena, end));
}

/* Names that any span may tell: the first that does. */
static void
tell_about(struct telling *t)
{
	const struct json *agent = NULL, *provider = NULL, *talk = NULL;

	for (size_t i = t->n; i-- != 0;) {
		const struct span *s = t->list[i];

		if (s->agent != NULL && span_tree_tool(s) == NULL)
			agent = s->agent;
		if (s->provider != NULL)
			provider = s->provider;
		if (s->conversation != NULL)
			talk = s->conversation;
	}
	builder_set(t->builder, RUN_AGENT, agent);
	builder_set(t->builder, RUN_PROVIDER, provider);
	builder_meta(t->builder, "conversation", talk);
}

/* Without a tool's span and a model's answer the log may keep no calls. */
static bool
records_calls(const struct telling *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i]->kind == SPAN_TOOL || t->list[i]->out.n != 0)
			return true;
	return t->options->one_run;
}

static void
read_dialogues(struct telling *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct span *s = t->list[i];

		if (s->kind == SPAN_TOOL ||
		    (s->kind == SPAN_OTHER && s->up != NULL))
			continue;
		s->in = chat_read(t->arena, s->input, CHAT_USER);
		s->out = chat_read(t->arena, s->output, CHAT_MODEL);
	}
}

/* Spans of no kind that a model's answer tells to be of tools. */
static void
adopt_tools(struct telling *t)
{
	struct hash_table called = { .arena = t->arena };

	for (size_t i = 0; i < t->n; i++) {
		const struct chat *d = &t->list[i]->out;

		for (size_t m = 0; m < d->n; m++)
			for (size_t p = 0; p < d->list[m].n; p++)
				if (d->list[m].parts[p].kind == CHAT_CALL)
					*hash_put(&called,
					    json_raw(
						d->list[m].parts[p].tool)) = t;
	}
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i]->kind == SPAN_OTHER &&
		    hash_get(&called, json_raw(t->list[i]->tool)) != NULL)
			t->list[i]->kind = SPAN_TOOL;
}

/* What agents were asked stands in their own spans, if in no model's. */
static void
tell_prompt(struct telling *t, const struct span *root)
{
	t->main.at.ts = time_of(t->arena, root->start);
	if (t->main.asked)
		return;
	span_agent_asked(&t->main, &root->in);
	for (size_t i = 0; i < t->n && !t->main.prompted; i++)
		if (t->list[i]->kind == SPAN_AGENT &&
		    agent_of(t, t->list[i]) == &t->main)
			span_agent_asked(&t->main, &t->list[i]->in);
}

static void
tell_answer(struct telling *t, const struct span *root)
{
	t->main.at.ts = time_of(t->arena, root->end);
	if (!t->main.spoke)
		span_agent_final_answer(&t->main, &root->out);
	for (size_t i = t->n; i-- != 0 && !t->main.spoke;)
		if (t->list[i]->kind == SPAN_AGENT &&
		    agent_of(t, t->list[i]) == &t->main)
			span_agent_final_answer(&t->main, &t->list[i]->out);
}

static void
tell_spans(struct telling *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct span *s = t->list[i];

		if (s->kind == SPAN_MODEL)
			tell_model(t, s);
		else if (s->kind == SPAN_TOOL && s->same == NULL)
			tell_tool(t, s);
		else if (s->kind == SPAN_AGENT)
			tell_agent(t, s);
		tell_usage(t, s);
	}
	for (size_t i = 0; i < t->n; i++) /* only who has a model is asked */
		if (t->list[i]->kind == SPAN_MODEL)
			tell_early(agent_of(t, t->list[i]));
}

static void
tell_run(struct telling *t)
{
	struct span *root;

	builder_begin_run(t->builder);
	span_agent_init(&t->main, t->arena, t->builder);
	span_tree_link(t->arena, t->list, t->n);
	if (!t->options->as_given)
		span_tree_sort(t->list, t->n);
	read_dialogues(t);
	adopt_tools(t);
	span_tree_mark(t->list, t->n);
	root = root_of(t);
	foresee(t);
	if (root->trace.n != 0)
		builder_set_body(t->builder, RUN_ID, root->trace);
	tell_about(t);
	tell_times(t);
	tell_prompt(t, root);
	tell_spans(t);
	tell_answer(t, root);
	builder_error(t->builder, root->kind == SPAN_TOOL ? NULL : root->error);
	if (!records_calls(t))
		builder_no_calls(t->builder);
}

void
span_run(const struct span_options *options, struct arena *arena,
    struct builder *builder, struct span **list, size_t n)
{
	struct telling t = {
		.arena = arena,
		.builder = builder,
		.options = options,
		.list = list,
		.n = n,
	};

	tell_run(&t);
}
