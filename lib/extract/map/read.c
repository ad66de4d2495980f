/* Reads a log by the rules of a map: finds the runs, joins the pieces of each run,
 * and does what no row can say. */
#include "base/hash.h"
#include "extract/map/rules.h"

/* A value that belongs to a run with the other values of its key. */
struct piece {
	struct piece *next;
	const struct json *value;
	struct place at;
	bool outside; /* `runs` does not find the value */
};

struct group {
	struct group *next; /* in the order of the log */
	struct str key;     /* body; absent: the whole file is the run */
	struct piece *first, *last;
};

/* A run while it is read. */
struct map_run {
	const struct json *prompt; /* the last one of a run without turns */
	const struct json *answer; /* the answer to that prompt so far */
	struct usage usage;
};

struct map_log {
	struct hash_table by_key;
	struct group *first, *last;
	struct group *latest; /* to which a piece was added */
	struct map_run run;
};

/* Returns the state of the log, which uses the map. */
static struct map_log *
state_of(struct log *log)
{
	struct map_log *s = log->state;
	const struct map *m = log->context;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct map_log);
		s->by_key.arena = log->arena;
	}
	log->unlogged = m->no_calls ? RUN_LOST_CALL : 0;
	log->builder->options.silent = m->carries_nothing;
	return s;
}

/* ---- hooks ---- */

void
map_read_text(struct log *log, const struct json *text)
{
	/* An empty answer that was set before no longer counts. */
	builder_set(log->builder, RUN_FINAL, NULL);
	builder_text(log->builder, text);
}

/* Reports the answer, unless it equals the last text of the steps. */
static void
end_answer(struct log *log)
{
	struct map_run *run = &state_of(log)->run;
	struct str body = json_raw(run->answer);
	const struct step *said;

	if (run->answer == NULL)
		return;
	said = run_last_text(builder_current_turn(log->builder));
	if (body.n == 0) {
		builder_set_body(log->builder, RUN_FINAL, body);
	} else if (said == NULL ||
	    !str_eq((struct str){ said->text.s, said->text.n }, body)) {
		builder_locate(log->builder, 0);
		map_read_text(log, run->answer);
	}
	run->answer = NULL;
}

void
map_read_final(struct log *log, const struct json *text)
{
	state_of(log)->run.answer = text;
}

void
map_read_answer(struct log *log, const struct json *text)
{
	map_read_final(log, text);
	end_answer(log);
}

/* Reads a prompt of a run without turns. Rows of a table may repeat the prompt of
 * the row before. */
void
map_read_prompt(struct log *log, const struct json *text)
{
	const struct map *m = log->context;
	struct map_run *run = &state_of(log)->run;

	if (run->prompt != NULL &&
	    str_eq(json_raw(run->prompt), json_raw(text)))
		return;
	end_answer(log);
	builder_locate(
	    log->builder, .ts = log_paths_number(m->ts, log->part, log));
	builder_prompt(log->builder, text);
	run->prompt = text;
}

/* Begins a turn, which alone says nothing. */
void
map_read_turn(struct log *log, const struct json *turn)
{
	unsigned reported = log->builder->reported;

	(void)turn;
	builder_locate(log->builder, 0);
	builder_turn(log->builder);
	log->builder->reported = reported;
}

void
map_read_usage(struct log *log, const struct usage *usage)
{
	struct usage *all = &state_of(log)->run.usage;

	usage_forget(all, usage);
	usage_add(all, usage);
}

/* ---- runs ---- */

static void
begin_run(struct log *log, struct place at)
{
	const struct map *m = log->context;

	state_of(log)->run = (struct map_run){ 0 };
	builder_source(log->builder, at.file, at.line);
	builder_begin_run(log->builder);
	if (m->no_calls)
		builder_no_calls(log->builder);
}

static void
end_run(struct log *log)
{
	struct map_run *run = &state_of(log)->run;

	end_answer(log);
	if (run->usage.known != 0)
		builder_usage_uncounted(log->builder, &run->usage);
	builder_end_run(log->builder);
}

static struct group *
group_of(struct log *log, struct str key)
{
	struct map_log *g = state_of(log);
	struct group *group;
	void **slot;

	key = str_dup(log->arena, key);
	slot = hash_put(&g->by_key, key);
	if (*slot != NULL)
		return *slot;
	*slot = group = arena_new(log->arena, struct group);
	group->key = key;
	if (g->first == NULL)
		g->first = group;
	else
		g->last->next = group;
	g->last = group;
	return group;
}

static void
add_piece_to(struct log *log, struct group *group, struct place at,
    const struct json *v, bool outside)
{
	struct map_log *g = log->state;
	struct piece *piece = arena_new(log->arena, struct piece);

	piece->value = copy_tree(log->arena, v);
	piece->at = at;
	piece->outside = outside;
	if (group->first == NULL)
		group->first = piece;
	else
		group->last->next = piece;
	group->last = piece;
	g->latest = group;
}

static void
add_piece(struct log *log, struct place at, const struct json *v)
{
	const struct map *m = log->context;
	const struct json *key = log_paths_text(m->group, STR("/"), v, log);

	if (key != NULL || m->by_file)
		add_piece_to(log, group_of(log, json_raw(key)), at, v, false);
	else
		diag_error(at,
		    "group: expected a value that names the run, found none");
}

static void
read_group(struct log *log, const struct group *group)
{
	const struct map *m = log->context;
	struct arena arena = { 0 }, *scratch = log->scratch;
	struct place at = log->at;

	log->scratch = &arena;
	begin_run(log, group->first->at);
	if (!m->by_file)
		builder_set_body(log->builder, RUN_ID, group->key);
	for (const struct piece *p = group->first; p != NULL; p = p->next) {
		log->at = p->at;
		builder_source(log->builder, p->at.file, p->at.line);
		log_rows_part(log, p->outside ? NULL : m->rows, p->value);
	}
	end_run(log);
	arena_free(&arena);
	log->scratch = scratch;
	log->at = at;
}

/* Reads a value that `runs` found: a run, or a piece of a run. */
static void
read_found(struct log *log, const struct json *v)
{
	const struct map *m = log->context;
	struct place record = log->at;

	log->at = log_place(log, v);
	if (m->when != NULL && !jsonpath_holds(m->when, v, log->scratch)) {
		log->at = record;
		return;
	}
	if (m->by_file || m->group != NULL) {
		add_piece(log, log->at, v);
	} else {
		begin_run(log, log->at);
		log_rows_part(log, m->rows, v);
		end_run(log);
	}
	log->at = record;
}

/* Reads a record in which `runs` finds nothing: of the run to which the log belonged
 * last, if there is one. */
static void
read_outside(struct log *log, const struct json *record)
{
	const struct map_log *g = state_of(log);

	if (g->latest == NULL)
		log_rows_part(log, NULL, record);
	else
		add_piece_to(log, g->latest, log->at, record, true);
}

void
map_read_record(struct log *log, const struct json *record)
{
	const struct map *m = log->context;
	struct jsonpath_list runs = log_paths_list(m->runs, record, log);

	if (runs.n == 0)
		read_outside(log, record);
	for (size_t i = 0; i < runs.n; i++)
		read_found(log, runs.values[i]);
}

void
map_read_end(struct log *log)
{
	const struct map_log *g = log->state;

	for (struct group *of = g == NULL ? NULL : g->first; of != NULL;
	     of = of->next)
		read_group(log, of);
}
