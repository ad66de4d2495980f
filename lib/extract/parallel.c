#include "extract/parallel.h"

#include "extract/parallel_part.h"
#include "extract/parallel_split.h"
#include "io/workers.h"

/* So many times a piece's size of output may a file hold back. */
enum { HELD = 16 };

struct parts {
	struct arena arena;
	struct part *list;
	struct extract_supply supply;
	bool seq; /* of the output */
	struct ids ids;
	struct kin kin;
	struct extractor all;    /* that has read all that was written */
	struct extracted others; /* what it did not count: files as a whole */
	struct crew crew;
};

/* What a thread has. */
struct reader {
	struct parts *parts;
	struct extractor x;
	struct crew_piece *piece; /* that is read */
};

static struct part *
part_of(struct parts *s, const struct crew_piece *piece)
{
	return &s->list[piece->slot];
}

static enum in_lent
lend(void *parts, struct crew_piece *piece, size_t size)
{
	struct parts *s = parts;

	return extract_supply_next(&s->supply, part_of(s, piece), piece, size);
}

/* ---- the parts in order ---- */

/* Whether what was taken for granted of what came before is so. */
static bool
is_right(struct parts *s, const struct part *p)
{
	const struct extractor *all = &s->all;

	if (p->wrong || !kin_agrees(&s->kin, &p->kin))
		return false;
	if (p->kind == PART_FILES)
		return true;
	if (p->unended && in_goes_on(&p->again))
		return false;
	if (p->kind == PART_START)
		return true;
	return !builder_is_within(&all->builder) && !all->prefixed &&
	    !all->passed_over && all->format == p->format &&
	    (all->log.id.s != NULL) == p->shares_id;
}

/* Reads the part with all that came before it. It is written at once, and in
 * the text of pieces the records are opened already. */
static void
read_with_all(struct parts *s, struct part *p, struct in *in)
{
	struct out *out = s->crew.out;

	out->seq = s->seq;
	out->line_begins = true;
	if (p->kind == PART_FILES)
		extractor_read_files(&s->all, in, p->files);
	else if (p->kind == PART_END)
		extractor_end_file(&s->all);
	else
		extractor_read(&s->all, in);
	out->seq = false;
}

static void
read_again(struct parts *s, struct part *p, struct in *in)
{
	if (p->kind == PART_FILES)
		in_lend_none(s->crew.in, in);
	else
		*in = p->again;
	read_with_all(s, p, in);
}

/* What was read of the file that is cut counts as read by who reads all. */
static void
go_on_behind(struct parts *s, const struct part *p)
{
	struct extractor *all = &s->all;

	if (p->kind == PART_START) {
		extractor_resume(all, p->format, p->path, (struct str){ 0 });
		all->passed_over = p->passed_over;
	}
	if (p->id.s == NULL)
		all->log.id = p->id;
	else if (!str_eq(p->id, ids_shared()))
		all->log.id = str_dup(&all->arena, p->id);
	all->prefixed |= p->prefixed;
	all->builder.written += p->written;
	all->builder.left_out += p->left_out;
}

static void
tell(void *parts, struct crew_piece *piece, struct out *to)
{
	struct parts *s = parts;
	struct part *p = part_of(s, piece);

	if (p->in_turn)
		return;
	if (!is_right(s, p)) {
		crew_forget(piece);
		read_again(s, p, piece->in);
		return;
	}
	ids_fill(&s->ids, &p->ids, s->all.log.id, to);
	kin_add(&s->kin, &p->kin);
	s->all.no_logs += p->no_logs;
	if (p->kind != PART_FILES) {
		go_on_behind(s, p);
		return;
	}
	s->others.written += p->written;
	s->others.left_out += p->left_out;
}

/* ---- working at a part ---- */

/* Where much is held back: waits for the turn, and goes on as one that knows
 * all before. False: what was read is wrong. */
static bool
let_go(void *reader)
{
	struct reader *r = reader;
	struct parts *s = r->parts;
	struct part *p = part_of(s, r->piece);

	if (r->piece->out->n < HELD * p->size)
		return true;
	crew_wait(r->piece);
	p->wrong = !is_right(s, p);
	if (p->wrong)
		return false;
	ids_cut(&p->ids, out_memory(r->piece->out));
	crew_tell(r->piece);
	r->x.kin = &s->kin;
	return true;
}

static void
work(void *reader, struct crew_piece *piece)
{
	struct reader *r = reader;
	struct parts *s = r->parts;
	struct part *p = part_of(s, piece);
	struct extractor *x = &r->x;

	if (p->in_turn) {
		crew_wait(piece);
		read_with_all(s, p, piece->in);
		return;
	}
	if (p->kind == PART_START)
		return; /* it was read when it was taken */
	p->again = *piece->in;
	r->piece = piece;
	part_begin(p, x, piece->out);
	x->goes_on = p->kind == PART_FILES ? let_go : NULL;
	if (p->kind == PART_MORE)
		extractor_read(x, piece->in);
	else if (!extractor_read_files(x, piece->in, p->files))
		in_end_file(piece->in);
	part_end(p, x);
}

/* ---- all ---- */

static void
open_readers(struct parts *s, struct reader *readers, void **members)
{
	const struct extraction *job = s->supply.job;

	extract_supply_open(&s->supply);
	extractor_open(&s->all, job, &s->kin);
	s->all.builder.options.ids = &s->ids;
	for (size_t i = 0; i < s->crew.jobs; i++) {
		struct reader *r = &readers[i];

		r->parts = s;
		extractor_open(&r->x, job, NULL);
		members[i] = r->x.arg = r;
	}
}

static void
close_readers(struct parts *s, struct reader *readers)
{
	size_t n = CREW_SLOTS * s->crew.jobs;

	for (size_t i = 0; i < s->crew.jobs; i++)
		extractor_close(&readers[i].x);
	for (size_t i = 0; i < n; i++)
		arena_free(&s->list[i].arena);
	extract_supply_close(&s->supply);
	extractor_close(&s->all);
	arena_free(&s->arena);
}

struct extracted
extract_parts(struct in *in, char **files, const struct extraction *job,
    const struct fileset *given, size_t jobs)
{
	struct parts s = { .supply = { .job = job,
			       .given = given,
			       .files = files,
			       .in = in },
		.seq = job->options->out->seq,
		.kin.given = given };
	void *members[CREW_MAX];
	struct reader *readers;
	struct extracted counts;

	s.ids.arena = s.kin.arena = &s.arena;
	s.list = arena_new_n(&s.arena, struct part, CREW_SLOTS * jobs);
	s.crew = (struct crew){ .jobs = jobs,
		.in = in,
		.out = job->options->out,
		.work = work,
		.members = members,
		.lend = lend,
		.tell = tell,
		.all = &s };
	readers = arena_new_n(&s.arena, struct reader, jobs);
	open_readers(&s, readers, members);
	crew_run(&s.crew);
	counts = extractor_counts(&s.all);
	counts.written += s.others.written;
	counts.left_out += s.others.left_out;
	close_readers(&s, readers);
	return counts;
}
