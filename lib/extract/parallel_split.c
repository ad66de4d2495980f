#include "extract/parallel_split.h"

#include <string.h>
#include <unistd.h>

enum {
	FILES_MAX = 256, /* in a piece */
	/* Only one thread at a time holds a file of one value of this size in
	 * memory, and no thread holds its output. */
	HUGE_FILE = 64 * 1024 * 1024,
};

/* ---- parts ---- */

static void
clear_part(struct part *p, const struct fileset *given, size_t size)
{
	struct arena a = p->arena;

	arena_reset(&a);
	*p = (struct part){ .arena = a, .size = size };
	p->ids.arena = p->companions.arena = &p->arena;
	p->ids.part = p->companions.part = true;
	p->companions.given = given;
}

void
part_begin(struct part *p, struct log_reader *x, struct out *out)
{
	x->companions = &p->companions;
	x->no_logs = x->unread = (struct extract_files){ 0 };
	x->builder.written = x->builder.left_out = 0;
	x->builder.lost = x->builder.harmless = (struct builder_unread){ 0 };
	x->builder.options.out = out;
	x->builder.options.ids = &p->ids;
	if (p->kind == PART_MORE)
		log_reader_resume(x, p->format, p->path,
		    p->shares_id ? run_ids_shared() : (struct str){ 0 });
}

void
part_end(struct part *p, struct log_reader *x)
{
	p->wrong |= x->n_streams != 0 || (x->open && x->n != 0);
	log_reader_forget_streams(x);
	p->unended = builder_may_continue(&x->builder);
	builder_end(&x->builder);
	p->prefixed = x->prefixed;
	p->passed_over = x->passed_over;
	p->id = x->log.id;
	if (p->id.s != NULL)
		p->id = str_dup(&p->arena, p->id);
	p->written = x->builder.written;
	p->left_out = x->builder.left_out;
	p->lost = x->builder.lost;
	p->harmless = x->builder.harmless;
	p->no_logs = x->no_logs;
	p->unread = x->unread;
	x->open = false;
	run_ids_cut(&p->ids, out_memory(x->builder.options.out));
}

/* ---- cutting the input ---- */

/* Returns the format of a file that begins like this if the file can be cut,
 * else NULL. */
static const struct log_format *
format_of(struct extract_split *s, struct in start)
{
	const struct log_format *format = s->job->format;
	struct log_format_guess guess = { .index = s->job->formats };
	const struct json *first;
	struct json_stream v;

	json_stream_open(&v, &start, false);
	v.prefixes = true;
	first = json_stream_next(&v);
	if (first != NULL && format == NULL)
		format = log_format_guess(&guess, first);
	if (!json_is(first, JSON_OBJECT) || format == NULL ||
	    format->alone == NULL || !format->alone(first))
		format = NULL;
	json_stream_close(&v);
	return format;
}

/* Takes and reads the beginning of the next file, so that the state at its end
 * is known. Returns whether the file can be cut. */
static bool
take_start(struct extract_split *s, struct part *p, struct workers_chunk *piece)
{
	enum in_chunk lent = in_take_chunk(s->in, piece->in, p->size);

	s->endless = lent == IN_WHOLE_INPUT;
	if (s->endless)
		in_chunk_return(s->in, piece->in);
	if (lent != IN_CHUNK)
		return false;
	in_chunk_fetch(piece->in);
	p->kind = PART_START;
	p->again = *piece->in;
	p->path = piece->in->file;
	p->format = format_of(s, *piece->in);
	workers_forget(piece);
	if (p->format == NULL)
		return false;
	fileset_compare(s->given, p->path, s->in->had);
	part_begin(p, &s->scout, piece->out);
	log_reader_read(&s->scout, piece->in);
	part_end(p, &s->scout);
	return s->scout.format == p->format && !p->prefixed && !p->unended &&
	    !p->wrong;
}

static bool
is_standard(const char *file)
{
	return strcmp(file, "-") == 0;
}

/* Takes the beginning of the next file if that file can be cut; else restores
 * the input and returns false. */
static bool
cut(struct extract_split *s, struct part *p, struct workers_chunk *piece)
{
	struct in *in = s->in;
	bool standard = is_standard(**s->groups);
	off_t at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;

	in->files = *s->groups;
	if (take_start(s, p, piece)) {
		s->format = p->format;
		s->shares_id = p->id.s != NULL;
		s->stdin_used |= standard;
		s->groups++;
		return true;
	}
	workers_forget(piece);
	clear_part(p, s->given, p->size);
	if (in->fd >= 0)
		in_end_file(in);
	in->files = NULL;
	if (standard)
		lseek(STDIN_FILENO, at, SEEK_SET);
	return false;
}

/* Takes the next part of the file that is being cut; the last part only marks
 * the end of the file. */
static enum in_chunk
take_more(struct extract_split *s, struct part *p, struct workers_chunk *piece)
{
	enum in_chunk lent = in_take_chunk(s->in, piece->in, p->size);

	p->kind = lent == IN_NOTHING ? PART_END : PART_MORE;
	p->in_turn = lent != IN_CHUNK;
	p->path = piece->in->file;
	p->format = s->format;
	p->shares_id = s->shares_id;
	if (lent != IN_NOTHING)
		return lent;
	s->format = NULL;
	return IN_CHUNK;
}

static bool
can_be_read_again(const char *file, size_t *bytes)
{
	return !is_standard(file) && in_is_regular(file, bytes);
}

/* Returns whether all files of the group can be read again; adds their bytes. */
static bool
can_all_be_read_again(char *const *group, size_t *bytes)
{
	for (; *group != NULL; group++)
		if (!can_be_read_again(*group, bytes))
			return false;
	return true;
}

/* Takes files that are read as a whole: small files together, or one group. */
static void
take_files(struct extract_split *s, struct part *p, struct workers_chunk *piece)
{
	size_t bytes = 0, n = 1;

	p->in_turn = !can_all_be_read_again(*s->groups, &bytes) ||
	    (s->endless && bytes >= HUGE_FILE);
	s->endless = false;
	s->stdin_used |= is_standard(**s->groups);
	while (!p->in_turn && n < FILES_MAX && s->groups[n] != NULL &&
	    can_all_be_read_again(s->groups[n], &bytes) && bytes <= p->size)
		n++;
	p->groups = arena_new_n(&p->arena, char **, n + 1);
	memcpy(p->groups, s->groups, n * sizeof *p->groups);
	s->groups += n;
	in_chunk_none(s->in, piece->in);
}

enum in_chunk
extract_split_next(struct extract_split *s, struct part *p,
    struct workers_chunk *piece, size_t size)
{
	size_t bytes = 0;

	clear_part(p, s->given, size);
	if (s->format != NULL)
		return take_more(s, p, piece);
	if (*s->groups == NULL)
		return IN_NOTHING;
	if ((*s->groups)[1] == NULL && in_is_regular(**s->groups, &bytes) &&
	    bytes > 2 * size && !s->stdin_used && cut(s, p, piece))
		return IN_CHUNK;
	take_files(s, p, piece);
	return IN_CHUNK;
}
