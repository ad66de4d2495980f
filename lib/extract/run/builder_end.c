/* The end of a run: finds the call that started each sub-agent, gives the run an id,
 * and writes its records. */
#include "extract/run/builder.h"

#include "base/hash.h"
#include "extract/run/builder_internal.h"
#include "extract/value/fields.h"

enum { NESTING_MAX = 64 };

/* ---- sub-agents ---- */

static struct step *
next_starter(struct builder *b, struct str task)
{
	struct builder_starters *waiting = hash_get(&b->tasks, task);
	struct builder_starter *s = waiting == NULL ? NULL : waiting->first;

	if (s == NULL)
		return NULL;
	waiting->first = s->next;
	return s->call;
}

/* Returns the call that started the thread: the call whose id the thread or the
 * call's result records, else the first waiting call whose task is the thread's
 * prompt; NULL if there is none. */
static struct step *
starter_of(struct builder *b, const struct thread *t)
{
	struct step *s = call_matching_find(&b->call_matching, t->parent);

	if (s == NULL && t->id.s != NULL)
		s = hash_get(&b->starters, t->id);
	if (s == NULL && t->turns != NULL && t->turns->prompt.n != 0)
		s = next_starter(
		    b, (struct str){ t->turns->prompt.s, t->turns->prompt.n });
	return s;
}

/* Returns whether the call belongs to thread `t` or to a thread that `t`
 * started, directly or not. A call that is nested too deeply counts as one. */
static bool
is_within(const struct step *call, const struct thread *t)
{
	for (int depth = 0; call != NULL; call = call->turn->thread->call)
		if (call->turn->thread == t || ++depth == NESTING_MAX)
			return true;
	return false;
}

/* Returns the name of the sub-agent that the call started: the kind of agent that the
 * call's arguments ask for, else the sub-agent's id, else the call's tool. */
static struct str
name_of(struct builder *b, const struct thread *t, const struct step *call)
{
	const struct json *args = NULL, *kind;
	struct json_error error;

	if (call != NULL && str_starts(call->args, "{"))
		args = json_read(&b->reader, call->args, NULL, &error);
	kind = field_find(args,
	    "subagent_type subagentType agent_type subagent_name agent_name "
	    "agentName agent");
	if (json_raw(kind).n != 0)
		return copy_body(&b->run_arena, kind);
	if (call != NULL && (t->nameless || str_eq(t->id, call->id)))
		return call->tool;
	return t->id.n != 0 ? t->id : t->parent;
}

static void
place_threads(struct builder *b)
{
	for (struct thread *t = b->run->threads; t != NULL; t = t->next) {
		struct step *call = starter_of(b, t);

		if (!t->inner)
			t->name = name_of(b, t, call);
		if (call == NULL || is_within(call, t))
			continue;
		t->call = call;
		t->parent = call->id;
		if (b->options.sidechains != SIDECHAINS_NEST && !t->inner)
			continue;
		if (call->started == NULL)
			call->started = t;
		else
			call->started->last_sibling->sibling = t;
		call->started->last_sibling = t;
	}
}

/* Returns the name of the run's own agent: that of the run, if one of the main
 * thread's steps is this agent's, else that of the first step with a name. */
static struct str
own_agent(const struct run *run)
{
	struct str agent = run->members[RUN_AGENT], first = { 0 };

	if (str_starts(agent, "\""))
		agent = str_slice(agent, 1, agent.n - 1);
	for (const struct turn *n = run->main.turns; n != NULL; n = n->next)
		for (const struct step *s = n->steps; s != NULL; s = s->next) {
			if (s->agent != NULL && str_eq(*s->agent, agent))
				return agent;
			if (s->agent != NULL && first.s == NULL)
				first = *s->agent;
		}
	return first;
}

