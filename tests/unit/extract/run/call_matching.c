#include "extract/run/call_matching.h"

#include "tests/unit/unit.h"

static struct arena arena;
static struct turn turns[2];

static struct call_matching
fresh(void)
{
	return (
	    struct call_matching){ .ids.arena = &arena, .names.arena = &arena };
}

static struct step *
call(struct call_matching *p, const char *id, const char *tool,
    struct turn *turn)
{
	struct step *s = arena_new(&arena, struct step);

	s->is_call = s->called = true;
	s->id = str_of(id);
	s->tool = str_of(tool);
	s->turn = turn;
	call_matching_add(p, s);
	return s;
}

static struct step *
answer(struct call_matching *p, const char *id, const char *tool)
{
	struct step *s = call_matching_answer(
	    p, str_of(id), str_of(tool), UNIDENTIFIED_BY_MESSAGE);

	if (s != NULL)
		s->answered = true;
	return s;
}

static void
by_id(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, "1", "search", turns);
	struct step *b = call(&p, "2", "search", turns);

	CHECK(answer(&p, "2", NULL) == b);
	CHECK(answer(&p, "1", NULL) == a);
	CHECK(answer(&p, "1", NULL) == a); /* a second result */
	CHECK(answer(&p, "3", NULL) == NULL);
	CHECK(answer(&p, "3", "search") == NULL);
}

/* Ids may repeat: calls of a turn get their results in order, and calls of the latest
 * turn come before calls of earlier turns that have no result. */
static void
run_ids_repeat(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, "0", "search", turns);
	struct step *b = call(&p, "0", "fetch", turns);
	struct step *c;

	CHECK(answer(&p, "0", NULL) == a);
	c = call(&p, "0", "search", turns + 1);
	CHECK(answer(&p, "0", NULL) == c);
	CHECK(!b->answered);
}

static void
without_ids(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, NULL, "search", turns);
	struct step *b = call(&p, NULL, "fetch", turns);
	struct step *c = call(&p, NULL, "search", turns);

	CHECK(answer(&p, NULL, "fetch") == b);
	CHECK(answer(&p, NULL, "search") == a);
	CHECK(answer(&p, NULL, NULL) == c);
	CHECK(answer(&p, NULL, NULL) == NULL);
	CHECK(answer(&p, NULL, "delete") == NULL);
}

/* Calls that wait wait no longer for results without ids once a message has new
 * calls, and a log whose results have ids has no such results. */
static void
messages(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, NULL, "search", turns), *b, *c;

	call_matching_message(&p);
	CHECK(answer(&p, NULL, "search") == a);
	a = call(&p, NULL, "search", turns);
	call_matching_message(&p);
	b = call(&p, NULL, "search", turns);
	c = call(&p, NULL, "fetch", turns);
	CHECK(call_matching_answer(&p, (struct str){ 0 }, STR("search"),
		  UNIDENTIFIED_NONE) == NULL);
	CHECK(answer(&p, NULL, "search") == b);
	CHECK(answer(&p, NULL, "search") == NULL);
	CHECK(answer(&p, NULL, NULL) == c);
	CHECK(!a->answered);
}

/* Only one side has ids. */
static void
half(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, "1", "search", turns);
	struct step *b = call(&p, NULL, "fetch", turns);

	CHECK(answer(&p, NULL, "search") == a);
	CHECK(answer(&p, "9", "fetch") == b);
}

/* A result may come before its call, or belong to another call than the newest. */
static void
lone(void)
{
	struct call_matching p = fresh();
	struct step *a = call(&p, "1", "search", turns), s = { .turn = turns };

	CHECK(call_matching_lone(&p, STR("1")) == NULL);
	s.id = STR("2");
	call_matching_add(&p, &s);
	CHECK(call_matching_lone(&p, STR("2")) == &s);
	CHECK(call_matching_lone(&p, STR("1")) == NULL);
	CHECK(call_matching_lone(&p, (struct str){ 0 }) == NULL);
	CHECK(answer(&p, "1", NULL) == a);
	s.called = true;
	call_matching_add(&p, &s);
	CHECK(call_matching_lone(&p, STR("2")) == NULL);
	CHECK(answer(&p, "2", NULL) == &s);
	CHECK(call_matching_find(&p, STR("1")) == a);
}

int
main(void)
{
	by_id();
	run_ids_repeat();
	without_ids();
	messages();
	half();
	lone();
	arena_free(&arena);
	return unit_status();
}
