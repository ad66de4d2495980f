#include "io/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "io/in_chunk.h"

enum {
	PIECE = 512 * 1024, /* less makes many pieces, more takes memory */
	WORTH = 4 * PIECE,  /* bytes that are worth a thread */
	MOST_UNASKED = 8,   /* with more, reading in turn takes the time */
};

/* A piece of the input, and its output. */
struct piece {
	struct workers_chunk given; /* first: it is cast to the piece */
	struct shared *shared;
	size_t number;
	struct in in;
	struct out out;
	struct diag_log messages;
	bool nothing; /* nothing was left to read */
	bool taken;   /* in use: begun, and not written yet */
	bool done;
};

struct shared {
	const struct workers *workers;
	size_t size;             /* bytes of a piece */
	pthread_mutex_t reading; /* held by the thread that borrows the input */
	bool ended;
	size_t taken; /* pieces that were taken */

	pthread_mutex_t lock;            /* guards the members below */
	pthread_cond_t counted, written; /* their numbers grew */
	size_t numbered;                 /* pieces whose lines are numbered */
	size_t next_line;                /* the line behind these pieces */
	size_t written_pieces; /* the number of the piece whose turn it is */
	bool writing;          /* a thread is writing */
	struct piece **order;  /* piece n is at index n % n_slots */
	size_t n_slots;
};

struct member {
	struct shared *shared;
	void *own;
	pthread_t thread;
	/* Each member has its own slots, so that the memory of its last piece
	 * is still in the cache of its processor. */
	struct piece slots[WORKERS_SLOTS];
};

/* ---- order ---- */

/* Writes the output and the messages of the piece, whose turn it must be. */
static void
write_piece(struct piece *p)
{
	const struct workers *workers = p->shared->workers;
	struct out *out = workers->out;
	struct str written;

	if (p->out.file.fd >= 0)
		out_keep_again(&p->out, out);
	written = out_memory(&p->out);
	if (workers->commit != NULL && !p->nothing)
		workers->commit(workers->all, &p->given, out);
	else
		out_strs(out, (struct str_list){ &written, 1 });
	diag_print(&p->messages);
	out_flush(out);
	p->out.n = 0; /* out_clear would forget a comma within a value */
}

/* Writes the output of a piece that holds much of it, and makes the later
 * output go out at once, if it is the piece's turn. */
static void
write_through(void *piece)
{
	struct piece *p = piece;
	struct shared *s = p->shared;
	bool turn;

	pthread_mutex_lock(&s->lock);
	turn = s->written_pieces == p->number && !s->writing;
	pthread_mutex_unlock(&s->lock);
	if (!turn || s->workers->out->file.fd < 0)
		return;
	write_piece(p);
	out_pass_on(&p->out, s->workers->out);
}

/* Waits until it is the piece's turn. Until the piece is done no other thread
 * writes. */
