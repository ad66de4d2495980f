/* Functions on JSON values: members, text, numbers, equality. */
#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "json/json.h"

/* Returns the values of a text, allocated in the arena. */
static const struct json *
read_text(struct arena *a, const char *text)
{
	struct json_reader reader = { 0 };
	const struct json *v =
	    json_keep(a, json_read(&reader, str_of(text), NULL, NULL));

	CHECK(v != NULL);
	json_reader_free(&reader);
	return v;
}

static void
nothing_has_nothing(void)
{
	struct arena a = { 0 };
	const struct json *number = read_text(&a, "1");
	int64_t value;

	for (int i = 0; i < 2; i++) {
		const struct json *v = i == 0 ? NULL : number;

		CHECK(json_get(v, "a") == NULL);
		CHECK(json_path(v, "a.b") == NULL);
		CHECK(json_at(v, 0) == NULL);
		CHECK(json_count(v) == 0);
		CHECK(json_first(v) == NULL);
		CHECK(json_text(v, &a).s == NULL);
		CHECK(json_raw(v).s == NULL);
		CHECK(!json_str_is(v, ""));
		for (json_each(element, v))
			FAIL("an element of what has none");
		for (json_members(key, v))
			FAIL("a member of what has none");
	}
	CHECK(isnan(json_double(NULL)) && !json_int(NULL, &value));
	CHECK(json_keep(&a, NULL) == NULL);
	CHECK(json_equal(NULL, NULL) && !json_equal(NULL, number));
	CHECK(!json_is(NULL, JSON_NULL));
	CHECK_STR(str_of(json_type_name(NULL)), "nothing");
	CHECK_STR(str_of(json_type_name(number)), "a number");
	arena_free(&a);
}

static void
finds_members(void)
{
	struct arena a = { 0 };
	const struct json *v = read_text(&a,
	    "{\"a\":1,\"b\":{\"c\":[1,[2,3],{}],\"\":7},\"a\":2,"
	    "\"\\u0064\":4,\"null\":null}");
	const struct json *list = json_path(v, "b.c");

	CHECK(json_count(v) == 5);
	CHECK_STR(json_get(v, "a")->text, "2");
	CHECK_STR(json_get(v, "d")->text, "4");
	CHECK_STR(json_get(json_get(v, "b"), "")->text, "7");
	CHECK(json_get(v, "e") == NULL);
	CHECK(json_path(v, "b.x.y") == NULL);
	CHECK(json_is(json_get(v, "null"), JSON_NULL));
	CHECK(json_count(list) == 3);
	CHECK_STR(json_at(list, 0)->text, "1");
	CHECK_STR(json_at(list, 1)->text, "[2,3]");
	CHECK_STR(json_at(list, 2)->text, "{}");
	CHECK(json_at(list, 3) == NULL);
	CHECK(json_next(list, json_at(list, 2)) == NULL);
	arena_free(&a);
}

static void
decodes_text(void)
{
	const struct {
		const char *source;
		struct str text;
	} cases[] = {
		{ "\"\"", STR("") },
		{ "\"plain\"", STR("plain") },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", STR("\"\\/\b\f\n\r\t") },
		{ "\"a\\u0041\\u00e9\\u20AC.\"",
		    STR("aA\xc3\xa9\xe2\x82\xac.") },
		{ "\"\\u0000\"", STR("\0") },
		{ "\"\\ud83d\\ude00\"", STR("\xf0\x9f\x98\x80") },
		/* lone halves, also in the wrong order */
		{ "\"\\ud83d\"", STR("\xef\xbf\xbd") },
		{ "\"\\ud83dx\"", STR("\xef\xbf\xbdx") },
		{ "\"\\ud83d\\n\"", STR("\xef\xbf\xbd\n") },
		{ "\"\\ude00\\ud83d\"", STR("\xef\xbf\xbd\xef\xbf\xbd") },
		{ "\"\\ud83d\\ud83d\\ude00\"",
		    STR("\xef\xbf\xbd\xf0\x9f\x98\x80") },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct json *v = read_text(&a, cases[i].source);
		struct str got = json_text(v, &a), want = cases[i].text;

		CHECK(str_eq(got, want));
		CHECK(json_str_is(v, want));
		CHECK(!json_str_is(v, str_cat(&a, want, STR("x"))));
		CHECK(want.n == 0 ||
		    !json_str_is(v, str_slice(want, 0, want.n - 1)));
		CHECK(json_raw(v).n == strlen(cases[i].source) - 2);
	}
	arena_free(&a);
}