/* Removes the name of the run's own agent from that agent's steps. */
static void
forget_own_agent(struct run *run)
{
	struct str own = run->named ? own_agent(run) : (struct str){ 0 };

	for (struct turn *n = own.n != 0 ? run->main.turns : NULL; n != NULL;
	     n = n->next)
		for (struct step *s = n->steps; s != NULL; s = s->next)
			if (s->agent != NULL && str_eq(*s->agent, own))
				s->agent = NULL;
}

/* Marks the turns that lead to the thread's last turn as current. */
static void
follow_chain(struct thread *t)
{
	struct turn *end = t->went_back ? t->back : t->last;

	for (struct turn *n = end; n != NULL; n = n->before)
		n->current = true;
}

/* ---- ids ---- */

enum { ID_PARTS = 4 };

/* Joins the values that are not empty with slashes; strings lose their
 * quotes. */
static struct str
join_id(struct builder *b, const struct str *values, size_t n)
{
	struct str parts[ID_PARTS];
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		struct str v = values[i];

		if (v.s != NULL && *v.s == '"')
			v = str_slice(v, 1, v.n - 1);
		if (v.n != 0)
			parts[count++] = v;
	}
	if (count == 0)
		return (struct str){ 0 };
	return count == 1 ? parts[0]
			  : str_join(&b->run_arena, parts, count, STR("/"));
}

/* Returns an id made from the content. The second run with the same content
 * gets a number as well. */
static struct str
content_id(struct builder *b, const struct thread *main)
{
	struct arena *a = &b->run_arena;
	struct str id =
	    str_printf(a, "%016llx", (unsigned long long)run_hash(main));

	return str_cat(a, id, run_ids_repeat(b->options.ids, id, a));
}

/* Returns the id that the log has for the run, or an id made from the
 * content. */
static struct str
run_id(struct builder *b, const struct thread *main)
{
	const struct str *m = b->run->members;

	if (m[RUN_ID].s != NULL)
		return join_id(b, &m[RUN_ID], 1);
	if (m[RUN_GROUP].s == NULL)
		return content_id(b, main);
	return join_id(b,
	    (struct str[]){
		m[RUN_GROUP], m[RUN_SCENARIO], m[RUN_AGENT], m[RUN_INDEX] },
	    ID_PARTS);
}

void
builder_number_run(struct builder *b)
{
	const struct str *m = builder_current_run(b)->members;
	struct str key = join_id(b,
	    (struct str[]){
		STR("count"), m[RUN_GROUP], m[RUN_SCENARIO], m[RUN_AGENT] },
	    ID_PARTS);

	b->run->numbered = true;
	b->run->members[RUN_INDEX] =
	    run_ids_count(b->options.ids, key, &b->run_arena);
}

/* ---- writing ---- */

static void
print(struct builder *b, struct out *to, const struct trace_part *part)
{
	const struct trace_options *o = &b->options.trace;

	(o->write != NULL ? o->write : trace_write)(to, o, part);
}

/* Returns whether the same record was written before; notes a record that was
 * not. */
static bool
is_written(struct builder *b, const struct trace_part *part)
{
	struct hash_table *once = b->options.once;
	struct out record;
	bool before;

	if (once == NULL)
		return false;
	out_open_memory(&record);
	print(b, &record, part);
	before = hash_get(once, out_memory(&record)) != NULL;
	if (!before)
		*hash_put(once, str_dup(once->arena, out_memory(&record))) =
		    once;
	out_close(&record);
	return before;
}

static void
write_part(struct builder *b, const struct trace_part *part)
{
	if (!is_written(b, part))
		print(b, b->options.out, part);
	b->written++;
}

static void
write_thread(
    struct builder *b, const struct thread *t, struct str id, struct str parent)
{
	struct trace_part part = {
		.run = b->run, .thread = t, .id = id, .parent = parent
	};
	size_t i = 0;

	if (!b->options.split || t->turns == NULL) {
		write_part(b, &part);
		return;
	}
	for (const struct turn *n = t->turns; n != NULL; n = n->next) {
		part.turn = n;
		part.id =
		    str_printf(&b->run_arena, "%.*s#%zu", STR_FMT(id), i++);
		write_part(b, &part);
	}
}

