#include "extract/export/otlp_spans.h"

#include <math.h>

#include "base/timestamp.h"
#include "extract/export/item.h"

enum { APART = 1000 }; /* nanoseconds between the starts of two spans */

#define NO_DATE INT64_C(100000000000000000) /* in 1973 */

/* Makes the list of spans. */
struct maker {
	struct arena *arena;
	struct otlp_span *list;
	size_t n;
	struct hash_table ids; /* of the calls so far */
	int64_t now;           /* start of the last span */
	struct usage carried;  /* of turns that are left out */
};

/* ---- times ---- */

/* Returns the time in nanoseconds, or 0 if it is unknown or out of range. */
static int64_t
time_of(const struct json *ts)
{
	const int64_t most = INT64_C(9000000000000); /* ms: year 2255 */
	int64_t ms;

	return timestamp_text(json_raw(ts), &ms) && ms > 0 && ms < most
	    ? ms * 1000000
	    : 0;
}

/* Stores the duration in nanoseconds. Returns false if it is unknown. */
static bool
duration_of(const struct json *object, int64_t *ns)
{
	const struct json *v = json_get(object, "duration_ms");
	double ms = json_double(v);

	if (!json_is(v, JSON_NUMBER) || !(ms >= 0 && ms < 1e11))
		return false;
	*ns = llround(ms * 1e6);
	return true;
}

/* Returns the first time that the steps know, or 0. */
static int64_t
first_time(const struct json *steps)
{
	int64_t first = 0;

	for (json_each(step, steps)) {
		first = time_of(json_get(step, "ts"));
		if (first == 0)
			first = first_time(json_get(step, "steps"));
		if (first != 0)
			break;
	}
	return first;
}

/* Returns a time for the start of the run. If the run knows no time, that is a
 * time which all readers of spans take for nanoseconds. */
static int64_t
base_time(const struct trace *trace)
{
	int64_t base = time_of(trace->member[TRACE_TS_START]);

	for (json_each(turn, trace->member[TRACE_TURNS])) {
		if (base == 0)
			base = time_of(json_get(turn, "ts"));
		if (base == 0)
			base = first_time(json_get(turn, "steps"));
	}
	return base == 0 ? NO_DATE : base;
}

/* ---- spans ---- */

/* Adds a span that begins at the time, or after the span before. Returns its
 * index. */
static size_t
add(struct maker *m, enum otlp_kind kind, size_t parent, const struct json *ts)
{
	int64_t start = time_of(ts);

	if (start < m->now + APART)
		start = m->now + APART;
	m->now = start;
	*arena_push(m->arena, m->list, m->n) = (struct otlp_span){
		.kind = kind,
		.parent = parent,
		.start = start,
		.end = start,
		.timed = time_of(ts) != 0,
	};
	return m->n - 1;
}

static void
add_text(struct maker *m, size_t parent, const struct json *text)
{
	size_t chat = add(m, OTLP_CHAT, parent, NULL);

	m->list[chat].text = text;
}

/* Returns the call's id, or NULL if another call has the id: some logs use an
 * id again, by which a reader would take two calls for one. */
static const struct json *
new_id(struct maker *m, const struct json *step)
{
	const struct json *id = json_get(step, "id");
	void **slot;

	if (json_raw(id).n == 0)
		return NULL;
	slot = hash_put(&m->ids, json_raw(id));
	if (*slot != NULL)
		return NULL;
	*slot = m;
	return id;
}

static void add_steps(struct maker *, size_t parent, const struct json *steps,
    const struct json *had);

static void
add_call(struct maker *m, size_t parent, const struct json *step)
{
	const struct json *inner = json_get(step, "steps");
	size_t call = add(m, OTLP_TOOL, parent, json_get(step, "ts"));
	int64_t taken;

	m->list[call].step = step;
	m->list[call].ends = duration_of(step, &taken);
	if (m->list[call].ends)
		m->list[call].end = m->list[call].start + taken;
	m->list[call].id = new_id(m, step);
	if (json_first(inner) != NULL) {
		size_t agent = add(m, OTLP_AGENT, call, NULL);

		m->list[agent].step = step;
		add_steps(m, agent, inner, NULL);
	}
}

/* Adds the spans of the steps, but not of the text that a span has already. */
static void
add_steps(struct maker *m, size_t parent, const struct json *steps,
    const struct json *had)
{
	for (json_each(step, steps)) {
		const struct json *text = json_get(step, "text");

		if (trace_step_is_users(step))
			continue;
		if (json_get(step, "tool") != NULL)
			add_call(m, parent, step);
		else if (text != NULL && text != had)
			add_text(m, parent, text);
	}
}

/* Returns the usage of the turn and of the turns that were left out before
 * it. */
static const struct usage *
usage_with_carried(struct maker *m, const struct json *turn)
{
	struct usage *u = arena_new(m->arena, struct usage);

	*u = usage_of(json_get(turn, "usage"));
	usage_add(u, &m->carried);
	m->carried = (struct usage){ 0 };
	return u;
}

/* Adds the spans of a turn. The first chat has the prompt, the usage of the
 * turn, and the text if the turn begins with a text. */
static void
add_turn(struct maker *m, const struct json *turn)
{
	const struct json *steps = json_get(turn, "steps");
	size_t agent = add(m, OTLP_AGENT, OTLP_NO_PARENT, json_get(turn, "ts"));
	size_t chat = add(m, OTLP_CHAT, agent, json_get(turn, "ts"));
	const struct json *first = json_first(steps);
	int64_t taken = 0;

	m->list[chat].prompt = json_get(turn, "prompt");
	m->list[chat].usage = usage_with_carried(m, turn);
	if (json_get(first, "tool") == NULL)
		m->list[chat].text = json_get(first, "text");
	add_steps(m, agent, steps, m->list[chat].text);
	duration_of(turn, &taken);
	m->list[agent].end += taken;
}

/* Returns the span of the last turn; adds one if there is none. */
static size_t
last_turn(struct maker *m)
{
	for (size_t i = m->n; i-- != 0;)
		if (m->list[i].parent == OTLP_NO_PARENT)
			return i;
	return add(m, OTLP_AGENT, OTLP_NO_PARENT, NULL);
}

/* Makes the span of each agent end after the spans in it. A call ends as it was
 * recorded. */
static void
end_agents(struct maker *m)
{
	for (size_t i = m->n; i-- != 0;) {
		const struct otlp_span *s = &m->list[i];
		struct otlp_span *up;

		if (s->parent == OTLP_NO_PARENT)
			continue;
		up = &m->list[s->parent];
		if (s->end > up->end && (up->kind == OTLP_AGENT || !up->ends))
			up->end = s->end;
	}
}

struct otlp_spans
otlp_spans(const struct export_run *run)
{
	struct maker m = { .arena = run->arena,
		.ids.arena = run->arena,
		.now = base_time(&run->trace) - APART };
	const struct json *answer = export_answer(&run->trace);
	size_t last;

	for (json_each(turn, run->trace.member[TRACE_TURNS])) {
		struct usage u = usage_of(json_get(turn, "usage"));

		if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
			usage_add(&m.carried, &u);
		else
			add_turn(&m, turn);
	}
	last = last_turn(&m);
	if (answer != NULL)
		add_text(&m, last, answer);
	m.list[last].fails = run->trace.member[TRACE_ERROR] != NULL;
	end_agents(&m);
	return (struct otlp_spans){ m.list, m.n };
}
