#include "emulate/regex/engine/engine.h"

#include <string.h>

#include "emulate/regex/engine/backtrack.h"
#include "emulate/regex/tree/text.h"

/* Returns whether some byte begins a character of four bytes; tests eight bytes
 * at a time. */
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

/* Returns whether the search begins in the middle of a character. */
static bool
begins_within(const struct query *q)
{
	return q->from < q->text.n &&
	    text_continues((unsigned char)q->text.s[q->from]);
}

static bool
pcre2_serves(const struct query *q)
{
	const struct parsed *p = regex_parsed(q->re);
	const struct analysis *f = &p->analysis;
	bool units_matter =
	    f->counts_pairs || (q->spans != NULL && f->takes_pairs);

	if (f->own_captures && (f->backrefs || q->spans != NULL))
		return false;
	if (!p->bytes && units_matter && has_pairs(q->text))
		return false;
	if (begins_within(q))
		return false;
	return p->pcre2 != NULL;
}

static enum regex_found
pcre2_engine(const struct query *q)
{
	const struct parsed *p = regex_parsed(q->re);

	return pcre2_regex_search(
	    p->pcre2, q->text, q->from, q->spans, p->pattern->groups);
}

static bool
dfa_serves(const struct query *q)
{
	return q->from == 0 && regex_dfa_search(q->re) != NULL;
}

static enum regex_found
dfa_engine(const struct query *q)
{
	return dfa_search_run(regex_dfa_search(q->re), q->text);
}

static bool
backtrack_serves(const struct query *q)
{
	(void)q;
	return true;
}

static enum regex_found
backtrack_engine(const struct query *q)
{
	return backtrack_search(regex_program(q->re), q->text, q->from,
	    q->spans, backtrack_steps(q->text));
}

const struct engine engines[] = {
	{ "pcre2", true, false, pcre2_serves, pcre2_engine },
	{ "linear", false, true, dfa_serves, dfa_engine },
	{ "backtrack", true, true, backtrack_serves, backtrack_engine },
};
const size_t engines_n = sizeof engines / sizeof engines[0];

/* Returns a slice of the text. Half of a character, which no slice can show,
 * becomes U+FFFD; then the result is a copy. */
static struct str
piece(struct str text, size_t from, size_t to, struct arena *a)
{
	static const struct str half = { "\xef\xbf\xbd", 3 };
	bool low = from < to && text_continues((unsigned char)text.s[from]);
	bool high = from < to && to < text.n &&
	    text_continues((unsigned char)text.s[to]);
	struct str parts[3];
	size_t n = 0;

	if (!low && !high)
		return str_slice(text, from, to);
	if (low)
		parts[n++] = half;
	parts[n++] = str_slice(text, from + (low ? 2 : 0), to - (high ? 2 : 0));
	if (high)
		parts[n++] = half;
	return str_join(a, parts, n, STR(""));
}

void
query_match(const struct query *q, struct regex_match *m, struct arena *a)
{
	struct str text = q->text.s == NULL ? STR("") : q->text;

	m->n = regex_parsed(q->re)->pattern->groups;
	m->from = q->spans[0];
	m->to = q->spans[1];
	m->groups = arena_new_n(a, struct str, m->n);
	for (size_t i = 0; i < m->n; i++)
		if (q->spans[2 * i] != SIZE_MAX)
			m->groups[i] = piece(
			    text, q->spans[2 * i], q->spans[2 * i + 1], a);
}
