#include "engine.h"

#include <string.h>

#include "backtrack.h"
#include "text.h"

enum {
	LONG_TEXT = 8192,
};

static bool
jit_serves(const struct regex *re, const struct query *q)
{
	const struct facts *f = &re->facts;

	if (re->jit == NULL || f->caseless_backrefs)
		return false;
	if (f->own_captures && (f->backrefs || q->spans != NULL))
		return false;
	if (re->bytes || !q->has_pairs)
		return true;
	return !f->counts_pairs && (q->spans == NULL || !f->takes_pairs);
}

static enum regex_found
jit_engine(const struct regex *re, const struct query *q)
{
	return jit_search(re->jit, q->text, q->spans, re->pattern->groups);
}

static bool
linear_serves(const struct regex *re, const struct query *q)
{
	/* Before a last newline it does not see that it is the last. */
	return re->linear != NULL &&
	    !(re->facts.last_end && str_ends(q->text, STR("\n")));
}

static enum regex_found
linear_engine(const struct regex *re, const struct query *q)
{
	return linear_search(re->linear, q->text);
}

static bool
backtrack_serves(const struct regex *re, const struct query *q)
{
	(void)q;
	return re->program != NULL;
}

static enum regex_found
backtrack_engine(const struct regex *re, const struct query *q)
{
	return backtrack_search(
	    re->program, q->text, q->spans, backtrack_steps(q->text));
}

const struct engine engines[] = {
	{ "pcre2", true, false, jit_serves, jit_engine },
	{ "linear", false, true, linear_serves, linear_engine },
	{ "backtrack", true, true, backtrack_serves, backtrack_engine },
};
const size_t engines_n = sizeof engines / sizeof engines[0];

/* Whether some byte begins a character of four; eight bytes at a time. */
static bool
has_pairs(struct str text)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	size_t i = 0;
	uint64_t w;

	for (; text.n - i >= sizeof w; i += sizeof w) {
		memcpy(&w, text.s + i, sizeof w);
		if (w & w << 1 & w << 2 & w << 3 & high)
			return true;
	}
	for (; i < text.n; i++)
		if ((unsigned char)text.s[i] >= 0xf0)
			return true;
	return false;
}

struct query
query_of(struct str text, size_t *spans)
{
	return (struct query){ text, has_pairs(text), spans };
}

/* A slice of the text. Half a character, which no slice can show, is U+FFFD;
 * then it is a copy. */
static struct str
piece(struct str text, size_t from, size_t to, struct arena *a)
{
	static const struct str half = { "\xef\xbf\xbd", 3 };
	bool low = from < to && text_continues((unsigned char)text.s[from]);
	bool high = from < to && to < text.n &&
	    text_continues((unsigned char)text.s[to]);
	struct str whole =
	    str_slice(text, from + (low ? 2 : 0), to - (high ? 2 : 0));
	struct str parts[3];
	size_t n = 0;

	if (!low && !high)
		return whole;
	if (low)
		parts[n++] = half;
	parts[n++] = whole;
	if (high)
		parts[n++] = half;
	return str_join(a, parts, n, STR(""));
}

void
query_match(const struct query *q, const struct regex *re,
    struct regex_match *m, struct arena *a)
{
	size_t groups = re->pattern->groups;
	struct str text = q->text.s == NULL ? STR("") : q->text;

	m->n = groups;
	m->groups = arena_new_n(a, struct str, groups);
	for (size_t i = 0; i < groups; i++)
		if (q->spans[2 * i] != SIZE_MAX)
			m->groups[i] = piece(
			    text, q->spans[2 * i], q->spans[2 * i + 1], a);
}

enum regex_found
regex_search(const struct regex *re, struct str text, struct regex_match *match,
    struct arena *a)
{
	size_t groups = re->pattern->groups;
	struct query q = query_of(
	    text, match == NULL ? NULL : arena_new_n(a, size_t, 2 * groups));
	bool risky = re->facts.loops && text.n > LONG_TEXT;

	for (size_t i = 0; i < engines_n; i++) {
		enum regex_found found;

		if (!engines[i].serves(re, &q) ||
		    (risky && !engines[i].bounded))
			continue;
		found = engines[i].search(re, &q);
		if (found == REGEX_NO)
			return REGEX_NO;
		if (found == REGEX_LIMIT ||
		    (match != NULL && !engines[i].gives_spans))
			continue;
		if (match != NULL)
			query_match(&q, re, match, a);
		return REGEX_YES;
	}
	return REGEX_LIMIT;
}
