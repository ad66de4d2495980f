/* Files that are read together with others, by a worker that reads a part of them. */
#include "extract/companions.h"

#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

static struct arena arena;
static struct temporary session, agent;

static struct companions
a_kin(bool part)
{
	return (struct companions){ .arena = &arena, .part = part };
}

static void
what_waits_is_found_by_its_owner(void)
{
	struct companions k = a_kin(false);
	const struct companions_waiting *w;

	CHECK(companions_waiting(&k, session.path) == NULL);
	companions_postpone(&k, agent.path, session.path);
	w = companions_waiting(&k, session.path);
	CHECK(w != NULL && w->n == 1);
	CHECK_STR(str_of(w->paths[0]), agent.path);
	CHECK(companions_waiting(&k, agent.path) == NULL);
}

static void
what_is_read_is_known(void)
{
	struct companions k = a_kin(false);

	CHECK(!companions_is_closed(&k, session.path));
	CHECK(!companions_is_beside(&k, agent.path));
	companions_close(&k, session.path);
	companions_read_beside(&k, agent.path);
	CHECK(companions_is_closed(&k, session.path));
	CHECK(companions_is_beside(&k, agent.path));
	CHECK(companions_beside(&k) == 1);
}

/* A part is valid until an earlier part has a fact that the part asked about. */
static void
parts_agree_or_not(void)
{
	struct companions all = a_kin(false), part = a_kin(true);

	CHECK(!companions_is_closed(&part, session.path));
	CHECK(companions_agrees(&all, &part));
	companions_close(&all, agent.path);
	CHECK(companions_agrees(&all, &part));
	companions_close(&all, session.path);
	CHECK(!companions_agrees(&all, &part));

	all = a_kin(false);
	part = a_kin(true);
	CHECK(!companions_is_beside(&part, agent.path));
	companions_read_beside(&all, agent.path);
	CHECK(!companions_agrees(&all, &part));

	all = a_kin(false);
	part = a_kin(true);
	CHECK(companions_waiting(&part, session.path) == NULL);
	companions_postpone(&all, agent.path, session.path);
	CHECK(!companions_agrees(&all, &part));
}

static void
parts_add_up(void)
{
	struct companions all = a_kin(false), part = a_kin(true);

	companions_close(&part, session.path);
	companions_read_beside(&part, agent.path);
	companions_postpone(&part, agent.path, session.path);
	companions_add(&all, &part);
	CHECK(companions_is_closed(&all, session.path));
	CHECK(companions_is_beside(&all, agent.path));
	CHECK(companions_waiting(&all, session.path) != NULL);
	CHECK(companions_agrees(&all, &part));
}

int
main(void)
{
	session = temporary_file(STR("session"));
	agent = temporary_file(STR("agent"));
	what_waits_is_found_by_its_owner();
	what_is_read_is_known();
	parts_agree_or_not();
	parts_add_up();
	unlink(session.path);
	unlink(agent.path);
	arena_free(&arena);
	return unit_status();
}
