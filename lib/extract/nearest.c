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

/* Returns the weight of what the format reads from the records that wait. */
static size_t
weight_of(const struct log_reader *x, const struct log_format *format)
{
	struct builder_options options = { .trace.write = weigh };
	struct extract_job job = { .options = &options, .format = format };
	struct arena a = { 0 };
	struct fileset given = { .arena = &a };
	struct companions companions = { .arena = &a, .given = &given };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct log_reader trial;
	struct out out;
	size_t weight, bytes = 0;

	out_open_memory(&out);
	options.out = &out;
	log_reader_open(&trial, &job, &companions);
	log_reader_resume(&trial, format, x->log.path, (struct str){ 0 });
	for (size_t i = 0; i < x->n && bytes < MOST_BYTES; i++) {
		bytes += x->waiting[i].text.n;
		log_reader_feed(&trial,
		    json_read(&reader, x->waiting[i].text, NULL, &error),
		    x->waiting[i].at);
	}
	if (format->end != NULL)
		format->end(&trial.log);
	builder_end(&trial.builder);
	weight = out_memory(&out).n;
	log_reader_close(&trial);
	json_reader_free(&reader);
	(void)out_keep(&out, &a);
	arena_free(&a);
	return weight;
}

struct str
nearest_formats(struct log_reader *x)
{
	const struct log_format *const *table =
	    x->job->formats == NULL ? log_format_table : x->job->formats;
	const struct log_format *best[NEAREST] = { NULL };
	size_t weights[NEAREST] = { 0 };
	struct str names = { 0 };
	struct diag_log discarded = { 0 };
	struct diag_log *kept = diag_keep(&discarded);

	for (; *table != NULL; table++) {
		const struct log_format *format = *table;
		size_t weight = weight_of(x, format);

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
		names = str_printf(&x->arena, "%.*s%s%s", STR_FMT(names),
		    i == 0 ? "" : ", ", best[i]->name);
	return names;
}
