/* Runs whose records are interleaved with those of other runs. */
#include "extract/run/builder.h"

#include <stdint.h>
#include <stdio.h>

#include "tests/unit/unit.h"

static struct arena arena;
static struct out out;
static struct builder b;

static void
begin(void)
{
	out_open_memory(&out);
	builder_init(&b,
	    &(struct builder_options){ .out = &out,
		.trace = { .format = "test", .results = SIZE_MAX } });
}

static void
say(const char *text)
{
	builder_text(&b, builder_str(&b, str_of(text)));
}

/* Begins a run whose text is its name; a run with a mark may continue later. */
static void
begin_run(const char *name, size_t mark)
{
	builder_begin_run(&b);
	builder_set_body(&b, RUN_ID, str_of(name));
	say(name);
	builder_mark(&b)->n = mark;
}

/* Checks the ids and the last texts of the written runs, each with a quote. */
static void
wrote(const char *want)
{
	struct str text = out_memory(&out), got = STR("");

	while (text.n != 0) {
		struct str line = str_cut(&text, '\n');
		struct str id = str_from(line, str_find(line, "\"id\":"));
		struct str said =
		    str_from(line, str_find(line, "\"final_text\":"));

		str_cut(&id, ':');
		str_cut(&said, ':');
		id = str_slice(id, 1, str_find_char(id, ','));
		said = str_slice(said, 1, str_find_char(said, ','));
		got = str_printf(&arena, "%.*s%.*s %.*s ", STR_FMT(got),
		    STR_FMT(id), STR_FMT(said));
	}
	CHECK_STR(got, want);
}

static void
end(const char *want)
{
	builder_close(&b);
	wrote(want);
	out_close(&out);
}

static void
one_is_taken_up(void)
{
	begin();
	begin_run("a", 1);
	begin_run("b", 2);
	begin_run("c", 3);
	CHECK(builder_mark_at(&b, 0)->n == 1);
	CHECK(builder_mark_at(&b, 2)->n == 3);
	CHECK(builder_mark_at(&b, 3) == NULL);
	builder_resume(&b, 2); /* is the open one */
	builder_resume(&b, 0);
	say("more");
	wrote("");
	builder_resume(&b, 0);
	say("most");
	end("c\" c\" a\" a\\nmore\" b\" b\\nmost\" ");
}

/* A run that ends is written after the runs that began before it. */
static void
they_end_in_order(void)
{
	begin();
	begin_run("a", 0);
	begin_run("b", 1);
	wrote("a\" a\" ");
	begin_run("c", 0);
	builder_end_run(&b);
	wrote("a\" a\" ");
	CHECK(builder_mark_at(&b, 1)->n == 0);
	builder_resume(&b, 0);
	builder_end_run(&b);
	wrote("a\" a\" c\" c\" b\" b\" ");
	end("a\" a\" c\" c\" b\" b\" ");
}

static void
there_is_a_limit(void)
{
	enum { RUNS = 70, OPEN = 65 };
	char name[16];

	begin();
	for (int i = 0; i < RUNS; i++) {
		snprintf(name, sizeof name, "%d", i);
		begin_run(name, 1);
	}
	CHECK(b.written == RUNS - OPEN);
	wrote("0\" 0\" 1\" 1\" 2\" 2\" 3\" 3\" 4\" 4\" ");
	builder_close(&b);
	CHECK(b.written == RUNS);
	out_close(&out);
}

/* Of large runs only a few are kept, which may continue at the same time. */
static void
size_is_limited(size_t size)
{
	enum { RUNS = 8, FEW = 4 };
	struct str large = { arena_alloc(&arena, size), size };

	begin();
	for (int i = 0; i < RUNS; i++) {
		begin_run("x", 1);
		builder_set_body(&b, RUN_AGENT, large);
		CHECK(b.suspended_bytes <= 32 << 20 || b.n_suspended <= FEW);
	}
	CHECK(b.written == RUNS - FEW - 1);
	builder_close(&b);
	CHECK(b.written == RUNS);
	out_close(&out);
}

/* The log breaks off in a record of one run: the others are complete. */
static void
the_last_is_broken(void)
{
	begin();
	begin_run("a", 1);
	begin_run("b", 1);
	builder_set_log_cut(&b);
	builder_resume(&b, 0);
	say("more");
	builder_end(&b);
	wrote("b\" b\" a\" a\\nmore\" ");
	CHECK(str_find(out_memory(&out), "\"cut\"") >
	    str_find(out_memory(&out), "\"id\":\"a\""));
	builder_close(&b);
	out_close(&out);
}

int
main(void)
{
	one_is_taken_up();
	they_end_in_order();
	there_is_a_limit();
	size_is_limited(7 << 20);
	size_is_limited(64 << 20);
	the_last_is_broken();
	arena_free(&arena);
	return unit_status();
}