/* Returns whether the log records nothing that an agent did or was asked. */
static bool
is_empty(const struct run *run)
{
	const struct thread *t = run->threads;

	while (t != NULL && t->turns == NULL)
		t = t->next;
	return t == NULL && run->main.turns == NULL && !run->asked &&
	    run->members[RUN_ERROR].s == NULL &&
	    run->members[RUN_FINAL].s == NULL;
}

static bool
thread_has_cost(const struct thread *t)
{
	for (const struct turn *n = t->turns; n != NULL; n = n->next)
		for (const struct turn_usage *u = n->usages; u != NULL;
		     u = u->next)
			if (u->usage.known & 1U << USAGE_COST)
				return true;
	return false;
}

/* Returns whether the log has any cost of the run. */
static bool
has_cost(const struct run *run)
{
	bool any = thread_has_cost(&run->main);

	for (const struct thread *t = run->threads; t != NULL && !any;
	     t = t->next)
		any = thread_has_cost(t);
	return any;
}

/* Notes an id that the log gave to the run, and that another run may have. */
static void
note_id(struct builder *b, struct str id)
{
	const struct run *run = b->run;

	if (b->options.once == NULL && !run->numbered &&
	    (run->members[RUN_ID].s != NULL ||
		run->members[RUN_GROUP].s != NULL))
		run_ids_written(b->options.ids, id,
		    (struct place){ run->main.file, run->main.line, 0 });
}

/* Marks the usage of messages that an earlier run counts. */
static void
mark_repeated(struct builder *b, struct thread *t)
{
	for (struct turn *n = t->turns; n != NULL; n = n->next)
		for (struct turn_usage *u = n->usages; u != NULL; u = u->next)
			u->repeated = u->once != 0 &&
			    run_ids_counted(b->options.ids, u->once);
}

static void
mark_all_repeated(struct builder *b)
{
	if (b->options.once != NULL)
		return;
	mark_repeated(b, &b->run->main);
	if (b->options.sidechains != SIDECHAINS_DROP)
		for (struct thread *t = b->run->threads; t != NULL; t = t->next)
			mark_repeated(b, t);
}

static void
write_run(struct builder *b)
{
	struct run *run = b->run;
	struct str id = run_id(b,
	    run->main.turns != NULL || run->threads == NULL ? &run->main
							    : run->threads);

	run->has_cost = b->options.trace.prices != NULL && has_cost(run);
	if (b->options.period != NULL &&
	    !time_range_has(b->options.period, run)) {
		b->left_out++;
		return;
	}
	note_id(b, id);
	mark_all_repeated(b);
	if (run->has_main || run->members[RUN_ERROR].s != NULL ||
	    run->members[RUN_FINAL].s != NULL ||
	    (run->asked && run->threads == NULL))
		write_thread(b, &run->main, id, (struct str){ 0 });
	for (struct thread *t = run->threads; t != NULL; t = t->next) {
		bool placed = t->call != NULL &&
		    (t->inner || b->options.sidechains == SIDECHAINS_NEST);

		if (t->turns != NULL && !placed &&
		    b->options.sidechains != SIDECHAINS_DROP)
			write_thread(b, t,
			    join_id(b, (struct str[]){ id, t->id }, 2), id);
	}
}

/* ---- end ---- */

void
builder_finish(struct builder *b)
{
	if (b->ending != NULL)
		b->ending(b->of);
	builder_finish_args(b);
	place_threads(b);
	forget_own_agent(b->run);
	follow_chain(&b->run->main);
	for (struct thread *t = b->run->threads; t != NULL; t = t->next)
		follow_chain(t);
	if (!is_empty(b->run))
		write_run(b);
	b->run = NULL;
	b->mark = (struct builder_mark){ 0 };
	b->records = (struct hash_set){ 0 };
	b->ended = false;
	arena_reset(&b->run_arena);
}
