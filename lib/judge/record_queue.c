#include "judge/record_queue.h"

#include <poll.h>

#include "io/interrupt.h"
#include "trace/verdict.h"

/* The longest wait: a signal may come just before a wait begins. */
enum { NAP_MS = 200 };

/* A record that is held. Entries own memory and are reused. */
struct record_queue_entry {
	struct arena arena, work;
	struct json_reader reader;
	struct str text;
	struct judge *judge; /* NULL: the record passes through unchanged */
	size_t bytes;        /* that count as held */
	struct record_queue_entry *next, *previous;
};

void
record_queue_open(struct record_queue *queue)
{
	queue->tally.reasons.arena = &queue->arena;
}

/* ---- the memory of entries ---- */

/* Counts the entry's memory now as held. The memory grows until the record's
 * questions are done. */
static void
weigh(struct record_queue *queue, struct record_queue_entry *e)
{
	size_t bytes = arena_size(&e->arena) + arena_size(&e->work) +
	    e->reader.size * sizeof(struct json);

	queue->held += bytes - e->bytes;
	e->bytes = bytes;
}

/* Keeps the entry, which is in no list, for another record. Only some entries
 * keep their memory. */
static void
recycle(struct record_queue *queue, struct record_queue_entry *e)
{
	queue->held -= e->bytes;
	if (queue->n_spare++ <= 2 * queue->scheduler->jobs) {
		arena_reset(&e->arena);
		arena_reset(&e->work);
	} else {
		arena_free(&e->arena);
		arena_free(&e->work);
		json_reader_free(&e->reader);
	}
	e->next = queue->spare;
	queue->spare = e;
}

static struct record_queue_entry *
new_entry(struct record_queue *queue)
{
	struct record_queue_entry *e = queue->spare;

	if (e != NULL) {
		queue->spare = e->next;
		queue->n_spare--;
	} else {
		e = arena_new(&queue->arena, struct record_queue_entry);
	}
	e->next = NULL;
	e->judge = NULL;
	e->bytes = 0;
	e->previous = queue->last;
	*(queue->last == NULL ? &queue->first : &queue->last->next) = e;
	queue->last = e;
	return e;
}

/* ---- out ---- */

static void
note_status(struct record_queue *queue, enum status s)
{
	queue->bad |= s == STATUS_FAILED || s == STATUS_ERROR;
}

static void
calibrate(struct record_queue *queue, struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	calibration_add(
	    queue->calibration, json_read(&reader, text, NULL, &error));
	json_reader_free(&reader);
}

/* Writes a record unchanged. */
static void
put_as_is(struct record_queue *queue, struct str text)
{
	if (queue->calibration != NULL) {
		calibrate(queue, text);
	} else {
		out_source(queue->out, text);
		out_line(queue->out);
	}
}

static void
put_judged(struct record_queue *queue, const struct judge *judge)
{
	struct out record;

	if (queue->calibration == NULL) {
		note_status(
		    queue, vote_write(judge, &queue->tally, queue->out));
		out_line(queue->out);
		return;
	}
	out_open_memory(&record);
	note_status(queue, vote_write(judge, &queue->tally, &record));
	calibrate(queue, out_memory(&record));
	out_close(&record);
}

static void
put_entry(struct record_queue *queue, const struct record_queue_entry *e)
{
	if (e->judge == NULL || scheduler_only_looks(queue->scheduler))
		put_as_is(queue, e->text);
	else
		put_judged(queue, e->judge);
}

static void
write_entry(struct record_queue *queue, struct record_queue_entry *e)
{
	put_entry(queue, e);
	*(e->previous == NULL ? &queue->first : &e->previous->next) = e->next;
	*(e->next == NULL ? &queue->last : &e->next->previous) = e->previous;
	recycle(queue, e);
}

static bool
is_done(const struct record_queue_entry *e)
{
	return e->judge == NULL || judge_is_done(e->judge);
}

/* Writes the entries that are done, up to the first that is not done. */
static void
write_finished(struct record_queue *queue)
{
	while (queue->first != NULL && is_done(queue->first))
		write_entry(queue, queue->first);
}

/* Lets the scheduler work, after flushing what was written before. Stops the
 * scheduler if the output has failed, so that nobody pays for answers that
 * nobody sees. */
