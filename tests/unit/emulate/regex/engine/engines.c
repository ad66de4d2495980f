/* Random patterns and texts, which are the same in each run: the engines that support a
 * pattern must agree. */
#include <string.h>

#include "tests/unit/regex_agree.h"
#include "tests/unit/unit.h"

enum {
	PATTERNS = 40000,
	TEXTS = 3,
	DEPTH = 4,
	STEPS = 1000 * 1000,
};

struct random {
	uint64_t state;
	char pattern[4096];
	size_t n;
	int groups;
};

/* 0 to below n (splitmix64). */
static unsigned
below(struct random *r, unsigned n)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ z >> 31) % n);
}

static void
put(struct random *r, const char *s)
{
	size_t n = strlen(s);

	if (r->n + n < sizeof r->pattern) {
		memcpy(r->pattern + r->n, s, n);
		r->n += n;
	}
}

static void alternatives(struct random *, int depth);

static void
atom(struct random *r, int depth)
{
	static const char *const plain[] = { "a", "b", "a", "b", "K", "\\.",
		".", "[ab]", "[^a]", "\\w", "\\W", "\\s", "\\d", "[^]", "é",
		"[à-þ]", "😀", "\\ud83d", "[^,]", "\\S" };
	static const char *const open[] = { "(", "(", "(?:", "(?=", "(?!",
		"(?<=", "(?<!" };
	static const char *const back[] = { "\\1", "\\2", "\\3" };

	switch (depth == DEPTH ? 0 : below(r, 10)) {
	case 7:
	case 8:
		put(r, open[below(r, below(r, 2) ? 3 : 7)]);
		alternatives(r, depth + 1);
		put(r, ")");
		break;
	case 9:
		put(r, back[below(r, 3)]);
		break;
	default:
		put(r, plain[below(r, sizeof plain / sizeof plain[0])]);
	}
}

static void
term(struct random *r, int depth)
{
	static const char *const places[] = { "^", "$", "\\b", "\\B" };
	static const char *const counts[] = { "*", "+", "?", "{2}", "{1,2}",
		"{0}", "{2,}", "{0,3}" };

	if (below(r, 16) == 0) {
		put(r, places[below(r, 4)]);
		return;
	}
	atom(r, depth);
	if (below(r, 5) < 2)
		put(r, counts[below(r, 8)]);
	else
		return;
	if (below(r, 4) == 0)
		put(r, "?");
}

static void
alternatives(struct random *r, int depth)
{
	do {
		for (unsigned n = below(r, 4); n > 0; n--)
			term(r, depth);
	} while (below(r, 4) == 0 && (put(r, "|"), true));
}

static struct str
random_text(struct random *r, struct arena *a)
{
	static const char *const pieces[] = { "a", "b", "a", "b", "k", "K", "é",
		"É", "😀", "🎉", "\n", " ", ",", "1", "\u2028" };
	struct str parts[12];
	size_t n = below(r, 12);

	for (size_t i = 0; i < n; i++)
		parts[i] =
		    str_of(pieces[below(r, sizeof pieces / sizeof pieces[0])]);
	return str_join(a, parts, n, STR(""));
}

static void
compare(struct random *r, const struct regex *re, struct arena *a)
{
	struct str text = random_text(r, a);
	const char *who = regex_disagrees(re, text, STEPS, a);

	if (who == NULL)
		return;
	unit_failures++;
	fprintf(stderr, "%s disagrees: /%.*s/ on \"%.*s\"\n", who, (int)r->n,
	    r->pattern, STR_FMT(text));
}

int
main(void)
{
	struct random r = { .state = 1 };
	struct arena a = { 0 };
	size_t compiled = 0;

	for (int i = 0; i < PATTERNS; i++) {
		enum regex_flavour flavour = i % 8 == 0 ? REGEX_RE2
		    : i % 8 == 1                        ? REGEX_PYTHON
							: REGEX_JS;
		struct regex_error error;
		struct regex *re;

		r.n = 0;
		alternatives(&r, 0);
		re = regex_compile(&a, flavour, (struct str){ r.pattern, r.n },
		    below(&r, 16), &error);
		for (int t = 0; t < TEXTS && re != NULL; t++)
			compare(&r, re, &a);
		compiled += re != NULL;
		regex_free(re);
		arena_reset(&a);
	}
	arena_free(&a);
	CHECK(compiled > PATTERNS / 2);
	return unit_status();
}
