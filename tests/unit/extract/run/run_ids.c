/* Numbers of repeated ids, in one pass and in parts. */
#include "extract/run/run_ids.h"

#include "tests/unit/unit.h"

static struct arena arena;

/* Returns the names of four runs, with their numbers in a group. */
static struct str
named(struct run_ids *ids)
{
	struct arena *a = &arena;
	struct str text = STR("");
	static const char *const keys[] = { "x", "y", "x", "x" };

	for (size_t i = 0; i < 4; i++) {
		struct str repeat = run_ids_repeat(ids, str_of(keys[i]), a);
		struct str count = run_ids_count(ids, STR("group"), a);

		text = str_printf(a, "%.*s<%s%.*s %.*s>", STR_FMT(text),
		    keys[i], STR_FMT(repeat), STR_FMT(count));
	}
	return text;
}

static struct str
filled(struct run_ids *all, struct run_ids *part, struct str shared,
    struct str text)
{
	struct out o;

	out_open_memory(&o);
	run_ids_cut(part, text);
	run_ids_fill(all, part, shared, &o);
	return out_keep(&o, &arena);
}

static struct run_ids
a_part(void)
{
	return (struct run_ids){ .arena = &arena, .part = true };
}

static void
parts_are_as_the_whole(void)
{
	struct run_ids whole = { .arena = &arena }, all = whole;
	struct run_ids first = a_part(), second = a_part();
	struct str texts[2] = { named(&first), named(&second) };

	CHECK_STR(named(&whole), "<x 0><y 1><x-2 2><x-3 3>");
	CHECK_STR(filled(&all, &first, STR(""), texts[0]),
	    "<x 0><y 1><x-2 2><x-3 3>");
	CHECK_STR(named(&whole), "<x-4 4><y-2 5><x-5 6><x-6 7>");
	CHECK_STR(filled(&all, &second, STR(""), texts[1]),
	    "<x-4 4><y-2 5><x-5 6><x-6 7>");
}

/* A number that was asked for first is filled in first, even if it is written later. */
static void
a_part_comes_in_pieces(void)
{
	struct run_ids all = { .arena = &arena }, part = a_part();
	struct str early = run_ids_count(&part, STR("g"), &arena);
	struct str late = run_ids_count(&part, STR("g"), &arena);

	CHECK_STR(filled(&all, &part, STR(""), early), "0");
	CHECK_STR(run_ids_count(&all, STR("g"), &arena), "2");
	CHECK_STR(filled(&all, &part, STR(""), late), "1");
}

static void
the_shared_id_is_filled_in(void)
{
	struct run_ids all = { .arena = &arena }, part = a_part();
	struct str text = str_printf(&arena, "%.*s/a %.*s",
	    STR_FMT(run_ids_shared()), STR_FMT(run_ids_shared()));

	CHECK_STR(filled(&all, &part, STR("run"), text), "run/a run");
	CHECK_STR(filled(&all, &part, STR(""), STR("no mark")), "no mark");
}

/* Ids are compared as they are written, with the shared id filled in. */
static void
runs_of_parts_with_one_id_are_counted(void)
{
	struct run_ids all = { .arena = &arena }, part = a_part();
	struct str id = str_printf(&arena, "%.*s/a", STR_FMT(run_ids_shared()));
	struct place at = { .file = "f", .line = 2 };

	run_ids_written(&all, STR("one/a"), at);
	run_ids_written(&part, id, at);
	filled(&all, &part, STR("other"), id);
	CHECK(all.n_repeated == 0);
	run_ids_written(&part, id, at);
	filled(&all, &part, STR("one"), id);
	CHECK(all.n_repeated == 1);
	CHECK_STR(all.repeated.id, "one/a");
}

/* A hidden number is the same when it is shown again. */
static void
marks_are_hidden(void)
{
	struct run_ids all = { .arena = &arena }, part = a_part();
	struct str count = run_ids_count(&part, STR("g"), &arena);
	char *text = str_c(&arena, count);
	struct run_ids_hidden hidden = run_ids_hide(text, count.n, &arena);

	for (size_t i = 0; i < count.n; i++)
		CHECK(text[i] >= '0' && text[i] <= '9');
	CHECK(text[0] != '0');
	run_ids_show(hidden);
	CHECK_STR(filled(&all, &part, STR(""), str_of(text)), "0");
}

int
main(void)
{
	parts_are_as_the_whole();
	a_part_comes_in_pieces();
	the_shared_id_is_filled_in();
	runs_of_parts_with_one_id_are_counted();
	marks_are_hidden();
	arena_free(&arena);
	return unit_status();
}
