#include "io/external_sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/temporary.h"

/* The head of a piece. A piece is stored, in memory and in the file, as a head,
 * a key and a text. */
struct head {
	size_t key, text;
};

struct external_sort_run {
	off_t from, to; /* part of the file that is not in buf yet */
	char *buf;
	size_t at, n, size; /* the pieces in buf lie from at to n */
};

enum { BLOCK = 64 * 1024 };

static void *
resize(void *p, size_t size)
{
	p = realloc(p, size);
	if (p == NULL)
		diag_die("out of memory (%zu bytes wanted)", size);
	return p;
}

void
external_sort_start(struct external_sort *s, size_t limit)
{
	*s = (struct external_sort){ .limit = limit, .fd = -1 };
}

static size_t
piece_size(const char *p)
{
	struct head h;

	memcpy(&h, p, sizeof h);
	return sizeof h + h.key + h.text;
}

static void
piece_texts(const char *p, struct str *key, struct str *text)
{
	struct head h;

	memcpy(&h, p, sizeof h);
	*key = (struct str){ p + sizeof h, h.key };
	*text = (struct str){ p + sizeof h + h.key, h.text };
}

static int
compare_pieces(const char *a, const char *b)
{
	struct str key_a, key_b, text_a, text_b;
	int keys;

	piece_texts(a, &key_a, &text_a);
	piece_texts(b, &key_b, &text_b);
	keys = str_cmp(key_a, key_b);
	return keys != 0 ? keys : str_cmp(text_a, text_b);
}

/* The buffer that compare_offsets reads. The qsort_r of other systems takes its
 * arguments in another order. */
static _Thread_local const char *compared;

static int
compare_offsets(const void *a, const void *b)
{
	return compare_pieces(
	    compared + *(const size_t *)a, compared + *(const size_t *)b);
}

/* Makes a sorted run of the pieces in memory, and frees the memory for
 * others. */
static struct external_sort_run *
sort_run(struct external_sort *s)
{
	struct external_sort_run *run =
	    arena_push(&s->arena, s->runs, s->n_runs);

	run->buf = resize(NULL, s->n + 1);
	run->size = s->n + 1;
	compared = s->buf;
	if (s->count != 0)
		qsort(
		    s->pieces, s->count, sizeof s->pieces[0], compare_offsets);
	for (size_t i = 0; i < s->count; i++) {
		const char *p = s->buf + s->pieces[i];

		memcpy(run->buf + run->n, p, piece_size(p));
		run->n += piece_size(p);
	}
	s->n = s->count = 0;
	return run;
}

static void
spill(struct external_sort *s)
{
	struct external_sort_run *run = sort_run(s);

	if (s->fd < 0)
		s->fd = temporary_file();
	run->from = s->end;
	temporary_write(s->fd, run->buf, run->n);
	s->end = run->to = run->from + (off_t)run->n;
	free(run->buf);
	run->buf = NULL;
	run->n = run->size = 0;
}

void
external_sort_add(struct external_sort *s, struct str key, struct str text)
{
	struct head h = { key.n, text.n };
	size_t size = sizeof h + key.n + text.n;

	if (s->count != 0 && s->n + size > s->limit)
		spill(s);
	if (s->n + size > s->size) {
		s->size = 2 * (s->n + size);
		s->buf = resize(s->buf, s->size);
	}
	if (s->count == s->room) {
		s->room = s->room == 0 ? 64 : 2 * s->room;
		s->pieces = resize(s->pieces, s->room * sizeof s->pieces[0]);
	}
	s->pieces[s->count++] = s->n;
	memcpy(s->buf + s->n, &h, sizeof h);
	s->n += sizeof h;
	if (key.n != 0)
		memcpy(s->buf + s->n, key.s, key.n);
	s->n += key.n;
	if (text.n != 0)
		memcpy(s->buf + s->n, text.s, text.n);
	s->n += text.n;
}

void
external_sort_end(struct external_sort *s)
{
	sort_run(s);
	free(s->buf);
	free(s->pieces);
	s->buf = NULL;
	s->pieces = NULL;
	s->size = s->room = 0;
}

/* Reads until the run's buffer holds `want` bytes, or the run ends. */
static void
fill(const struct external_sort *s, struct external_sort_run *run, size_t want)
{
	size_t ask;
	ssize_t n;

	while (run->n - run->at < want && run->from < run->to) {
		if (run->at != 0)
			memmove(run->buf, run->buf + run->at, run->n - run->at);
		run->n -= run->at;
		run->at = 0;
		if (run->size < want || run->size < BLOCK) {
			run->size = want < BLOCK ? BLOCK : want;
			run->buf = resize(run->buf, run->size);
		}
		ask = run->size - run->n;
		if ((off_t)ask > run->to - run->from)
			ask = (size_t)(run->to - run->from);
		n = pread(s->fd, run->buf + run->n, ask, run->from);
		if (n == 0 || (n < 0 && errno != EINTR))
			diag_die("cannot read a temporary file:");
		if (n > 0) {
			run->n += (size_t)n;
			run->from += n;
		}
	}
}

/* Returns the run's next piece, or NULL after the last. */
static const char *
peek(const struct external_sort *s, struct external_sort_run *run)
{
	fill(s, run, sizeof(struct head));
	if (run->at == run->n)
		return NULL;
	fill(s, run, piece_size(run->buf + run->at));
	return run->buf + run->at;
}

bool
external_sort_next(struct external_sort *s, struct str *key, struct str *text)
{
	const char *first = NULL, *p;

	if (s->taken != NULL)
		s->taken->at += piece_size(s->taken->buf + s->taken->at);
	s->taken = NULL;
	for (size_t i = 0; i < s->n_runs; i++) {
		p = peek(s, &s->runs[i]);
		if (p != NULL &&
		    (first == NULL || compare_pieces(p, first) < 0)) {
			first = p;
			s->taken = &s->runs[i];
		}
	}
	if (first == NULL)
		return false;
	piece_texts(first, key, text);
	return true;
}

void
external_sort_free(struct external_sort *s)
{
	for (size_t i = 0; i < s->n_runs; i++)
		free(s->runs[i].buf);
	free(s->buf);
	free(s->pieces);
	if (s->fd >= 0)
		close(s->fd);
	arena_free(&s->arena);
	*s = (struct external_sort){ .fd = -1 };
}
