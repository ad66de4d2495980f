#include "extract/log_streams.h"

#include "extract/format/log_rows.h"
#include "extract/run/builder_engine.h"
#include "extract/value/copy.h"

/* Opens a reader of the records of this format in the file that `x` reads. */
static struct log_reader *
open_stream(struct log_reader *x, const struct log_format *format)
{
	struct log_reader *stream = arena_new(&x->arena, struct log_reader);

	log_feed_open(stream, x->job, x->companions);
	stream->builder.options = x->builder.options;
	if (stream->builder.options.ids == NULL)
		builder_share_ids(&stream->builder, &x->builder);
	log_feed_resume(stream, format, x->log.path, (struct str){ 0 });
	stream->alone = false;
	return *arena_push(&x->arena, x->streams, x->n_streams) = stream;
}

/* Returns the format of the record, or NULL if it is not known yet. */
static const struct log_format *
format_in_mixed(
    struct log_reader *x, const struct json *record, struct place at)
{
	const struct log_format *format;

	if (x->mixed == NULL)
		x->mixed = mixed_new(&x->arena, x->format, x->job->formats);
	format = mixed_format(x->mixed, record, at);
	if (format != NULL || x->n < GUESS_RECORDS)
		return format;
	mixed_settle(x->mixed);
	return mixed_format(x->mixed, record, at);
}

/* Returns the reader of records of the format: `x`, or that of another stream. */
static struct log_reader *
reader_of(struct log_reader *x, const struct log_format *format)
{
	if (format == x->format)
		return x;
	for (size_t i = 0; i < x->n_streams; i++)
		if (x->streams[i]->format == format)
			return x->streams[i];
	return open_stream(x, format);
}

/* Notes a record that was fed to a reader, if its format read nothing of the record. */
static void
note_doubt(struct log_reader *x, struct log_reader *to,
    const struct json *record, struct place at)
{
	if (x->mixed != NULL && !to->passed_over && to->builder.reported == 0 &&
	    !log_knows(&to->log, record))
		mixed_doubt(x->mixed, record, at);
}

void
log_streams_settle(struct log_reader *x, struct log_reader *next)
{
	struct log_reader *to = x->last == NULL ? x : x->last;

	for (size_t i = 0; i < x->n; i++) {
		const struct log_record *w = &x->waiting[i];

		if (to != next &&
		    format_index_score_of(
			x->job->formats, next->format, w->json) > 0)
			to = next;
		log_feed(x, to, w);
		note_doubt(x, to, w->json, w->at);
	}
	x->n = 0;
}

/* Returns the format that claims the records that wait, all together, if the reader
 * does not know the first of them; else NULL. */
static const struct log_format *
format_of_waiting(struct log_reader *x, struct log_reader *to)
{
	struct log_format_guess guess = { .index = x->job->formats };
	const struct log_format *format = NULL;

	if (x->n == 0 || log_knows(&to->log, x->waiting[0].json))
		return NULL;
	for (size_t i = 0; i < x->n; i++)
		format = log_format_guess(&guess, x->waiting[i].json);
	return format;
}

void
log_streams_end(struct log_reader *x)
{
	struct log_reader *to = x->last == NULL ? x : x->last;
	const struct log_format *format = format_of_waiting(x, to);

	log_streams_settle(x, format == NULL ? to : reader_of(x, format));
}

void
log_reader_forget_streams(struct log_reader *x)
{
	for (size_t i = 0; i < x->n_streams; i++)
		log_reader_close(x->streams[i]);
	x->streams = NULL;
	x->n_streams = 0;
	x->mixed = NULL;
	x->last = NULL;
	x->waiting = NULL;
	x->n = 0;
}

void
log_streams_wait(struct log_reader *x, const struct log_record *r)
{
	struct log_record *w = arena_push(&x->arena, x->waiting, x->n);

	*w = *r;
	w->json = copy_tree(&x->arena, r->json);
	w->prefix = str_dup(&x->arena, r->prefix);
}

void
log_streams_feed(struct log_reader *x, const struct log_record *r, bool cut)
{
	struct log_reader *to = x;

	if (!x->begun)
		log_feed_begin(x, r->json);
	if (x->job->format == NULL && !x->passed_over &&
	    !x->format->whole_file) {
		const struct log_format *format =
		    format_in_mixed(x, cut ? NULL : r->json, r->at);

		if (format == NULL) {
			log_streams_wait(x, r);
			return;
		}
		to = reader_of(x, format);
		log_streams_settle(x, to);
		x->last = to;
	}
	if (cut) {
		builder_set_log_cut(&to->builder);
		if (!builder_may_continue(&to->builder))
			to->torn_runs = r->at.line;
	}
	log_feed(x, to, r);
}

void
log_reader_close(struct log_reader *x)
{
	log_reader_forget_streams(x);
	json_stream_close(&x->values);
	builder_close(&x->builder);
	text_store_free(&x->store);
	arena_free(&x->arena);
	arena_free(&x->scratch);
}
