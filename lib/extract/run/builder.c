/* Life cycle of the builder, the members of a run, and the end of a run: finds
 * the call that started each sub-agent, gives the run an id, and writes its
 * records. */
#include "extract/run/builder.h"

#include "base/hash.h"
#include "extract/run/builder_internal.h"

/* ---- life cycle ---- */

void
builder_init(struct builder *b, const struct builder_options *options)
{
	*b = (struct builder){ .options = *options };
	b->ids.arena = &b->arena;
	if (options->ids == NULL)
		b->options.ids = &b->ids;
}

void
builder_source(struct builder *b, const char *file, size_t line)
{
	b->file = file;
	b->line = line;
}

void
builder_set_log_cut(struct builder *b)
{
	b->log_cut = b->cut_before = true;
}

/* ---- beginning ---- */

static void
init_run(struct builder *b)
{
	struct arena *a = &b->run_arena;

	b->run = arena_new(a, struct run);
	b->run->main.file = b->file;
	b->run->main.line = b->line;
	b->call_matching = call_matching_empty(a);
	b->threads = b->nodes = b->usages = b->messages = b->starters =
	    b->tasks = (struct hash_table){ .arena = a };
	b->started = (struct builder_ids){ 0 };
	b->thread = b->last_thread = &b->run->main;
	b->node = b->after = b->latest = NULL;
	b->ts = (struct moment){ 0 };
	b->replay = b->in_prompt = b->root = false;
	b->cut = NULL;
	b->call = NULL;
	b->run_session = b->session;
	b->args_in_pieces = false;
	b->total = (struct usage){ 0 };
	b->uncounted = NULL;
	builder_torn_begin(b);
}

struct run *
builder_open_run(struct builder *b)
{
	if (b->ended)
		builder_end_run(b);
	if (b->run == NULL)
		init_run(b);
	return b->run;
}

/* Notes that the record in which the log breaks off continues no run that it names:
 * what is lost of the record may belong to any run that may continue. */
static void
break_runs(struct builder *b)
{
	b->cut_before = false;
	if (b->run != NULL && !b->ended)
		b->run->broken = true;
	for (size_t i = 0; i < b->n_suspended; i++)
		b->suspended[i]->run->broken = true;
}

void
builder_begin_run(struct builder *b)
{
	b->reported |= BUILDER_SAID;
	if (b->cut_before)
		break_runs(b);
	builder_suspend(b);
	builder_current_run(b)->has_main = true;
}

void
builder_begin_run_in(struct builder *b, struct str text)
{
	builder_begin_run(b);
	/* In the other cases builder_end_run or builder_suspend delays the
	 * run's end. */
	if (!b->log_cut && b->n_suspended == 0)
		arena_lend(&b->run_arena, text.s, text.n);
}

/* ---- members ---- */

void
builder_set(struct builder *b, enum run_member member, const struct json *v)
{
	struct run *run = builder_current_run(b);

	if (member == RUN_FINAL || member == RUN_ERROR ||
	    member == RUN_DURATION)
		b->reported |= BUILDER_SAID;
	if (json_is(v, JSON_OBJECT) || json_is(v, JSON_ARRAY))
		return; /* no member has such a value */
	if (member == RUN_SCENARIO && json_is(v, JSON_NUMBER))
		v = builder_str(b, v->text); /* a scenario is a name */
	/* Some logs repeat a member in each record, always with the same
	 * value. */
	if (v == NULL || !str_eq(run->members[member], v->text))
		run->members[member] = copy_value(&b->run_arena, v);
}

void
builder_set_first(
    struct builder *b, enum run_member member, const struct json *v)
{
	if (builder_current_run(b)->members[member].s == NULL)
		builder_set(b, member, v);
}

void
builder_error(struct builder *b, const struct json *v)
{
	const struct json *message = json_get(v, "message");

	builder_current_run(b);
	if (b->replay)
		return;
	if (json_is(message, JSON_STRING))
		v = message;
	if (v == NULL || v->type == JSON_NULL || v->type == JSON_FALSE ||
	    (json_is(v, JSON_STRING) && json_raw(v).n == 0)) {
		builder_set(b, RUN_ERROR, NULL);
	} else if (json_is(v, JSON_STRING)) {
		builder_set(b, RUN_ERROR, v);
	} else {
		builder_set_body(
		    b, RUN_ERROR, copy_escaped(&b->run_arena, v->text));
	}
}

void
builder_reopen(struct builder *b)
{
	builder_set(b, RUN_FINAL, NULL);
	builder_set(b, RUN_DURATION, NULL);
	builder_error(b, NULL);
}

