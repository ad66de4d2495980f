/* Go's text of values, and the equality of arguments. */
#include "emulate/lang/go.h"

#include "tests/unit/unit.h"

static struct str
text(struct arena *a, const char *json)
{
	struct json_reader r = { 0 };
	const struct json *v = json_read(&r, str_of(json), NULL, NULL);
	struct str made = go_text(a, v, NULL);

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
		{ "-1e999", "-Inf" },
		{ "-0.000012", "-1.2e-05" },
		/* a power of two, below which doubles lie closer */
		{ "7.120236347223045e-307", "7.120236347223045e-307" },
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
		CHECK_STR(text(a, rows[i].json), rows[i].text);
}

static void
json_texts(struct arena *a)
{
	CHECK_STR(go_json_str(a, STR("a && b <c> \"d\\\n\x01 \u00e9")),
	    "\"a \\u0026\\u0026 b \\u003cc\\u003e \\\"d\\\\\\n\\u0001 "
	    "\u00e9\"");
	CHECK_STR(go_json_str(a, STR("\u2028\u2029")), "\"\\u2028\\u2029\"");
	CHECK_STR(go_json_str(a, STR("")), "\"\"");
}

static struct document *
yaml(struct arena *a, const char *value)
{
	struct document *d = document_read_text(
	    a, "test", str_cat(a, STR("v: "), str_of(value)), NULL);

	document_resolve(d, TYPES_GO);
	return d;
}

static void
written(struct arena *a)
{
	static const struct {
		const char *yaml, *text;
	} rows[] = {
		{ "1000000", "1000000" },
		{ "1000000.0", "1e+06" },
		{ "-0", "0" },
		{ "2024-01-15", "2024-01-15 00:00:00 +0000 UTC" },
		{ "'2024-01-15'", "2024-01-15" },
		{ "2024-2-29", "2024-02-29 00:00:00 +0000 UTC" },
		{ "2023-02-29", "2023-02-29" },
		{ "2024-13-01", "2024-13-01" },
		{ "24-01-15", "24-01-15" },
		{ "2024-01-15T10:20:30Z", "2024-01-15 10:20:30 +0000 UTC" },
		{ "2024-01-15t1:2:3.450-05:30",
		    "2024-01-15 01:02:03.45 -0530 -0530" },
		{ "2024-01-15 10:20:30.1234567890",
		    "2024-01-15 10:20:30.123456789 +0000 UTC" },
		{ "2024-01-15T10:20:30", "2024-01-15T10:20:30" },
		{ "2024-01-15 10:20:30Z", "2024-01-15 10:20:30Z" },
		{ "2024-01-15T24:00:00Z", "2024-01-15T24:00:00Z" },
		{ "2024-01-15T10:20:30+2", "2024-01-15T10:20:30+2" },
		{ "[2024-01-15, x]", "[2024-01-15 00:00:00 +0000 UTC x]" },
		{ "2024-01-15   1:2:3", "2024-01-15 01:02:03 +0000 UTC" },
		{ "12:30:45", "12:30:45" },
		{ "24-12-30", "24-12-30" },
		{ "1-12-30", "1-12-30" },
		{ "024-12-30", "024-12-30" },
		{ "0024-12-30", "0024-12-30 00:00:00 +0000 UTC" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct document *d = yaml(a, rows[i].yaml);

		CHECK_STR(
		    go_text(a, json_get(d->roots[0], "v"), d), rows[i].text);
	}
}

/* The expected value is YAML, the actual one JSON. */
static bool
equal(struct arena *a, const char *expected, const char *actual)
{
	struct document *d = yaml(a, expected);
	struct json_reader r = { 0 };
	bool same;

	same = go_equal(a, d, json_get(d->roots[0], "v"),
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
	CHECK(equal(a, "2024-01-15", "\"2024-01-15 00:00:00 +0000 UTC\""));
	CHECK(equal(a, "[2024-01-15]", "[\"2024-01-15\"]"));
	CHECK(!equal(a, "2024-1-15", "\"2024-01-15\""));
	CHECK(equal(a, "yes", "\"yes\""));
	CHECK(!equal(a, "yes", "true"));
	CHECK(equal(a, "'[1 2]'", "[1,2]"));
	CHECK(!equal(a, "[a b]", "[\"a\",\"b\"]"));
	CHECK(equal(a, "{b: 2, a: 1}", "{\"a\":1,\"b\":2}"));
	CHECK(!equal(a, "{a: 1}", "{\"a\":1,\"b\":2}"));
	CHECK(!equal(a, "{a: null}", "{\"a\":5}"));
	CHECK(!equal(a, "9007199254740993", "9007199254740992"));
}

static void
trimmed(void)
{
	CHECK_STR(
	    go_trim(STR(" \v\xc2\x85\u00a0a\u200b \u3000\u2028")), "a\u200b");
	CHECK_STR(go_trim(STR("\x1f\ufeff ")), "\x1f\ufeff");
	CHECK_STR(go_trim(STR("\u2003\u1680")), "");
}

int
main(void)
{
	struct arena a = { 0 };

	texts(&a);
	json_texts(&a);
	written(&a);
	equality(&a);
	trimmed();
	arena_free(&a);
	return unit_status();
}
