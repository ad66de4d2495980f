#include "extract/unknown_log.h"

#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/format/log_session.h"

enum {
	NEAREST = 3,
	MOST_BYTES = 1 << 20, /* after which no other record is tried */
	CALL_WEIGHT = 4, /* of a call with a tool; any other step counts 1 */
};

/* Writes a byte for each prompt and text of a run, and more for a call. */
static void
weigh(struct out *out, const struct trace_options *options,
    const struct trace_part *part)
{
	(void)options;
	for (const struct turn *t = part->thread->turns; t != NULL;
	     t = t->next) {
		if (t->prompt.n != 0)
			out_str(out, STR("."));
		for (const struct step *s = t->steps; s != NULL; s = s->next)
			for (int i = 0; i < (s->called ? CALL_WEIGHT : 1); i++)
				out_str(out, STR("."));
	}
}

/* Returns the weight of what the format reads from the records. */
static size_t
weight_of(const struct log_format *format, const char *path,
    const struct log_record *records, size_t n)
{
	struct builder_options options = { .trace.write = weigh };
	struct arena file = { 0 }, scratch = { 0 };
	struct text_store store = { 0 };
	struct builder builder;
	struct log log = { .builder = &builder,
		.store = &store,
		.arena = &file,
		.scratch = &scratch,
		.path = path };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct out out;
	size_t weight, bytes = 0;

	out_open_memory(&out);
	options.out = &out;
	builder_init(&builder, &options);
	log_open(&log, format);
	log_sessions_begin(&log);
	for (size_t i = 0; i < n && bytes < MOST_BYTES; i++) {
		const struct json *record =
		    json_read(&reader, records[i].text, NULL, &error);

		bytes += records[i].text.n;
		arena_reset(&scratch);
		builder_source(&builder, path, records[i].at.line);
		log.at = records[i].at;
		log.counted = record->text.s;
		log.line = log.at.line;
		log_read(&log, record);
	}
	log_end(&log);
	builder_end(&builder);
	weight = out_memory(&out).n;
	builder_close(&builder);
	(void)out_keep(&out, &file);
	json_reader_free(&reader);
	text_store_free(&store);
	arena_free(&file);
	arena_free(&scratch);
	return weight;
}

/* Returns the names of at most three formats, separated by commas, that would read
 * most from the records; absent if no format would read anything. */
static struct str
nearest_formats(const struct unknown_log *u, struct arena *a)
{
	const struct log_format *const *table = u->formats;
	const struct log_format *best[NEAREST] = { NULL };
	size_t weights[NEAREST] = { 0 };
	struct str names = { 0 };
	struct diag_log discarded = { 0 };
	struct diag_log *kept = diag_keep(&discarded);

	for (; *table != NULL; table++) {
		const struct log_format *format = *table;
		size_t weight = weight_of(format, u->path, u->records, u->n);

		for (int i = 0; i < NEAREST; i++) {
			const struct log_format *other = best[i];
			size_t weight_of_other = weights[i];

			if (weight <= weight_of_other)
				continue;
			best[i] = format;
			weights[i] = weight;
			format = other;
			weight = weight_of_other;
		}
	}
	diag_keep(kept);
	diag_forget(&discarded);
	for (int i = 0; i < NEAREST && best[i] != NULL; i++)
		names = str_printf(a, "%.*s%s%s", STR_FMT(names),
		    i == 0 ? "" : ", ", best[i]->name);
	return names;
}

/* Describes the first record of a file of unknown format to the user. */
static struct str
looks_like(const struct json *record, struct arena *a)
{
	struct str list = STR("an object with");
	size_t n = 0;

	if (!json_is(record, JSON_OBJECT) || json_first(record) == NULL)
		return str_of(json_type_name(record));
	for (json_members(key, record)) {
		if (n++ == 6)
			return str_cat(a, list, STR(", ..."));
		list = str_printf(a, "%.*s%s '%.*s'", STR_FMT(list),
		    n > 1 ? "," : "", STR_FMT(json_raw(key)));
	}
	return list;
}

static bool
is_trace(const struct json *record)
{
	return json_str_is(json_get(record, "type"), "trace");
}

struct str
unknown_log_why(struct arena *a, const struct json *first)
{
	if (is_trace(first))
		return STR("expected a log, found a trace");
	return str_printf(a, "unknown log format: the first record is %.*s",
	    STR_FMT(looks_like(first, a)));
}

struct str
unknown_log_remedy(
    struct arena *a, const struct unknown_log *u, const struct json *first)
{
	const char *dialect =
	    u->dialect_of == NULL ? NULL : u->dialect_of(first);
	struct str near;

	if (is_trace(first))
		return STR("mcpl-check reads traces");
	if (dialect != NULL)
		return str_printf(a,
		    "mcpl-check -s reads it as an assertion file of %s",
		    dialect);
	near = nearest_formats(u, a);
	if (near.n != 0)
		near = str_printf(a, "nearest: %.*s; ", STR_FMT(near));
	return str_printf(a,
	    "%.*s-f FORMAT forces a format; --map FILE reads it by rules, "
	    "which --map-draft drafts",
	    STR_FMT(near));
}
