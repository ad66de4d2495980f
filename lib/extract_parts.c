#include "extract_parts.h"

#include <string.h>
#include <unistd.h>

#include "crew.h"

enum {
	HELD = 4,        /* pieces' sizes of output that a file may hold back */
	FILES_MAX = 256, /* in a piece */
};

/* A piece of the input, and what came of it. */
struct part {
	enum {
		FILES, /* whole ones */
		START, /* of the file that is cut */
		MORE,  /* ... what follows */
		END,   /* ... and where it ends; nothing to read */
	} kind;
	bool in_turn; /* read when all before was written, and so never again */
	char **files; /* NULL-terminated */
	size_t size;  /* of pieces */
	/* Of the file that is cut: */
	const char *path;
	const struct logfmt *format;
	bool shares_id;  /* its runs share one */
	struct in again; /* what is to be read of it */

	struct arena arena;
	struct ids ids;
	struct kin kin;
	bool wrong;   /* seen before its turn */
	bool unended; /* a run goes on behind it */
	bool prefixed, passed_over;
	struct str id; /* that its file's runs share, as it ended */
	size_t written, left_out, no_logs;
};

struct parts {
	const struct extraction *job;
	struct arena arena;
	char **files; /* that were not begun yet */
	bool stdin_used;
	bool seq; /* of the output */
	struct part *list;
	/* The file that is cut: its path and NULL; its format, NULL if there
	 * is none; and whether its runs share an id. */
	char *cut[2];
	const struct logfmt *format;
	bool shares_id;
	struct extractor scout; /* which reads its start */

