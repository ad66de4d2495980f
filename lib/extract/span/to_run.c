#include "extract/span/to_run.h"

#include "base/hash.h"
#include "base/timestamp.h"
#include "extract/span/agent.h"
#include "extract/span/tree.h"
#include "extract/value/copy.h"

/* A trace while its spans are reported. */
struct trace_emitter {
	struct arena *arena;
	struct builder *builder;
	const struct span_options *options;
	struct span **list; /* in the order of reporting */
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

static const struct json *
start_of(struct arena *a, const struct span *s)
{
	return time_of(a, s->no_time ? SPAN_NO_TIME : s->start);
}

static const struct json *
end_of(struct arena *a, const struct span *s)
{
	return time_of(a, s->no_time ? SPAN_NO_TIME : s->end);
}

/* Returns the duration in milliseconds with all its digits. */
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

/* Returns the agent to which the span belongs, whose next events have the agent's
 * name. A sub-agent without a name is named after the tool. */
static struct span_agent *
agent_of(struct trace_emitter *t, const struct span *s)
{
	struct span *tool = span_tree_tool(s);
	struct span_agent *g;

	if (tool == NULL) {
		t->main.at.name = s->by;
		return &t->main;
	}
	if (tool->sub_agent == NULL) {
		g = tool->sub_agent = arena_new(t->arena, struct span_agent);
		span_agent_init(g, t->arena, t->builder);
		g->at.sidechain = true;
		g->at.agent = copy_string(t->arena,
		    str_printf(
			t->arena, "%.*s#%zu", STR_FMT(tool->id), tool->index));
	}
	tool->sub_agent->at.name = s->by != NULL ? s->by : tool->tool;
	return tool->sub_agent;
}

/* Finds out which agents have a model that was given a user's message, before
 * any span is reported. */
static void
scan_agents(struct trace_emitter *t)
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
emit_counts(const struct span_agent *g, const struct span *s)
{
	struct usage u = s->usage;

	u.known &= ~s->below;
	builder_locate_at(g->builder, &g->at);
	builder_usage_uncounted(g->builder, &u);
}

/* Reports the usage of the turn that has begun, from spans around that turn. */
static void
emit_early(struct span_agent *g)
{
	for (size_t i = 0; i < g->n_early; i++)
		emit_counts(g, g->early[i]);
	g->early = NULL;
	g->n_early = 0;
}

/* Reports the usage that only this span has. */
static void
emit_usage(struct trace_emitter *t, struct span *s)
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
			emit_counts(g, s);
		return;
	}
	if (s->no_call) {
		if (u.known != 0)
			builder_usage_uncounted(t->builder, &u);
		return;
	}
	if (t->options->counted)
		usage_set(&u, USAGE_LLM_CALLS, 0);
	builder_usage(t->builder, (struct str){ 0 }, &u, false);
}

static void
emit_model(struct trace_emitter *t, struct span *s)
{
	struct span_agent *g = agent_of(t, s);
	bool wraps = s->model_below && s->chat_below;

	g->at.ts = start_of(t->arena, s);
	builder_locate_at(t->builder, &g->at);
	if (!s->model_below)
		builder_model(t->builder, s->model);
	builder_system(t->builder, s->system);
	if (!wraps)
		span_agent_input(g, &s->in, s->new_input);
	if (!wraps || builder_has_prompt(t->builder))
		builder_current_turn(
		    t->builder); /* else the prompt is in a span
					       * below */
	if (builder_has_prompt(t->builder))
		emit_early(g);
	if (s->end != SPAN_NO_TIME)
		g->at.ts = end_of(t->arena, s);
	builder_locate_at(t->builder, &g->at);
	if (wraps)
		return;
	span_agent_output(g, &s->out);
	if (s->out.n != 0)
		span_set_if_absent(&s->stop, s->out.list[s->out.n - 1].stop);
	builder_stop_reason(t->builder, s->stop);
}

/* Reports the model that an agent's own span names, if no model's span below
 * does. */
