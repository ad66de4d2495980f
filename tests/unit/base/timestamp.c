#include "base/timestamp.h"

#include "tests/unit/unit.h"

static void
reads(const char *text, const char *want)
{
	char buf[TIMESTAMP_SIZE];
	int64_t ms;

	if (want == NULL)
		CHECK(!timestamp_text(str_of(text), &ms));
	else if (timestamp_text(str_of(text), &ms))
		CHECK_STR(timestamp_print(ms, buf), want);
	else
		FAIL("not a time");
}

static void
reads_number(double n, const char *want)
{
	char buf[TIMESTAMP_SIZE];
	int64_t ms;

	CHECK(timestamp_number(n, &ms) == (want != NULL));
	if (want != NULL && timestamp_number(n, &ms))
		CHECK_STR(timestamp_print(ms, buf), want);
}

/* The usual form of a time has a parser of its own. With any byte at any place the
 * result is that of the general parser, which reads a time with one more digit. */
static void
reads_all_alike(void)
{
	for (size_t i = 0; i < 23; i++) {
		char usual[] = "2011-11-11T11:11:11.111Z";
		char longer[] = "2011-11-11T11:11:11.1110Z";

		for (int c = 0; c < 256; c++) {
			int64_t ms, same;
			bool is;

			usual[i] = longer[i] = (char)c;
			is = timestamp_text((struct str){ usual, 24 }, &ms);
			CHECK(is ==
			    timestamp_text((struct str){ longer, 25 }, &same));
			CHECK(!is || ms == same);
		}
	}
}

/* The result for a time does not depend on the time that was read before. */
static void
reads_near_in(const char *form)
{
	size_t n = strlen(form);
	int64_t first, alone, ms;

	CHECK(timestamp_text(str_of(form), &first));
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < 256; c++) {
			struct timestamp_minute minute = { 0 };
			char text[TIMESTAMP_SIZE];
			bool is;

			CHECK(timestamp_text_near(str_of(form), &minute, &ms) &&
			    ms == first);
			memcpy(text, form, n + 1);
			text[i] = (char)c;
			is = timestamp_text((struct str){ text, n }, &alone);
			for (int again = 0; again < 2; again++) {
				CHECK(is ==
				    timestamp_text_near(
					(struct str){ text, n }, &minute, &ms));
				CHECK(!is || ms == alone);
			}
			CHECK(timestamp_text_near(str_of(form), &minute, &ms) &&
			    ms == first);
		}
	}
}

static void
reads_near(void)
{
	struct timestamp_minute none = { 0 };
	int64_t ms;

	CHECK(!timestamp_text_near(
	    (struct str){ "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0:11.111Z", 24 },
	    &none, &ms));
	reads_near_in("2011-11-11T11:11:11.111Z");
	reads_near_in("2011-11-11T11:11:11Z");
	reads_near_in("2011-11-11T11:11:11.111222");
	reads_near_in("2011-11-11T11:11:11.111222-01:11");
	reads_near_in("2011-11-11 11:11:11.111222+01:11");
}

static void
print_near(struct timestamp_minute *minute, int64_t ms)
{
	char near[TIMESTAMP_SIZE], alone[TIMESTAMP_SIZE];

	timestamp_print(ms, alone);
	CHECK_STR(timestamp_print_near(ms, minute, near), alone);
}

/* The result for a time does not depend on the times that were read and printed before,
 * in ascending and descending order, and at the limits of the usual form. */
static void
prints_near(void)
{
	struct timestamp_minute minute = { 0 };
	const int64_t starts[] = { 0, 1772442000000, INT64_C(253402300799000),
		-INT64_C(62167219261000) };
	int64_t read;

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		for (int64_t ms = -130000; ms < 130000; ms += 997) {
			print_near(&minute, starts[i] + ms);
			print_near(&minute, starts[i] - ms);
		}
	}
	CHECK(timestamp_text_near(
	    STR("2016-12-31T23:59:60.500Z"), &minute, &read));
	for (int64_t ms = -1500; ms < 61000; ms += 500)
		print_near(&minute, read + ms);
	CHECK(!timestamp_text_near(STR("2026-01-01"), &minute, &read));
	print_near(&minute, 1772442000000);
	CHECK(timestamp_text_near(
	    STR("2026-03-02T10:30:00.5+01:30"), &minute, &read));
	print_near(&minute, read);
}

int
main(void)
{
	int64_t ms;
	char buf[TIMESTAMP_SIZE];

	reads("2026-03-01T10:15:00.123Z", "2026-03-01T10:15:00.123Z");
	reads("2026-03-01 10:15:00", "2026-03-01T10:15:00.000Z");
	reads("2026-03-01T10:15:00.123456789z", "2026-03-01T10:15:00.123Z");
	reads("2026-03-01T01:15:00+02:00", "2026-02-28T23:15:00.000Z");
	reads("2026-02-28T23:15:00.5-0130", "2026-03-01T00:45:00.500Z");
	reads("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z");
	reads("2000-12-31T23:59:59.999Z", "2000-12-31T23:59:59.999Z");
	reads("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z");
	reads("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z");
	reads("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z");

	reads("", NULL);
	reads("2026-03-01", NULL);
	reads("2026-13-01T00:00:00Z", NULL);
	reads("2026-13-01T00:00:00.000Z", NULL);
	reads("2026-00-01T00:00:00.000Z", NULL);
	reads("2026-01-32T00:00:00.000Z", NULL);
	reads("2026-02-29T00:00:00.000Z", NULL);
	reads("2026-04-31T00:00:00Z", NULL);
	reads("2024-02-29T00:00:00.000Z", "2024-02-29T00:00:00.000Z");
	reads("1900-02-29T00:00:00.000Z", NULL);
	reads("2026-01-01T23:60:00.000Z", NULL);
	reads("2026-03-01T24:00:00Z", NULL);
	reads("2026-03-01T10:15:00.Z", NULL);
	reads("2026-03-01T10:15:00Zx", NULL);
	reads("2026-03-01T10:15:00+2", NULL);
	reads("[trimmed]", NULL);

	reads_number(1772442000, "2026-03-02T09:00:00.000Z");
	reads_number(1772442000.25, "2026-03-02T09:00:00.250Z");
	reads_number(1772442000250, "2026-03-02T09:00:00.250Z");
	reads_number(1772442000250000, "2026-03-02T09:00:00.250Z");
	reads_number(1772442000250000e3, "2026-03-02T09:00:00.250Z");
	reads_number(12, NULL);
	reads_number(-1772442000, NULL);

	reads_all_alike();
	reads_near();
	prints_near();

	CHECK_STR(timestamp_print(INT64_C(253402300800000), buf),
	    "10000-01-01T00:00:00.000Z");
	CHECK_STR(timestamp_print(-INT64_C(62167219200001), buf),
	    "-001-12-31T23:59:59.999Z");

	/* Every day of 400 years, there and back. */
	for (int64_t day = 0; day < 146097; day++) {
		timestamp_print(day * 86400000, buf);
		if (!timestamp_text(str_of(buf), &ms) || ms != day * 86400000) {
			FAIL("not the same day");
			break;
		}
	}
	return unit_status();
}
