/* lib/judge/http/limit_headers: the headers in which servers report their limits. */
#include "judge/http/limit_headers.h"

#include "tests/unit/unit.h"

static const int64_t now = 1767225600000; /* 2026-01-01T00:00:00Z */

static bool
is_near(double got, double want)
{
	return got > want - 1e-9 && got < want + 1e-9;
}

static void
test_seconds(void)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {
		{ "1s", 1 },
		{ "6m0s", 360 },
		{ "12ms", 0.012 },
		{ "1h2m3.5s", 3723.5 },
		{ "250\xc2\xb5s", 0.00025 },
		{ "7", 7 },
		{ "0.5", 0.5 },
		{ "2026-01-01T00:00:30Z", 30 },
		{ "2025-12-31T23:59:00Z", 0 },
		{ "", -1 },
		{ "soon", -1 },
		{ "5 m", -1 },
		{ "1s2", -1 },
		{ "1.2.3s", -1 },
		{ "-1s", -1 },
		{ "m", -1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (!is_near(limit_headers_seconds(str_of(cases[i].text), now),
			cases[i].seconds))
			FAIL(cases[i].text);
}

static struct limit_headers
limits_of(const char *const *headers)
{
	struct limit_headers l = { 0 };

	for (; *headers != NULL; headers += 2)
		limit_headers_read(
		    &l, str_of(headers[0]), str_of(headers[1]), now);
	return l;
}

static void
test_rest(void)
{
	static const char *const openai[] = { "x-ratelimit-limit-requests",
		"60", "X-RateLimit-Remaining-Requests", "0",
		"x-ratelimit-reset-requests", "2s",
		"x-ratelimit-remaining-tokens", "500",
		"x-ratelimit-reset-tokens", "1m0s", NULL };
	static const char *const anthropic[] = {
		"anthropic-ratelimit-requests-remaining", "3",
		"anthropic-ratelimit-requests-reset", "2026-01-01T00:01:00Z",
		"anthropic-ratelimit-input-tokens-remaining", "100",
		"anthropic-ratelimit-input-tokens-reset",
		"2026-01-01T00:00:20Z", NULL
	};
	static const char *const nothing[] = { "x-ratelimit-remaining", "0",
		"x-ratelimit-reset-requests", "9s",
		"x-ratelimit-remaining-requests-", "0", NULL };
	struct limit_headers l = limits_of(openai);

	CHECK(is_near(limit_headers_rest(&l, 100), 2));
	CHECK(is_near(limit_headers_rest(&l, 501), 60));
	l = limits_of(anthropic);
	CHECK(is_near(limit_headers_rest(&l, 100), 0));
	CHECK(is_near(limit_headers_rest(&l, 101), 20));
	l = limits_of(nothing);
	CHECK(is_near(limit_headers_rest(&l, 1000), 0));
}

int
main(void)
{
	test_seconds();
	test_rest();
	return unit_status();
}
