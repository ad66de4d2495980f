#include "json/lenient.h"

#include "tests/unit/unit.h"
#include "json/json.h"

static struct arena arena;

static void
mends(const char *text, const char *want)
{
	CHECK_STR(json_repair(&arena, str_of(text)), want);
}

/* A text that is cut at any byte gives JSON, and more text never gives less. */
static void
at_every_byte(struct str whole)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	uint32_t values = 0;

	for (size_t n = 1; n <= whole.n; n++) {
		struct str text = json_repair(&arena, str_slice(whole, 0, n));
		const struct json *v = json_read(&reader, text, NULL, &error);

		if (v == NULL || v->span < values) {
			fprintf(stderr, "cut at %zu: %.*s\n", n, STR_FMT(text));
			FAIL("not whole");
			break;
		}
		values = v->span;
	}
	json_reader_free(&reader);
}

/* However often brackets are opened, the memory grows with the text alone. */
static void
takes_little(void)
{
	enum { DEEP = 512, PAIRS = 10000, SIZE = DEEP + 3 * PAIRS };
	struct arena a = { 0 };
	char *text = arena_alloc(&a, SIZE);
	struct arena work = { 0 };

	memset(text, '[', DEEP);
	for (char *p = text + DEEP; p < text + SIZE; p += 3)
		p[0] = '{', p[1] = '}', p[2] = ',';
	json_repair(&work, (struct str){ text, SIZE });
	CHECK(arena_size(&work) < (size_t)8 * SIZE);
	arena_free(&work);
	arena_free(&a);
}

int
main(void)
{
	takes_little();
	mends("{", "{}");
	mends("[", "[]");
	mends("{\"a", "{}");
	mends("{\"a\"", "{}");
	mends("{\"a\":", "{}");
	mends("{\"a\":\"b", "{}");
	mends("{\"a\":\"b\"", "{\"a\":\"b\"}");
	mends("{\"a\":\"b\",", "{\"a\":\"b\"}");
	mends("{\"a\":\"b\",\"c\"", "{\"a\":\"b\"}");
	mends("{\"a\":12", "{}");
	mends("{\"a\":12 ", "{\"a\":12}");
	mends("[12", "[]");
	mends("[12,", "[12]");
	mends("[true,fals", "[true]");
	mends("[\"a\",\"b\"", "[\"a\",\"b\"]");
	mends("{\"a\":[{\"b\":\"}]\\\"\"},{\"c\"",
	    "{\"a\":[{\"b\":\"}]\\\"\"},{}]}");
	mends("{\"a\":{\"b\":[1,2]", "{\"a\":{\"b\":[1,2]}}");
	mends("[\n  {\"a\": 1},\n  {\"b\": \"\\", "[\n  {\"a\": 1},\n  {}]");

	at_every_byte(
	    STR("{\"k\":[1,-2.5e3,\"x\\\"y\\u00e9\",{\"a\":null,"
		"\"b\":[[],{}]},true] , \"l\" : {\"m\":\"\xc3\xa9\"}}"));
	arena_free(&arena);
	return unit_status();
}
