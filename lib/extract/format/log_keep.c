#include "extract/format/log_keep.h"

#include "base/hash.h"
#include "extract/value/copy.h"

enum {
	/* Bytes of values that are kept in memory, since these need not be read and
	 * parsed again: most files have fewer. */
	IN_MEMORY = 16 * 1024 * 1024,
};

/* A value that waits for the end of the file. */
struct kept {
	struct kept *next;
	const struct json *value; /* NULL: only its place is kept */
	struct text_place at;
	log_keep_read *read;
	const char *file;
	size_t line;
};

struct group {
	struct group *next;
	struct str name;
	struct kept *first, *last;
	size_t bytes; /* of the values that are read again, with a comma each */
};

struct log_kept {
	struct hash_table by_name[2]; /* late or not */
	struct group *first[2], *last[2];
	struct group *current[2]; /* of the value that was kept last */
	bool lines;               /* a value takes several lines */
	size_t held;              /* bytes of the values in memory */
};

/* ---- keeping ---- */

static struct group *
begin_group(struct log *log, struct str name, bool late)
{
	struct group *g = arena_new(log->arena, struct group);
	struct log_kept *k = log->kept;

	g->name = str_dup(log->arena, name);
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

void
log_keep(struct log *log, struct str name, bool late, log_keep_read *read,
    const struct json *v)
{
	struct group *g = group_of(log, name, late);
	struct kept *k = arena_room(log->arena, sizeof *k);
	struct place at = log_place(log, v);

	*k = (struct kept){ .read = read, .file = at.file, .line = at.line };
	if (log->kept->held < IN_MEMORY) {
		k->value = copy_tree(log->arena, v);
		log->kept->held += v->text.n + v->span * sizeof *v;
	} else {
		k->at = text_store_add(log->store, log->in, v->text);
		g->bytes += v->text.n + 1;
	}
	if (g->first == NULL)
		g->first = k;
	else
		g->last->next = k;
	g->last = k;
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
	for (const struct kept *k = g->first; k != NULL; k = k->next) {
		if (k->value != NULL)
			continue;
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
read_group(struct log *log, const struct group *g, struct json_reader *reader)
{
	struct str text = list_of(log, g);
	const struct json *list = json_read(reader, text, NULL, NULL);
	const struct json *next = json_first(list);

	log->state = NULL;
	log->text = text;
	if (log->kept->lines || g->first->value != NULL)
		log->text = (struct str){ 0 };
	for (const struct kept *k = g->first; k != NULL; k = k->next) {
		if (k->value != NULL) {
			read_one(log, k, k->value);
		} else if (next != NULL) {
			read_one(log, k, next);
			next = json_next(list, next);
		}
	}
	log->format->end(log);
	if (log->builder->run != NULL)
		builder_end_run(log->builder);
}

void
log_end(struct log *log, bool (*goes_on)(void *), void *arg)
{
	struct json_reader reader = { 0 };
	struct arena of_group = { 0 }, *of_file = log->arena;
	bool go_on = true;

	if (log->kept == NULL) {
		if (log->format->end != NULL)
			log->format->end(log);
		if (log->format->end_run != NULL &&
		    !builder_may_continue(log->builder))
			log->format->end_run(log);
		return;
	}
	log->arena = &of_group;
	for (int late = 0; late < 2; late++)
		for (const struct group *g = log->kept->first[late];
		     g != NULL && go_on; g = g->next) {
			read_group(log, g, &reader);
			arena_reset(&of_group);
			go_on = goes_on == NULL || goes_on(arg);
		}
	log->arena = of_file;
	arena_free(&of_group);
	json_reader_free(&reader);
}