	struct ids ids;
	struct kin kin;
	struct extractor all; /* that has read all that was written */
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

static void
clear(struct parts *s, struct part *p, size_t size)
{
	struct arena a = p->arena;

	arena_reset(&a);
	*p = (struct part){ .arena = a, .size = size };
	p->ids.arena = p->kin.arena = &p->arena;
	p->ids.part = p->kin.part = true;
	p->kin.given = s->kin.given;
}

/* ---- reading a part ---- */

/* Reads with nothing known of what came before. */
static void
begin(struct extractor *x, struct part *p, struct out *out)
{
	x->kin = &p->kin;
	x->no_logs = x->builder.written = x->builder.left_out = 0;
	x->builder.options.out = out;
	x->builder.options.ids = &p->ids;
}

static void
end(struct extractor *x, struct part *p)
{
	p->unended = x->builder.run != NULL;
	builder_end(&x->builder);
	p->prefixed = x->prefixed;
	p->passed_over = x->passed_over;
	p->id = x->log.id;
	if (p->id.s != NULL)
		p->id = str_dup(&p->arena, p->id);
	p->written = x->builder.written;
	p->left_out = x->builder.left_out;
	p->no_logs = x->no_logs;
	x->open = false;
}

/* ---- the parts in order ---- */

/* Whether what was taken for granted of what came before is so. */
static bool
is_right(struct parts *s, const struct part *p)
{
	const struct extractor *all = &s->all;

	if (p->wrong || !kin_agrees(&s->kin, &p->kin))
		return false;
	if (p->kind == FILES)
		return true;
	if (p->unended && in_goes_on(&p->again))
		return false;
	if (p->kind == START)
		return true;
	return all->builder.run == NULL && !all->prefixed &&
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
	if (p->kind == FILES)
		extractor_read_files(&s->all, in, p->files);
	else if (p->kind == END)
		extractor_end_file(&s->all);
	else
		extractor_read(&s->all, in);
	out->seq = false;
}

static void
read_again(struct parts *s, struct part *p, struct in *in)
{
	if (p->kind == FILES)
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

	if (p->kind == START) {
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
	if (p->kind == END) {
		read_with_all(s, p, NULL);
		return;
	}
	if (!is_right(s, p)) {
		crew_forget(piece);
		read_again(s, p, piece->in);
		return;
	}
	ids_fill(&s->ids, &p->ids, s->all.log.id, out_memory(piece->out), to);
	kin_add(&s->kin, &p->kin);
	if (p->kind != FILES)
		go_on_behind(s, p);
	s->all.no_logs += p->no_logs;
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
	if (p->kind == START || p->kind == END)
		return;
	r->piece = piece;
	begin(x, p, piece->out);
	x->goes_on = p->kind == FILES ? let_go : NULL;
	if (p->kind == MORE)
		extractor_resume(x, p->format, p->path,
		    p->shares_id ? ids_shared() : (struct str){ 0 });
	if (p->kind == MORE)
		extractor_read(x, piece->in);
	else if (!extractor_read_files(x, piece->in, p->files))
		in_end_file(piece->in);
	end(x, p);
}

/* ---- cutting ---- */

/* The format of a file that begins so, if it can be cut. */
static const struct logfmt *
format_of(struct parts *s, struct in start)
{
	const struct logfmt *format = s->job->format;
	struct logfmt_guess guess = { 0 };
	const struct json *first;
	struct values v;

	values_open(&v, &start, false);
	v.prefixes = true;
	first = values_next(&v);
	if (first != NULL && format == NULL)
		format = logfmt_guess(&guess, first);
	if (!json_is(first, JSON_OBJECT) || format == NULL ||
	    format->alone == NULL || !format->alone(first))
		format = NULL;
	values_close(&v);
	return format;
}

/* Takes the beginning of a file that can be cut, and reads it, so that it is
 * known how it begins. */
static bool
take_start(struct parts *s, struct part *p, struct crew_piece *piece)
{
	enum in_lent lent = in_lend(s->crew.in, piece->in, p->size);

	if (lent == IN_ITSELF)
		in_take_back(s->crew.in, piece->in);
	if (lent != IN_PIECE)
		return false;
	p->kind = START;
	p->again = *piece->in;
	p->path = piece->in->file;
	p->format = format_of(s, *piece->in);
	crew_forget(piece);
	if (p->format == NULL)
		return false;
	begin(&s->scout, p, piece->out);
	extractor_read(&s->scout, piece->in);
	end(&s->scout, p);
	return s->scout.format == p->format && !p->prefixed && !p->unended;
}

static bool
is_standard(const char *file)
{
	return strcmp(file, "-") == 0;
}

/* The next file, if it can be cut: the start of it. */
static bool
cut(struct parts *s, struct part *p, struct crew_piece *piece)
{
	struct in *in = s->crew.in;
	bool standard = is_standard(*s->files);
	off_t at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;

	s->cut[0] = *s->files;
	in->files = s->cut;
	if (take_start(s, p, piece)) {
		s->format = p->format;
		s->shares_id = p->id.s != NULL;
		s->stdin_used |= standard;
		s->files++;
		return true;
	}
	crew_forget(piece);
	clear(s, p, p->size);
	if (in->fd >= 0)
		in_end_file(in);
	in->files = NULL;
	if (standard)
		lseek(STDIN_FILENO, at, SEEK_SET);
	return false;
}

/* More of the file that is cut; behind it comes its end. */
static enum in_lent
take_more(struct parts *s, struct part *p, struct crew_piece *piece)
{
	enum in_lent lent = in_lend(s->crew.in, piece->in, p->size);

	p->kind = lent == IN_NOTHING ? END : MORE;
	p->in_turn = lent == IN_ITSELF;
	p->again = *piece->in;
	p->path = piece->in->file;
	p->format = s->format;
	p->shares_id = s->shares_id;
	if (lent != IN_NOTHING)
		return lent;
	s->format = NULL;
	return IN_PIECE;
}

static bool
can_be_read_again(const char *file, size_t *bytes)
{
	return !is_standard(file) && in_is_regular(file, bytes);
}

/* The next files, or one, to be read as a whole. */
static void
take_files(struct parts *s, struct part *p, struct crew_piece *piece)
{
	size_t bytes = 0, n = 1;

	p->in_turn = !can_be_read_again(s->files[0], &bytes);
	s->stdin_used |= is_standard(s->files[0]);
	while (!p->in_turn && n < FILES_MAX && s->files[n] != NULL &&
	    can_be_read_again(s->files[n], &bytes) && bytes <= p->size)
		n++;
	p->files = arena_new_n(&p->arena, char *, n + 1);
	memcpy(p->files, s->files, n * sizeof *p->files);
	s->files += n;
	in_lend_none(s->crew.in, piece->in);
}

static enum in_lent
lend(void *parts, struct crew_piece *piece, size_t size)
{
	struct parts *s = parts;
	struct part *p = part_of(s, piece);
	size_t bytes = 0;

	clear(s, p, size);
	if (s->format != NULL)
		return take_more(s, p, piece);
	if (*s->files == NULL)
		return IN_NOTHING;
	if (in_is_regular(*s->files, &bytes) && bytes > 2 * size &&
	    !s->stdin_used && cut(s, p, piece))
		return IN_PIECE;
	take_files(s, p, piece);
	return IN_PIECE;
}

/* ---- all ---- */

static void
open_readers(struct parts *s, struct reader *readers, void **members)
{
	extractor_open(&s->all, s->job, &s->kin);
	extractor_open(&s->scout, s->job, NULL);
	s->all.builder.options.ids = &s->ids;
	for (size_t i = 0; i < s->crew.jobs; i++) {
		struct reader *r = &readers[i];

		r->parts = s;
		extractor_open(&r->x, s->job, NULL);
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
	extractor_close(&s->scout);
	extractor_close(&s->all);
	arena_free(&s->arena);
}

size_t
extract_parts(struct in *in, char **files, const struct extraction *job,
    const struct fileset *given, size_t jobs)
{
	struct parts s = { .job = job,
		.files = files,
		.seq = job->options->out->seq,
		.kin.given = given };
	void *members[CREW_MAX];
	struct reader *readers;
	size_t no_logs;

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
	no_logs = s.all.no_logs;
	close_readers(&s, readers);
	return no_logs;
}
