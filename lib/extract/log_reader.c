#include "extract/log_reader.h"

#include "extract/export/export.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/hook.h"
#include "extract/log_streams.h"
#include "extract/run/builder_engine.h"
#include "io/in_chunk.h"
#include "trace/trace.h"

enum { ID_MAX = 100 }; /* characters of an id in a message */

/* ---- a file ---- */

/* Returns the records that wait for the format. */
static struct log_records
waiting(const struct log_reader *x)
{
	return (struct log_records){ x->log.path, x->waiting, x->n };
}

static void
use_format(struct log_reader *x, const struct log_format *format)
{
	log_feed_format(x, format);
	if (x->job->format == NULL)
		x->mixed = mixed_new(&x->arena, format, x->job->formats);
	log_streams_settle(x, x);
}

/* Begins to read a file, and then the other files of its group. */
static void
open_file(struct log_reader *x, const char *path, char *const *others)
{
	log_reader_forget_streams(x);
	log_feed_file(x, path, (struct str){ 0 });
	x->fresh = true;
	x->grouped = others != NULL && *others != NULL;
	x->records = (struct hash_set){ .arena = &x->arena };
	x->guess = (struct log_format_guess){ .index = x->job->formats };
	x->format = NULL;
	x->contested = 0;
	if (x->job->format != NULL)
		use_format(x, x->job->format);
}

/* Goes on with the next file of a group. */
static void
continue_in(struct log_reader *x, const char *path)
{
	if (!x->passed_over)
		*arena_push(&x->arena, x->earlier, x->n_earlier) = x->log.path;
	if (x->format != NULL)
		extract_report_unread(&x->builder, x->log.path, &x->unread);
	x->fresh = true;
	x->n_read++;
	x->begun = x->passed_over = x->wrapped = false;
	x->log.path = path;
	for (size_t i = 0; i < x->n_streams; i++) {
		extract_report_unread(&x->streams[i]->builder,
		    x->streams[i]->log.path, &x->streams[i]->unread);
		x->streams[i]->log.path = path;
	}
}

/* Counts the file if it was found in a folder, since such a file need not be a
 * log; `why` is kept for the first one. Returns false for any other file. */
static bool
count_found(struct log_reader *x, struct place at, struct str why)
{
	if (x->job->walk == NULL || !fileset_has(&x->job->walk->found, at.file))
		return false;
	extract_files_note(&x->no_logs, 1, at, why);
	return true;
}

static void
report_unknown_format(struct log_reader *x)
{
	const struct unknown_log log = {
		.formats = x->job->formats->table,
		.dialect_of = x->job->dialect_of,
		.records = waiting(x),
	};
	struct place at = x->waiting[0].at;
	const struct json *first = x->waiting[0].json;
	struct str why = unknown_log_why(&x->arena, first);

	if (!count_found(x, at, why)) {
		struct str remedy = unknown_log_remedy(&x->arena, &log, first);

		diag_error(at, "%.*s (%.*s)", STR_FMT(why), STR_FMT(remedy));
	}
}

/* Ends the runs of the file, or of a stream of another format in the file. */
static void
end_runs(struct log_reader *x, bool whole)
{
	log_feed_beside(x);
	builder_torn_all(&x->builder, x->torn_runs);
	log_end(&x->log, x->goes_on, x->arg);
	if (whole && x->job->hook != NULL)
		hook_report(x->job->hook, &x->builder);
	builder_end(&x->builder);
	extract_report_unread(&x->builder, x->log.path, &x->unread);
}

/* Ends the streams of other formats, and counts their runs. */
static void
end_streams(struct log_reader *x)
{
	for (size_t i = 0; i < x->n_streams; i++) {
		end_runs(x->streams[i], false);
		x->builder.written += x->streams[i]->builder.written;
		x->builder.left_out += x->streams[i]->builder.left_out;
	}
	log_reader_forget_streams(x);
}

