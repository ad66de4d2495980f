/* Reads a log by the rules of a map: finds the runs, and joins the pieces of
 * each run. */
#include "base/hash.h"
#include "extract/map/emit.h"

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

struct groups {
	struct hash_table by_key;
	struct group *first, *last;
	struct group *latest; /* to which a piece was added */
};

static struct group *
group_of(struct log *log, struct str key)
{
	struct groups *g = log->state;
	struct group *group;
	void **slot;

	if (g == NULL) {
		log->state = g = arena_new(log->arena, struct groups);
		g->by_key.arena = log->arena;
	}
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
	struct groups *g = log->state;
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
add_piece(struct log *log, const struct map_emitter *t, const struct json *v)
{
	struct str key = map_find_key(&t->find, &t->map->paths[MAP_GROUP], v);

	if (key.s != NULL || t->map->by_file)
		add_piece_to(log, group_of(log, key), t->find.at, v, false);
	else
		diag_error(t->find.at,
		    "group: expected a value that names the run, found none");
}

static void
emit_group(struct log *log, const struct group *group)
{
	struct arena arena = { 0 };
	struct map_emitter t = {
		.map = log->context,
		.builder = log->builder,
		.find = { &arena, group->first->at },
	};

	map_emit_begin(&t);
	if (!t.map->by_file)
		builder_set_body(t.builder, RUN_ID, group->key);
	for (const struct piece *p = group->first; p != NULL; p = p->next) {
		t.find.at = p->at;
		builder_source(t.builder, p->at.file, p->at.line);
		(p->outside ? map_emit_unread : map_emit_piece)(&t, p->value);
	}
	map_emit_done(&t);
	arena_free(&arena);
}

/* Reads a value that `runs` found: a run, or a piece of a run. */
static void
read_found(struct log *log, const struct json *v)
{
	struct map_emitter t = {
		.map = log->context,
		.builder = log->builder,
		.find = { log->scratch, log_place(log, v) },
	};

	if (t.map->when != NULL &&
	    !jsonpath_holds(t.map->when, v, log->scratch))
		return;
	if (t.map->by_file || t.map->paths[MAP_GROUP].n != 0) {
		add_piece(log, &t, v);
		return;
	}
	map_emit_begin(&t);
	map_emit_piece(&t, v);
	map_emit_done(&t);
}

/* Reads a record in which `runs` finds nothing: of the run to which the log belonged
 * last, if there is one. */
static void
read_outside(struct log *log, struct map_emitter *t, const struct json *record)
{
	struct groups *g = log->state;

	if (g == NULL)
		map_emit_unread(t, record);
	else
		add_piece_to(log, g->latest, log->at, record, true);
}

void
map_read_record(struct log *log, const struct json *record)
{
	struct map_emitter t = {
		.map = log->context,
		.builder = log->builder,
		.find = { log->scratch, log->at },
	};
	struct jsonpath_list runs =
	    map_find_each(&t.find, &t.map->paths[MAP_RUNS], record);

	if (runs.n == 0)
		read_outside(log, &t, record);
	for (size_t i = 0; i < runs.n; i++)
		read_found(log, runs.values[i]);
}

void
map_read_end(struct log *log)
{
	const struct groups *g = log->state;

	for (struct group *of = g == NULL ? NULL : g->first; of != NULL;
	     of = of->next)
		emit_group(log, of);
}
