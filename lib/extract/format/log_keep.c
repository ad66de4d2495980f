#include "extract/format/log_keep.h"

#include "base/hash.h"
#include "extract/value/copy.h"
#include "io/external_sort.h"

enum {
	/* Bytes of values that are kept in memory, since these need not be read and
	 * parsed again: most files have fewer. */
	IN_MEMORY = 16 * 1024 * 1024,
	/* Bytes of places that are kept in memory, unless the user says so. */
	PLACES = 256 * 1024 * 1024,
	SORTED = 1024 * 1024, /* the same once they exceed that, at least */
	KEY = 2 * sizeof(uint64_t), /* of a place that is sorted */
};

/* A value that waits for the end of the file. */
struct kept {
	struct kept *next;
	const struct json *value; /* NULL in a list of places */
	struct text_place at;
	log_keep_read *read;
	const char *file;
	size_t line;
};

struct kept_list {
	struct kept *first, *last;
};

struct group {
	struct group *next;
	struct str name;
	struct kept_list values, places; /* the values precede */
	size_t bytes; /* of the values that are read again, with a comma each */
	uint64_t
	    number; /* among all groups, in the order in which they are read */
};

struct log_kept {
	struct hash_table by_name[2]; /* late or not */
	struct group *first[2], *last[2];
	struct group *current[2]; /* of the value that was kept last */
	bool lines;               /* a value takes several lines */
	size_t held;              /* bytes of the values in memory */
	size_t n_groups, n_places;
	struct arena places; /* in which the places are, until */
	bool sorts;          /* they exceed the limit: they are in `sort` */
	struct external_sort sort; /* by the group, and in order */
	struct str key, text; /* of the piece that is read next, or absent */
};

/* ---- keeping ---- */

static struct group *
begin_group(struct log *log, struct str name, bool late)
{
	struct group *g = arena_new(log->arena, struct group);
	struct log_kept *k = log->kept;

	g->name = str_dup(log->arena, name);
	g->number = (uint64_t)late << 63 | k->n_groups++;
	*hash_put(&k->by_name[late], g->name) = g;
	if (k->first[late] == NULL)
		k->first[late] = g;
	else
		k->last[late]->next = g;
	return k->last[late] = g;
}

static struct group *
group_of(struct log *log, struct str name, bool late)
{
	struct log_kept *k = log->kept;
	struct group *g;

	if (k == NULL) {
		log->kept = k = arena_new(log->arena, struct log_kept);
		k->by_name[0].arena = k->by_name[1].arena = log->arena;
	}
	if (name.n == 0)
		name = STR("");
	if (k->current[late] != NULL && str_eq(k->current[late]->name, name))
		return k->current[late];
	g = hash_get(&k->by_name[late], name);
	if (g == NULL)
		g = begin_group(log, name, late);
	return k->current[late] = g;
}

static struct kept *
append(struct arena *a, struct kept_list *to, const struct kept *k)
{
	struct kept *copy = arena_room(a, sizeof *copy);

	*copy = *k;
	copy->next = NULL;
	if (to->first == NULL)
		to->first = copy;
	else
		to->last->next = copy;
	return to->last = copy;
}

/* Writes the number so that the order of the bytes is that of the numbers. */
static void
put_number(char *to, uint64_t n)
{
	for (size_t i = sizeof n; i-- > 0; n >>= 8)
		to[i] = (char)(n & 0xff);
}

static void
sort_place(struct log_kept *all, const struct group *g, const struct kept *k)
{
	char key[KEY];

	put_number(key, g->number);
	put_number(key + KEY / 2, all->n_places++);
	external_sort_add(&all->sort, (struct str){ key, KEY },
	    (struct str){ (const char *)k, sizeof *k });
}

/* Moves all places to the sort. */
static void
sort_all(struct log_kept *all, size_t limit)
{
	external_sort_start(
	    &all->sort, limit / 16 > SORTED ? limit / 16 : SORTED);
	all->sorts = true;
	for (int late = 0; late < 2; late++)
		for (struct group *g = all->first[late]; g; g = g->next)
			for (struct kept *k = g->places.first; k; k = k->next)
				sort_place(all, g, k);
	arena_free(&all->places);
}

static void
keep_place(struct log *log, struct group *g, const struct kept *k)
{
	struct log_kept *all = log->kept;
	size_t limit = log->builder->options.max_memory;

	limit = limit == 0 ? PLACES : limit;
	if (!all->sorts && all->n_places * sizeof *k >= limit)
		sort_all(all, limit);
	if (all->sorts) {
		sort_place(all, g, k);
	} else {
		append(&all->places, &g->places, k);
		all->n_places++;
	}
}

