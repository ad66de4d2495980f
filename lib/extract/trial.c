#include "extract/trial.h"

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
log_try(const struct log_format *format, const struct log_records *records)
{
	struct builder_options options = { .trace.write = weigh };
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
	(void)out_keep(&out, &file);
	text_store_free(&store);
	arena_free(&file);
	arena_free(&scratch);
	diag_keep(kept);
	diag_forget(&discarded);
	return t;
}

/* Returns the records that count in a choice among the formats that are certain. */
static struct log_records
counting(struct arena *a, const struct log_format_guess *g,
    const struct log_records *records)
{
	struct log_records some = { .path = records->path };
	struct log_record *list = NULL;

	for (size_t i = 0; i < records->n; i++)
		if (log_format_counts(g, records->list[i].json))
			*arena_push(a, list, some.n) = records->list[i];
	some.list = list;
	return some;
}

const struct log_format *
log_choose(const struct log_format_guess *g, const struct log_records *records)
{
	const struct log_format *const *table = g->index->table;
	const struct log_format *best = NULL;
	struct log_records some = *records;
	struct log_trial most = { 0 };
	struct arena a = { 0 };
	int score = 1;

	for (size_t i = 0; table[i] != NULL; i++)
		score = g->scores[i] > score ? g->scores[i] : score;
	if (score >= LOG_FORMAT_SURE) {
		score = LOG_FORMAT_SURE;
		some = counting(&a, g, records);
	}
	for (size_t i = 0; table[i] != NULL; i++) {
		struct log_trial t;

		if (g->scores[i] < score ||
		    (score == LOG_FORMAT_SURE && best != NULL &&
			table[i]->common > best->common))
			continue;
		t = log_try(table[i], &some);
		if (best != NULL && t.read <= most.read)
			continue;
		best = table[i];
		most = t;
	}
	arena_free(&a);
	return score < LOG_FORMAT_SURE && 2 * most.read < most.tried ? NULL
								     : best;
}

void
log_explain(const struct format_index *index, const struct log_format *chosen,
    const struct log_records *records)
{
	struct log_format_guess g = { .index = index };
	struct log_trial t = log_try(chosen, records);
	struct arena a = { 0 };
	struct str others = { 0 };

	for (size_t i = 0; i < records->n; i++)
		log_format_add_scores(&g, records->list[i].json);
	for (size_t i = 0; index->table[i] != NULL; i++) {
		struct log_trial other;

		if (g.scores[i] <= 0 || index->table[i] == chosen)
			continue;
		other = log_try(index->table[i], records);
		others = str_printf(&a, "%.*s%s %s (%zu of %zu)",
		    STR_FMT(others), others.n == 0 ? "; passed over:" : ",",
		    index->table[i]->name, other.read, other.tried);
	}
	diag_warn((struct place){ .file = records->path },
	    "read as %s (first records known: %zu of %zu)%.*s", chosen->name,
	    t.read, t.tried, STR_FMT(others));
	arena_free(&a);
}
