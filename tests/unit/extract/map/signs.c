/* The signs that conditions of maps need. */
#include "extract/map/signs.h"

#include "tests/unit/unit.h"

static struct arena arena;

/* The condition's signs, or "" if the condition may hold for any record. */
static void
signs(const char *condition, const char *want)
{
	struct jsonpath_error error;
	struct jsonpath *path =
	    jsonpath_condition(&arena, str_of(condition), &error);
	const char *got = path == NULL ? "wrong" : map_signs(&arena, path);

	CHECK_STR(str_of(got == NULL ? "" : got), want);
	jsonpath_free(path);
}

int
main(void)
{
	signs("$.type == 'call'", "type=call");
	signs("'call' == @.type", "type=call");
	signs("$['the type'] == 'call'", "");
	signs("$.type == 'a call'", "type");
	signs("$.n == 1", "n");
	signs("$.n >= 1", "n");
	signs("$.type != 'call'", "");
	signs("$.type == $.kind", "");
	signs("$.a.b == 'x'", "a");
	signs("$.a[0].b", "a");
	signs("$.a || $.b.c", "a, b");
	signs("$['a.b'] || $.c", "");
	signs("$['0'].a", "");
	signs("$.a == 'x|y'", "a");
	signs("$.a || !$.b", "");
	signs("$.a && !$.b", "a");
	signs("!$.b && $.a", "a");
	signs("$.a && $.b == 'x'", "b=x");
	signs("$.b == 'x' && ($.a || $.c)", "b=x");
	signs("($.a && $.b) || $.c == 'x'", "a, c=x");
	signs("search($.a, 'x')", "a");
	signs("length($.a) > 1", "");
	signs("$[0].a", "");
	signs("$..a", "");
	signs("$[?@.a]", "");
	signs("$", "");
	signs("$['a','b']", "");
	arena_free(&arena);
	return unit_status();
}
