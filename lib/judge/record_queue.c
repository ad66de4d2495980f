#include "judge/record_queue.h"

#include <poll.h>

#include "io/interrupt.h"

/* The longest wait: a signal may come just before a wait begins. */
enum { NAP_MS = 200 };

/* A record that is held. Entries own memory and are reused. */
struct record_queue_entry {
	struct arena arena;
	struct json_reader reader;
	struct str text;
	struct judge *judge; /* NULL: the record passes through unchanged */
	struct record_queue_entry *next;
};

void
record_queue_open(struct record_queue *l)
{
	l->last = &l->first;
	l->window = l->scheduler == NULL ? 1 : 4 * l->scheduler->jobs + 16;
}

/* ---- out ---- */

static void
note_status(struct record_queue *l, enum status s)
{
	l->bad |= s == STATUS_FAILED || s == STATUS_ERROR;
}

static void
compare_record(struct record_queue *l, struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	calibration_add(l->calibration, json_read(&reader, text, NULL, &error));
	json_reader_free(&reader);
}

/* Writes a record unchanged. */
static void
put_as_is(struct record_queue *l, struct str text)
{
	if (l->calibration != NULL) {
		compare_record(l, text);
	} else {
		out_source(l->out, text);
		out_line(l->out);
	}
}

static void
put_judged(struct record_queue *l, const struct judge *judge)
{
	struct out record;

	if (l->calibration == NULL) {
		note_status(l,
		    judge_write(
			judge, &l->scheduler->endpoint, &l->tally, l->out));
		out_line(l->out);
		return;
	}
	out_open_memory(&record);
	note_status(
	    l, judge_write(judge, &l->scheduler->endpoint, &l->tally, &record));
	compare_record(l, out_memory(&record));
	out_close(&record);
}

static void
put_entry(struct record_queue *l, const struct record_queue_entry *e)
{
	if (e->judge == NULL || scheduler_only_looks(l->scheduler))
		put_as_is(l, e->text);
	else
		put_judged(l, e->judge);
}

/* Writes the entry at *at and removes it from the list. */
static void
put_off(struct record_queue *l, struct record_queue_entry **at)
{
	struct record_queue_entry *e = *at;

	put_entry(l, e);
	*at = e->next;
	if (l->last == &e->next)
		l->last = at;
	l->n--;
	arena_reset(&e->arena);
	e->next = l->spare;
	l->spare = e;
}

/* Writes the entries that are done, up to the first that is not done unless
 * the order is free. */
static void
let_go(struct record_queue *l)
{
	struct record_queue_entry **at = &l->first;

	while (*at != NULL) {
		if ((*at)->judge == NULL || judge_is_done((*at)->judge))
			put_off(l, at);
		else if (l->unordered)
			at = &(*at)->next;
		else
			break;
	}
}

/* Lets the scheduler work, after flushing what was written before. Stops the
 * scheduler if the output has failed, so that nobody pays for answers that
 * nobody sees. */
static void
go_on(struct record_queue *l, int fd)
{
	out_flush(l->out);
	if (l->out->error != 0)
		scheduler_stop(
		    l->scheduler, STR("the output cannot be written"));
	scheduler_wait(l->scheduler, fd);
	let_go(l);
}

/* ---- in ---- */

static struct record_queue_entry *
new_entry(struct record_queue *l)
{
	struct record_queue_entry *e = l->spare;

	if (e != NULL)
		l->spare = e->next;
	else
		e = arena_new(&l->arena, struct record_queue_entry);
	e->next = NULL;
	e->judge = NULL;
	*l->last = e;
	l->last = &e->next;
	l->n++;
	return e;
}

static void
hold(struct record_queue *l, const struct json *record, struct place at,
    bool pending)
{
	struct record_queue_entry *e = new_entry(l);
	struct json_error error;
	struct trace t;

	e->text = str_dup(&e->arena, record->text);
	if (pending) {
		trace_read(&t, json_read(&e->reader, e->text, NULL, &error));
		e->judge = judge_ask(&l->way, &e->arena, &t, at, l->scheduler);
	}
	let_go(l);
	while (l->n >= l->window)
		go_on(l, -1);
}

/* Counts the trace, and its status if the status will not change. Returns
 * whether any of its checks is to be judged. */
static bool
take_note(struct record_queue *l, const struct trace *t)
{
	enum status s;
	size_t pending = judge_pending(t);

	bool asked = pending != 0 && l->scheduler != NULL;

	l->checks += pending;
	l->runs += pending != 0;
	if ((!asked || scheduler_only_looks(l->scheduler)) &&
	    status_of(json_raw(t->member[TRACE_STATUS]), &s))
		note_status(l, s);
	return asked;
}

bool
record_queue_add(
    struct record_queue *l, const struct json *record, struct place at)
{
	struct trace t;
	bool is_trace = trace_read(&t, record);
	bool known = is_trace || !trace_warn_version(record, at);
	bool pending = is_trace && take_note(l, &t);

	l->foreign += known && !is_trace;

	if (pending || (l->first != NULL && !l->unordered)) {
		hold(l, record, at, pending);
		return known;
	}
	put_as_is(l, record->text);
	return known;
}

static bool
can_read(int fd, int ms)
{
	struct pollfd one = { fd, POLLIN, 0 };

	return poll(&one, 1, ms) > 0;
}

bool
record_queue_idle(struct record_queue *l, int fd)
{
	while (l->first != NULL && !can_read(fd, 0))
		go_on(l, fd);
	out_flush(l->out);
	while (!interrupt_came())
		if (can_read(fd, NAP_MS))
			return true;
	return false;
}

void
record_queue_close(struct record_queue *l)
{
	while (l->first != NULL)
		go_on(l, -1);
	for (struct record_queue_entry *e = l->spare; e != NULL; e = e->next) {
		arena_free(&e->arena);
		json_reader_free(&e->reader);
	}
	arena_free(&l->arena);
}
