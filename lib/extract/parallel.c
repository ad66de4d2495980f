#include "extract/parallel.h"

#include "extract/parallel_split.h"
#include "io/workers.h"

/* times a piece's size: most output that a file holds back */
enum { HELD = 16 };

struct parts {
	struct arena arena;
	struct part *list;
	struct extract_split supply;
	bool seq; /* of the output */
	struct run_ids ids;
	struct companions companions;
	struct log_reader all; /* has read all that was written */
	struct extract_counts
	    others; /* files as a whole, which `all` did not count */
	struct workers workers;
};

/* The state of a worker thread. */
struct part_reader {
	struct parts *parts;
	struct log_reader x;
	struct workers_chunk *piece; /* being read */
};

static struct part *
part_of(struct parts *s, const struct workers_chunk *piece)
{
	return &s->list[piece->slot];
}

static enum in_chunk
take(void *parts, struct workers_chunk *piece, size_t size)
{
	struct parts *s = parts;

	return extract_split_next(&s->supply, part_of(s, piece), piece, size);
}

/* ---- the parts in order ---- */

/* Returns whether the part's assumptions about the input before it are true. */
static bool
assumptions_hold(struct parts *s, const struct part *p)
{
	const struct log_reader *all = &s->all;

	if (p->wrong || !companions_agrees(&s->companions, &p->companions) ||
	    !run_ids_agrees(&s->ids, &p->ids))
		return false;
	if (p->kind == PART_FILES)
		return true;
	if (p->unended && in_chunk_has_next(&p->again))
		return false;
	if (p->kind == PART_START)
		return true;
	return !builder_may_continue(&all->builder) && !all->prefixed &&
	    all->n_streams == 0 && !all->passed_over &&
	    all->format == p->format && (all->log.id.s != NULL) == p->shares_id;
}

/* Reads the part with the reader that knows all earlier input. The output is
 * written at once; in the text of pieces, the records are framed already. */
static void
read_with_all(struct parts *s, struct part *p, struct in *in)
{
	struct out *out = s->workers.out;

	out->seq = s->seq;
	out->line_begins = true;
	if (p->kind == PART_FILES)
		log_reader_read_files(&s->all, in, p->groups);
	else if (p->kind == PART_END)
		log_reader_end_file(&s->all);
	else
		log_reader_read(&s->all, in);
	out->seq = false;
}

static void
read_again(struct parts *s, struct part *p, struct in *in)
{
	if (p->kind == PART_FILES)
		in_chunk_none(s->workers.in, in);
	else
		*in = p->again;
	read_with_all(s, p, in);
}

/* Makes `all` continue after the part, which another reader has read. */
static void
continue_after(struct parts *s, const struct part *p)
{
	struct log_reader *all = &s->all;

	if (p->kind == PART_START) {
		log_reader_resume(all, p->format, p->path, (struct str){ 0 });
		all->passed_over = p->passed_over;
	}
	if (p->id.s == NULL)
		all->log.id = p->id;
	else if (!str_eq(p->id, run_ids_shared()))
		all->log.id = str_dup(&all->arena, p->id);
	all->prefixed |= p->prefixed;
	all->builder.written += p->written;
	all->builder.left_out += p->left_out;
	builder_unread_add(&all->builder.lost, &p->lost);
	builder_unread_add(&all->builder.harmless, &p->harmless);
}

static void
commit(void *parts, struct workers_chunk *piece, struct out *to)
{
	struct parts *s = parts;
	struct part *p = part_of(s, piece);

	if (p->in_turn)
		return;
	if (!assumptions_hold(s, p)) {
		workers_forget(piece);
		read_again(s, p, piece->in);
		return;
	}
	run_ids_fill(&s->ids, &p->ids, s->all.log.id, to);
	run_ids_join(&s->ids, &p->ids);
	companions_add(&s->companions, &p->companions);
	extract_files_add(&s->all.no_logs, &p->no_logs);
	extract_files_add(&s->all.unread, &p->unread);
	if (p->kind != PART_FILES) {
		continue_after(s, p);
		return;
	}
	s->others.written += p->written;
	s->others.left_out += p->left_out;
}

