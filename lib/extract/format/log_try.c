#include "extract/format/log_try.h"

#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/format/log_session.h"

enum {
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

struct log_trial
log_try_by(const struct log_format *format, const struct log_records *records,
    void (*write)(
	struct out *, const struct trace_options *, const struct trace_part *),
    struct arena *to)
{
	struct builder_options options = { .trace.write = write };
	struct arena file = { 0 }, scratch = { 0 };
	struct text_store store = { 0 };
	struct builder builder;
	struct log log = { .builder = &builder,
		.store = &store,
		.arena = &file,
		.scratch = &scratch,
		.path = records->path };
	struct out out;
	struct diag_log discarded = { 0 };
	struct diag_log *kept = diag_keep(&discarded);
	struct log_trial t = { 0 };
	size_t bytes = 0;

	out_open_memory(&out);
	options.out = &out;
	builder_init(&builder, &options);
	log_open(&log, format);
	log_sessions_begin(&log);
	for (; t.tried < records->n && bytes < LOG_TRIAL_BYTES; t.tried++) {
		const struct log_record *r = &records->list[t.tried];

		bytes += r->json->text.n;
		arena_reset(&scratch);
		builder_source(&builder, records->path, r->at.line);
		log.at = r->at;
		log.counted = r->json->text.s;
		log.line = log.at.line;
		log_read(&log, r->json);
		t.read += !(builder.reported & BUILDER_UNREAD);
	}
	log_end(&log, NULL, NULL);
	builder_end(&builder);
	t.weight = out_memory(&out).n;
	builder_close(&builder);
	t.written = out_keep(&out, to == NULL ? &file : to);
	text_store_free(&store);
	arena_free(&file);
	arena_free(&scratch);
	diag_keep(kept);
	diag_forget(&discarded);
	return t;
}

struct log_trial
log_try(const struct log_format *format, const struct log_records *records)
{
	return log_try_by(format, records, weigh, NULL);
}
