#include "extract/draft/draft.h"

#include "extract/draft/try.h"
#include "extract/draft/write.h"
#include "extract/value/copy.h"

enum {
	RECORDS_MOST = 2000,
	BYTES_MOST = 64 << 20,
};

bool
draft_add(struct draft *d, const struct json *record)
{
	*arena_push(&d->arena, d->records, d->n) = copy_tree(&d->arena, record);
	return d->n < RECORDS_MOST && arena_size(&d->arena) < BYTES_MOST;
}

/* A map that was tried. */
struct tried {
	const struct draft_places *at;
	struct str map; /* without the first lines */
	struct draft_trial trial;
};

/* Returns whether the map is better than the best so far. A map that reads what
 * stands beside what was expected is worse than any that reads calls elsewhere. */
static bool
is_better(const struct tried *t, const struct tried *best)
{
	if (best->at == NULL || t->at->beside == best->at->beside)
		return best->at == NULL || t->trial.score > best->trial.score;
	return t->at->beside
	    ? best->trial.calls == 0 && t->trial.score > best->trial.score
	    : t->trial.calls != 0 || t->trial.score > best->trial.score;
}

static const struct log_records *
records_of(struct draft *d)
{
	struct log_records *log = arena_new(&d->arena, struct log_records);
	struct log_record *list = NULL;

	log->path = "draft";
	for (size_t i = 0; i < d->n; i++)
		*arena_push(&d->arena, list, log->n) =
		    (struct log_record){ .json = d->records[i] };
	log->list = list;
	return log;
}

static void
write_trial(struct out *out, const struct draft *d, const struct draft_trial *t)
{
	out_printf(out,
	    "# A draft from %zu record%s: check each line. See mcpl-map(5).\n",
	    d->n, d->n == 1 ? "" : "s");
	out_str(out, STR("# Tried on "));
	if (t->tried < d->n)
		out_printf(out, "the first %zu", t->tried);
	else
		out_str(out, STR("all"));
	out_printf(out,
	    ": runs %zu, prompts %zu, texts %zu, calls %zu, results %zu, "
	    "errors %zu.\n",
	    t->runs, t->prompts, t->texts, t->calls, t->results, t->errors);
}

/* Writes which lists look like calls or messages and are not read. */
static void
write_left_out(struct out *out, struct arena *a, const struct draft_places *at,
    struct shape *record, struct shape *s)
{
	bool read = s == at->steps || s == at->calls || s == at->results;
	const char *what = s->element && !read
	    ? draft_looks_like(s, shape_within(s, at->steps))
	    : NULL;

	if (read && s != at->steps)
		return;
	if (what != NULL)
		out_printf(out, "# Left out: %.*s, %zu that look like %s%s\n",
		    STR_FMT(shape_path(a, s, record)), s->n, what,
		    draft_is_wanted(s) ? " that are expected" : "");
	for (struct shape *m = s->first; m != NULL; m = m->next)
		write_left_out(out, a, at, record, m);
	if (s->items != NULL)
		write_left_out(out, a, at, record, s->items);
}

bool
draft_write(struct draft *d, struct out *out)
{
	struct shape record = { 0 };
	struct draft_choices choices = { 0 };
	struct tried best = { 0 };
	const struct log_records *log = records_of(d);

	for (size_t i = 0; i < d->n; i++)
		shape_add(&d->arena, &record, d->records[i]);
	draft_places(&record, &choices);
	for (size_t i = 0; i < choices.n; i++) {
		struct tried t = { .at = &choices.list[i] };

		t.map = draft_map(&d->arena, d->records, d->n, &record, t.at);
		if (t.map.n == 0)
			continue;
		t.trial = draft_try(&d->arena, t.map, log);
		t.trial.score -= t.at->last != NULL;
		if (t.trial.tried != 0 && is_better(&t, &best))
			best = t;
	}
	if (best.at == NULL)
		return false;
	write_trial(out, d, &best.trial);
	out_str(out, best.map);
	shape_reset(&record);
	write_left_out(out, &d->arena, best.at, &record, &record);
	return true;
}

void
draft_free(struct draft *d)
{
	arena_free(&d->arena);
}