static void
emit_agent(struct trace_emitter *t, struct span *s)
{
	builder_locate_at(t->builder, &agent_of(t, s)->at);
	builder_system(t->builder, s->system);
	if (!s->model_below)
		builder_model(t->builder, s->model);
}

static void
emit_tool(struct trace_emitter *t, struct span *s)
{
	struct span_agent *g = agent_of(t, s);

	span_agent_tool(g,
	    &(struct span_tool){
		.tool = s->tool,
		.server = s->server,
		.name = s->name,
		.id = s->call,
		.args = s->args,
		.value = s->text_result ? s->result
					: chat_value(t->arena, s->result),
		.is_error = s->is_error,
		.duration = duration_of(t->arena, s),
		.start = start_of(t->arena, s),
		.end = end_of(t->arena, s),
		.agent = s->sub_agent == NULL ? NULL : s->sub_agent->at.agent,
	    });
}

/* ---- a trace ---- */

bool
span_is_part(const struct span *s)
{
	return s->kind == SPAN_AGENT || s->kind == SPAN_MODEL ||
	    (s->kind == SPAN_TOOL && s->same == NULL);
}

/* Returns the first outermost span of the main agent, preferring an agent's
 * span. */
static struct span *
root_of(struct trace_emitter *t)
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
emit_times(struct trace_emitter *t)
{
	int64_t start = SPAN_NO_TIME, end = SPAN_NO_TIME;

	for (size_t i = 0; i < t->n; i++) {
		const struct span *s = t->list[i];

		if (s->no_time)
			continue;
		if (s->start != SPAN_NO_TIME &&
		    (start == SPAN_NO_TIME || s->start < start))
			start = s->start;
		if (s->end > end)
			end = s->end;
	}
	builder_set_times(
	    t->builder, time_of(t->arena, start), time_of(t->arena, end));
}

/* Sets names that any span may have; the first span that has one wins. */
static void
emit_about(struct trace_emitter *t)
{
	const struct json *agent = NULL, *provider = NULL, *talk = NULL;
	const struct json *scenario = NULL;

	for (size_t i = t->n; i-- != 0;) {
		const struct span *s = t->list[i];

		if (s->agent != NULL && span_tree_tool(s) == NULL)
			agent = s->agent;
		if (s->provider != NULL)
			provider = s->provider;
		if (s->conversation != NULL)
			talk = s->conversation;
		if (s->scenario != NULL)
			scenario = s->scenario;
	}
	builder_set(t->builder, RUN_SCENARIO, scenario);
	builder_set(t->builder, RUN_AGENT, agent);
	builder_set(t->builder, RUN_PROVIDER, provider);
	builder_meta(t->builder, "conversation", talk);
}

/* Returns whether the log records calls. A log without tool spans and without
 * model answers may omit them. */
static bool
records_calls(const struct trace_emitter *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i]->kind == SPAN_TOOL || t->list[i]->out.n != 0)
			return true;
	return t->options->one_run;
}

static void
read_chats(struct trace_emitter *t)
{
	struct chat_source in = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		struct span *s = t->list[i];

		if (s->kind == SPAN_TOOL ||
		    (s->kind == SPAN_OTHER && s->up != NULL))
			continue;
		s->in = (struct chat){ 0 };
		if (s->input != NULL) {
			in =
			    chat_read_after(t->arena, &in, s->input, CHAT_USER);
			s->in = in.chat;
		}
		s->out = chat_read(t->arena, s->output, CHAT_MODEL);
		for (size_t k = 0; k < s->out.n_unread; k++)
			builder_unread_block(t->builder, s->out.unread[k]);
	}
}

/* Turns spans of no kind into tool spans if a model's answer called a tool of
 * that name. */
static void
find_called_tools(struct trace_emitter *t)
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

/* Counts the spans of kinds that no reader knows. */
static void
count_unknown(struct trace_emitter *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct span *s = t->list[i];

		if (s->unknown.n == 0 || s->kind != SPAN_OTHER)
			continue;
		builder_source(t->builder, s->file, s->line);
		builder_unread(t->builder, s->unknown,
		    span_names_tool(s->unknown) ? RUN_LOST_CALL : 0);
	}
}