void
log_keep(struct log *log, struct str name, bool late, log_keep_read *read,
    const struct json *v)
{
	struct group *g = group_of(log, name, late);
	struct place at = log_place(log, v);
	struct kept k = { .read = read, .file = at.file, .line = at.line };

	if (log->kept->held < IN_MEMORY) {
		k.value = copy_tree(log->arena, v);
		log->kept->held += v->text.n + v->span * sizeof *v;
		append(log->arena, &g->values, &k);
	} else {
		k.at = text_store_add(log->store, log->in, v->text);
		g->bytes += v->text.n + 1;
		keep_place(log, g, &k);
	}
	log->kept->lines |= !log->one_line;
	log->builder->reported |= BUILDER_NOTHING;
}

bool
log_keeps_any_late(const struct log *log)
{
	return log->kept != NULL && log->kept->first[true] != NULL;
}

bool
log_keeps_late(const struct log *log, struct str name)
{
	return log_keeps_any_late(log) &&
	    hash_get(&log->kept->by_name[true], name) != NULL;
}

/* ---- reading ---- */

/* Returns the source of a list of the group's values that are not in memory, in the
 * group's arena. A value that cannot be read again is a number there. */
static struct str
list_of(struct log *log, const struct group *g)
{
	char *text = arena_room(log->arena, g->bytes + 2), *to = text;

	*to++ = '[';
	for (const struct kept *k = g->places.first; k; k = k->next) {
		if (to != text + 1)
			*to++ = ',';
		if (!text_store_read(log->store, k->at, to)) {
			diag_error(
			    (struct place){ .file = k->file, .line = k->line },
			    "cannot read again: the file changed meanwhile");
			builder_torn(log->builder, k->line, true);
			memset(to, ' ', k->at.n);
			*to = '0';
		}
		to += k->at.n;
	}
	*to++ = ']';
	return (struct str){ text, (size_t)(to - text) };
}

static void
read_one(struct log *log, const struct kept *k, const struct json *v)
{
	if (json_is(v, JSON_NUMBER))
		return;
	log->at = (struct place){ .file = k->file, .line = k->line };
	log->counted = v->text.s;
	log->line = k->line;
	k->read(log, v);
}

static void
next_sorted(struct log_kept *all)
{
	if (!external_sort_next(&all->sort, &all->key, &all->text))
		all->key.s = NULL;
}

static void
begin_sorted(struct log_kept *all)
{
	if (!all->sorts)
		return;
	external_sort_end(&all->sort);
	next_sorted(all);
}

/* Takes the places of the group from the sort, into the group's arena. */
static void
take_places(struct log *log, struct group *g)
{
	struct log_kept *all = log->kept;
	char number[KEY / 2];
	struct kept k;

	put_number(number, g->number);
	g->places = (struct kept_list){ 0 };
	while (all->key.s != NULL && memcmp(all->key.s, number, KEY / 2) == 0) {
		memcpy(&k, all->text.s, sizeof k);
		append(log->arena, &g->places, &k);
		next_sorted(all);
	}
}

static void
read_group(struct log *log, struct group *g, struct json_reader *reader)
{
	struct str text = list_of(log, g);
	const struct json *list = json_read(reader, text, NULL, NULL);
	const struct json *next = json_first(list);

	log->state = NULL;
	log_need_state(log);
	log->text = text;
	if (log->kept->lines || g->values.first != NULL)
		log->text = (struct str){ 0 };
	for (const struct kept *k = g->values.first; k; k = k->next)
		read_one(log, k, k->value);
	for (const struct kept *k = g->places.first; k && next; k = k->next) {
		read_one(log, k, next);
		next = json_next(list, next);
	}
	log->format->end(log);
	if (builder_has_run(log->builder))
		builder_end_run(log->builder);
}

void
log_end(struct log *log, bool (*goes_on)(void *), void *arg)
{
	struct json_reader reader = { 0 };
	struct arena of_group = { 0 }, *of_file = log->arena;
	bool go_on = true;

	if (log->kept == NULL) {
		log_need_state(log);
		if (log->format->end != NULL)
			log->format->end(log);
		if (log->format->end_run != NULL &&
		    !builder_may_continue(log->builder))
			log->format->end_run(log);
		return;
	}
	begin_sorted(log->kept);
	log->arena = &of_group;
	for (int late = 0; late < 2; late++)
		for (struct group *g = log->kept->first[late];
		     g != NULL && go_on; g = g->next) {
			if (log->kept->sorts)
				take_places(log, g);
			read_group(log, g, &reader);
			arena_reset(&of_group);
			go_on = goes_on == NULL || goes_on(arg);
		}
	log->arena = of_file;
	arena_free(&of_group);
	arena_free(&log->kept->places);
	if (log->kept->sorts)
		external_sort_free(&log->kept->sort);
	json_reader_free(&reader);
}
