/* Files that are read with others, as who reads a part of them sees it. */
#include "extract/companions.h"

#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

static struct arena arena;
static struct temporary session, agent;

static struct kin
a_kin(bool part)
{
	return (struct kin){ .arena = &arena, .part = part };
}

static void
what_waits_is_found_by_its_owner(void)
{
	struct kin k = a_kin(false);
	const struct kin_waiting *w;

	CHECK(kin_waiting(&k, session.path) == NULL);
	kin_postpone(&k, agent.path, session.path);
	w = kin_waiting(&k, session.path);
	CHECK(w != NULL && w->n == 1);
	CHECK_STR(str_of(w->paths[0]), agent.path);
	CHECK(kin_waiting(&k, agent.path) == NULL);
}

static void
what_is_read_is_known(void)
{
	struct kin k = a_kin(false);

	CHECK(!kin_is_closed(&k, session.path));
	CHECK(!kin_is_beside(&k, agent.path));
	kin_close(&k, session.path);
	kin_read_beside(&k, agent.path);
	CHECK(kin_is_closed(&k, session.path));
	CHECK(kin_is_beside(&k, agent.path));
	CHECK(kin_beside(&k) == 1);
}

/* A part agrees until something happened before it that it asked about. */
static void
parts_agree_or_not(void)
{
	struct kin all = a_kin(false), part = a_kin(true);

	CHECK(!kin_is_closed(&part, session.path));
	CHECK(kin_agrees(&all, &part));
	kin_close(&all, agent.path);
	CHECK(kin_agrees(&all, &part));
	kin_close(&all, session.path);
	CHECK(!kin_agrees(&all, &part));

	all = a_kin(false);
	part = a_kin(true);
	CHECK(!kin_is_beside(&part, agent.path));
	kin_read_beside(&all, agent.path);
	CHECK(!kin_agrees(&all, &part));

	all = a_kin(false);
	part = a_kin(true);
	CHECK(kin_waiting(&part, session.path) == NULL);
	kin_postpone(&all, agent.path, session.path);
	CHECK(!kin_agrees(&all, &part));
}

static void
parts_add_up(void)
{
	struct kin all = a_kin(false), part = a_kin(true);

	kin_close(&part, session.path);
	kin_read_beside(&part, agent.path);
	kin_postpone(&part, agent.path, session.path);
	kin_add(&all, &part);
	CHECK(kin_is_closed(&all, session.path));
	CHECK(kin_is_beside(&all, agent.path));
	CHECK(kin_waiting(&all, session.path) != NULL);
	CHECK(kin_agrees(&all, &part));
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
