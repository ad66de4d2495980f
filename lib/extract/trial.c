#include "extract/trial.h"

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