void
builder_set_body(struct builder *b, enum run_member member, struct str body)
{
	struct run *run = builder_current_run(b);

	run->members[member] = copy_quoted(&b->run_arena, body);
}

void
builder_set_times(
    struct builder *b, const struct json *start, const struct json *end)
{
	struct run *run = builder_current_run(b);

	if (start != NULL)
		run->start = copy_time(&b->run_arena, &b->minute, start);
	if (end != NULL)
		run->end = copy_time(&b->run_arena, &b->minute, end);
}

/* Like str_eq; names of the same program are often at the same place. */
static inline bool
is_name(struct str a, struct str b)
{
	return a.n == b.n && (a.s == b.s || str_same(a.s, b.s, a.n));
}

void
builder_meta_named(struct builder *b, struct str name, const struct json *v)
{
	struct run_item **m = &builder_current_run(b)->meta;

	if (v == NULL || v->type == JSON_NULL)
		return;
	while (*m != NULL && !is_name((*m)->name, name))
		m = &(*m)->next;
	if (*m == NULL) {
		*m = arena_new(&b->run_arena, struct run_item);
		(*m)->name = name;
	}
	if (!str_eq((*m)->value, v->text))
		(*m)->value = copy_value(&b->run_arena, v);
}

static bool
is_known(const struct thread *t, struct str model)
{
	return t->models != NULL &&
	    (str_eq(t->models->name, model) ||
		hash_get(&t->model_names, model) != NULL);
}

void
builder_model(struct builder *b, const struct json *v)
{
	struct run_item *m;
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay || json_raw(v).n == 0 || is_known(t, json_raw(v)))
		return;
	m = arena_new(&b->run_arena, struct run_item);
	m->name = copy_body(&b->run_arena, v);
	if (t->models == NULL) {
		t->models = m;
	} else {
		t->last_model->next = m;
		t->model_names.arena = &b->run_arena;
		*hash_put(&t->model_names, m->name) = m;
	}
	t->last_model = m;
}

void
builder_no_calls(struct builder *b)
{
	builder_current_run(b)->no_calls = true;
}

void
builder_records_calls(struct builder *b)
{
	builder_current_run(b)->no_calls = false;
}

void
builder_no_prompt(struct builder *b)
{
	builder_current_run(b)->unprompted = true;
}

void
builder_set_broken(struct builder *b, bool broken)
{
	builder_current_run(b)->broken = broken;
}

const struct json *
builder_bool(bool yes)
{
	static const struct json values[] = {
		{ .text = { "false", 5 }, .span = 1, .type = JSON_FALSE },
		{ .text = { "true", 4 }, .span = 1, .type = JSON_TRUE },
	};

	return &values[yes];
}

const struct json *
builder_str(struct builder *b, struct str body)
{
	return copy_string(&b->run_arena, body);
}

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

static void
place_threads(struct builder *b)
{
	for (struct thread *t = b->run->threads; t != NULL; t = t->next) {
		struct step *call = starter_of(b, t);

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
	return t == NULL && run->main.turns == NULL &&
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
	if (run->has_main || run->members[RUN_ERROR].s != NULL ||
	    run->members[RUN_FINAL].s != NULL)
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
	follow_chain(&b->run->main);
	for (struct thread *t = b->run->threads; t != NULL; t = t->next)
		follow_chain(t);
	if (!is_empty(b->run))
		write_run(b);
	b->run = NULL;
	b->mark = (struct builder_mark){ 0 };
	b->records = (struct id_set){ 0 };
	b->ended = false;
	arena_reset(&b->run_arena);
}

void
builder_end_run(struct builder *b)
{
	b->mark = (struct builder_mark){ 0 };
	b->reported |= BUILDER_SAID;
	/* Only the end of the record shows which of its runs is the last,
	 * incomplete one. */
	if (b->run != NULL && b->log_cut && !b->ended)
		b->ended = true;
	else
		builder_suspend(b);
}

void
builder_end(struct builder *b)
{
	if (b->cut_before)
		break_runs(b);
	if (b->n_suspended != 0)
		builder_end_suspended(b);
	if (b->run != NULL) {
		b->run->broken |= b->log_cut;
		builder_finish(b);
	}
	b->log_cut = b->cut_before = b->interleaved = false;
	b->torn = b->torn_all = 0;
}

void
builder_close(struct builder *b)
{
	builder_end(b);
	json_reader_free(&b->reader);
	arena_free(&b->run_arena);
	arena_free(&b->arena);
}
