/* JMESPath where go-jmespath 0.4.0 differs from the specification, as the random
 * expressions of tests/oracle/path showed. */
#include "emulate/jmespath/jmespath.h"

#include "tests/unit/unit.h"

static const char document[] =
    "{\"o\":{\"p\":{\"b\":{\"c\":1}},\"q\":{\"b\":{\"c\":2}}},\"list\":[3,1],"
    "\"t\":\"<a> & \\u2028\\u0001\\\"\",\"n\":1e0}";

/* Returns the result of an expression as JSON, or its error. */
static const struct row {
	const char *path, *want;
} rows[] = {
	/* the power of a star behind a dot */
	{ "o.*.b", "[{\"c\":1},{\"c\":2}]" },
	{ "o.*.b.c", "null" },
	{ "o.*.b[].c", "[1,2]" },
	/* nulls before the values of an object */
	{ "o.*.keys(@)", "argument of a wrong type" },
	{ "o.*.type(@)", "[\"null\",\"null\",\"object\",\"object\"]" },
	/* what goes wrong on the left of some is forgotten */
	{ "keys(list)", "argument of a wrong type" },
	{ "keys(list)[]", "null" },
	{ "keys(list).*", "null" },
	{ "keys(list)[?@]", "null" },
	{ "keys(list)[*]", "argument of a wrong type" },
	/* the key of a value that is alone */
	{ "max_by(list[:1], &x)", "3" },
	{ "min_by(list[:1], &abs('x'))", "3" },
	{ "sort_by(list[:1], &x)", "[3]" },
	{ "sort_by(list, &x)", "keys must be all numbers or all strings" },
	{ "max_by(list[5:], &x)", "null" },
	/* Go's numbers, its JSON and its maps */
	{ "to_number('+01.') ", "1" },
	{ "to_number('.5e1')", "5" },
	{ "to_number(' 3')", "null" },
	{ "to_number('1e999')", "null" },
	{ "to_number('0x1')", "null" },
	{ "`[1, {\"a\": 1e400}]`", "literal has a number that is too large" },
	{ "to_string({b: n, a: t, n: list})",
	    "\"{\\\"a\\\":\\\"\\\\u003ca\\\\u003e \\\\u0026 "
	    "\\\\u2028\\\\u0001\\\\\\\"\\\",\\\"b\\\":1,\\\"n\\\":[3,1]}\"" },
	{ "{a: n, a: list}", "{\"a\":[3,1]}" },
};

int
main(void)
{
	struct arena a = { 0 };
	struct json_reader reader = { 0 };
	const struct json *root =
	    json_read(&reader, str_of(document), NULL, NULL);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct jmespath_error error = { 0 };
		struct jmespath *path =
		    jmespath_compile(&a, str_of(rows[i].path), &error);
		const struct json *got = path == NULL
		    ? NULL
		    : jmespath_search(path, root, &a, &error);

		CHECK_STR(got == NULL ? error.why : got->text, rows[i].want);
	}
	json_reader_free(&reader);
	arena_free(&a);
	return unit_status();
}
