#include "extract.h"

#include "values.h"

enum { GUESS_RECORDS = 50 }; /* after so many the likeliest format is taken */

/* A record that waits until its file's format is known. */
struct waiting {
	struct str text;
	struct place at;
};

struct extractor {
	const struct logfmt *forced;
	struct builder builder;
	struct arena arena; /* of the file */
	/* of the file that is read */
	bool open;
	const struct logfmt *format; /* NULL: not known yet */
	struct log log;
	struct logfmt_guess guess;
	struct waiting *waiting;
	size_t n;
	size_t written; /* records when the file began */
};

static void
feed(struct extractor *x, const struct json *record, struct place at)
{
	builder_source(&x->builder, at.file, at.line);
	x->format->read(&x->log, record);
}

static void
use_format(struct extractor *x, const struct logfmt *format)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	x->format = format;
	x->builder.options.trace.format = format->name;
	for (size_t i = 0; i < x->n; i++)
		feed(x, json_read(&reader, x->waiting[i].text, NULL, &error),
		    x->waiting[i].at);
	json_reader_free(&reader);
	x->n = 0;
}

static void
open_file(struct extractor *x, const char *path)
{
	arena_reset(&x->arena);
	x->open = true;
	x->log = (struct log){
		.builder = &x->builder, .arena = &x->arena, .path = path
	};
	x->guess = (struct logfmt_guess){ 0 };
	x->waiting = NULL;
	x->n = 0;
	x->written = x->builder.written;
	x->format = NULL;
	if (x->forced != NULL)
		use_format(x, x->forced);
}

/* What a user would see at the start of a file whose format is not known. */
static struct str
looks_like(struct extractor *x, const struct json *record)
{
	struct str list = STR("an object with");
	size_t n = 0;

	if (!json_is(record, JSON_OBJECT) || json_first(record) == NULL)
		return str_of(json_type_name(record));
	for (json_members(key, record)) {
		if (n++ == 6)
			return str_cat(&x->arena, list, STR(", ..."));
		list = str_printf(&x->arena, "%.*s%s %.*s", STR_FMT(list),
		    n > 1 ? "," : "", STR_FMT(json_raw(key)));
	}
	return list;
}

static void
tell_unknown(struct extractor *x)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *first =
	    json_read(&reader, x->waiting[0].text, NULL, &error);

	diag_error(x->waiting[0].at,
	    "no log format that is known here: the first record is %.*s "
	    "(-f FORMAT forces one of those that --list-formats names)",
	    STR_FMT(looks_like(x, first)));
	json_reader_free(&reader);
}

static void
close_file(struct extractor *x)
{
	const struct logfmt *likeliest = logfmt_likeliest(&x->guess);

	if (!x->open)
		return;
	x->open = false;
	if (x->format == NULL && likeliest == NULL) {
		tell_unknown(x);
		return;
	}
	if (x->format == NULL)
		use_format(x, likeliest);
	builder_done(&x->builder);
	if (x->builder.written == x->written)
		diag_warn((struct place){ .file = x->log.path },
		    "no run of an agent in it (read as %s)", x->format->name);
}

static void
take(struct extractor *x, const struct json *record, struct place at)
{
	const struct logfmt *format;

	if (x->format != NULL) {
		feed(x, record, at);
		return;
	}
	format = logfmt_guess(&x->guess, record);
	if (format == NULL && x->guess.records == GUESS_RECORDS)
		format = logfmt_likeliest(&x->guess);
	if (format != NULL) {
		use_format(x, format);
		feed(x, record, at);
		return;
	}
	*arena_push(&x->arena, x->waiting, x->n) =
	    (struct waiting){ str_dup(&x->arena, record->text), at };
}

void
extract(struct in *in, const struct builder_options *options,
    const struct logfmt *format, bool strict)
{
	struct extractor x = { .forced = format };
	const struct json *record;
	struct values values;

	builder_init(&x.builder, options);
	values_open(&values, in, strict);
	while ((record = values_next(&values)) != NULL) {
		if (values.file_begins) {
			close_file(&x);
			open_file(&x, values.at.file);
		}
		take(&x, record, values.at);
	}
	close_file(&x);
	values_close(&values);
	builder_close(&x.builder);
	arena_free(&x.arena);
}
