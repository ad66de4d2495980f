/* Values that change by patches. */
#include "extract/format/json_patch.h"

#include "extract/value/copy.h"
#include "tests/unit/unit.h"

static struct arena arena;

static const struct json *
v(const char *source)
{
	const struct json *value = keep_parsed(&arena, str_of(source));

	CHECK(value != NULL);
	return value;
}

static struct patched *
with(const char *root)
{
	return patched_new(&arena, v(root));
}

static void
check(struct patched *p, const char *want)
{
	CHECK_STR(patched_value(p)->text, want);
}

static void
sets(void)
{
	struct patched *p = with("{\"a\":[1,{\"b\":2}],\"c\":3}");

	check(p, "{\"a\":[1,{\"b\":2}],\"c\":3}");
	patched_set(p, v("[\"a\",1,\"b\"]"), v("[true]"));
	patched_set(p, v("[\"a\",1,\"new\"]"), v("{\"x\":1}"));
	patched_set(p, v("[\"a\",2]"), v("\"end\""));
	patched_remove(p, v("[\"c\"]"));
	check(p,
	    "{\"a\":[1,{\"b\":[true],\"new\":{\"x\":1}},\"end\"],"
	    "\"c\":null}");
	patched_set(p, v("[\"a\",1,\"new\",\"x\"]"), v("2"));
	patched_set(p, v("[\"a\",1]"), v("5"));
	check(p, "{\"a\":[1,5,\"end\"],\"c\":null}");
	patched_set(p, v("[]"), v("7"));
	check(p, "7");
}

/* What does not fit changes nothing. */
static void
misfits(void)
{
	struct patched *p = with("{\"a\":[1],\"c\":3}");

	patched_set(p, v("[\"a\",9]"), v("0"));
	patched_set(p, v("[\"a\",-1]"), v("0"));
	patched_set(p, v("[\"a\",\"b\"]"), v("0"));
	patched_set(p, v("[\"c\",\"b\"]"), v("0"));
	patched_set(p, v("[0]"), v("0"));
	patched_push(p, v("[\"c\",1]"), v("[0]"), NULL);
	check(p, "{\"a\":[1],\"c\":3}");
}

static void
pushes(void)
{
	struct patched *p = with("{\"a\":[1,2,3]}");

	patched_push(p, v("[\"a\"]"), v("[4,5]"), NULL);
	check(p, "{\"a\":[1,2,3,4,5]}");
	patched_push(p, v("[\"a\"]"), v("[6]"), v("1"));
	check(p, "{\"a\":[1,6]}");
	patched_push(p, v("[\"a\"]"), v("[7]"), v("99"));
	patched_push(p, v("[\"a\"]"), v("null"), NULL);
	check(p, "{\"a\":[1,6,7]}");
	patched_push(p, v("[\"a\"]"), v("[8]"), v("0"));
	check(p, "{\"a\":[8]}");
	patched_push(p, v("[\"b\"]"), v("[9]"), NULL);
	patched_push(p, v("[\"b\"]"), v("[10]"), NULL);
	check(p, "{\"a\":[8],\"b\":[9,10]}");
}

int
main(void)
{
	sets();
	misfits();
	pushes();
	arena_free(&arena);
	return unit_status();
}