/* Ends a file of known format. */
static void
finish(struct log_reader *x)
{
	struct place at = { .file = x->log.path };
	struct str why;

	if (x->passed_over && x->n_earlier == 0)
		return;
	log_streams_end(x);
	log_feed_torn(x, x->torn);
	end_runs(x, true);
	if (x->mixed != NULL)
		mixed_warn(x->mixed);
	end_streams(x);
	companions_close(x->companions, at.file);
	for (size_t i = 0; i < x->n_earlier; i++)
		companions_close(x->companions, x->earlier[i]);
	if (x->builder.written + x->builder.left_out != x->written)
		return;
	why = str_printf(
	    &x->arena, "no agent run found (read as %s)", x->format->name);
	if (!count_found(x, at, why))
		diag_warn(at, "%.*s", STR_FMT(why));
}

/* Chooses the format by the records that wait, if they hint at any. */
static void
choose(struct log_reader *x)
{
	struct log_records first = waiting(x);
	const struct log_format *chosen = log_choose(&x->guess, &first);

	if (chosen == NULL)
		return;
	if (x->job->verbose)
		log_explain(x->job->formats, chosen, &first);
	if (x->contested != 0)
		x->n = 0;
	use_format(x, chosen);
	if (x->contested == 0)
		return;
	x->waiting = NULL;
	mixed_begin(x->mixed, first.list->json);
	for (size_t i = 0; i < first.n; i++)
		log_streams_feed(x, &first.list[i], false);
}

void
log_reader_end_file(struct log_reader *x)
{
	if (!x->open)
		return;
	if (x->format == NULL)
		choose(x);
	if (x->format != NULL)
		finish(x);
	else if (x->n != 0) /* not traces only */
		report_unknown_format(x);
	builder_end(&x->builder);
	x->open = false;
}

/* Writes a trace in the format of the options. Returns false if the record is
 * no trace, or if traces are written and not read. */
static bool
take_trace(struct log_reader *x, const struct json *record, struct place at)
{
	struct builder_options *options = &x->builder.options;

	if (options->trace.to == NULL || x->format != NULL ||
	    !json_str_is(json_get(record, "type"), "trace") ||
	    !json_has(record, "v"))
		return false;
	if (!export_is_in_period(record, options->period)) {
		x->builder.left_out++;
		return true;
	}
	export_trace(options->out, &options->trace, record, at);
	x->builder.written++;
	return true;
}

/* Explains the choice of the format by the record, which does not wait. */
static void
explain(struct log_reader *x, const struct log_format *format,
    const struct log_record *r)
{
	struct log_records first;

	log_streams_wait(x, r);
	first = waiting(x);
	log_explain(x->job->formats, format, &first);
	x->n--;
}

/* Finds the file's format by the record and those that wait. Returns whether it is
 * known and the record can be read. */
static bool
recognise(struct log_reader *x, const struct log_record *r)
{
	const struct log_format *format, *rival;

	if (x->contested != 0)
		return false;
	format = rival = log_format_guess(&x->guess, r->json);
	/* A map of the user's has no rival. */
	while (rival != NULL && format->context == NULL) {
		rival = log_format_rival(&x->guess, format, r->json);
		x->contested |= rival != NULL;
	}
	if (format == NULL && x->guess.records == GUESS_RECORDS)
		choose(x);
	if (format == NULL || x->contested != 0)
		return x->format != NULL;
	if (x->job->verbose)
		explain(x, format, r);
	use_format(x, format);
	mixed_begin(x->mixed, r->json);
	return true;
}

static void
take(struct log_reader *x, const struct json *record, struct place at,
    const struct json_stream *v)
{
	struct log_record r = { record, v->prefix, at, v->shortened,
		v->one_line, v->torn };

	if (take_trace(x, record, at) || log_feed_is_copy(x, record))
		return;
	x->values.torn = 0;
	if (x->format != NULL || recognise(x, &r)) {
		log_streams_feed(x, &r, v->cut);
		return;
	}
	log_streams_wait(x, &r);
	if (x->contested == 0)
		return;
	x->contested += record->text.n;
	if (x->n >= GUESS_RECORDS || x->contested > LOG_TRIAL_BYTES ||
	    v->in->patience > 0)
		choose(x);
}

/* Returns whether the elements of a list behind the file's first value are records:
 * no format knows the list itself, and some format claims the elements, or the file
 * has had such lists. */
