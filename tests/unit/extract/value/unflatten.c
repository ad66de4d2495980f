/* Members whose names are paths, and times of spans. */
#include "extract/value/unflatten.h"

#include "extract/otel/otel.h"
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

static void
check(const char *object, const char *want)
{
	const struct json *got = unflatten(&arena, v(object), STR("a"));

	CHECK_STR(got == NULL ? STR("nothing") : got->text, want);
}

static void
values(void)
{
	check("{\"b\":1,\"a\":2,\"ab.c\":3,\"a.\":4}", "nothing");
	check("{\"a.b\":1,\"a.c.d\":[true,null]}",
	    "{\"b\":1,\"c\":{\"d\":[true,null]}}");
	check("{\"a.0.x\":1,\"a.1.x\":2,\"a.0.y\":3}",
	    "[{\"x\":1,\"y\":3},{\"x\":2}]");
	check("{\"a.2\":\"z\"}", "[null,null,\"z\"]");
	check("{\"a.b\\\"c\":1}", "{\"b\\\"c\":1}");
	check("{\"a..b\":1}", "{\"\":{\"b\":1}}");

	/* The later name says what it is. */
	check("{\"a.b\":1,\"a.b.c\":2}", "{\"b\":{\"c\":2}}");
	check("{\"a.b.c\":2,\"a.b\":1}", "{\"b\":1}");
	check("{\"a.b.0\":1,\"a.b.c\":2}", "{\"b\":{\"c\":2}}");
	check("{\"a.0.c\":1,\"a.x\":2,\"a.0.d\":3}", "[{\"d\":3}]");
	check("{\"a.b.c.d\":1,\"a.b\":0,\"a.b.c.e\":2}",
	    "{\"b\":{\"c\":{\"e\":2}}}");

	/* No list is made as long as a number says. */
	check("{\"a.99999999999999999999\":1}", "{\"99999999999999999999\":1}");
	check("{\"a.1001\":1}", "{\"1001\":1}");
	check("{\"a.0.2\":1,\"a.1.999\":2}", "[[null,null,1],{\"999\":2}]");
	check("{\"a.01\":1}", "{\"01\":1}");
}

static void
time_is(const char *source, int64_t want)
{
	CHECK(otel_time(v(source), false) == want);
}

static void
times(void)
{
	const int64_t t = 1772360100000000000;

	time_is("\"2026-03-01T10:15:00Z\"", t);
	time_is("\"2026-03-01T10:15:00.000001Z\"", t + 1000);
	time_is("\"2026-03-01T11:15:00.5+01:00\"", t + 500000000);
	time_is("\"1772360100000000007\"", t + 7);
	time_is("1772360100000000007", t + 7);
	time_is("1772360100000001", t + 1000);
	time_is("1772360100250", t + 250000000);
	time_is("1772360100.25", t + 250000000);
	time_is("[1772360100,7]", t + 7);

	time_is("null", SPAN_NO_TIME);
	time_is("\"now\"", SPAN_NO_TIME);
	time_is("\"9999-01-01T00:00:00Z\"", SPAN_NO_TIME);
	time_is("[1,2,3]", SPAN_NO_TIME);
	time_is("[-1,0]", SPAN_NO_TIME);
	time_is("1e300", SPAN_NO_TIME);
	CHECK(otel_time(v("1000"), true) == 1000);
}

int
main(void)
{
	values();
	times();
	arena_free(&arena);
	return unit_status();
}
