#include "extract/map/embedded.h"

#include "extract/map/rules.h"

extern const unsigned char a2a_yaml[], cursor_ide_yaml[], sharegpt_yaml[];
extern const size_t a2a_yaml_size, cursor_ide_yaml_size, sharegpt_yaml_size;

static const struct {
	const char *name, *what, *asked;
	const unsigned char *text;
	const size_t *n;
} table[] = {
	{ "a2a", "A2A (Agent2Agent): tasks", "status, task, result", a2a_yaml,
	    &a2a_yaml_size },
	{ "cursor-ide", "Cursor: sessions of the editor, in state.vscdb",
	    "composerId", cursor_ide_yaml, &cursor_ide_yaml_size },
	{ "sharegpt", "ShareGPT conversations (data sets)", "conversations",
	    sharegpt_yaml, &sharegpt_yaml_size },
};

enum { MAPS = sizeof table / sizeof *table };

/* Returns the map. Its own text is right: the tests read it. */
static struct map *
map_of(const void *context)
{
	/* The context of a format is constant; this struct is the caller's. */
	union {
		const void *given;
		struct map_embedded *own;
	} embedded = { .given = context };
	struct map_embedded *e = embedded.own;

	diag_lock(&e->lock);
	if (e->map == NULL)
		e->map = map_read_known(&e->arena, e->format.name,
		    (struct str){ (const char *)e->text, e->n });
	diag_unlock(&e->lock);
	if (e->map == NULL)
		diag_die("%s: the embedded map is wrong", e->format.name);
	return e->map;
}

static int
score(const void *context, const struct json *record)
{
	return map_score(map_of(context), record);
}

static void
read_record(struct log *log, const struct json *record)
{
	log->context = map_of(log->format->context);
	map_read_record(log, record);
}

static void
end(struct log *log)
{
	log->context = map_of(log->format->context);
	map_read_end(log);
}

bool
map_embedded_open(struct map_embedded *e, size_t i)
{
	if (i >= MAPS)
		return false;
	*e = (struct map_embedded){
		.format = {
			.name = table[i].name,
			.what = table[i].what,
			.context = e,
			.score_by = score,
			.asked = table[i].asked,
			.read = read_record,
			.end = end,
			.unidentified = UNIDENTIFIED_BY_MESSAGE,
		},
		.text = table[i].text,
		.n = *table[i].n,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	return true;
}

void
map_embedded_close(struct map_embedded *e)
{
	map_close(e->map);
	arena_free(&e->arena);
	pthread_mutex_destroy(&e->lock);
}
