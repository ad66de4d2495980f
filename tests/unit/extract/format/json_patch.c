/* Values that change by patches. */
#include "extract/format/json_patch.h"

#include "extract/value/copy.h"
#include "tests/unit/unit.h"

static struct arena arena;

static const struct json *
v(const char *source)
{
	const struct json *value = copy_parsed(&arena, str_of(source));

	CHECK(value != NULL);
	return value;
}

static struct json_patch *
with(const char *root)
{
	return json_patch_new(&arena, v(root));
}

static void
check(struct json_patch *p, const char *want)
{
	CHECK_STR(json_patch_value(p)->text, want);
}

static void
sets(void)
{
	struct json_patch *p = with("{\"a\":[1,{\"b\":2}],\"c\":3}");

	check(p, "{\"a\":[1,{\"b\":2}],\"c\":3}");
	json_patch_set(p, v("[\"a\",1,\"b\"]"), v("[true]"));
	json_patch_set(p, v("[\"a\",1,\"new\"]"), v("{\"x\":1}"));
	json_patch_set(p, v("[\"a\",2]"), v("\"end\""));
	json_patch_remove(p, v("[\"c\"]"));
	check(p,
	    "{\"a\":[1,{\"b\":[true],\"new\":{\"x\":1}},\"end\"],"
	    "\"c\":null}");
	json_patch_set(p, v("[\"a\",1,\"new\",\"x\"]"), v("2"));
	json_patch_set(p, v("[\"a\",1]"), v("5"));
	check(p, "{\"a\":[1,5,\"end\"],\"c\":null}");
	json_patch_set(p, v("[]"), v("7"));
	check(p, "7");
}

/* What does not fit changes nothing. */
static void
misfits(void)
{
	struct json_patch *p = with("{\"a\":[1],\"c\":3}");

	json_patch_set(p, v("[\"a\",9]"), v("0"));
	json_patch_set(p, v("[\"a\",-1]"), v("0"));
	json_patch_set(p, v("[\"a\",\"b\"]"), v("0"));
	json_patch_set(p, v("[\"c\",\"b\"]"), v("0"));
	json_patch_set(p, v("[0]"), v("0"));
	json_patch_push(p, v("[\"c\",1]"), v("[0]"), NULL);
	check(p, "{\"a\":[1],\"c\":3}");
}

static void
pushes(void)
{
	struct json_patch *p = with("{\"a\":[1,2,3]}");

	json_patch_push(p, v("[\"a\"]"), v("[4,5]"), NULL);
	check(p, "{\"a\":[1,2,3,4,5]}");
	json_patch_push(p, v("[\"a\"]"), v("[6]"), v("1"));
	check(p, "{\"a\":[1,6]}");
	json_patch_push(p, v("[\"a\"]"), v("[7]"), v("99"));
	json_patch_push(p, v("[\"a\"]"), v("null"), NULL);
	check(p, "{\"a\":[1,6,7]}");
	json_patch_push(p, v("[\"a\"]"), v("[8]"), v("0"));
	check(p, "{\"a\":[8]}");
	json_patch_push(p, v("[\"b\"]"), v("[9]"), NULL);
	json_patch_push(p, v("[\"b\"]"), v("[10]"), NULL);
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
