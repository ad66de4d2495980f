#include <math.h>

#include "base/timestamp.h"

#include "report/tally/history.h"

static void
put_known(struct out *o, const char *key, double n)
{
	if (isfinite(n))
		out_member_double(o, key, stats_round(n));
}

/* Writes a rate with its interval, or a mean with its interval; nothing where there is
 * neither. */
static void
put_sample(struct out *o, const char *key, enum history_measure m,
    const struct change_sample *s)
{
	struct stats_interval interval;

	if (s->n == 0)
		return;
	out_member_begin(o, key, '{');
	interval = history_interval(m, s);
	if (m == HISTORY_RATE)
		out_member_size(o, "passed", s->hits);
	out_member_size(o, "runs", s->n);
	put_known(o, m == HISTORY_RATE ? "rate" : "mean", history_value(m, s));
	put_known(o, "low", interval.low);
	put_known(o, "high", interval.high);
	out_end(o, '}');
}

static void
put_cells(struct out *o, const struct history_series *s)
{
	out_member_begin(o, "points", '[');
	for (size_t i = 0; i < s->n; i++) {
		out_begin(o, '{');
		out_member_size(o, "point", s->cells[i]->point->number);
		out_member_size(o, "runs", s->cells[i]->runs);
		for (int m = 0; m < HISTORY_MEASURES; m++) {
			enum history_measure measure = (enum history_measure)m;
			struct change_sample c =
			    history_between(s, measure, i, i + 1);

			put_sample(
			    o, history_measure_name(measure), measure, &c);
		}
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_changes(struct out *o, const struct history_series *s)
{
	out_member_begin(o, "changes", '[');
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct history_change *c = &s->changes[i];

		out_begin(o, '{');
		out_member_str(
		    o, "measure", str_of(history_measure_name(c->measure)));
		out_member_str(
		    o, "change", c->worse ? STR("worse") : STR("better"));
		out_member_size(o, "since", s->cells[c->at.at]->point->number);
		put_sample(o, "was", c->measure, &c->at.side[0]);
		put_sample(o, "now", c->measure, &c->at.side[1]);
		put_known(o, "p", c->at.p);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_series(
    struct out *o, const struct history *h, const struct history_series *s)
{
	struct change_sample last =
	    history_between(s, HISTORY_RATE, s->since, s->n);

	out_begin(o, '{');
	out_member_str(o, "scenario_id", s->scenario);
	out_member_str(o, "agent", s->agent);
	out_member_str(o, "state", str_of(history_state_name(s->state)));
	out_member_size(o, "since", s->cells[s->state_since]->point->number);
	if (last.n >= h->k) {
		out_member_size(o, "k", h->k);
		put_known(
		    o, "pass_all", stats_pass_all(last.hits, last.n, h->k));
	}
	put_changes(o, s);
	put_cells(o, s);
	out_end(o, '}');
}

void
history_write(struct out *o, const struct history *h)
{
	out_begin(o, '{');
	out_member_double(o, "alpha", h->alpha);
	out_member_double(o, "margin", h->margin);
	out_member_size(o, "drops", h->dropped);
	out_member_size(o, "undated_earlier", h->undated[0]);
	out_member_size(o, "undated_now", h->undated[1]);
	out_member_size(o, "twice", h->twice);
	out_member_begin(o, "points", '[');
	for (size_t i = 0; i < h->n_points; i++) {
		const struct history_point *p = h->points[i];
		char start[TIMESTAMP_SIZE];

		out_begin(o, '{');
		out_member_str(o, "day", p->day);
		out_member_str(o, "file", p->file);
		out_member_str(o, "start", timestamp_print(p->start, start));
		out_member_size(o, "runs", p->runs);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_member_begin(o, "series", '[');
	for (size_t i = 0; i < h->n; i++)
		put_series(o, h, h->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}