/* ---- working at a part ---- */

/* Called while a file is read. If the file holds back much output, waits for
 * the file's turn, writes the output, and continues with knowledge of all
 * earlier files. Returns false if the file must be read again. */
static bool
write_early(void *reader)
{
	struct part_reader *r = reader;
	struct parts *s = r->parts;
	struct part *p = part_of(s, r->piece);

	if (r->piece->out->n < HELD * p->size)
		return true;
	workers_wait(r->piece);
	p->wrong = !assumptions_hold(s, p);
	if (p->wrong)
		return false;
	run_ids_cut(&p->ids, out_memory(r->piece->out));
	run_ids_join(&s->ids, &p->ids);
	workers_print(r->piece);
	r->x.companions = &s->companions;
	return true;
}

static void
work(void *reader, struct workers_chunk *piece)
{
	struct part_reader *r = reader;
	struct parts *s = r->parts;
	struct part *p = part_of(s, piece);
	struct log_reader *x = &r->x;

	if (p->in_turn) {
		workers_wait(piece);
		read_with_all(s, p, piece->in);
		return;
	}
	if (p->kind == PART_START)
		return; /* extract_split_next has read it */
	p->again = *piece->in;
	r->piece = piece;
	part_begin(p, x, piece->out);
	x->goes_on = p->kind == PART_FILES ? write_early : NULL;
	if (p->kind == PART_MORE)
		log_reader_read(x, piece->in);
	else if (!log_reader_read_files(x, piece->in, p->groups))
		in_end_file(piece->in);
	part_end(p, x);
}

/* ---- all ---- */

static void
open_readers(struct parts *s, struct part_reader *readers, void **members)
{
	const struct extract_job *job = s->supply.job;

	log_feed_open(&s->supply.scout, job, NULL);
	log_feed_open(&s->all, job, &s->companions);
	s->all.builder.options.ids = &s->ids;
	for (size_t i = 0; i < s->workers.jobs; i++) {
		struct part_reader *r = &readers[i];

		r->parts = s;
		log_feed_open(&r->x, job, NULL);
		members[i] = r->x.arg = r;
	}
}

static void
close_readers(struct parts *s, struct part_reader *readers)
{
	size_t n = WORKERS_SLOTS * s->workers.jobs;

	for (size_t i = 0; i < s->workers.jobs; i++)
		log_reader_close(&readers[i].x);
	for (size_t i = 0; i < n; i++)
		arena_free(&s->list[i].arena);
	log_reader_close(&s->supply.scout);
	log_reader_close(&s->all);
	arena_free(&s->arena);
}

struct extract_counts
extract_parallel(struct in *in, char ***groups, const struct extract_job *job,
    const struct fileset *given, size_t jobs)
{
	struct parts s = { .supply = { .job = job,
			       .given = given,
			       .groups = groups,
			       .in = in },
		.seq = job->options->out->seq,
		.companions.given = given };
	void *members[WORKERS_MAX];
	struct part_reader *readers;
	struct extract_counts counts;

	s.ids.arena = s.companions.arena = &s.arena;
	s.list = arena_new_n(&s.arena, struct part, WORKERS_SLOTS * jobs);
	s.workers = (struct workers){ .jobs = jobs,
		.in = in,
		.out = job->options->out,
		.work = work,
		.members = members,
		.take = take,
		.commit = commit,
		.all = &s };
	readers = arena_new_n(&s.arena, struct part_reader, jobs);
	open_readers(&s, readers, members);
	workers_run(&s.workers);
	counts = log_reader_counts(&s.all);
	counts.written += s.others.written;
	counts.left_out += s.others.left_out;
	close_readers(&s, readers);
	return counts;
}