static void
wait_for_turn(void *piece)
{
	struct piece *p = piece;
	struct shared *s = p->shared;

	pthread_mutex_lock(&s->lock);
	while (s->written_pieces != p->number || s->writing)
		pthread_cond_wait(&s->written, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

/* Marks the piece as done and writes the pieces that are ready, in order. If
 * another thread is writing, that thread will see this piece, too. */
static void
finish(struct piece *p)
{
	struct shared *s = p->shared;
	struct piece *next;

	pthread_mutex_lock(&s->lock);
	p->done = true;
	while (!s->writing && s->written_pieces < s->taken &&
	    (next = s->order[s->written_pieces % s->n_slots])->done) {
		s->writing = true;
		pthread_mutex_unlock(&s->lock);
		write_piece(next);
		pthread_mutex_lock(&s->lock);
		next->done = next->taken = s->writing = false;
		s->written_pieces++;
		pthread_cond_broadcast(&s->written);
	}
	pthread_mutex_unlock(&s->lock);
}

static struct piece *
find_free(struct member *m)
{
	for (size_t i = 0; i < WORKERS_SLOTS; i++)
		if (!m->slots[i].taken)
			return &m->slots[i];
	return NULL;
}

/* Waits until one of the member's slots is free, and takes it. */
static struct piece *
free_slot(struct member *m)
{
	struct shared *s = m->shared;
	struct piece *p;

	pthread_mutex_lock(&s->lock);
	while ((p = find_free(m)) == NULL)
		pthread_cond_wait(&s->written, &s->lock);
	p->taken = true;
	pthread_mutex_unlock(&s->lock);
	return p;
}

/* Gives the piece its place in the order. */
static void
take(struct shared *s, struct piece *p)
{
	pthread_mutex_lock(&s->lock);
	p->number = s->taken++;
	s->order[p->number % s->n_slots] = p;
	pthread_mutex_unlock(&s->lock);
}

/* Numbers the piece's lines, after those of all earlier pieces. */
static void
number(struct shared *s, struct piece *p)
{
	in_chunk_fetch(&p->in);
	pthread_mutex_lock(&s->lock);
	while (s->numbered != p->number)
		pthread_cond_wait(&s->counted, &s->lock);
	in_chunk_number(&p->in, &s->next_line);
	s->numbered++;
	pthread_cond_broadcast(&s->counted);
	pthread_mutex_unlock(&s->lock);
}

/* ---- work ---- */

/* Writes the output so far, before a read of the input itself may wait. */
static void
write_so_far(void *piece)
{
	wait_for_turn(piece);
	write_piece(piece);
}

void
workers_wait(struct workers_chunk *given)
{
	wait_for_turn(given);
}

void
workers_print(struct workers_chunk *given)
{
	write_piece((struct piece *)given);
}

void
workers_forget(struct workers_chunk *given)
{
	diag_forget(&((struct piece *)given)->messages);
	out_clear(given->out);
}

static enum in_chunk
take_chunk(struct shared *s, struct piece *p)
{
	const struct workers *workers = s->workers;
	enum in_chunk taken = IN_NOTHING;

	if (!s->ended && workers->take != NULL)
		taken = workers->take(workers->all, &p->given, s->size);
	else if (!s->ended)
		taken = in_take_chunk(workers->in, &p->in, s->size);
	if (taken == IN_NOTHING)
		in_chunk_none(workers->in, &p->in);
	return taken;
}

/* Takes a piece and works at it. Returns false at the end of the input. */
static bool
work_at_one(struct member *m)
{
	struct shared *s = m->shared;
	enum in_chunk taken;
	struct piece *p = free_slot(m);

	diag_keep(&p->messages);
	pthread_mutex_lock(&s->reading);
	take(s, p);
	taken = take_chunk(s, p);
	s->ended = p->nothing = taken == IN_NOTHING;
	p->in.idle = write_so_far;
	p->in.idle_arg = p;
	if (taken != IN_WHOLE_INPUT)
		pthread_mutex_unlock(&s->reading);
	number(s, p);
	if (taken != IN_NOTHING)
		s->workers->work(m->own, &p->given);
	if (taken == IN_WHOLE_INPUT) {
		in_chunk_return(s->workers->in, &p->in);
		s->next_line = s->workers->in->next_line;
		pthread_mutex_unlock(&s->reading);
	}
	diag_keep(NULL);
	finish(p);
	return taken != IN_NOTHING;
}

static void *
work(void *member)
{
	struct member *m = member;

	while (work_at_one(m))
		;
	return NULL;
}

/* ---- begin and end ---- */

static void
open_member(struct member *m, struct shared *s, size_t i)
{
	*m = (struct member){ .shared = s, .own = s->workers->members[i] };
	for (size_t n = 0; n < WORKERS_SLOTS; n++) {
		struct piece *p = &m->slots[n];

		p->given = (struct workers_chunk){ &p->in, &p->out,
			i * WORKERS_SLOTS + n };
		p->shared = s;
		p->messages.turn = wait_for_turn;
		p->messages.arg = p;
		out_open_memory(&p->out);
		p->out.seq = s->workers->out->seq;
		if (s->workers->commit == NULL)
			p->out.full = write_through;
		p->out.full_arg = p;
	}
}

static void
close_member(struct member *m)
{
	for (size_t n = 0; n < WORKERS_SLOTS; n++) {
		in_chunk_close(&m->slots[n].in);
		out_close(&m->slots[n].out);
	}
}

static size_t
piece_size(void)
{
	const char *size = getenv("MCPL_PIECE"); /* tests make it small */
	unsigned long asked = size == NULL ? 0 : strtoul(size, NULL, 10);

	return asked == 0 ? PIECE : asked;
}

/* Works with as many threads as can be created. The calling thread is the
 * first. */
static void
work_together(struct shared *s, struct member *members)
{
	size_t n = 1;

	for (; n < s->workers->jobs; n++)
		if (pthread_create(
			&members[n].thread, NULL, work, &members[n]) != 0)
			break;
	work(&members[0]);
	while (--n > 0)
		pthread_join(members[n].thread, NULL);
}

void
workers_run(const struct workers *workers)
{
	struct shared s = { .workers = workers,
		.size = piece_size(),
		.reading = PTHREAD_MUTEX_INITIALIZER,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.counted = PTHREAD_COND_INITIALIZER,
		.written = PTHREAD_COND_INITIALIZER,
		.n_slots = WORKERS_SLOTS * workers->jobs };
	struct arena a = { 0 };
	struct member *members;
	bool seq = workers->out->seq;

	if (workers->jobs == 1) {
		workers->work(workers->members[0],
		    &(struct workers_chunk){ workers->in, workers->out, 0 });
		return;
	}
	s.order = arena_new_n(&a, struct piece *, s.n_slots);
	members = arena_new_n(&a, struct member, workers->jobs);
	for (size_t i = 0; i < workers->jobs; i++)
		open_member(&members[i], &s, i);
	workers->in->idle = NULL;  /* finished pieces are written at once */
	workers->out->seq = false; /* the outputs of the pieces have seq set */
	work_together(&s, members);
	workers->out->seq = seq;
	for (size_t i = 0; i < workers->jobs; i++)
		close_member(&members[i]);
	arena_free(&a);
}

/* ---- how many ---- */

static size_t
processors(void)
{
	long n = 0;

#ifdef __linux__
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		n = CPU_COUNT(&set);
#endif
	if (n < 1)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : (size_t)n;
}

size_t
workers_size(char **files)
{
	size_t most = processors(), bytes = 0, n;
	bool regular = true;

	if (files == NULL || *files == NULL)
		regular = in_is_regular("-", &bytes);
	for (; files != NULL && *files != NULL && regular; files++)
		regular = in_is_regular(*files, &bytes);
	if (!regular)
		return 1;
	n = bytes / WORTH;
	if (most > MOST_UNASKED)
		most = MOST_UNASKED;
	return n < 1 ? 1 : n < most ? n : most;
}