/* Eight bytes are looked at together, near the last escape: an escape is found
 * wherever it stands, and nothing is read or written beyond the end. */
static void
decodes_anywhere(void)
{
	enum { LONGEST = 60 };
	char plain[LONGEST];
	struct arena a = { 0 };

	for (size_t i = 0; i < LONGEST; i++)
		plain[i] = (char)('a' + i % 26);
	for (size_t n = 0; n < LONGEST; n++) {
		for (size_t at = 0; at <= n; at++) {
			struct str before = { plain, at };
			struct str after = { plain + at, n - at };
			struct str source = str_printf(&a, "\"%.*s\\n%.*s\"",
			    STR_FMT(before), STR_FMT(after));
			const struct json v = { .text = source,
				.span = 1,
				.type = JSON_STRING,
				.flags = JSON_ESCAPED };

			CHECK(str_eq(json_text(&v, &a),
			    str_printf(&a, "%.*s\n%.*s", STR_FMT(before),
				STR_FMT(after))));
		}
		arena_reset(&a);
	}
	arena_free(&a);
}

static void
reads_whole_numbers(void)
{
	static const struct {
		const char *source;
		bool whole;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "0.000e-99999999999999999999", true, 0 },
		{ "42", true, 42 },
		{ "-42.0", true, -42 },
		{ "1e3", true, 1000 },
		{ "1.5e1", true, 15 },
		{ "1200e-2", true, 12 },
		{ "0.00012E+5", true, 12 },
		{ "9007199254740993", true, 9007199254740993 },
		{ "9007199254740993.0", true, 9007199254740993 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "922337203685477580.7e1", true, INT64_MAX },
		{ "-9223372036854775808", true, INT64_MIN },
		{ "9223372036854775808", false, 0 },
		{ "-9223372036854775809", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "100000000000000000000000", false, 0 },
		{ "1e19", false, 0 },
		{ "1e99999999999999999999", false, 0 },
		{ "1e-99999999999999999999", false, 0 },
		{ "0.5", false, 0 },
		{ "15e-1", false, 0 },
		{ "\"1\"", false, 0 },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t value = 0;
		bool whole = json_int(read_text(&a, cases[i].source), &value);

		if (whole != cases[i].whole || value != cases[i].value)
			fprintf(stderr, "%s: %d, %lld\n", cases[i].source,
			    whole, (long long)value);
		CHECK(whole == cases[i].whole && value == cases[i].value);
	}
	arena_free(&a);
}

static void
reads_doubles(void)
{
	struct arena a = { 0 };
	const char *many = "0."
			   "00000000000000000000000000000000000000000000000000"
			   "000000000000000000000000000000000000000000001e90";

	CHECK(json_double(read_text(&a, "0.1")) == 0.1);
	CHECK(json_double(read_text(&a, "-1.5E+2")) == -150);
	CHECK(json_double(read_text(&a, "5e-324")) == 5e-324);
	/* halfway between two doubles: the even one */
	CHECK(json_double(read_text(&a, "9007199254740993")) ==
	    9007199254740992.);
	CHECK(json_double(read_text(&a, "9007199254740995")) ==
	    9007199254740996.);
	CHECK(json_double(read_text(&a, "999999999999999999")) == 1e18);
	CHECK(isinf(json_double(read_text(&a, "1e999"))));
	CHECK(json_double(read_text(&a, many)) == 1e-5);
	CHECK(isnan(json_double(read_text(&a, "\"1\""))));
	arena_free(&a);
}

