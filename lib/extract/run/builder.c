/* Life cycle of the builder, and the members of a run. */
#include "extract/run/builder.h"

#include "base/hash.h"
#include "extract/run/builder_engine.h"
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
	b->threads = b->nodes = b->messages = b->starters = b->tasks =
	    (struct hash_table){ .arena = a };
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

static __attribute__((noinline)) void
set_meta(struct builder *b, struct str name, const struct json *v)
{
	struct run_item **m = &b->run->meta;

	while (*m != NULL && !is_name((*m)->name, name))
		m = &(*m)->next;
	if (*m == NULL) {
		*m = arena_new(&b->run_arena, struct run_item);
		(*m)->name = name;
	}
	if (!is_name((*m)->value, v->text))
		(*m)->value = copy_value(&b->run_arena, v);
}

/* Many records repeat the members that they have in common, with names at the same
 * place. */
void
builder_meta_named(struct builder *b, struct str name, const struct json *v)
{
	const struct run_item *m = builder_current_run(b)->meta;

	if (v == NULL || v->type == JSON_NULL)
		return;
	while (m != NULL && m->name.s != name.s)
		m = m->next;
	if (m == NULL || !str_eq(m->value, v->text))
		set_meta(b, name, v);
}

static struct run_item *
known_model(const struct thread *t, struct str model)
{
	if (t->models != NULL && str_eq(t->models->name, model))
		return t->models;
	return t->models == NULL ? NULL : hash_get(&t->model_names, model);
}

void
builder_model(struct builder *b, const struct json *v)
{
	struct run_item *m;
	struct thread *t;

	builder_current_run(b);
	t = b->thread;
	if (b->replay || json_raw(v).n == 0)
		return;
	t->model = known_model(t, json_raw(v));
	if (t->model != NULL)
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
	t->model = t->last_model = m;
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

/* ---- end ---- */

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

struct run *
builder_open_last_run(struct builder *b)
{
	if (b->run == NULL && b->n_suspended != 0)
		builder_resume(b, b->n_suspended - 1);
	if (b->run == NULL) {
		builder_open_run(b);
	} else if (b->ended) {
		b->ended = false;
		builder_reopen(b);
	}
	return b->run;
}

const struct run_item *
builder_model_now(const struct builder *b)
{
	return b->thread->model;
}