static bool
is_wrapped_later(struct log_reader *x, const struct json *list)
{
	if (x->job->format != NULL || x->format == NULL ||
	    x->format->whole_file)
		return x->wrapped;
	if (format_index_score_of(x->job->formats, x->format, list) > 0 ||
	    log_format_of(x->job->formats, list) != NULL)
		return false;
	return x->wrapped ||
	    log_format_of(x->job->formats, json_first(list)) != NULL;
}

/* Returns whether the elements of the list, the first value of its file, are the
 * records, since the list itself is no record of any format, or of the format of
 * the file, if that is known. */
static bool
wraps(struct log_reader *x, const struct log_format *format,
    const struct json *list)
{
	const struct format_index *index = x->job->formats;

	if (format == NULL)
		return log_format_of(x->job->formats, list) == NULL;
	return format_index_score_of(index, format, list) <= 0 &&
	    format_index_score_of(index, format, json_first(list)) > 0;
}

/* Returns whether the list's elements are the records. */
static bool
is_wrapped(struct log_reader *x, const struct json *list)
{
	if (!json_is(list, JSON_ARRAY) || json_first(list) == NULL)
		return false;
	if (!x->fresh)
		return is_wrapped_later(x, list);
	x->wrapped = wraps(x, x->format, list);
	return x->wrapped;
}

/* The function `splits` of seek_head: any list passes. */
static const char *
pass(void *none, struct str path, const struct json *part)
{
	(void)none;
	(void)path;
	(void)part;
	return "";
}

/* Adds the member of the part at the first of the paths that has one to the value
 * that `x` reads. Returns false if there is none. */
static bool
add_head(struct log_reader *x, const struct json *part, struct str paths)
{
	struct json_parts *to = &x->values.parts;

	while (paths.n != 0) {
		struct str path = str_cut(&paths, ' '), name = { 0 };
		const struct json *v =
		    field_find(part, str_c(&x->scratch, path));

		if (v == NULL)
			continue;
		for (to->add_level = -(size_t)1; path.n != 0; to->add_level++)
			name = str_cut(&path, '.');
		to->add = str_printf(&x->arena, "\"%.*s\":%.*s,", STR_FMT(name),
		    STR_FMT(str_replace(
			&x->scratch, v->text, STR("\n"), STR(" "))));
		return true;
	}
	return false;
}

/* Adds the head that follows the list of the file's first value: reads the file
 * twice. Returns false if that cannot be done. */
static bool
seek_head(struct log_reader *x, const char *head)
{
	char *files[] = { str_c(&x->arena, str_of(x->values.in->file)), NULL };
	struct diag_log discarded = { 0 }, *kept;
	const struct json *part;
	struct json_stream values;
	struct in in;
	size_t bytes = 0;

	if (!x->values.fresh || !in_is_regular(files[0], &bytes))
		return false;
	kept = diag_keep(&discarded);
	in_open(&in, files);
	in.max_line = x->job->max_line;
	json_stream_open(&values, &in, false);
	values.splits = pass;
	do
		part = json_stream_next(&values);
	while (part != NULL && !add_head(x, part, str_of(head)) &&
	    values.parts.open);
	json_stream_close(&values);
	in_close(&in);
	diag_keep(kept);
	diag_forget(&discarded);
	return true;
}

/* The function `splits` of the stream: a list of records may be read in parts, and
 * so may a record of a format that has such a list. */
static const char *
splits(void *reader, struct str path, const struct json *part)
{
	struct log_reader *x = reader;
	const struct log_format *format = x->job->format;
	const struct json *record = part;

	if (!x->values.fresh && x->format != NULL)
		format = x->format;
	if (json_is(part, JSON_ARRAY) &&
	    (x->values.fresh || !(x->begun || x->guess.records != 0)
		    ? wraps(x, x->job->format, part)
		    : x->wrapped))
		record = json_first(part);
	if (record != part && path.n == 0)
		return "";
	if (format == NULL)
		format = log_format_of(x->job->formats, record);
	if (format == NULL || format->lists == NULL ||
	    !str_is_one_of(path.n == 0 ? STR(".") : path, format->lists))
		return NULL;
	if (format->head != NULL && json_is(part, JSON_OBJECT) &&
	    !x->values.parts.open && field_find(part, format->head) == NULL &&
	    !seek_head(x, format->head))
		return NULL;
	return format->head == NULL ? "" : format->head;
}

