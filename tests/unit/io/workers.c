/* Threads whose output and messages come out in the order of the input. */
#include <stdlib.h>
#include <string.h>

#include "io/slurp.h"
#include "io/workers.h"
#include "tests/unit/messages.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

enum { LINES = 500, JOBS = 5 };

/* The work of a thread: copies lines, and prints messages about some of them. */
struct copier {
	size_t lines;
};

static void
copy(void *copier, struct workers_chunk *piece)
{
	struct copier *c = copier;
	struct in *in = piece->in;
	struct out *out = piece->out;
	struct str line;

	while (!in_is_used_up(in) && in_line(in, &line)) {
		out_str(out, line);
		out_line(out);
		if (c->lines++ % 3 == 0)
			usleep(200);
		if (str_ends(line, "7}"))
			diag_error((struct place){ 0 }, "%zu", in->line);
	}
}

/* Copies a file of a length with a number of threads. Returns the copy and the
 * messages. */
static struct str
copied(char *path, size_t jobs, struct str *said, struct arena *a)
{
	struct copier copiers[JOBS] = { 0 };
	void *members[JOBS];
	char *files[] = { path, NULL };
	struct messages m = messages_catch();
	size_t lines = 0;
	struct out out;
	struct in in;
	struct workers workers = { .jobs = jobs,
		.in = &in,
		.out = &out,
		.work = copy,
		.members = members };

	for (size_t i = 0; i < JOBS; i++)
		members[i] = &copiers[i];
	in_open(&in, files);
	out_open_memory(&out);
	workers_run(&workers);
	in_close(&in);
	for (size_t i = 0; i < JOBS; i++)
		lines += copiers[i].lines;
	CHECK(lines == LINES);
	*said = messages_end(m, a);
	return out_keep(&out, a);
}

/* A long line among short ones, which goes to a file as it is written, or once
 * it is its turn. */
static void
passes_on_what_is_long(void)
{
	enum { LONG = 3 * OUT_MUCH, EACH = 7, N = 30 };
	struct arena a = { 0 };
	struct copier copiers[JOBS] = { 0 };
	void *members[JOBS];
	struct temporary from, to = temporary_file(STR(""));
	struct str copy_of = { 0 };
	struct in in;
	struct out text, out;
	struct workers workers = { .jobs = JOBS,
		.in = &in,
		.out = &out,
		.work = copy,
		.members = members };

	out_open_memory(&text);
	for (int i = 0; i < N; i++)
		out_printf(&text, "{%0*d}\n", i % EACH == 2 ? LONG : 1, i);
	from = temporary_file(out_memory(&text));
	for (size_t i = 0; i < JOBS; i++)
		members[i] = &copiers[i];
	in_open(&in, (char *[]){ from.path, NULL });
	out_open(&out, to.path, false);
	workers_run(&workers);
	in_close(&in);
	CHECK(out_close(&out));
	CHECK(slurp_file(&a, to.path, SIZE_MAX, &copy_of));
	CHECK(str_eq(copy_of, out_memory(&text)));
	out_close(&text);
	unlink(from.path);
	unlink(to.path);
	arena_free(&a);
}

int
main(void)
{
	struct arena a = { 0 };
	struct temporary file;
	struct str want, want_said, have, said;
	struct out text;

	setenv("MCPL_PIECE", "40", 1);
	out_open_memory(&text);
	for (int i = 0; i < LINES; i++)
		out_printf(&text, "{%d}\n", i);
	file = temporary_file(out_memory(&text));
	want = copied(file.path, 1, &want_said, &a);
	CHECK(str_eq(want, out_memory(&text)));
	CHECK(str_starts(want_said, "mcpl: 8\nmcpl: 18\n"));
	for (size_t jobs = 2; jobs <= JOBS; jobs++) {
		have = copied(file.path, jobs, &said, &a);
		CHECK(str_eq(have, want));
		CHECK(str_eq(said, want_said));
	}
	passes_on_what_is_long();
	CHECK(workers_size((char *[]){ file.path, NULL }) == 1);
	out_close(&text);
	unlink(file.path);
	arena_free(&a);
	return unit_status();
}
