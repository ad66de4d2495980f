#include "extract/format/log_keep.h"

#include "base/hash.h"

/* A value that waits for the end of the file. */
struct kept {
	struct kept *next;
	struct text_place at;
	log_keep_read *read;
	const char *file;
	size_t line;
};

struct group {
	struct group *next;
	struct kept *first, *last;
	size_t bytes; /* of all values, with a comma each */
};

struct log_kept {
	struct hash_table by_name[2]; /* late or not */
	struct group *first[2], *last[2];
	bool lines; /* a value takes several lines */
};

/* ---- keeping ---- */

static struct group *
group_of(struct log *log, struct str name, bool late)
{
	struct log_kept *k = log->kept;
	struct group *g;
	void **slot;

	if (k == NULL) {
		log->kept = k = arena_new(log->arena, struct log_kept);
		k->by_name[0].arena = k->by_name[1].arena = log->arena;
	}
	if (name.n == 0)
		name = STR("");
	slot = hash_put_copy(&k->by_name[late], name);
	if (*slot != NULL)
		return *slot;
	*slot = g = arena_new(log->arena, struct group);
	if (k->first[late] == NULL)
		k->first[late] = g;
	else
		k->last[late]->next = g;
	return k->last[late] = g;
}

void
log_keep(struct log *log, struct str name, bool late, log_keep_read *read,
    const struct json *v)
{
	struct group *g = group_of(log, name, late);
	struct kept *k = arena_room(log->arena, sizeof *k);
	struct place at = log_place(log, v);

	*k = (struct kept){
		.at = text_store_add(log->store, log->in, v->text),
		.read = read,
		.file = at.file,
		.line = at.line,
	};
	if (g->first == NULL)
		g->first = k;
	else
		g->last->next = k;
	g->last = k;
	g->bytes += v->text.n + 1;
	log->kept->lines |= !log->one_line;
	log->builder->reported |= BUILDER_NOTHING;
}

bool
log_keeps_late(const struct log *log, struct str name)
{
	return log->kept != NULL && log->kept->first[true] != NULL &&
	    hash_get(&log->kept->by_name[true], name) != NULL;
}

/* ---- reading ---- */

/* Returns the source of a list of the group's values, in the group's arena. A value
 * that cannot be read again is null there. */
static struct str
list_of(struct log *log, const struct group *g)
{
	char *text = arena_room(log->arena, g->bytes + 2), *to = text;

	*to++ = '[';
	for (const struct kept *k = g->first; k != NULL; k = k->next) {
		if (k != g->first)
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
read_group(struct log *log, const struct group *g, struct json_reader *reader)
{
	struct str text = list_of(log, g);
	const struct kept *k = g->first;
	const struct json *list = json_read(reader, text, NULL, NULL);

	log->state = NULL;
	log->text = log->kept->lines ? (struct str){ 0 } : text;
	for (json_each(v, list)) {
		log->at = (struct place){ .file = k->file, .line = k->line };
		log->counted = v->text.s;
		log->line = k->line;
		if (v->type != JSON_NUMBER)
			k->read(log, v);
		k = k->next;
	}
	log->format->end(log);
	if (log->builder->run != NULL)
		builder_end_run(log->builder);
}

void
log_end(struct log *log)
{
	struct json_reader reader = { 0 };
	struct arena of_group = { 0 }, *of_file = log->arena;

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
		for (const struct group *g = log->kept->first[late]; g != NULL;
		     g = g->next) {
			read_group(log, g, &reader);
			arena_reset(&of_group);
		}
	log->arena = of_file;
	arena_free(&of_group);
	json_reader_free(&reader);
}
