#include "yaml/text.h"

#include <string.h>

#include "json/json.h"
#include "json/scan.h"

enum {
	MARK_EVERY = 256,
	PAIR = 12, /* bytes of an escaped pair of surrogates */
};

static bool
begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static void
mark_characters(struct yaml_text *t)
{
	size_t characters = 0;

	t->n_marks = 0;
	for (size_t i = 0; i < t->mended.n; i++)
		if (begins_character(t->mended.s[i]) &&
		    characters++ % MARK_EVERY == 0)
			t->marks[t->n_marks++] = i;
}

void
yaml_text_set(struct yaml_text *t, struct arena *a, struct str text)
{
	*t = (struct yaml_text){ 0 };
	t->original = t->mended = yaml_breaks_hide(&t->breaks, a, text);
	/* Room for a text whose every byte is a backslash to be doubled. */
	t->marks = arena_new_n(a, size_t, 2 * text.n / MARK_EVERY + 1);
	mark_characters(t);
}

static size_t
mended_offset(const struct yaml_text *t, size_t character)
{
	size_t mark = character / MARK_EVERY, left = character % MARK_EVERY;
	size_t at;

	if (mark >= t->n_marks)
		return t->mended.n;
	for (at = t->marks[mark]; left > 0 && at < t->mended.n; left--)
		do
			at++;
		while (at < t->mended.n && !begins_character(t->mended.s[at]));
	return at;
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
yaml_text_offset(const struct yaml_text *t, size_t character)
{
	return yaml_text_restore(t, mended_offset(t, character));
}

/* Whether a backslash before this begins an escape of YAML 1.2. */
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

/* The character that an escaped pair of surrogates at the text's beginning
 * stands for; absent if there is none. */
static struct str
paired(struct arena *a, struct str s)
{
	struct json v = { .type = JSON_STRING, .flags = JSON_ESCAPED };

	if (s.n < PAIR || !is_surrogate(s, STR("89abAB")) ||
	    !is_surrogate(str_from(s, PAIR / 2), STR("cdefCDEF")))
		return (struct str){ 0 };
	v.text = str_printf(a, "\"%.*s\"", PAIR, s.s);
	return json_text(&v, a);
}

/* Adds what is to be mended in the quoted scalar. */
static void
find_escapes(struct yaml_text *t, struct arena *a, size_t quote)
{
	struct str s = t->original;

	for (size_t i = quote + 1; i + 1 < s.n && s.s[i] != '"'; i++) {
		struct yaml_repair m = { .at = i, .taken = 1 };

		if (s.s[i] != '\\')
			continue;
		m.put = paired(a, str_from(s, i));
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
	mark_characters(t);
	return true;
}
