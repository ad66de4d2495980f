#include "yaml/text.h"

#include <string.h>

#include "text/unicode.h"
#include "json/json.h"

/* ---- line breaks of YAML 1.1 ---- */

enum { RANGE_MOST = 0x1000 };

/* The line breaks, each with the range of characters for its substitute: they
 * have the same length, and libyaml accepts all of them. */
static const struct {
	struct str character;
	uint32_t first, last;
} breaks[YAML_BREAKS] = {
	{ STR_CONST("\xc2\x85"), 0x400, 0x7ff },
	{ STR_CONST("\u2028"), 0xe000, 0xefff },
	{ STR_CONST("\u2029"), 0xf000, 0xf8ff },
};

static bool
has(struct str text, struct str part)
{
	return str_find(text, part) < text.n;
}

/* Returns a character of the range that is not in the text, absent if there is
 * none. */
static struct str
unused(struct arena *a, struct str text, uint32_t first, uint32_t last)
{
	bool held[RANGE_MOST] = { false };
	char *buf = arena_alloc(a, 4);
	size_t length;

	for (size_t i = 0; i < text.n; i += length) {
		uint32_t c = unicode_decode(str_from(text, i), &length);

		if (c >= first && c <= last)
			held[c - first] = true;
	}
	for (uint32_t c = first; c <= last; c++)
		if (!held[c - first])
			return (struct str){ buf, unicode_encode(c, buf) };
	return (struct str){ 0 };
}

static void
replace(char *s, size_t n, struct str from, struct str to)
{
	size_t at;

	while (at = str_find(((struct str){ s, n }), from), at < n) {
		memcpy(s + at, to.s, to.n);
		s += at + to.n;
		n -= at + to.n;
	}
}

struct str
yaml_breaks_hide(struct yaml_breaks *b, struct arena *a, struct str text)
{
	char *copy = NULL;

	*b = (struct yaml_breaks){ 0 };
	for (size_t i = 0; i < YAML_BREAKS; i++) {
		if (!has(text, breaks[i].character))
			continue;
		b->instead[i] =
		    unused(a, text, breaks[i].first, breaks[i].last);
		if (b->instead[i].s == NULL)
			continue;
		if (copy == NULL)
			copy = memcpy(arena_alloc(a, text.n), text.s, text.n);
		replace(copy, text.n, breaks[i].character, b->instead[i]);
	}
	return copy == NULL ? text : (struct str){ copy, text.n };
}

void
yaml_breaks_restore(const struct yaml_breaks *b, char *s, size_t n)
{
	for (size_t i = 0; i < YAML_BREAKS; i++)
		if (b->instead[i].s != NULL)
			replace(s, n, b->instead[i], breaks[i].character);
}

/* ---- offsets ---- */

enum { PAIR = 12 }; /* bytes of an escaped pair of surrogates */

static bool
begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

void
yaml_text_set(struct yaml_text *t, struct arena *a, struct str text)
{
	*t = (struct yaml_text){ 0 };
	t->original = t->mended = yaml_breaks_hide(&t->breaks, a, text);
}

/* Returns the offset in t->mended of a character. The walk starts at the last
 * character that was requested, so that ascending requests take linear time. */
static size_t
mended_offset(struct yaml_text *t, size_t character)
{
	struct str s = t->mended;

	for (; t->character < character && t->offset < s.n; t->character++)
		do
			t->offset++;
		while (t->offset < s.n && !begins_character(s.s[t->offset]));
	for (; t->character > character; t->character--)
		do
			t->offset--;
		while (!begins_character(s.s[t->offset]));
	return t->offset;
}

size_t
yaml_text_restore(const struct yaml_text *t, size_t at)
{
	size_t low = 0, high = t->n_mends, behind;
	const struct yaml_repair *m;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->mends[middle].in_mended <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return at;
	m = &t->mends[low - 1];
	behind = m->in_mended + m->put.n;
	return at < behind ? m->at : m->at + m->taken + (at - behind);
}

size_t
yaml_text_offset(struct yaml_text *t, size_t character)
{
	return yaml_text_restore(t, mended_offset(t, character));
}

/* Returns whether a backslash and this letter are an escape of YAML 1.2. */
static bool
known_escape(char c)
{
	return c != '\0' && strchr("0abt\tnvfre \"/\\N_LPxuU\n\r", c) != NULL;
}

static bool
is_surrogate(struct str escape, struct str third)
{
	return escape.s[0] == '\\' && escape.s[1] == 'u' &&
	    (escape.s[2] | 0x20) == 'd' &&
	    str_find_char(third, escape.s[3]) < third.n &&
	    json_is_hex(escape.s[4]) && json_is_hex(escape.s[5]);
}

/* Returns the character for an escaped pair of surrogates at the start of the
 * text, absent if there is none. */
static struct str
decode_pair(struct arena *a, struct str s)
{
	struct json v = { .type = JSON_STRING, .flags = JSON_ESCAPED };

	if (s.n < PAIR || !is_surrogate(s, STR("89abAB")) ||
	    !is_surrogate(str_from(s, PAIR / 2), STR("cdefCDEF")))
		return (struct str){ 0 };
	v.text = str_printf(a, "\"%.*s\"", PAIR, s.s);
	return json_text(&v, a);
}

/* Records the repairs that the quoted scalar needs. */
static void
find_escapes(struct yaml_text *t, struct arena *a, size_t quote)
{
	struct str s = t->original;

	for (size_t i = quote + 1; i + 1 < s.n && s.s[i] != '"'; i++) {
		struct yaml_repair m = { .at = i, .taken = 1 };

		if (s.s[i] != '\\')
			continue;
		m.put = decode_pair(a, str_from(s, i));
		if (m.put.n != 0)
			m.taken = PAIR;
		else if (!known_escape(s.s[i + 1]))
			m.put = STR("\\\\");
		if (m.put.n != 0)
			*arena_push(a, t->mends, t->n_mends) = m;
		i += m.taken == PAIR ? PAIR - 1 : 1;
	}
}

bool
yaml_text_repair(struct yaml_text *t, struct arena *a, size_t character)
{
	size_t before = t->n_mends, from = 0, n = 0;
	size_t quote = yaml_text_offset(t, character);
	struct str s = t->original;

	if (before == 0 || t->mends[before - 1].at < quote)
		find_escapes(t, a, quote);
	if (t->n_mends == before)
		return false;
	if (t->copy == NULL)
		t->copy = arena_alloc(a, 2 * s.n);
	for (size_t i = 0; i < t->n_mends; i++) {
		struct yaml_repair *m = &t->mends[i];

		memcpy(t->copy + n, s.s + from, m->at - from);
		n += m->at - from;
		memcpy(t->copy + n, m->put.s, m->put.n);
		m->in_mended = n;
		n += m->put.n;
		from = m->at + m->taken;
	}
	memcpy(t->copy + n, s.s + from, s.n - from);
	t->mended = (struct str){ t->copy, n + s.n - from };
	t->character = t->offset = 0;
	return true;
}