/* Reports the prompt from the agents' own spans if no model's span has it. */
static void
emit_prompt(struct trace_emitter *t, const struct span *root)
{
	t->main.at.ts = start_of(t->arena, root);
	if (t->main.asked)
		return;
	span_agent_asked(&t->main, &root->in);
	for (size_t i = 0; i < t->n && !t->main.prompted; i++)
		if (t->list[i]->kind == SPAN_AGENT &&
		    agent_of(t, t->list[i]) == &t->main)
			span_agent_asked(&t->main, &t->list[i]->in);
}

static void
emit_answer(struct trace_emitter *t, const struct span *root)
{
	t->main.at.ts = end_of(t->arena, root);
	t->main.at.name = root->by;
	if (!t->main.spoke)
		span_agent_final_answer(&t->main, &root->out);
	for (size_t i = t->n; i-- != 0 && !t->main.spoke;)
		if (t->list[i]->kind == SPAN_AGENT &&
		    agent_of(t, t->list[i]) == &t->main)
			span_agent_final_answer(&t->main, &t->list[i]->out);
}

static void
emit_spans(struct trace_emitter *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct span *s = t->list[i];

		if (s->kind == SPAN_MODEL)
			emit_model(t, s);
		else if (s->kind == SPAN_TOOL && s->same == NULL)
			emit_tool(t, s);
		else if (s->kind == SPAN_AGENT)
			emit_agent(t, s);
		emit_usage(t, s);
	}
	for (size_t i = 0; i < t->n; i++) /* only an agent with a model has
					   * early usage */
		if (t->list[i]->kind == SPAN_MODEL)
			emit_early(agent_of(t, t->list[i]));
}

/* Returns the last outermost span of an agent, or the root. */
static const struct span *
last_agent(const struct trace_emitter *t, const struct span *root)
{
	for (size_t i = t->n; i-- != 0;)
		if (t->list[i]->up == NULL && t->list[i]->kind == SPAN_AGENT)
			return t->list[i];
	return root;
}

/* Returns the error of the run: that of the root or of the last outermost
 * agent; else that of the main agent's last model call, after which the agent
 * could not go on. */
static const struct json *
error_of(const struct trace_emitter *t, const struct span *root)
{
	if (root->error == NULL)
		root = last_agent(t, root);
	if (root->error != NULL && root->kind != SPAN_TOOL)
		return root->error;
	for (size_t i = t->n; i-- != 0;) {
		const struct span *s = t->list[i];

		if (s->kind == SPAN_MODEL && !s->model_below &&
		    span_tree_tool(s) == NULL)
			return s->out.n == 0 ? s->error : NULL;
	}
	return NULL;
}

static void
emit_run(struct trace_emitter *t)
{
	struct span *root;

	span_agent_init(&t->main, t->arena, t->builder);
	span_tree_link(t->arena, t->list, t->n);
	if (!t->options->as_given)
		span_tree_sort(t->list, t->n);
	read_chats(t);
	find_called_tools(t);
	count_unknown(t);
	span_tree_mark(t->list, t->n);
	if (!t->options->as_given)
		span_tree_mark_beside(t->list, t->n);
	root = root_of(t);
	scan_agents(t);
	if (root->trace.n != 0)
		builder_set_body(t->builder, RUN_ID, root->trace);
	emit_about(t);
	emit_times(t);
	emit_prompt(t, root);
	emit_spans(t);
	emit_answer(t, root);
	builder_error(t->builder, error_of(t, root));
	if (!records_calls(t))
		builder_no_calls(t->builder);
}

void
span_run(const struct span_options *options, struct arena *arena,
    struct builder *builder, struct span **list, size_t n)
{
	struct trace_emitter t = {
		.arena = arena,
		.builder = builder,
		.options = options,
		.list = list,
		.n = n,
	};

	emit_run(&t);
}
