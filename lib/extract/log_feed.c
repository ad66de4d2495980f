#include "extract/log_feed.h"

#include "extract/format/log_rows.h"
#include "extract/format/log_session.h"
#include "extract/run/builder_engine.h"

void
log_feed_note_lone(struct log_reader *x, const struct json *value)
{
	if (value->flags & JSON_LONE)
		*x->builder.options.trace.lone = true;
}

static void
feed(struct log_reader *x, const struct json *record, struct place at)
{
	arena_reset(&x->scratch);
	builder_source(&x->builder, at.file, at.line);
	x->log.at = at;
	x->log.counted = record->text.s;
	x->log.line = at.line;
	log_read(&x->log, record);
	builder_end_record(&x->builder);
}

void
log_feed_format(struct log_reader *x, const struct log_format *format)
{
	x->format = format;
	x->builder.options.trace.format = format->name;
	log_open(&x->log, format);
	log_sessions_begin(&x->log);
}

/* ---- files that belong to others ---- */

bool
log_feed_is_copy(struct log_reader *x, const struct json *record)
{
	uint64_t hash;

	if (!x->grouped)
		return false;
	hash = hash_keyed(hash_secret(), record->text);
	hash = (hash & ~(uint64_t)UINT8_MAX) | (x->n_read & UINT8_MAX);
	return hash_set_add(&x->records, hash) != hash;
}

/* Returns whether the file's records were, or will be, read together with
 * another file. */
static bool
belongs_elsewhere(struct log_reader *x, const struct json *record)
{
	const char *owner;

	if (companions_is_beside(x->companions, x->log.path))
		return true;
	owner =
	    x->format->owner == NULL ? NULL : x->format->owner(&x->log, record);
	if (owner == NULL || !fileset_has(x->companions->given, owner) ||
	    companions_is_closed(x->companions, owner))
		return false;
	companions_postpone(x->companions, x->log.path, owner);
	return true;
}

static void
read_beside(struct log_reader *x, const char *path)
{
	char *files[] = { str_c(&x->arena, str_of(path)), NULL };
	const struct json *record;
	struct json_stream values;
	struct in in;

	if (companions_is_beside(x->companions, path) ||
	    companions_is_closed(x->companions, path))
		return;
	companions_read_beside(x->companions, path);
	x->n_read++;
	in_open(&in, files);
	in.max_line = x->job->max_line;
	json_stream_open(&values, &in, x->job->strict);
	values.repair_cut = values.prefixes = true;
	values.growing = x->job->hook != NULL;
	x->log.path = path;
	x->log.in = NULL;
	while ((record = json_stream_next(&values)) != NULL) {
		if (values.cut)
			builder_set_log_cut(&x->builder);
		if (values.torn != 0)
			builder_torn(&x->builder, values.torn, true);
		values.torn = 0;
		log_feed_note_lone(x, record);
		if (!log_feed_is_copy(x, record))
			feed(x, record, values.at);
	}
	if (values.torn != 0)
		builder_torn(&x->builder, values.torn, false);
	json_stream_close(&values);
	in_close(&in);
}

static void
read_beside_of(struct log_reader *x, const char *path)
{
	const struct companions_waiting *w;
	size_t before;

	do {
		char **paths;

		before = companions_beside(x->companions);
		x->log.path = path;
		paths = x->format->beside(&x->log);
		for (; *paths != NULL; paths++)
			read_beside(x, *paths);
		w = companions_waiting(x->companions, path);
		for (size_t i = 0; w != NULL && i < w->n; i++)
			read_beside(x, w->paths[i]);
	} while (companions_beside(x->companions) != before);
}

void
log_feed_beside(struct log_reader *x)
{
	const char *last = x->log.path;

	if (x->format->beside == NULL)
		return;
	for (size_t i = 0; i < x->n_earlier; i++)
		read_beside_of(x, x->earlier[i]);
	if (!x->passed_over)
		read_beside_of(x, last);
	x->log.path = last;
}

/* ---- a file's format ---- */

void
log_feed_begin(struct log_reader *x, const struct json *record)
{
	x->begun = true;
	x->passed_over = belongs_elsewhere(x, record);
	x->alone = x->format->alone != NULL && x->format->alone(record);
}

void
log_feed_torn(struct log_reader *x, size_t line)
{
	if (line == 0 || x->passed_over)
		return;
	if (!x->alone && !builder_may_continue(&x->builder))
		x->torn_runs = line;
	builder_torn(&x->builder, line, !x->alone);
	for (size_t i = 0; i < x->n_streams; i++)
		log_feed_torn(x->streams[i], line);
}

void
log_feed(
    struct log_reader *x, struct log_reader *to, const struct log_record *r)
{
	if (!to->begun)
		log_feed_begin(to, r->json);
	log_feed_torn(x, r->torn);
	to->log.prefix = r->prefix;
	to->log.shortened = r->shortened;
	to->log.one_line = r->one_line;
	to->log.in = x->values.in;
	if (!to->passed_over)
		feed(to, r->json, r->at);
}

/* ---- a reader ---- */

void
log_feed_file(struct log_reader *x, const char *path, struct str id)
{
	arena_reset(&x->arena);
	text_store_free(&x->store);
	x->open = true;
	x->fresh = x->begun = x->passed_over = x->wrapped = x->alone = false;
	x->grouped = false;
	x->earlier = NULL;
	x->n_earlier = x->n_read = x->torn_runs = 0;
	x->log = (struct log){ .builder = &x->builder,
		.arena = &x->arena,
		.scratch = &x->scratch,
		.store = &x->store,
		.path = path,
		.id = id };
	x->written = x->builder.written + x->builder.left_out;
}

void
log_feed_resume(struct log_reader *x, const struct log_format *format,
    const char *path, struct str id)
{
	log_feed_file(x, path, id);
	x->begun = true;
	x->prefixed = false;
	x->alone = format->alone != NULL;
	x->torn = 0;
	log_feed_format(x, format);
}

void
log_feed_open(struct log_reader *x, const struct extract_job *job,
    struct companions *companions)
{
	*x = (struct log_reader){ .job = job, .companions = companions };
	builder_init(&x->builder, job->options);
	x->builder.options.trace.lone = &x->lone;
}