static void
take_value(
    struct log_reader *x, const struct json *value, const struct json_stream *v)
{
	struct place at = v->at;
	size_t counted = 0; /* bytes of `value` whose lines are counted */

	if (!is_wrapped(x, value)) {
		x->fresh = false;
		take(x, value, at, v);
		return;
	}
	x->fresh = false;
	for (json_each(record, value)) {
		size_t from = (size_t)(record->text.s - value->text.s);

		at.line +=
		    str_count_char(str_slice(value->text, counted, from), '\n');
		counted = from;
		take(x, record, at, v);
	}
}

static size_t
runs_of(const struct log_reader *x)
{
	return x->builder.written + x->builder.left_out;
}

/* Begins to count what is read, in the middle of a file or at its begin. */
static void
begin_to_note(struct log_reader *x, const struct in *in)
{
	x->noted.at = in->lent ? in->base + in->text : 0;
	x->noted.runs = runs_of(x);
	if (in->lent)
		x->noted.left = SIZE_MAX;
}

static void
note(struct log_reader *x, const struct in *in)
{
	if (x->values.file_begins)
		x->noted.at = 0;
	extract_progress_note(
	    x->job->progress, &x->noted, in->base + in->next, runs_of(x));
}

bool
log_reader_read(struct log_reader *x, struct in *in)
{
	struct json_stream *v = &x->values;
	const struct json *record;
	bool noted = x->job->progress != NULL;

	json_stream_begin(v, in, x->job->strict);
	v->repair_cut = v->prefixes = true;
	v->growing = x->job->hook != NULL;
	v->splits = in->lent ? NULL : splits; /* no list is in a chunk */
	v->splits_arg = x;
	v->prefixed = x->prefixed;
	v->torn = x->torn;
	begin_to_note(x, in);
	while ((record = json_stream_next(v)) != NULL) {
		if (v->file_begins && x->open)
			continue_in(x, v->at.file);
		else if (v->file_begins)
			open_file(x, v->at.file, in->files);
		if (v->cut && x->grouped && *in->files != NULL) {
			v->torn = v->at.line; /* the runs go on */
			v->cut = false;
		}
		if (v->cut && x->format == NULL)
			builder_set_log_cut(&x->builder);
		if (noted)
			note(x, in);
		log_feed_note_lone(x, record);
		take_value(x, record, v);
		if (x->goes_on != NULL && !x->goes_on(x->arg))
			return false;
	}
	x->torn = v->torn;
	x->prefixed = v->prefixed;
	return true;
}

bool
log_reader_read_files(struct log_reader *x, struct in *in, char ***groups)
{
	for (; *groups != NULL; groups++) {
		in->files = *groups;
		for (char **file = *groups; *file != NULL; file++)
			fileset_compare(x->companions->given, *file, 0);
		x->torn = 0;
		if (x->job->progress != NULL)
			extract_progress_group(&x->noted, *groups);
		if (!log_reader_read(x, in))
			return false;
		log_reader_end_file(x);
		if (x->job->progress != NULL)
			extract_progress_group_ends(
			    x->job->progress, &x->noted, runs_of(x));
		if (x->values.ended)
			break;
	}
	in->files = NULL;
	return true;
}

void
log_reader_resume(struct log_reader *x, const struct log_format *format,
    const char *path, struct str id)
{
	log_reader_forget_streams(x);
	log_feed_resume(x, format, path, id);
}

struct extract_counts
log_reader_counts(const struct log_reader *x)
{
	const struct run_ids *ids = x->builder.options.ids;
	struct extract_counts counts = { x->no_logs, x->unread, { 0 },
		x->builder.written, x->builder.left_out };
	struct arena a = { 0 };

	if (ids->n_repeated != 0)
		extract_files_note(&counts.repeated, ids->n_repeated,
		    ids->repeated.at,
		    str_ellipsize(&a, ids->repeated.id, ID_MAX));
	arena_free(&a);
	return counts;
}