static void
work(struct record_queue *queue, int fd)
{
	struct question *q;

	out_flush(queue->out);
	if (queue->out->error != 0)
		scheduler_stop(
		    queue->scheduler, STR("the output cannot be written"));
	scheduler_wait(queue->scheduler, fd);
	while ((q = scheduler_next(queue->scheduler)) != NULL) {
		struct judge *judge = judge_note(q);
		struct record_queue_entry *e = judge->owner;

		vote_escalate(judge, queue->scheduler);
		if (is_done(e) && e != queue->first)
			arena_free(&e->work);
		weigh(queue, e);
		if (queue->unordered && is_done(e))
			write_entry(queue, e);
	}
	write_finished(queue);
}

/* ---- in ---- */

static void
hold(struct record_queue *queue, const struct json *record, struct place at,
    bool pending)
{
	struct record_queue_entry *e = new_entry(queue);
	struct json_error error;
	struct trace t;

	e->text = str_dup(&e->arena, record->text);
	if (pending) {
		trace_read(&t, json_read(&e->reader, e->text, NULL, &error));
		e->judge = judge_ask(&queue->way,
		    (struct judge_memory){ &e->arena, &e->work }, &t, at,
		    queue->scheduler);
		e->judge->owner = e;
	}
	weigh(queue, e);
	if (queue->unordered && is_done(e))
		write_entry(queue, e);
	write_finished(queue);
	while (queue->first != NULL &&
	    (queue->held >= queue->most_held ||
		scheduler_is_full(queue->scheduler)))
		work(queue, -1);
}

/* Returns whether the run was checked, by mcpl-check or another program. */
static bool
has_checks(const struct trace *t)
{
	const struct json *status = t->member[TRACE_STATUS];

	if (json_first(t->member[TRACE_CHECK_RESULTS]) != NULL)
		return true;
	return status != NULL && !json_str_is(status, "unchecked") &&
	    t->member[TRACE_ERROR] == NULL;
}

/* Counts the trace, and its verdict if the verdict will not change. Returns
 * whether any of its checks is to be judged. */
static bool
count_trace(struct record_queue *queue, const struct trace *t)
{
	enum status s;
	size_t pending = judge_pending(&queue->way, t, NULL);
	bool asked = pending != 0 && queue->scheduler != NULL;

	queue->traces++;
	queue->checked += has_checks(t);
	queue->checks += pending;
	queue->decided += judge_decided(t);
	queue->errors += queue->way.retry_errors ? 0 : judge_errors(t);
	queue->unnamed += judge_unnamed(&queue->way, t);
	queue->evolve += judge_pending(&queue->way, t, "evolve");
	queue->runs += pending != 0;
	if (queue->verdicts &&
	    (!asked || scheduler_only_looks(queue->scheduler)) &&
	    verdict_of(t, &s))
		note_status(queue, s);
	return asked;
}

bool
record_queue_add(
    struct record_queue *queue, const struct json *record, struct place at)
{
	struct trace t;
	bool is_trace = trace_read(&t, record);
	bool known = is_trace || !trace_warn_version(record, at);
	bool pending = is_trace && count_trace(queue, &t);

	if (!is_trace && seal_read(&queue->seals, record)) {
		if (queue->sealed)
			return true; /* the caller writes another */
	} else {
		queue->foreign += known && !is_trace;
	}

	if (pending || (queue->first != NULL && !queue->unordered)) {
		hold(queue, record, at, pending);
		return known;
	}
	put_as_is(queue, record->text);
	return known;
}

static bool
can_read(int fd, int ms)
{
	struct pollfd one = { fd, POLLIN, 0 };

	return poll(&one, 1, ms) > 0;
}

bool
record_queue_idle(struct record_queue *queue, int fd)
{
	while (queue->first != NULL && !can_read(fd, 0))
		work(queue, fd);
	out_flush(queue->out);
	while (!interrupt_came())
		if (can_read(fd, NAP_MS))
			return true;
	return false;
}

void
record_queue_close(struct record_queue *queue)
{
	while (queue->first != NULL)
		work(queue, -1);
	vote_warn_totals(&queue->tally);
	queue->tally.reasons = (struct hash_table){ 0 };
	queue->tally.first = queue->tally.last = NULL;
	for (struct record_queue_entry *e = queue->spare; e != NULL;
	     e = e->next) {
		arena_free(&e->arena);
		arena_free(&e->work);
		json_reader_free(&e->reader);
	}
	arena_free(&queue->arena);
}
