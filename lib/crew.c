#include "crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "diag.h"
#include "in_lend.h"

enum {
	PIECE = 256 * 1024, /* which the processor's cache holds */
	WORTH = 8 * PIECE,  /* bytes that a thread is begun for */
	MOST_UNASKED = 8,   /* then to read in turn is what takes the time */
};

/* A piece of the input, and what came of it. */
struct piece {
	struct crew_piece given; /* first: a piece is known by it */
	struct shared *shared;
	size_t number;
	struct in in;
	struct out out;
	struct diag_log said;
	bool nothing; /* was left to read */
	bool done;
};

struct shared {
	const struct crew *crew;
	size_t size;             /* of a piece */
	pthread_mutex_t reading; /* held by who reads the input */
	bool ended;
	size_t taken; /* pieces so far */

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t moved; /* told was */
	struct piece *slots;  /* piece n is in slot n % n_slots */
	size_t n_slots;
	size_t told;  /* pieces that were written; whose turn it is */
	bool telling; /* somebody writes */
};

struct member {
	struct shared *shared;
	void *own;
	pthread_t thread;
};

/* ---- order ---- */

/* What came of the piece goes out. Only of the piece whose turn it is. */
static void
tell(struct piece *p)
{
	const struct crew *crew = p->shared->crew;
	struct out *out = crew->out;

	if (crew->tell != NULL && !p->nothing)
		crew->tell(crew->all, &p->given, out);
	else
		out_str(out, out_memory(&p->out));
	diag_tell(&p->said);
	out_flush(out);
	out_clear(&p->out);
}

/* Returns when it is the piece's turn. Until it is done nobody else writes. */
static void
wait_for_turn(void *piece)
{
	struct piece *p = piece;
	struct shared *s = p->shared;

	pthread_mutex_lock(&s->lock);
	while (s->told != p->number || s->telling)
		pthread_cond_wait(&s->moved, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

/* Writes what is ready, in order; unless somebody does so now, who will see
 * this piece too. */
static void
finish(struct piece *p)
{
	struct shared *s = p->shared;
	struct piece *next;

	pthread_mutex_lock(&s->lock);
	p->done = true;
	while (!s->telling && (next = &s->slots[s->told % s->n_slots])->done) {
		s->telling = true;
		pthread_mutex_unlock(&s->lock);
		tell(next);
		pthread_mutex_lock(&s->lock);
		next->done = s->telling = false;
		s->told++;
		pthread_cond_broadcast(&s->moved);
	}
	pthread_mutex_unlock(&s->lock);
}

/* The slot of the piece that is taken next, when it is free. */
static struct piece *
free_slot(struct shared *s)
{
	struct piece *p = &s->slots[s->taken % s->n_slots];

	pthread_mutex_lock(&s->lock);
	while (s->taken - s->told >= s->n_slots)
		pthread_cond_wait(&s->moved, &s->lock);
	pthread_mutex_unlock(&s->lock);
	p->number = s->taken++;
	return p;
}

/* ---- work ---- */

/* Who reads the input itself writes before it may have to wait. */
static void
tell_so_far(void *piece)
{
	wait_for_turn(piece);
	tell(piece);
}

void
crew_wait(struct crew_piece *given)
{
	wait_for_turn(given);
}

void
crew_tell(struct crew_piece *given)
{
	tell((struct piece *)given);
}

void
crew_forget(struct crew_piece *given)
{
	diag_forget(&((struct piece *)given)->said);
	out_clear(given->out);
}

static enum in_lent
lend(struct shared *s, struct piece *p)
{
	const struct crew *crew = s->crew;

	if (crew->lend != NULL)
		return crew->lend(crew->all, &p->given, s->size);
	return in_lend(crew->in, &p->in, s->size);
}

/* Takes a piece and works at it. False at the end of the input. */
static bool
work_at_one(struct shared *s, void *own)
{
	enum in_lent lent = IN_NOTHING;
	struct piece *p;

	pthread_mutex_lock(&s->reading);
	p = free_slot(s);
	diag_keep(&p->said);
	if (!s->ended)
		lent = lend(s, p);
	s->ended = p->nothing = lent == IN_NOTHING;
	p->in.idle = tell_so_far;
	p->in.idle_arg = p;
	if (lent != IN_ITSELF)
		pthread_mutex_unlock(&s->reading);
	if (lent != IN_NOTHING)
		s->crew->work(own, &p->given);
	if (lent == IN_ITSELF) {
		in_take_back(s->crew->in, &p->in);
		pthread_mutex_unlock(&s->reading);
	}
	diag_keep(NULL);
	finish(p);
	return lent != IN_NOTHING;
}

static void *
work(void *member)
{
	struct member *m = member;

	while (work_at_one(m->shared, m->own))
		;
	return NULL;
}

/* ---- begin and end ---- */

static void
open_slots(struct shared *s, struct arena *a)
{
	const char *size = getenv("MCPL_PIECE"); /* which tests make small */
	unsigned long asked = size == NULL ? 0 : strtoul(size, NULL, 10);

	if (asked != 0)
		s->size = asked;
	s->slots = arena_new_n(a, struct piece, s->n_slots);
	for (size_t i = 0; i < s->n_slots; i++) {
		struct piece *p = &s->slots[i];

		p->given = (struct crew_piece){ &p->in, &p->out, i };
		p->shared = s;
		p->said.turn = wait_for_turn;
		p->said.arg = p;
		out_open_memory(&p->out);
		p->out.seq = s->crew->out->seq;
	}
}

static void
close_slots(struct shared *s)
{
	for (size_t i = 0; i < s->n_slots; i++) {
		in_end_loan(&s->slots[i].in);
		out_close(&s->slots[i].out);
	}
}

/* As many threads as can be had; this one is the first. */
static void
work_together(struct shared *s, struct member *members)
{
	size_t n = 1;

	for (; n < s->crew->jobs; n++)
		if (pthread_create(
			&members[n].thread, NULL, work, &members[n]) != 0)
			break;
	work(&members[0]);
	while (--n > 0)
		pthread_join(members[n].thread, NULL);
}

void
crew_run(const struct crew *crew)
{
	struct shared s = { .crew = crew,
		.size = PIECE,
		.reading = PTHREAD_MUTEX_INITIALIZER,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER,
		.n_slots = CREW_SLOTS * crew->jobs };
	struct arena a = { 0 };
	struct member *members;
	bool seq = crew->out->seq;

	if (crew->jobs == 1) {
		crew->work(crew->members[0],
		    &(struct crew_piece){ crew->in, crew->out, 0 });
		return;
	}
	members = arena_new_n(&a, struct member, crew->jobs);
	for (size_t i = 0; i < crew->jobs; i++)
		members[i] =
		    (struct member){ .shared = &s, .own = crew->members[i] };
	open_slots(&s, &a);
	crew->in->idle = NULL;  /* what is done is written at once */
	crew->out->seq = false; /* the pieces have it */
	work_together(&s, members);
	crew->out->seq = seq;
	close_slots(&s);
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
crew_size(char **files)
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
