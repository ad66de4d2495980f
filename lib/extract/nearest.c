#include "extract/nearest.h"

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
	struct builder builder;
	struct log log = { .builder = &builder,
		.arena = &file,
		.scratch = &scratch,
		.path = path,
		.context = format->context };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct out out;
	size_t weight, bytes = 0;

	out_open_memory(&out);
	options.out = &out;
	builder_init(&builder, &options);
	for (size_t i = 0; i < n && bytes < MOST_BYTES; i++) {
		const struct json *record =
		    json_read(&reader, records[i].text, NULL, &error);

		bytes += records[i].text.n;
		arena_reset(&scratch);
		builder_source(&builder, path, records[i].at.line);
		log.at = records[i].at;
		log.counted = record->text.s;
		log.line = log.at.line;
		format->read(&log, record);
	}
	if (format->end != NULL)
		format->end(&log);
	builder_end(&builder);
	weight = out_memory(&out).n;
	builder_close(&builder);
	(void)out_keep(&out, &file);
	json_reader_free(&reader);
	arena_free(&file);
	arena_free(&scratch);
	return weight;
}

struct str
nearest_formats(struct arena *a, const struct log_format *const *table,
    const char *path, const struct log_record *records, size_t n)
{
	const struct log_format *best[NEAREST] = { NULL };
	size_t weights[NEAREST] = { 0 };
	struct str names = { 0 };
	struct diag_log discarded = { 0 };
	struct diag_log *kept = diag_keep(&discarded);

	for (; *table != NULL; table++) {
		const struct log_format *format = *table;
		size_t weight = weight_of(format, path, records, n);

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
