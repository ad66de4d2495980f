/* Go's text of values, and what an argument is equal to. */
#include "../../lib/go.h"

#include "unit.h"

static struct str
text(struct arena *a, const char *json, bool written)
{
	struct json_reader r = { 0 };
	const struct json *v = json_read(&r, str_of(json), NULL, NULL);
	struct str made = go_text(a, v, written);

	json_reader_free(&r);
	return made;
}

static void
texts(struct arena *a)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "999999.5", "999999.5" },
		{ "1000000", "1e+06" },
		{ "1234567.5", "1.2345675e+06" },
		{ "9007199254740993", "9.007199254740992e+15" },
		{ "0.0001", "0.0001" },
		{ "0.00001", "1e-05" },
		{ "1.0", "1" },
		{ "-0.0", "-0" },
		{ "1e999", "+Inf" },
		{ "0.1", "0.1" },
		{ "null", "<nil>" },
		{ "true", "true" },
		{ "\"a\\tb\"", "a\tb" },
		{ "[]", "[]" },
		{ "[1,\"a b\",null]", "[1 a b <nil>]" },
		{ "{}", "map[]" },
		{ "{\"b\":2,\"a\":{\"x\":[]},\"b\":3}",
		    "map[a:map[x:[]] b:3]" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		CHECK_STR(text(a, rows[i].json, false), rows[i].text);
	CHECK_STR(text(a, "1000000", true), "1000000");
	CHECK_STR(text(a, "1000000.0", true), "1e+06");
	CHECK_STR(text(a, "-0", true), "0");
}

/* The expected value is YAML, the actual one JSON. */
static bool
equal(struct arena *a, const char *expected, const char *actual)
{
	struct doc *d =
	    doc_read_text(a, "test", str_cat(a, STR("v: "), str_of(expected)));
	struct json_reader r = { 0 };
	bool same;

	doc_resolve(d, DOC_GO);
	same = go_equal(a, d, json_get(d->roots[0], STR("v")),
	    json_read(&r, str_of(actual), NULL, NULL));
	json_reader_free(&r);
	return same;
}

static void
equality(struct arena *a)
{
	CHECK(equal(a, "1", "1.0"));
	CHECK(equal(a, "1.0", "\"1\""));
	CHECK(equal(a, "'true'", "true"));
	CHECK(equal(a, "<nil>", "null"));
	CHECK(equal(a, "1000000", "1000000"));
	CHECK(equal(a, "'1e+06'", "1000000"));
	CHECK(!equal(a, "'1000000'", "1000000"));
	CHECK(equal(a, "0", "-0.0"));
	CHECK(equal(a, "01234", "668"));
	CHECK(equal(a, "01234", "\"01234\""));
	CHECK(equal(a, "2024-01-15", "\"2024-01-15\""));
	CHECK(equal(a, "yes", "\"yes\""));
	CHECK(!equal(a, "yes", "true"));
	CHECK(equal(a, "'[1 2]'", "[1,2]"));
	CHECK(!equal(a, "[a b]", "[\"a\",\"b\"]"));
	CHECK(equal(a, "{b: 2, a: 1}", "{\"a\":1,\"b\":2}"));
	CHECK(!equal(a, "{a: 1}", "{\"a\":1,\"b\":2}"));
	CHECK(!equal(a, "{a: null}", "{\"a\":5}"));
	CHECK(!equal(a, "9007199254740993", "9007199254740992"));
}

int
main(void)
{
	struct arena a = { 0 };

	texts(&a);
	equality(&a);
	arena_free(&a);
	return unit_status();
}