static void
compares(void)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} cases[] = {
		{ "null", "null", true },
		{ "null", "false", false },
		{ "true", "true", true },
		{ "true", "false", false },
		{ "1", "1.0e0", true },
		{ "1", "2", false },
		{ "1", "\"1\"", false },
		{ "\"a\"", "\"\\u0061\"", true },
		{ "\"\\n\"", "\"\\u000a\"", true },
		{ "\"a\"", "\"b\"", false },
		{ "[]", "[]", true },
		{ "[1,[2]]", "[1.0,[2]]", true },
		{ "[1,2]", "[2,1]", false },
		{ "[1]", "[1,2]", false },
		{ "[1,2]", "[1]", false },
		{ "[]", "{}", false },
		{ "{}", "{}", true },
		{ "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":2}", false },
		{ "{\"a\":1}", "{\"b\":1}", false },
		{ "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
		{ "{\"a\":0,\"a\":1}", "{\"a\":1}", true },
		{ "{\"a\":1,\"a\":0}", "{\"a\":1}", false },
		{ "{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}", false },
		{ "{\"a\":1,\"a\":2}", "{\"a\":3,\"a\":2}", true },
		{ "{\"\\u0061\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
		{ "{\"\":{\"x\":[{}]}}", "{\"\":{\"x\":[{}]}}", true },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct json *x = read_text(&a, cases[i].a);
		const struct json *y = read_text(&a, cases[i].b);

		if (json_equal(x, y) != cases[i].equal ||
		    json_equal(y, x) != cases[i].equal)
			fprintf(stderr, "%s, %s\n", cases[i].a, cases[i].b);
		CHECK(json_equal(x, y) == cases[i].equal);
		CHECK(json_equal(y, x) == cases[i].equal);
	}
	arena_free(&a);
}

/* Members in another order are found without trying each with each. */
static void
compares_large_objects(void)
{
	enum { MEMBERS = 200000 };
	struct arena a = { 0 };
	char *up = arena_alloc_n(&a, MEMBERS, 16), *p = up;
	char *down = arena_alloc_n(&a, MEMBERS, 16), *q = down;

	for (int i = 0; i < MEMBERS; i++) {
		p += sprintf(p, "%c\"%d\":%d", i == 0 ? '{' : ',', i, i % 7);
		q += sprintf(q, "%c\"%d\":%d", i == 0 ? '{' : ',',
		    MEMBERS - 1 - i, (MEMBERS - 1 - i) % 7);
	}
	*p = *q = '}';
	CHECK(json_equal(read_text(&a, up), read_text(&a, down)));
	q[-1] ^= 1;
	CHECK(!json_equal(read_text(&a, up), read_text(&a, down)));
	arena_free(&a);
}

/* Nor does each level double the time. Keys that repeat come with it. */
static void
compares_deep_objects(void)
{
	enum { DEPTH = 100 };
	static const char opening[] = "{\"k\":1,\"k\":";
	struct arena a = { 0 };
	char *one = arena_alloc_n(&a, DEPTH, sizeof opening + 2), *p = one;
	char *other;

	for (int i = 0; i < DEPTH; i++)
		p += sprintf(p, "%s", opening);
	*p++ = '1';
	for (int i = 0; i < DEPTH; i++)
		*p++ = '}';
	*p++ = '\0';
	other =
	    memcpy(arena_alloc(&a, (size_t)(p - one)), one, (size_t)(p - one));
	CHECK(json_equal(read_text(&a, one), read_text(&a, other)));
	p[-DEPTH - 2] = '2';
	CHECK(!json_equal(read_text(&a, one), read_text(&a, other)));
	arena_free(&a);
}

int
main(void)
{
	nothing_has_nothing();
	finds_members();
	decodes_text();
	decodes_anywhere();
	reads_whole_numbers();
	reads_doubles();
	compares();
	compares_large_objects();
	compares_deep_objects();
	return unit_status();
}
